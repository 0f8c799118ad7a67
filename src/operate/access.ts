import { createHash, generateKeySync, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Clock, Micros } from '../core/base/clock.ts';
import { seconds } from '../core/base/clock.ts';
import { hostName } from '../core/base/host-name.ts';
import { Refused } from './refused.ts';

/** Right that a token gives: `read` sees everything and changes nothing. */
export type Role = 'read' | 'operate';

export interface AccessDeps {
  readonly clock: Clock;
  /** Each at least 16 characters. */
  readonly tokens: { readonly operate: string; readonly read?: string | undefined };
  /** Host names and addresses under which the server may be asked, without ports. */
  readonly names: readonly string[];
  /** Those of them that stand for a reverse proxy: it may name another host than the browser asked. */
  readonly proxies: readonly string[];
}

export interface AccessRequest {
  readonly headers: IncomingHttpHeaders;
  readonly address: string;
}

/** Request as it is judged, its path without a query. */
interface Asked {
  readonly method: string;
  readonly path: string;
}

/** Wrong tokens of one peer in this time: further wrong ones are not looked at until the oldest is that old. Source: faults, Q8. */
const wrongMax = 10;
const wrongWindow = seconds(60);
const peersMax = 1_000;

/** Check of who may ask: the right host, no foreign page, a token that is compared in constant time. Source: faults, Q4 to Q8. */
export class Access {
  readonly #setup: AccessDeps;
  readonly #digests: readonly (readonly [Role, Buffer])[];
  /** When each peer sent wrong tokens; the one that did last stands last. */
  readonly #wrong = new Map<string, Micros[]>();

  constructor(setup: AccessDeps) {
    this.#setup = setup;
    const { operate, read } = setup.tokens;
    this.#digests = [
      ['operate', digestOf(operate)],
      ...(read === undefined ? [] : [['read', digestOf(read)] as const]),
    ];
  }

  /** Before anything of the request is believed: it names this server, and no page of another sent it. */
  foreign({ headers, method, path }: Pick<AccessRequest, 'headers'> & Asked): Refused | undefined {
    const { origin, host = '' } = headers;
    if (!this.#setup.names.includes(hostName(host)))
      return new Refused(421, 'HOST', 'expected a request for this server, found another host');
    if (origin !== undefined && !this.#isOwnPage(origin, host))
      return new Refused(403, 'ORIGIN', 'expected a request of this server, found another origin');
    if (!isOwnSite(headers) && !(path === '/' && method === 'GET' && isNavigation(headers)))
      return new Refused(
        403,
        'ORIGIN',
        'expected a request of this server, found one that a page of another site caused',
      );
    return undefined;
  }

  /**
   * The role of the token, or why there is none. A right token is always served: a lock holds up wrong ones alone, because any local
   * program and any page that a browser shows can cause these. A request without a token guesses nothing, and is not counted.
   */
  roleOf({ headers, address }: AccessRequest): Role | Refused {
    const { authorization = '' } = headers;
    const [, token] = /^bearer +(\S+)$/i.exec(authorization) ?? [];
    const given = digestOf(token ?? '');
    let role: Role | undefined;
    // Every token is compared: the time says nothing about which one was nearly right.
    for (const [name, digest] of this.#digests)
      if (timingSafeEqual(digest, given) && token !== undefined) role ??= name;
    if (role !== undefined) return role;
    const isGuess = !/^(bearer)?\s*$/i.test(authorization);
    if (isGuess && this.#isLocked(address))
      return new Refused(
        429,
        'LOCKED',
        `expected fewer than ${wrongMax} wrong tokens in a minute from one address, found more: only the right token is served from there for a minute`,
      );
    return new Refused(
      401,
      'TOKEN',
      `expected the token of this daemon as "Authorization: Bearer TOKEN", found ${isGuess ? 'another' : 'none'}`,
    );
  }

  /** Counts a wrong token, unless so many came before it that it is not looked at. */
  #isLocked(address: string): boolean {
    const now = this.#setup.clock.uptime();
    const times = (this.#wrong.get(address) ?? []).filter((time) => now - time < wrongWindow);
    if (times.length >= wrongMax) return true;
    this.#wrong.delete(address);
    const [oldest] = this.#wrong.keys();
    if (this.#wrong.size >= peersMax && oldest !== undefined) this.#wrong.delete(oldest);
    this.#wrong.set(address, [...times, now]);
    return false;
  }

  /** Another port of this machine is another origin. */
  #isOwnPage(origin: string, host: string): boolean {
    const [, from] = /^https?:\/\/([^/]+)$/.exec(origin.toLowerCase()) ?? [];
    return (
      from !== undefined && (from === host.toLowerCase() || this.#setup.proxies.includes(hostName(from)))
    );
  }
}

/** A text that nobody can guess: a token for a daemon that has none configured, or the code of a second step. */
export function unguessable(bits: 64 | 192): string {
  return generateKeySync('hmac', { length: bits }).export().toString('base64url');
}

/**
 * Whether no page, or one of this very origin, caused the request. A page of another port counts as foreign, though its site is the
 * same. Clients that are no browsers say nothing. Source: Fetch Metadata Request Headers, `Sec-Fetch-Site`.
 */
function isOwnSite(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none';
}

/** Whether the answer becomes a page of its own, which the page that linked to it cannot read. */
function isNavigation(headers: IncomingHttpHeaders): boolean {
  return headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

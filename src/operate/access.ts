import { createHash, generateKeySync, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Clock, Micros } from '../core/base/clock.ts';
import { seconds } from '../core/base/clock.ts';

/** What a token allows: `read` sees everything and changes nothing. */
export type Role = 'read' | 'operate';

export interface AccessSetup {
  readonly clock: Clock;
  /** Each at least 16 characters. */
  readonly tokens: { readonly operate: string; readonly read?: string | undefined };
  /** Host names and addresses under which the server may be asked, without ports. */
  readonly names: readonly string[];
  /** Those of them that stand for a reverse proxy: it may name another host than the browser asked. */
  readonly proxies: readonly string[];
}

/** Why a request is not answered. */
export interface AccessRefusal {
  readonly status: 401 | 403 | 421 | 429;
  readonly code: string;
  readonly why: string;
}

export interface AccessRequest {
  readonly headers: IncomingHttpHeaders;
  readonly address: string;
}

/** Failures of one peer in this time lock it out until the oldest is that old. Source: faults, Q8. */
const failuresMax = 10;
const failureWindow = seconds(60);
const peersMax = 1_000;

/** Who may ask: the right host, no foreign page, a token that is compared in constant time. Source: faults, Q4 to Q8. */
export class Access {
  readonly #setup: AccessSetup;
  readonly #digests: readonly (readonly [Role, Buffer])[];
  readonly #failures = new Map<string, Micros[]>();

  constructor(setup: AccessSetup) {
    this.#setup = setup;
    const { operate, read } = setup.tokens;
    this.#digests = [
      ['operate', digestOf(operate)],
      ...(read === undefined ? [] : [['read', digestOf(read)] as const]),
    ];
  }

  /** Before anything of the request is believed: it names this server, and no page of another sent it. */
  foreign({ headers }: Pick<AccessRequest, 'headers'>): AccessRefusal | undefined {
    const { origin, host = '' } = headers;
    if (!this.#setup.names.includes(hostOf(host)))
      return { status: 421, code: 'HOST', why: 'expected a request for this server, found another host' };
    if (origin !== undefined && !this.#isOwnPage(origin, host))
      return { status: 403, code: 'ORIGIN', why: 'expected a request of this server, found another origin' };
    return undefined;
  }

  /** The role of the token, or why there is none. */
  roleOf({ headers, address }: AccessRequest): Role | AccessRefusal {
    const now = this.#setup.clock.uptime();
    const failures = (this.#failures.get(address) ?? []).filter((time) => now - time < failureWindow);
    if (failures.length >= failuresMax)
      return {
        status: 429,
        code: 'LOCKED',
        why: `expected fewer than ${failuresMax} wrong tokens in a minute from one address; it is locked for a minute`,
      };
    const match = /^Bearer ([\x21-\x7e]{1,200})$/.exec(headers.authorization ?? '');
    const given = digestOf(match?.[1] ?? '');
    let role: Role | undefined;
    // Every token is compared: the time says nothing about which one was nearly right.
    for (const [name, digest] of this.#digests)
      if (timingSafeEqual(digest, given) && match !== null) role ??= name;
    if (role !== undefined) return role;
    if (this.#failures.size >= peersMax && !this.#failures.has(address)) this.#failures.clear();
    this.#failures.set(address, [...failures, now]);
    const found = headers.authorization === undefined ? 'none' : 'another';
    return {
      status: 401,
      code: 'TOKEN',
      why: `expected the token of this daemon as "Authorization: Bearer TOKEN", found ${found}`,
    };
  }

  /** Another port of this machine is another origin. */
  #isOwnPage(origin: string, host: string): boolean {
    const [, from] = /^https?:\/\/([^/]+)$/.exec(origin.toLowerCase()) ?? [];
    return from !== undefined && (from === host.toLowerCase() || this.#setup.proxies.includes(hostOf(from)));
  }
}

/** A text that nobody can guess: a token for a daemon that has none configured, or the code of a second step. */
export function unguessable(bits: 64 | 192): string {
  return generateKeySync('hmac', { length: bits }).export().toString('base64url');
}

/** Name or address of a `Host` header, without its port. */
function hostOf(host: string): string {
  return host.replace(/:\d{1,5}$/, '').toLowerCase();
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

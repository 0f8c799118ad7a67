import type { Clock, Micros } from '../../../../core/base/clock.ts';
import { later, micros, millis } from '../../../../core/base/clock.ts';
import { BadInput } from '../../../../core/base/errors.ts';
import type { Random } from '../../../../core/base/random.ts';
import type { Credentials } from '../../../../core/base/secret.ts';
import type { Asked, Endpoint } from '../../wire/index.ts';
import {
  readTime,
  parseLossless,
  utf8Text,
  basicHeader,
  signV2,
  signV3,
  fillPath,
} from '../../wire/index.ts';
import type { RestAddress } from '../../../address.ts';
import { AddressRefused, requirePrivate, restAddress } from '../../../address.ts';
import { VenueFailed } from '../../../port.ts';
import { ClockOffset } from '../../../net/index.ts';
import type { ClientNetwork } from '../../../net/network.ts';
import type { HttpReply } from '../../../net/rest-transport.ts';
import { RestTransport } from '../../../net/rest-transport.ts';
import type { ClientOptions } from '../../../options.ts';
import { pause } from '../../../../core/base/pause.ts';
import type { CallVerdict } from '../calls/index.ts';
import { unknownVerdict, verdictOfHttp } from '../calls/index.ts';

/** The part of a REST address that leads to a version. Source: API v3, "Addresses"; API v2, "What the service does". */
export const restRoots = { v3: '/api/3', v2: '/api/2' } as const;
export type ApiVersion = keyof typeof restRoots;

/** A REST read failed for good: refused, or without a usable answer after all attempts. */
export class RestFailed extends VenueFailed {
  override readonly code = 'GW_REST_FAILED';
}

/** One call of the REST interface. */
export interface ApiCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api/3` or `/api/2`, such as `/spot/order`. */
  readonly path: string;
  /** Without the question mark. */
  readonly query?: string;
  readonly form?: string;
  readonly json?: string;
  /** Whether credentials go with it. Public paths need none. */
  readonly signed: boolean;
  readonly signal?: AbortSignal;
  /** A call of which only the `texts` of the reply are read: the rows of a long list are then no part of its `body`. */
  readonly isText?: boolean;
}

/** The end of a call. `texts` and `body` are there when the venue answered with JSON, an error included. */
export interface RestReply {
  readonly verdict: CallVerdict;
  /** 0: no answer, or none that can be read. */
  readonly status: number;
  /** The JSON as it came: a long list in pieces, each a list, anything else whole. */
  readonly texts: readonly string[];
  readonly body: unknown;
  /** Count of the rows of a list, 0 of anything else. */
  readonly rows: number;
  /** The request surely never left. */
  readonly unsent: boolean;
  /** Pause that the venue asks for before the next request. */
  readonly retryAfter?: Micros | undefined;
  /** Wall time at which it left. */
  readonly askedAt: Micros;
}

export interface RestDeps {
  /** As the documents write it, without `/api/3`. */
  readonly baseUrl: string;
  /** The version whose paths and signatures are used: v3 unless said otherwise. */
  readonly version?: ApiVersion;
  readonly credentials?: Credentials | undefined;
  /** `Basic` shows the secret to the venue and is allowed on this machine only. */
  readonly scheme?: 'HS256' | 'Basic';
  readonly clock: Clock;
  readonly random: Random;
  readonly options: ClientOptions['rest'];
  /** The machine's own unless said otherwise. @internal */
  readonly network?: ClientNetwork | undefined;
  /** Offset of the venue's clock that was measured before; it goes on being measured here. */
  readonly clockOffset?: ClockOffset | undefined;
}

/** Where a call waits until a rate limit lets it leave. */
export interface CallGate {
  /** Resolves when the call may leave; false: it must not. */
  enter(): Promise<boolean>;
  /** The call that entered was answered, or given up. */
  leave(limited: boolean): void;
  /** The first call of a read, whose turn was taken before, was answered, or given up. */
  first?(limited: boolean): void;
}

/** Body of an answer; nothing where it cannot be read. */
type ReadBody = Pick<RestReply, 'texts' | 'body' | 'rows'>;

const nothingRead: ReadBody = { texts: [], body: undefined, rows: 0 };

const openGate: CallGate = { enter: () => Promise.resolve(true), leave: () => {} };
const authorizationRefused = 1002;

/**
 * The REST interface: signs, sends once, and says how it ended. Only reads are retried, and only by `read`.
 *
 * Credentials never leave over an unencrypted link, unless to this machine: `AddressRefused` is thrown when made.
 */
export class RestClient {
  readonly clockOffset: ClockOffset;
  readonly #setup: RestDeps;
  readonly #address: RestAddress;
  readonly #transport: RestTransport;
  readonly #root: string;

  constructor(setup: RestDeps) {
    this.#setup = setup;
    this.clockOffset = setup.clockOffset ?? new ClockOffset(readTime);
    this.#address = restAddress(setup.baseUrl);
    this.#root = restRoots[setup.version ?? 'v3'];
    if (setup.credentials !== undefined) requirePrivate(setup.baseUrl);
    if (setup.scheme === 'Basic' && !this.#address.loopback) {
      throw new AddressRefused(
        'expected HS256 signatures: Basic shows the secret and is for this machine only',
      );
    }
    this.#transport = new RestTransport(this.#address.origin, setup.clock, setup.options, setup.network);
  }

  /** Requests waiting or unanswered. */
  get inFlight(): number {
    return this.#transport.inFlight;
  }

  /** Sends once. Never rejects; what becomes of a write that ends `unknown` must be found out by reading. */
  async send(call: ApiCall): Promise<RestReply> {
    const { clock } = this.#setup;
    const askedAt = clock.now();
    const path = `${this.#address.prefix}${this.#root}${call.path}`;
    const http = await this.#transport.send({
      method: call.method,
      path: call.query ? `${path}?${call.query}` : path,
      headers: this.#headers(call, askedAt),
      body: call.form ?? call.json,
      signal: call.signal,
    });
    const read = http.texts.length > 1 ? await this.#readPieces(http.texts, call) : this.#read(http.texts[0]);
    return this.#replyOf(http, read, askedAt);
  }

  /**
   * Sends a read until it is answered, with jittered pauses, at most `readAttempts` times. A refusal ends it, except
   * one for a wrong clock, after which it is signed once more with the corrected time. Each repetition passes
   * `gate`; when that says no, the last reply stands.
   */
  async read(call: ApiCall, gate: CallGate = openGate): Promise<RestReply> {
    const { clock, random, options } = this.#setup;
    let offset = this.clockOffset.offset;
    let reply = await this.send(call);
    gate.first?.(reply.verdict.outcome === 'limited');
    for (let attempt = 1; attempt < options.readAttempts; attempt++) {
      if (!isWorthAnother(reply, offset !== this.clockOffset.offset) || call.signal?.aborted === true) break;
      offset = this.clockOffset.offset;
      if (reply.verdict.code !== authorizationRefused) {
        const ceiling = options.retryMs * 2 ** (attempt - 1);
        await pause(clock, millis(Math.ceil(ceiling * (0.5 + random.float() / 2))), call.signal);
      }
      if (!(await gate.enter())) break;
      reply = await this.send(call);
      gate.leave(reply.verdict.outcome === 'limited');
    }
    return reply;
  }

  /** Cuts what is under way; everything unanswered ends `unknown`. */
  async close(): Promise<void> {
    await this.#transport.close();
  }

  #headers(call: ApiCall, now: Micros): Record<string, string> {
    const headers: Record<string, string> = { accept: 'application/json' };
    if (call.form !== undefined) headers['content-type'] = 'application/x-www-form-urlencoded';
    if (call.json !== undefined) headers['content-type'] = 'application/json';
    const { credentials, scheme, options } = this.#setup;
    if (!call.signed || credentials === undefined) return headers;
    headers['authorization'] =
      scheme === 'Basic'
        ? basicHeader(credentials)
        : this.#signature(credentials, call, later(now, this.clockOffset.offset), options.windowMs);
    return headers;
  }

  #signature(credentials: Credentials, call: ApiCall, now: Micros, windowMs: number): string {
    const request = {
      method: call.method,
      path: `${this.#root}${call.path}`,
      query: call.query ?? '',
      body: call.form ?? call.json ?? '',
    };
    return this.#setup.version === 'v2'
      ? signV2(credentials, request, now)
      : signV3(credentials, request, { now, windowMs });
  }

  #replyOf(http: HttpReply, { texts, body, rows }: ReadBody, askedAt: Micros): RestReply {
    const { unsent, status } = http;
    if (status === 0)
      return { verdict: unknownVerdict(0, http.why), status, ...nothingRead, unsent, askedAt };
    this.#noteTime(body, http.date, askedAt);
    const verdict = verdictOfHttp(status, body);
    return { verdict, status, texts, body, rows, unsent, retryAfter: http.retryAfter, askedAt };
  }

  #read(bytes: Uint8Array | undefined): ReadBody {
    if (bytes === undefined) return nothingRead;
    const text = utf8Text(bytes);
    const body = this.#parse(text);
    return body === undefined
      ? nothingRead
      : { texts: [text], body, rows: Array.isArray(body) ? body.length : 0 };
  }

  /** A piece a turn of the loop. */
  async #readPieces(pieces: readonly Uint8Array[], { isText = false }: ApiCall): Promise<ReadBody> {
    const body: unknown[] = [];
    const texts: string[] = [];
    let rows = 0;
    for (const piece of pieces) {
      await pause(this.#setup.clock, micros(0));
      const text = utf8Text(piece);
      const read = this.#parse(text);
      if (!Array.isArray(read)) return nothingRead;
      texts.push(text);
      rows += read.length;
      if (!isText) body.push(...(read as readonly unknown[]));
    }
    return { texts, body, rows };
  }

  #parse(text: string): unknown {
    try {
      return parseLossless(text, { length: this.#setup.options.bodyBytesMax, depth: 64 });
    } catch (error) {
      if (error instanceof BadInput) return undefined;
      throw error;
    }
  }

  /** Error bodies are stamped to the millisecond, and only they: rows of other answers carry times of their own. */
  #noteTime(body: unknown, date: string | undefined, askedAt: Micros): void {
    const stamp = stampOfError(body) ?? date;
    if (stamp !== undefined) this.clockOffset.note(stamp, askedAt, micros(this.#setup.clock.now()));
  }
}

/** One JSON text of the texts of a reply: of pieces of a list, the list. */
export function wholeText(texts: readonly string[]): string {
  const [only = ''] = texts;
  return texts.length <= 1 ? only : `[${texts.map((text) => text.trim().slice(1, -1)).join(',')}]`;
}

function isWorthAnother(reply: RestReply, clockCorrected: boolean): boolean {
  const { outcome, code } = reply.verdict;
  return outcome === 'unknown' || outcome === 'limited' || (code === authorizationRefused && clockCorrected);
}

/** The stamp an error body carries beside its error, to the millisecond. Source: v3-gaps, section 9. */
function stampOfError(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body) || !('error' in body))
    return undefined;
  return 'timestamp' in body && typeof body.timestamp === 'string' ? body.timestamp : undefined;
}

/**
 * The call of a row of an endpoint table. `wire` are its parameters in wire spelling: those of the path stand there, the
 * rest goes as the row's payload. `asked` is what the reader of the answer gets of them.
 */
export function callOf(
  row: Endpoint,
  wire: Readonly<Record<string, unknown>>,
  version: ApiVersion = 'v3',
): { readonly call: ApiCall; readonly asked: Asked } {
  const asked = Object.fromEntries(
    Object.entries(wire).map(([name, value]) => [name, typeof value === 'object' ? '' : fieldText(value)]),
  );
  const inPath = new Set([...row.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]));
  const rest = Object.fromEntries(Object.entries(wire).filter(([name]) => !inPath.has(name)));
  const path = fillPath(row.path, asked).slice(restRoots[version].length);
  const call = { method: row.method, path, signed: row.right !== 'none', ...payloadOf(row, rest) };
  return { call, asked };
}

function payloadOf(row: Endpoint, params: Readonly<Record<string, unknown>>): Partial<ApiCall> {
  if (Object.keys(params).length === 0) return {};
  switch (row.payload) {
    case 'query':
      return { query: encodeFields(params) };
    case 'form':
      return { form: encodeFields(params) };
    case 'json':
      return { json: JSON.stringify(params) };
    case 'list':
      return { json: JSON.stringify(params['items']) };
  }
}

/** A query or form: values as text, lists with commas, percent-encoded. Source: API v3, "Conventions", 4. */
export function encodeFields(params: Readonly<Record<string, unknown>>): string {
  return Object.entries(params)
    .map(([name, value]) => `${name}=${encodeURIComponent(fieldText(value))}`)
    .join('&');
}

/** Values as text, as they stand in a path or query. */
export function fieldText(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join(',') : String(value);
}

import type { Clock, Micros } from '../../core/base/clock.ts';
import { microsPerSecond } from '../../core/base/clock.ts';
import type { LimitRow } from '../../venues/hitbtc/wire/index.ts';
import { limitOf, v2Limits, v3Limits } from '../../venues/hitbtc/wire/index.ts';
import { v2LimitOf } from '../../venues/hitbtc/wire/v2/index.ts';

/** A rate limit as the documents print it: up to `rate` plus `burst` requests within one second. */
interface RateLimit {
  readonly rate: number;
  readonly burst: number;
}

/**
 * Admits at most `capacity` requests in any window of one second, and always the next one when fewer were
 * admitted. Only admitted requests count. Source: API v3, "Limits" (one-second sliding window).
 */
export class SlidingWindow {
  readonly #admitted: Float64Array;
  #next = 0;

  constructor(capacity: number) {
    this.#admitted = new Float64Array(Math.max(1, capacity)).fill(Number.NEGATIVE_INFINITY);
  }

  /** When the last request was admitted; minus infinity before the first. */
  get lastTime(): number {
    const length = this.#admitted.length;
    return this.#admitted[(this.#next + length - 1) % length] as number;
  }

  /** Whether a request at monotonic time `now` may pass; if so it is counted. */
  admit(now: Micros): boolean {
    const oldest = this.#admitted[this.#next] as number;
    if (now - oldest < microsPerSecond) return false;
    this.#admitted[this.#next] = now;
    this.#next = (this.#next + 1) % this.#admitted.length;
    return true;
  }
}

const windowsMax = 20_000;

/** Sliding windows by identity (an address or an account) and bucket (a row of the limits table). Bounded. */
export class RateLimiter {
  readonly #clock: Clock;
  readonly #enabled: boolean;
  readonly #windows = new Map<string, SlidingWindow>();

  constructor(clock: Clock, enabled: boolean) {
    this.#clock = clock;
    this.#enabled = enabled;
  }

  /** Counts one request of `identity` against `limit`; false means the answer is 429. */
  admit(identity: string, bucket: string, limit: RateLimit): boolean {
    if (!this.#enabled) return true;
    const key = `${identity} ${bucket}`;
    let window = this.#windows.get(key);
    if (window === undefined) {
      if (this.#windows.size >= windowsMax) this.#forget();
      window = new SlidingWindow(limit.rate + limit.burst);
      this.#windows.set(key, window);
    }
    return window.admit(this.#clock.uptime());
  }

  /** Drops windows that no longer bind; if all bind, the oldest tenth goes. */
  #forget(): void {
    const since = this.#clock.uptime() - microsPerSecond;
    for (const [key, window] of this.#windows) if (window.lastTime <= since) this.#windows.delete(key);
    if (this.#windows.size < windowsMax) return;
    let surplus = windowsMax / 10;
    for (const key of this.#windows.keys()) {
      if (surplus-- <= 0) return;
      this.#windows.delete(key);
    }
  }
}

/** A row of the limits table: what shares one count. */
export interface Bucket {
  readonly name: string;
  /** Scope that is counted. */
  readonly scope: LimitRow['scope'];
  readonly limit: RateLimit;
}

const versionLength = '/api/3'.length;
const known = new Map<LimitRow, Bucket>();
/**
 * Buckets that were looked up, because paths and methods repeat. Fast twin of a walk through the table: row `exchange-orders`,
 * 1.14 times as fast.
 */
const found = new Map<string, Bucket | undefined>();
const foundMax = 10_000;
/** No served path is longer. Longer keys are not cached, which bounds the memory of the cache. */
const foundLengthMax = 256;

/** Bucket that a REST path counts against: per address, or per account. Source: API v3 and v2, "Limits". */
export function bucketOfPath(scope: 'address' | 'account', path: string): Bucket | undefined {
  return bucketOf(scope, 'rest', path);
}

/** Bucket that a socket location counts against, per address. */
export function bucketOfSocket(path: string): Bucket | undefined {
  return bucketOf('address', 'socket', path);
}

/** Bucket that a socket method at a location counts against, per account. */
export function bucketOfMethod(path: string, method: string): Bucket | undefined {
  return bucketOf('account', 'method', `${path} ${method}`);
}

/** Bucket that a method of the v2 sockets counts against, per account or address: together with the calls of its kind over REST. */
export function bucketOfV2Method(method: string): Bucket {
  return ofRow(v2LimitOf(method), v2Limits);
}

function bucketOf(scope: LimitRow['scope'], of: LimitRow['of'], what: string): Bucket | undefined {
  const key = `${scope} ${of} ${what}`;
  const seen = found.get(key);
  if (seen !== undefined || found.has(key)) return seen;
  const table = what.startsWith('/api/2') ? v2Limits : v3Limits;
  const row = limitOf(table, scope, of, what.slice(versionLength).replace(/(?<!\/)\/+$/, '') || '/');
  const bucket = row === undefined ? undefined : ofRow(row, table);
  if (key.length > foundLengthMax) return bucket;
  if (found.size >= foundMax) found.clear();
  found.set(key, bucket);
  return bucket;
}

function ofRow(row: LimitRow, table: readonly LimitRow[]): Bucket {
  let bucket = known.get(row);
  if (bucket === undefined) {
    const version = table === v2Limits ? 'v2' : 'v3';
    bucket = { name: `${version} ${row.of} ${table.indexOf(row)}`, scope: row.scope, limit: row };
    known.set(row, bucket);
  }
  return bucket;
}

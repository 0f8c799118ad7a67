import type { LimitRow } from '../venues/hitbtc/wire/limits.ts';
import { limitOf, v2Limits, v3Limits } from '../venues/hitbtc/wire/limits.ts';
import type { RateLimit } from './throttle.ts';

/** A row of the limits table: what shares one count. */
export interface Bucket {
  readonly name: string;
  readonly limit: RateLimit;
}

const versionLength = '/api/3'.length;
const known = new Map<LimitRow, Bucket>();
/** Looking a row up is a walk through the table with texts; paths and methods repeat. */
const found = new Map<string, Bucket | undefined>();
const foundMax = 10_000;
/** Longer ones are nobody's path; they are not kept, so that all that is kept stays small. */
const foundLengthMax = 256;

/** What a REST path counts against: per address, or per account. Source: API v3 and v2, "Limits". */
export function bucketOfPath(scope: 'address' | 'account', path: string): Bucket | undefined {
  return bucketOf(scope, 'rest', path);
}

/** What a socket location counts against, per address. */
export function bucketOfSocket(path: string): Bucket | undefined {
  return bucketOf('address', 'socket', path);
}

/** What a socket method at a location counts against, per account. */
export function bucketOfMethod(path: string, method: string): Bucket | undefined {
  return bucketOf('account', 'method', `${path} ${method}`);
}

const v2OrderMethods = new Set(['newOrder', 'cancelOrder', 'cancelReplaceOrder', 'getOrders']);
const v2OtherMethods = new Set(['getTradingBalance', 'subscribeReports']);

/** What a method of the v2 sockets counts against, per account: the same as the call of that kind over REST. */
export function bucketOfV2Method(method: string): Bucket | undefined {
  if (v2OrderMethods.has(method)) return bucketOfPath('account', '/api/2/order');
  return v2OtherMethods.has(method) ? bucketOfPath('account', '/api/2/trading/balance') : undefined;
}

function bucketOf(scope: LimitRow['scope'], of: LimitRow['of'], what: string): Bucket | undefined {
  const key = `${scope} ${of} ${what}`;
  const seen = found.get(key);
  if (seen !== undefined || found.has(key)) return seen;
  const table = what.startsWith('/api/2') ? v2Limits : v3Limits;
  const row = limitOf(table, scope, of, what.slice(versionLength).replace(/\/+$/, '') || '/');
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
    bucket = { name: `${version} ${row.of} ${table.indexOf(row)}`, limit: row };
    known.set(row, bucket);
  }
  return bucket;
}

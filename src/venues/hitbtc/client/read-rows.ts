import { BadInput } from '../../../core/base/errors.ts';
import type { ReadTarget } from '../../../core/model/command.ts';
import type { OwnTrade } from '../../../core/model/event.ts';
import type { Instruments } from '../../../core/model/instrument.ts';
import type { Balance } from '../../../core/model/market.ts';
import type { VenueOrder } from '../../../core/model/order.ts';
import { decodeBalances } from '../wire/balances.ts';
import { decodeV3Order, decodeV3OwnTrade } from '../wire/v3/orders.ts';

/** What the answer to a read says. */
export interface ReadRows {
  readonly orders: readonly VenueOrder[];
  readonly fills: readonly OwnTrade[];
  readonly balances: readonly Balance[];
  /** Rows of symbols that are not among ours. */
  readonly foreign: number;
}

/** Reads the body of an answered read. Throws `BadInput` naming the member that is not as expected. */
export function decodeRead(what: ReadTarget, body: unknown, instruments: Instruments): ReadRows {
  if (what.of === 'balances') return { orders: [], fills: [], balances: decodeBalances(body), foreign: 0 };
  if (!Array.isArray(body)) throw new BadInput(`answer to a read of ${what.of}: expected a list`);
  const rows: readonly unknown[] = body;
  const own = rows.filter((row) => !isForeign(row, instruments));
  const foreign = rows.length - own.length;
  if (what.of === 'tradeHistory') {
    const fills = own.map((row) => decodeV3OwnTrade(row, instruments));
    return { orders: [], fills, balances: [], foreign };
  }
  const orders = own.map((row) => decodeV3Order(row, instruments));
  return { orders, fills: [], balances: [], foreign };
}

/** Whether a row is about a symbol that is not among ours: somebody trades it on the same account, by hand perhaps. */
export function isForeign(row: unknown, instruments: Instruments): boolean {
  if (typeof row !== 'object' || row === null || !('symbol' in row)) return false;
  return typeof row.symbol === 'string' && instruments.find(row.symbol) === undefined;
}

import type { Micros } from '../../core/base/clock.ts';
import type { KeptTrade } from './market.ts';
import type { OrderHistoryEntry, OrderLog, OwnFill } from './order-log.ts';

/** Part of a history that is asked for. `from` and `till` are ids or `Micros`, as `by` says; both are included. */
export interface PageQuery {
  readonly sort: 'ASC' | 'DESC';
  readonly by: 'id' | 'timestamp';
  readonly from: number | undefined;
  readonly till: number | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** A history: items ascend by number, and `at(0)` is the oldest. */
export interface History<Item> {
  readonly size: number;
  at(index: number): Item | undefined;
}

/** How to read an item of a history. `accepts` filters before the offset is counted. */
export interface Reading<Item> {
  readonly numberOf: (item: Item) => number;
  readonly timeOf: (item: Item) => number;
  readonly accepts: (item: Item) => boolean;
}

/** The items of one page, in the order asked for. Walks no further than the page needs when nothing is filtered. */
export function pageOf<Item>(history: History<Item>, query: PageQuery, reading: Reading<Item>): Item[] {
  const found: Item[] = [];
  const { from, till, limit, offset, by } = query;
  const keyOf = by === 'id' ? reading.numberOf : reading.timeOf;
  let skipped = 0;
  for (let step = 0; step < history.size && found.length < limit; step++) {
    const item = history.at(query.sort === 'ASC' ? step : history.size - 1 - step) as Item;
    const key = keyOf(item);
    if (from !== undefined && key < from) {
      if (by === 'id' && query.sort === 'DESC') break;
      continue;
    }
    if (till !== undefined && key > till) {
      if (by === 'id' && query.sort === 'ASC') break;
      continue;
    }
    if (!reading.accepts(item)) continue;
    if (skipped < offset) skipped += 1;
    else found.push(item);
  }
  return found;
}

/** An array as a history. */
export function historyOf<Item>(items: readonly Item[]): History<Item> {
  return { size: items.length, at: (index) => items[index] };
}

/** Pages of candles: whatever has the start of its period as its time. */
export const candleReading: Reading<{ readonly time: Micros }> = {
  numberOf: (bar) => bar.time,
  timeOf: (bar) => bar.time,
  accepts: () => true,
};

/** Pages of public trades. */
export const publicTradeReading: Reading<KeptTrade> = {
  numberOf: (trade) => trade.number,
  timeOf: (trade) => trade.time,
  accepts: () => true,
};

/** A page of an account's orders: by number, or by when they were created. */
export function orderPageOf(
  log: OrderLog,
  query: PageQuery,
  accepts: (record: OrderHistoryEntry) => boolean,
): OrderHistoryEntry[] {
  return pageOf(historyOf(query.by === 'id' ? log.records : log.recordsByTime), query, {
    numberOf: ({ number }) => number,
    timeOf: ({ order }) => order.createdAt,
    accepts,
  });
}

/** Pages of an account's own trades, filtered. */
export function ownTradeReading(accepts: (row: OwnFill) => boolean): Reading<OwnFill> {
  return { numberOf: (row) => row.number, timeOf: (row) => row.fill.time, accepts };
}

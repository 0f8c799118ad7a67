import type { Amount } from '../core/base/amount.ts';
import type { BookSnapshot, BookUpdate, TradesPrinted } from '../core/model/event.ts';
import type { Instrument, Ticks } from '../core/model/instrument.ts';
import type { MarketTrade } from '../core/model/market.ts';
import type { Side } from '../core/model/order.ts';
import type { FeeSchedule } from './fee-schedule.ts';
import type { OwnSide } from './own-side.ts';
import type { QueueOrder } from './queue-order.ts';
import type { RecordedBook } from './recorded-book.ts';

/**
 * What a market tells of: a resting order of ours executes, as maker and at its own price. Answers how many lots did: none
 * of an order that another one's execution has just ended.
 */
export type FillOurs = (order: QueueOrder, lots: number) => number;

/** One instrument: the recorded book, which never changes by us, and our resting orders beside it with their places. */
export interface OwnMarket {
  readonly instrument: Instrument;
  readonly fees: FeeSchedule;
  readonly book: RecordedBook;
  own(side: Side): OwnSide;
  /** Changed levels. */
  update(event: BookUpdate): void;
  /** The whole book. */
  snapshot(event: BookSnapshot): void;
  /** Single orders that executed without a change of the book. */
  executed(event: TradesPrinted): void;
  /** A public trade. */
  trade(trade: MarketTrade): void;
  /** An order begins to rest: all that stands at its price is ahead of it. */
  rest(order: QueueOrder): void;
}

/** The middle of the recorded book, exact; `undefined` while a side is empty. */
export function midPrice({ instrument, book }: OwnMarket): Amount | undefined {
  const { bestBid, bestAsk } = book;
  if (!Number.isFinite(bestBid) || !Number.isFinite(bestAsk)) return undefined;
  return instrument.midAmount(bestBid as Ticks, bestAsk as Ticks);
}

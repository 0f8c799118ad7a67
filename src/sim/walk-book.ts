import type { Side } from '../core/model/order.ts';
import type { RecordedBook } from './recorded-book.ts';

/** One execution that an order would have now. */
export interface PlannedFill {
  readonly price: number;
  readonly lots: number;
}

export interface Taker {
  readonly side: Side;
  /** In ticks; `undefined` takes at any price. */
  readonly price: number | undefined;
  readonly lots: number;
}

/** Whether an order would take from the other side now. */
export function crosses(book: RecordedBook, side: Side, price: number | undefined): boolean {
  const best = side === 'buy' ? book.bestAsk : book.bestBid;
  if (!Number.isFinite(best)) return false;
  if (price === undefined) return true;
  return side === 'buy' ? price >= best : price <= best;
}

/** The whole order at the best price, whatever stands there: no depth is consumed. */
export function planWhole(book: RecordedBook, { side, lots }: Taker): PlannedFill[] {
  return [{ price: side === 'buy' ? book.bestAsk : book.bestBid, lots }];
}

/** Level by level, as far as the order's price and the recorded depth go. */
export function planWalk(book: RecordedBook, taker: Taker): PlannedFill[] {
  const plan: PlannedFill[] = [];
  let left = taker.lots;
  const visit = (price: number, standing: number): boolean => {
    const reaches =
      taker.price === undefined || (taker.side === 'buy' ? price <= taker.price : price >= taker.price);
    if (!reaches || left <= 0) return false;
    const lots = Math.min(left, standing);
    plan.push({ price, lots });
    left -= lots;
    return left > 0;
  };
  if (taker.side === 'buy') book.eachAsk(visit);
  else book.eachBid(visit);
  return plan;
}

/** Takes what was planned out of the book, until the recording next changes those levels. */
export function consume(book: RecordedBook, side: Side, plan: readonly PlannedFill[]): void {
  for (const { price, lots } of plan) {
    if (side === 'buy') book.setAsk(price, Math.max(0, book.askLots(price) - lots));
    else book.setBid(price, Math.max(0, book.bidLots(price) - lots));
  }
}

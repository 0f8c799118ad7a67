import type { Side } from '../../core/model/order.ts';
import type { ModelOrder, PlannedFill } from './model.ts';
import type { RecordedBook } from './recorded-book.ts';

/** How orders take. */
export interface TakeRules {
  /** Whether orders fill in parts. Without, whatever reaches an order fills it whole. */
  readonly partial: boolean;
  /** Whether what we take is missing until the recording next changes that level. */
  readonly impact: boolean;
}

const nothing: readonly PlannedFill[] = [];

/** The executions an order would have now: level by level, or without parts the whole order at the best price. */
export function planOf(book: RecordedBook, order: ModelOrder, partial: boolean): readonly PlannedFill[] {
  const { side, price, remaining } = order;
  if (!crosses(book, side, price)) return nothing;
  if (!partial) return [{ price: side === 'buy' ? book.bestAsk : book.bestBid, lots: remaining }];
  return walk(book, order);
}

/** Whether an order would take from the other side now. */
function crosses(book: RecordedBook, side: Side, price: number | undefined): boolean {
  const best = side === 'buy' ? book.bestAsk : book.bestBid;
  if (!Number.isFinite(best)) return false;
  if (price === undefined) return true;
  return side === 'buy' ? price >= best : price <= best;
}

/** Level by level, as far as the order's price and the recorded depth go. */
function walk(book: RecordedBook, taker: ModelOrder): PlannedFill[] {
  const plan: PlannedFill[] = [];
  let left: number = taker.remaining;
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

import type { OrderRecord } from '../orders/index.ts';

/** Whether fills of an order may only make a position smaller. */
export function isReducing(record: OrderRecord): boolean {
  const { margin } = record;
  return margin !== undefined && (margin.reduceOnly || margin.closePosition || record.liquidates);
}

/** How much of a position an execution on the order's side would close at most. */
export function closable(record: OrderRecord): number {
  const position = record.context.margin?.positions.get(record.instrument);
  if (position === undefined) return 0;
  return Math.max(0, record.side === 'buy' ? -position.quantity : position.quantity);
}

/** How much an order may execute now by what it may do to its position. */
export function capOf(record: OrderRecord): number {
  return isReducing(record) ? closable(record) : Number.POSITIVE_INFINITY;
}

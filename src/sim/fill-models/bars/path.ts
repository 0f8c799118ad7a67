import type { Candle } from '../../../core/model/market.ts';
import type { BarOrder } from './order.ts';
import type { BarPath } from './rules.ts';

/** Whether the price of a bar goes to its high before its low. `position`: what is held at the open, signed. */
export function highComesFirst(
  bar: Candle,
  path: BarPath,
  resting: { readonly orders: readonly BarOrder[]; readonly position: number },
): boolean {
  switch (path) {
    case 'highFirst':
      return true;
    case 'lowFirst':
      return false;
    case 'nearest':
      return isHighNearer(bar);
    case 'pessimistic':
      return pessimistic(bar, resting.orders, resting.position);
  }
}

function pessimistic(bar: Candle, orders: readonly BarOrder[], position: number): boolean {
  const stops = orders.filter((order) => order.isStop && !order.triggered);
  const high = stops.some((order) => !order.below && order.actsAt(bar.max, false));
  const low = stops.some((order) => order.below && order.actsAt(bar.min, false));
  if (high !== low) return high;
  if (high || low) return isHighNearer(bar);
  if (position !== 0) return position > 0;
  const limit = orders.find((order) => order.isLimit && !order.inactive);
  return limit === undefined ? isHighNearer(bar) : limit.below;
}

/** Equal distances: the low first. */
function isHighNearer({ open, max, min }: Candle): boolean {
  return max - open < open - min;
}

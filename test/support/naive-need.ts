import type { NaiveBook } from './naive-book.ts';
import type { NaiveMoney } from './naive-money.ts';
import type { NaiveOrder } from './naive-order.ts';

/** What an order must hold. */
export function needOf(exchange: NaiveBook & { readonly money: NaiveMoney }, one: NaiveOrder): bigint {
  const { order } = one;
  const left = order.quantity - order.cumulative;
  if (order.side === 'sell') return exchange.money.lots(order.instrument, left);
  const price = order.price ?? (order.state === 'suspended' ? order.stopPrice : undefined);
  if (price !== undefined) return exchange.money.cost(one, price, left);
  if (order.timeInForce === 'FOK' && exchange.available(one) < left) return 0n;
  let missing = left;
  let sum = 0n;
  for (const level of exchange.levels(order.instrument, 'sell')) {
    const lots = Math.min(missing, level.quantity);
    sum += exchange.money.cost(one, level.price, lots);
    missing -= lots;
  }
  return sum;
}

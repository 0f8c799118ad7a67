import type { NaiveBook } from './naive-book.ts';
import type { NaiveMoney } from './naive-money.ts';
import type { NaiveList, NaiveOrder } from './naive-order.ts';

/** What an order must hold. */
export function needOf(
  exchange: NaiveBook & { readonly money: NaiveMoney },
  one: NaiveOrder,
  met = new Set<NaiveList>(),
): bigint {
  const { order } = one;
  const left = order.quantity - order.cumulative;
  if (order.side === 'sell') return exchange.money.lots(order.instrument, left);
  const price = order.price ?? (order.state === 'suspended' ? order.stopPrice : undefined);
  if (price !== undefined) return exchange.money.cost(one, price, left);
  if (order.timeInForce === 'FOK' && exchange.available(one, new Set(met)) < left) return 0n;
  const levels = new Map<number, number>();
  for (const { maker, lots } of exchange.walk(one, new Set(met)))
    levels.set(Number(maker.order.price), (levels.get(Number(maker.order.price)) ?? 0) + lots);
  return [...levels].reduce((sum, [at, lots]) => sum + exchange.money.cost(one, at, lots), 0n);
}

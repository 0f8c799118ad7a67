import type { Amount } from '../../../core/base/amount.ts';
import { add, zero } from '../../../core/base/amount.ts';
import type { ExchangeState, ExchangeMarket } from '../state/index.ts';
import { Met } from '../orders/index.ts';
import type { OrderRecord } from '../orders/index.ts';
import { capOf } from './reducing.ts';

/**
 * Whether an order can be executed to its end at once. Adds the lists it would decide to `met`, and does not count
 * on orders that such a decision ends.
 */
export function isFillable(
  exchange: ExchangeState,
  market: ExchangeMarket,
  record: OrderRecord,
  met: Met = new Met(),
): boolean {
  let left: number = record.remaining;
  if (exchange.exclusiveCount > 0 && capOf(record) < left) return false;
  market.fills.visit(record, met, (_price, lots) => {
    left -= lots;
  });
  return left <= 0;
}

/** Cost of buying an order's quantity at market with the worst fee; less when the book has less. */
export function walkCost(market: ExchangeMarket, record: OrderRecord, met: Met): Amount {
  const { terms } = record.context;
  let cost = zero;
  market.fills.visit(record, met, (price, lots) => {
    cost = add(cost, terms.need(price, lots));
  });
  return cost;
}

/** The volume of an order's quantity at market; less when the book has less. */
export function walkVolume(market: ExchangeMarket, record: OrderRecord, met: Met): Amount {
  const { terms } = record.context;
  let volume = zero;
  market.fills.visit(record, met, (price, lots) => {
    volume = add(volume, terms.volume(price, lots));
  });
  return volume;
}

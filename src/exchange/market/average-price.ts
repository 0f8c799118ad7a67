import type { Amount } from '../../core/base/amount.ts';
import { formatAmount } from '../../core/base/amount.ts';
import type { Instrument, Ticks } from '../../core/model/instrument.ts';
import type { Fill } from '../../core/model/order.ts';

/**
 * Executed value over executed quantity as plain decimal text, cut at the scale of amounts; `0` without an execution.
 * Source: API v3, "Spot order" (price_average is not optional).
 */
export function averagePrice(instrument: Instrument, fills: readonly Fill[]): string {
  let value = 0n;
  let quantity = 0n;
  for (const fill of fills) {
    value += BigInt(fill.price) * BigInt(fill.quantity);
    quantity += BigInt(fill.quantity);
  }
  if (quantity === 0n) return '0';
  return formatAmount(((value * instrument.priceAmount(1 as Ticks)) / quantity) as Amount);
}

import type { Amount } from '../../core/base/amount.ts';
import type { Instrument, Lots } from '../../core/model/instrument.ts';
import type { Level } from '../../core/model/market.ts';

/**
 * What one unit costs on average when `lots` are taken off these levels, best first; of all there is when they
 * hold less. Undefined when there is nothing. Cut below 10^-24.
 */
export function averageForVolume(
  instrument: Instrument,
  levels: readonly Level[],
  lots: number,
): Amount | undefined {
  let left = lots;
  let cost = 0n;
  for (const { price, quantity } of levels) {
    if (left <= 0) break;
    const taken = Math.min(left, quantity);
    cost += instrument.notional(price, taken as Lots);
    left -= taken;
  }
  const taken = lots - left;
  if (taken <= 0) return undefined;
  // Cost is in units of 10^-24, and so is the increment: their quotient is scaled back by it.
  return ((cost * scale) / instrument.quantityAmount(taken as Lots)) as Amount;
}

const scale = 10n ** 24n;

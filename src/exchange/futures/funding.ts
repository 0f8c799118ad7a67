import type { Amount } from '../../core/base/amount.ts';
import { amountDecimals, parseAmount } from '../../core/base/amount.ts';
import type { Micros } from '../../core/base/clock.ts';
import { microsPerMilli, seconds } from '../../core/base/clock.ts';
import type { Instrument, Ticks } from '../../core/model/instrument.ts';

// The arithmetic of perpetual contracts, exact on what is published. Source: v3-gaps, section 4.5.

const one = 10n ** BigInt(amountDecimals);
/** Rates are published with 18 decimals and used as published. Source: v3-gaps, section 11. */
const rateStep = 10n ** BigInt(amountDecimals - 18);
const clampMax = parseAmount('0.0005');
const period = seconds(8 * 3_600);
const periodMs = BigInt(period / microsPerMilli);

/** The next settlement after `now`: 00:00, 08:00 or 16:00 UTC. */
export function nextFundingAfter(now: Micros): Micros {
  return ((Math.floor(now / period) + 1) * period) as Micros;
}

/** How far the contract is above its index, as a fraction of the index. */
export function premiumOf(price: Amount, index: Amount): Amount {
  return cutRate(((price - index) * one) / index);
}

/** The mean of `count` rates that sum up to `sum`; 0 of none. */
export function meanRate(sum: Amount, count: number): Amount {
  return count === 0 ? (0n as Amount) : cutRate(sum / BigInt(count));
}

/** `average + clamp(interest - average, ±0.0005)`, not below `floor`. */
export function fundingRateOf(average: Amount, interest: Amount, floor: Amount | undefined): Amount {
  const gap = interest - average;
  const pull = gap > clampMax ? clampMax : gap < -clampMax ? -clampMax : gap;
  const rate = average + pull;
  return (floor !== undefined && rate < floor ? floor : rate) as Amount;
}

/** `index * (1 + rate * left / 8 h)`, rounded to the tick. */
export function markPriceOf(instrument: Instrument, index: Amount, rate: Amount, left: Micros): Amount {
  const leftMs = BigInt(Math.max(0, Math.floor(left / microsPerMilli)));
  return toTick(instrument, (index * (one * periodMs + rate * leftMs)) / (one * periodMs));
}

/** The nearest price on the grid, half up; one tick at least. */
export function toTick(instrument: Instrument, price: bigint): Amount {
  const tick = instrument.priceAmount(1 as Ticks);
  const ticks = (price + tick / 2n) / tick;
  return ((ticks > 0n ? ticks : 1n) * tick) as Amount;
}

function cutRate(rate: bigint): Amount {
  return ((rate / rateStep) * rateStep) as Amount;
}

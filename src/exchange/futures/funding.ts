import type { Amount } from '../../core/base/amount.ts';
import { amountDecimals, parseAmount } from '../../core/base/amount.ts';
import type { Micros } from '../../core/base/clock.ts';
import { microsPerMilli } from '../../core/base/clock.ts';
import type { Instrument, Ticks } from '../../core/model/instrument.ts';

// The arithmetic of perpetual contracts, exact on what is published. Source: v3-gaps, section 4.5.

const one = 10n ** BigInt(amountDecimals);
/** Rates are published with 18 decimals and used as published. Source: v3-gaps, section 11. */
const rateStep = 10n ** BigInt(amountDecimals - 18);
const clampMax = parseAmount('0.0005');
const eightHoursMs = 8n * 3_600_000n;

/** The next settlement after `now`: at full multiples of `period`. Eight hours give 00:00, 08:00 and 16:00 UTC. */
export function nextFundingAfter(now: Micros, period: Micros): Micros {
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

/** Terms that a funding rate is computed from. */
export interface FundingPeriodTerms {
  /** Part of the rate, per eight hours. */
  readonly interest: Amount;
  /** The least rate per eight hours. */
  readonly floor: Amount | undefined;
  readonly period: Micros;
}

/**
 * The rate of one period: `average + clamp(interest - average, ±0.0005)`, not below the floor, for eight hours. A
 * shorter period has its part of that, so that a day costs the same whatever the period.
 */
export function fundingRateOf(average: Amount, { interest, floor, period }: FundingPeriodTerms): Amount {
  const gap = interest - average;
  const pull = gap > clampMax ? clampMax : gap < -clampMax ? -clampMax : gap;
  const rate = average + pull;
  const whole = floor !== undefined && rate < floor ? floor : rate;
  return cutRate((whole * millisOf(period)) / eightHoursMs);
}

/** `index * (1 + rate * left / period)`, rounded to the tick. */
export function markPriceOf(
  instrument: Instrument,
  index: Amount,
  rate: Amount,
  { left, period }: { readonly left: Micros; readonly period: Micros },
): Amount {
  const whole = one * millisOf(period);
  const leftMs = left > 0 ? millisOf(left) : 0n;
  return toTick(instrument, (index * (whole + rate * leftMs)) / whole);
}

function millisOf(time: Micros): bigint {
  return BigInt(Math.floor(time / microsPerMilli));
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

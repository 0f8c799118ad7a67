import type { Amount } from '../core/base/amount.ts';
import type { Micros } from '../core/base/clock.ts';
import type { Instrument } from '../core/model/instrument.ts';

/** At every multiple of `every` since the epoch a long position pays `rate` of its notional, a short one receives it. */
export interface FundingRules {
  /** Below zero the short pays. */
  readonly rate: Amount;
  readonly every: Micros;
}

/** Called for every payment; positive when the account paid. */
export type Funded = (instrument: Instrument, amount: Amount) => void;

/** The first such time behind `now`. */
export function nextFunding({ every }: FundingRules, now: Micros): number {
  return (Math.floor(now / every) + 1) * every;
}

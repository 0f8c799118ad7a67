import type { Amount } from '../../core/base/amount.ts';
import { zero } from '../../core/base/amount.ts';
import type { Micros } from '../../core/base/clock.ts';
import { later, seconds } from '../../core/base/clock.ts';
import type { Instrument } from '../../core/model/instrument.ts';
import type { FundingRow, FuturesState } from '../../venues/hitbtc/wire/resources/index.ts';
import { Ring } from '../base/index.ts';
import type { ContractEvent, ContractDeps, ListedContract, Observation } from './contract.ts';
import { observedAt } from './contract.ts';
import { markPriceOf, meanRate } from './funding.ts';
import { ContractCandles } from './value-candles.ts';

/** The premium that counts is the mean of this many looks: five minutes of three seconds each. */
const looksMax = 100;
/** Within this time before the expiry the mark price comes down to the index. */
const convergence = seconds(1_800);

/**
 * One contract that is settled in cash at its expiry, at the index price of that moment. There is no funding: the mark
 * price is the index with the mean premium of the last looks, of which less and less counts in the last half hour.
 * No source describes any of this: docs/assumptions.md.
 */
export class ExpiringContract implements ListedContract {
  readonly instrument: Instrument;
  readonly candles: ContractCandles;
  /** Stays empty. */
  readonly funding = new Ring<FundingRow>(1);
  readonly #expiry: Micros;
  readonly #clearing: Micros;
  readonly #premiums = new Ring<Amount>(looksMax);
  #premiumSum = zero;
  #phase: 'trading' | 'clearing' | 'over';
  #state: FuturesState | undefined;

  /** `clearing`: how long it takes from the expiry to the settlement. */
  constructor(setup: ContractDeps, expiry: Micros, clearing: Micros) {
    this.instrument = setup.instrument;
    this.candles = new ContractCandles(setup.candlesMax);
    this.#expiry = expiry;
    this.#clearing = clearing;
    this.#phase = setup.instrument.spec.status === 'expired' ? 'over' : 'trading';
  }

  /** From the expiry on as it was then. */
  get state(): FuturesState | undefined {
    return this.#state;
  }

  /** When trading ends, then when positions are settled. */
  get nextDue(): Micros | undefined {
    if (this.#phase === 'over') return undefined;
    return this.#phase === 'trading' ? this.#expiry : later(this.#expiry, this.#clearing);
  }

  look(now: Micros, observed: Observation): ContractEvent | undefined {
    if (this.#phase === 'over') return undefined;
    if (this.#phase === 'clearing') {
      if (now < later(this.#expiry, this.#clearing)) return undefined;
      this.#phase = 'over';
      if (this.#state !== undefined) this.#state = { ...this.#state, openInterest: zero };
      return { kind: 'cleared', price: this.#state?.indexPrice };
    }
    if (observed.index !== undefined && observed.index > 0n) this.#refresh(now, observed, observed.index);
    if (now < this.#expiry) return undefined;
    this.#phase = 'clearing';
    return { kind: 'expired', price: this.#state?.indexPrice };
  }

  #refresh(now: Micros, observed: Observation, index: Amount): void {
    const { instrument } = this;
    const { time, indexPrice, premiumIndex } = observedAt(now, instrument, { index, price: observed.price });
    const fallen = this.#premiums.push(premiumIndex) ?? zero;
    this.#premiumSum = (this.#premiumSum + premiumIndex - fallen) as Amount;
    const avgPremiumIndex = meanRate(this.#premiumSum, this.#premiums.size);
    const left = Math.max(0, Math.min(convergence, this.#expiry - time)) as Micros;
    this.#state = {
      contractType: 'cash_settled',
      markPrice: markPriceOf(instrument, indexPrice, avgPremiumIndex, { left, period: convergence }),
      indexPrice,
      fundingRate: zero,
      openInterest: observed.openInterest,
      nextFundingTime: this.#expiry,
      indicativeFundingRate: zero,
      premiumIndex,
      avgPremiumIndex,
      interestRate: zero,
      time,
    };
    this.candles.add(this.#state);
  }
}

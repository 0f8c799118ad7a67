import type { Amount } from '../../core/base/amount.ts';
import { parseAmount, zero } from '../../core/base/amount.ts';
import type { Micros } from '../../core/base/clock.ts';
import { microsPerMilli } from '../../core/base/clock.ts';
import type { Instrument } from '../../core/model/instrument.ts';
import type { FundingRow, FuturesState } from '../../venues/hitbtc/wire/resources/index.ts';
import { Ring } from '../base/index.ts';
import type { FundingPeriodTerms } from './funding.ts';
import { fundingRateOf, markPriceOf, meanRate, nextFundingAfter, premiumOf, toTick } from './funding.ts';
import type { ContractOptions } from './options.ts';
import { ContractCandles } from './value-candles.ts';

/** Observation of a contract when it is looked at. */
export interface Observation {
  /** Price of the underlying on the spot market; undefined when there is no price. */
  readonly index: Amount | undefined;
  /** Price of the contract itself; undefined while there is neither a quote nor a trade. */
  readonly price: Amount | undefined;
  readonly openInterest: Amount;
}

/** A contract of either kind, as the market looks at it and as its public data are read. */
export interface ListedContract {
  readonly instrument: Instrument;
  /** As of the last look; undefined while the underlying has had no price. */
  readonly state: FuturesState | undefined;
  /** Settlements of funding, oldest first; a contract that expires has none. */
  readonly funding: Ring<FundingRow>;
  readonly candles: ContractCandles;
  /** When something is due next: a settlement; undefined when nothing is. */
  readonly nextDue: Micros | undefined;
  /** Refreshes every value, and says what has to be done about positions now. */
  look(now: Micros, observed: Observation): ContractEvent | undefined;
}

/** Event that has come to be due: funding at a rate, the end of trading, or the settlement of what expired, at a price. */
export type ContractEvent =
  | { readonly kind: 'funding'; readonly rate: Amount }
  | { readonly kind: 'expired'; readonly price: Amount | undefined }
  | { readonly kind: 'cleared'; readonly price: Amount | undefined };

export interface ContractDeps {
  readonly instrument: Instrument;
  readonly options: ContractOptions;
  readonly candlesMax: number;
  readonly fundingRowsMax: number;
  readonly fundingPeriod: Micros;
  readonly now: Micros;
}

/**
 * One perpetual contract: index, mark, premium and funding, as of the last look. The premium is averaged over all
 * looks since the last settlement; until the first settlement the funding rate is the interest rate.
 */
export class PerpetualContract implements ListedContract {
  readonly instrument: Instrument;
  readonly candles: ContractCandles;
  readonly #terms: FundingPeriodTerms;
  readonly #funding: Ring<FundingRow>;
  #fundingRate: Amount;
  #nextFunding = 0 as Micros;
  #premiumSum = zero;
  #premiumCount = 0;
  #state: FuturesState | undefined;

  constructor(setup: ContractDeps) {
    const { instrument, options, candlesMax, fundingRowsMax, fundingPeriod, now } = setup;
    const { interestRate, fundingRateMin } = options;
    this.instrument = instrument;
    this.#terms = {
      interest: parseAmount(interestRate),
      floor: fundingRateMin === undefined ? undefined : parseAmount(fundingRateMin),
      period: fundingPeriod,
    };
    this.#fundingRate = fundingRateOf(zero, this.#terms);
    this.#nextFunding = nextFundingAfter(now, fundingPeriod);
    this.#funding = new Ring(fundingRowsMax);
    this.candles = new ContractCandles(candlesMax);
  }

  get state(): FuturesState | undefined {
    return this.#state;
  }

  /** When the next settlement is due. */
  get nextDue(): Micros {
    return this.#nextFunding;
  }

  get funding(): Ring<FundingRow> {
    return this.#funding;
  }

  /**
   * Looks at the contract at `now`: settles what is due, then refreshes every value. Returns the rate that positions
   * have to settle at, when a period has ended.
   */
  look(now: Micros, observed: Observation): ContractEvent | undefined {
    const rate = now >= this.#nextFunding ? this.#settlePeriod(now) : undefined;
    if (observed.index !== undefined && observed.index > 0n) this.#refresh(now, observed, observed.index);
    return rate === undefined ? undefined : { kind: 'funding', rate };
  }

  #refresh(now: Micros, observed: Observation, index: Amount): void {
    const { instrument } = this;
    const { time, indexPrice, premiumIndex } = observedAt(now, instrument, { index, price: observed.price });
    this.#premiumSum = (this.#premiumSum + premiumIndex) as Amount;
    this.#premiumCount += 1;
    const avgPremiumIndex = meanRate(this.#premiumSum, this.#premiumCount);
    const left = (this.#nextFunding - time) as Micros;
    const { interest, period } = this.#terms;
    const markPrice = markPriceOf(instrument, indexPrice, this.#fundingRate, { left, period });
    this.#state = {
      contractType: 'perpetual',
      markPrice,
      indexPrice,
      fundingRate: this.#fundingRate,
      openInterest: observed.openInterest,
      nextFundingTime: this.#nextFunding,
      indicativeFundingRate: fundingRateOf(avgPremiumIndex, this.#terms),
      premiumIndex,
      avgPremiumIndex,
      interestRate: interest,
      time,
    };
    this.candles.add(this.#state);
  }

  /** A period in which the underlying never had a price has no settlement. */
  #settlePeriod(now: Micros): Amount | undefined {
    const time = this.#nextFunding;
    this.#nextFunding = nextFundingAfter(now, this.#terms.period);
    if (this.#premiumCount === 0) return undefined;
    const avgPremiumIndex = meanRate(this.#premiumSum, this.#premiumCount);
    this.#fundingRate = fundingRateOf(avgPremiumIndex, this.#terms);
    this.#premiumSum = zero;
    this.#premiumCount = 0;
    this.#funding.push({
      time,
      fundingRate: this.#fundingRate,
      avgPremiumIndex,
      nextFundingTime: this.#nextFunding,
      interestRate: this.#terms.interest,
    });
    return this.#fundingRate;
  }
}

/** Stamps are published in milliseconds, and every value can be computed again from what is published. */
export function observedAt(
  now: Micros,
  instrument: Instrument,
  { index, price }: { readonly index: Amount; readonly price: Amount | undefined },
): Pick<FuturesState, 'time' | 'indexPrice' | 'premiumIndex'> {
  const time = (Math.floor(now / microsPerMilli) * microsPerMilli) as Micros;
  const indexPrice = toTick(instrument, index);
  return { time, indexPrice, premiumIndex: premiumOf(price ?? indexPrice, indexPrice) };
}

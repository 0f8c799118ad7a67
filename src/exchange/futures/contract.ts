import type { Amount } from '../../core/base/amount.ts';
import { parseAmount, zero } from '../../core/base/amount.ts';
import type { Micros } from '../../core/base/clock.ts';
import { microsPerMilli } from '../../core/base/clock.ts';
import type { Instrument } from '../../core/model/instrument.ts';
import type { CandlePeriod } from '../../core/model/market.ts';
import { candlePeriods } from '../../core/model/market.ts';
import type { FundingRow, FuturesSeries, FuturesState } from '../../venues/hitbtc/wire/resources/futures.ts';
import { futuresSeries } from '../../venues/hitbtc/wire/resources/futures.ts';
import { Ring } from '../ring.ts';
import type { FundingPeriodTerms } from './funding.ts';
import { fundingRateOf, markPriceOf, meanRate, nextFundingAfter, premiumOf, toTick } from './funding.ts';
import type { ContractOptions } from './options.ts';
import { candleLengths, periodStart } from '../../core/model/candle-period.ts';

/** What is seen of a contract when it is looked at. */
interface Observation {
  /** Of the underlying on the spot market; undefined when there is no price. */
  readonly index: Amount | undefined;
  /** Of the contract itself; undefined while there is neither a quote nor a trade. */
  readonly price: Amount | undefined;
  readonly openInterest: Amount;
}

/**
 * One perpetual contract: index, mark, premium and funding, as of the last look. The premium is averaged over all
 * looks since the last settlement; until the first settlement the funding rate is the interest rate.
 */
export class PerpetualContract {
  readonly instrument: Instrument;
  readonly #terms: FundingPeriodTerms;
  readonly #series = new Map<FuturesSeries, ValueCandles>();
  readonly #funding: Ring<FundingRow>;
  #fundingRate: Amount;
  #nextFunding = 0 as Micros;
  #premiumSum = zero;
  #premiumCount = 0;
  #state: FuturesState | undefined;

  constructor(setup: {
    instrument: Instrument;
    options: ContractOptions;
    candlesMax: number;
    fundingRowsMax: number;
    fundingPeriod: Micros;
    now: Micros;
  }) {
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
    for (const series of futuresSeries) this.#series.set(series, new ValueCandles(candlesMax));
  }

  /** As of the last look; undefined while the underlying has had no price. */
  get state(): FuturesState | undefined {
    return this.#state;
  }

  /** When the next settlement is due. */
  get nextFunding(): Micros {
    return this.#nextFunding;
  }

  /** Settlements, oldest first. */
  get funding(): Ring<FundingRow> {
    return this.#funding;
  }

  bars(series: FuturesSeries, period: CandlePeriod): Ring<ValueBar> {
    return (this.#series.get(series) as ValueCandles).bars(period);
  }

  /**
   * Looks at the contract at `now`: settles what is due, then refreshes every value. Returns the rate that positions
   * have to settle at, when a period has ended.
   */
  look(now: Micros, observed: Observation): Amount | undefined {
    const settled = now >= this.#nextFunding ? this.#settle(now) : undefined;
    if (observed.index !== undefined && observed.index > 0n) this.#refresh(now, observed, observed.index);
    return settled;
  }

  #refresh(now: Micros, observed: Observation, index: Amount): void {
    // Stamps are published in milliseconds, and every value can be computed again from what is published.
    const time = (Math.floor(now / microsPerMilli) * microsPerMilli) as Micros;
    const { instrument } = this;
    const indexPrice = toTick(instrument, index);
    const premiumIndex = premiumOf(observed.price ?? indexPrice, indexPrice);
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
    this.#series.get('index_price')?.add(time, indexPrice);
    this.#series.get('mark_price')?.add(time, markPrice);
    this.#series.get('premium_index')?.add(time, premiumIndex);
    this.#series.get('open_interest')?.add(time, observed.openInterest);
  }

  /** A period in which the underlying never had a price has no settlement. */
  #settle(now: Micros): Amount | undefined {
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

/** One period of a value that is looked at again and again. */
interface ValueBar {
  readonly time: Micros;
  readonly open: Amount;
  close: Amount;
  min: Amount;
  max: Amount;
}

/** Candles of every period of one value. Bounded per period. */
class ValueCandles {
  readonly #bars = new Map<CandlePeriod, Ring<ValueBar>>();

  constructor(candlesMax: number) {
    for (const period of candlePeriods) this.#bars.set(period, new Ring(candlesMax));
  }

  add(time: Micros, value: Amount): void {
    for (const [period, ring] of this.#bars) {
      const last = ring.last;
      const start = periodStart(candleLengths[period], time);
      if (last === undefined || last.time < start) {
        ring.push({ time: start, open: value, close: value, min: value, max: value });
        continue;
      }
      last.close = value;
      if (value < last.min) last.min = value;
      if (value > last.max) last.max = value;
    }
  }

  bars(period: CandlePeriod): Ring<ValueBar> {
    return this.#bars.get(period) as Ring<ValueBar>;
  }
}

import type { Amount } from '../core/base/amount.ts';
import { zero } from '../core/base/amount.ts';
import type { Micros } from '../core/base/clock.ts';
import type { InstrumentId } from '../core/model/instrument.ts';
import type { FundingRules } from './funding-rules.ts';
import { nextFunding } from './funding-rules.ts';

/** Nothing, one rate that was stated, rates of a list, or what the market announced beside its mark price. */
type RateSource = 'none' | 'constant' | 'data' | 'announced';

/** When open positions of an instrument pay for standing open, and at which rate. */
export interface ChargeSchedule {
  /** Where its rates come from. */
  readonly source: RateSource;
  /** The first time behind `after`; `undefined` when none is known. */
  nextAfter(after: Micros): Micros | undefined;
  /** The rate of that time; of funding a long position pays one above zero, and a short one gets it. */
  rateAt(time: Micros): Amount;
}

/** Charges on positions of one instrument. Several may stand for one instrument. */
export interface Charges {
  readonly instrument: InstrumentId;
  readonly kind: 'funding' | 'interest';
  readonly schedule: ChargeSchedule;
}

/** Where what positions of a contract pay comes from. */
export function fundingSource(charges: readonly Charges[], instrument: InstrumentId): RateSource {
  const found = charges.find((one) => one.instrument === instrument && one.kind === 'funding');
  return found?.schedule.source ?? 'none';
}

/** One rate at every multiple of a length of time since the epoch. */
export function constantCharge(rules: FundingRules): ChargeSchedule {
  return {
    source: 'constant',
    nextAfter: (after) => nextFunding(rules, after) as Micros,
    rateAt: () => rules.rate,
  };
}

/** One row of a list of rates. */
export interface ChargeRow {
  readonly time: Micros;
  readonly rate: Amount;
}

/** Rates of a list, which is in the order of time; nothing is charged behind its end. */
export function listedCharge(rows: readonly ChargeRow[]): ChargeSchedule {
  return {
    source: 'data',
    nextAfter: (after) => rows[placeAfter(rows, after)]?.time,
    rateAt: (time) => {
      const row = rows[placeAfter(rows, time) - 1];
      return row?.time === time ? row.rate : zero;
    },
  };
}

/** The place of the first row behind a time. */
function placeAfter(rows: readonly ChargeRow[], time: Micros): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle] as ChargeRow).time <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Funding as a market announces it: each time with the rate that was announced for it last. */
export class AnnouncedFunding implements ChargeSchedule {
  #time: Micros | undefined;
  #rate: Amount = zero;
  #before: ChargeRow | undefined;

  get source(): RateSource {
    return this.#time === undefined ? 'none' : 'announced';
  }

  announce(time: Micros, rate: Amount): void {
    if (this.#time !== undefined && this.#time !== time)
      this.#before = { time: this.#time, rate: this.#rate };
    this.#time = time;
    this.#rate = rate;
  }

  nextAfter(after: Micros): Micros | undefined {
    return this.#time !== undefined && this.#time > after ? this.#time : undefined;
  }

  rateAt(time: Micros): Amount {
    if (time === this.#time) return this.#rate;
    return time === this.#before?.time ? this.#before.rate : zero;
  }
}

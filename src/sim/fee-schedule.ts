import type { Amount } from '../core/base/amount.ts';
import { add, zero } from '../core/base/amount.ts';
import type { Instrument, Lots, Ticks } from '../core/model/instrument.ts';

/** Rates from a traded volume on, in quote currency. A negative rate is a rebate. */
export interface FeeTier {
  readonly volume: Amount;
  readonly makeRate: Amount;
  readonly takeRate: Amount;
}

/** Cost of an execution besides its rate, in quote currency; it is taken in the fee currency. */
export interface FlatFees {
  readonly fixed: Amount;
  readonly perLot: Amount;
}

const noFlatFees: FlatFees = { fixed: zero, perLot: zero };

/** Fees of executions of one instrument. The tier of a fill is that of the volume traded before it. */
export class FeeSchedule {
  readonly #instrument: Instrument;
  readonly #tiers: readonly FeeTier[];
  readonly #flat: FlatFees;
  #traded: Amount = zero;
  #tier: FeeTier;
  #next = 0;

  /** `tiers` ascend by volume; below the first the instrument's own rates hold. */
  constructor(instrument: Instrument, tiers: readonly FeeTier[], flat = noFlatFees) {
    const { makeRate, takeRate } = instrument;
    this.#instrument = instrument;
    this.#tiers = tiers;
    this.#flat = flat;
    this.#tier = { volume: zero, makeRate, takeRate };
    this.#climb();
  }

  /** The worse of both rates now, never below 0: what a reservation counts with. */
  get worstRate(): Amount {
    const { makeRate, takeRate } = this.#tier;
    const worst = makeRate > takeRate ? makeRate : takeRate;
    return worst > zero ? worst : zero;
  }

  /** The fee of an execution; counts its volume. */
  charge(price: Ticks, lots: Lots, taker: boolean): Amount {
    const { fixed, perLot } = this.#flat;
    const share = this.#instrument.fee(price, lots, taker ? this.#tier.takeRate : this.#tier.makeRate);
    this.#traded = add(this.#traded, this.#instrument.notional(price, lots));
    this.#climb();
    const flat = (fixed + perLot * BigInt(lots)) as Amount;
    return add(share, this.#instrument.toFeeCurrency(flat, price));
  }

  #climb(): void {
    for (let tier = this.#tiers[this.#next]; tier !== undefined; tier = this.#tiers[this.#next]) {
      if (tier.volume > this.#traded) return;
      this.#tier = tier;
      this.#next += 1;
    }
  }
}

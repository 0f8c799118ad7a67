import type { Amount } from '../../../core/base/amount.ts';
import type { Micros } from '../../../core/base/clock.ts';
import type { InstrumentId } from '../../../core/model/instrument.ts';
import type { Level } from '../../../core/model/market.ts';

// Market data as REST answers of either version give it, where the model has no shape of its own.

/** An order book: best first on both sides. No sequence number. Source: v3-gaps, section 4.1. */
export interface RestBook {
  readonly instrument: InstrumentId;
  /** Of the last change. */
  readonly time: Micros;
  readonly asks: readonly Level[];
  readonly bids: readonly Level[];
}

/** What one unit of a currency costs. Source: API v3, "Price objects", Rate. */
export interface PriceRate {
  readonly from: string;
  readonly to: string;
  readonly price: Amount;
  readonly time: Micros;
}

/** Rates over time. Source: API v3, "Price objects", History entry. */
export interface PriceHistory {
  readonly from: string;
  readonly to: string;
  readonly history: readonly {
    readonly time: Micros;
    readonly open: Amount;
    readonly close: Amount;
    readonly min: Amount;
    readonly max: Amount;
  }[];
}

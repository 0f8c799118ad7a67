import type { Amount } from '../../../core/base/amount.ts';
import type { Micros } from '../../../core/base/clock.ts';

// Market data as REST answers of either version give it, where the model has no shape of its own.

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

import type { Amount } from '../base/amount.ts';
import type { InstrumentId } from '../model/instrument.ts';
import type { PositionAccount } from '../model/margin.ts';

/** The strategy of orders that no strategy of ours placed: found at the venue, or made by hand elsewhere. */
export const externalStrategy = 'external';

/** What a strategy holds of one instrument, from its own fills since the run began. */
export interface Position {
  readonly instrument: InstrumentId;
  readonly strategy: string;
  /** Signed lots: positive is long. */
  readonly quantity: number;
  /** Signed cash flow of all fills in quote currency, fees left out: sells minus buys. */
  readonly cash: Amount;
  /** Sum of fees in the fee currency; negative is net rebates. */
  readonly fees: Amount;
  readonly fillCount: number;
  /** Sum of price times quantity over all fills. */
  readonly turnover: Amount;
  /** Average entry price of the open quantity as quote amount per base unit, `undefined` when flat. */
  readonly averagePrice: Amount | undefined;
  /** Realised profit in quote currency, fees left out. */
  readonly realized: Amount;
  /** Where it is kept: bought and sold on spot, or by a margin account of that mode. */
  readonly account: PositionAccount;
  /** Sum of funding and interest in the currency of the margin; negative is net received. */
  readonly charges: Amount;
}

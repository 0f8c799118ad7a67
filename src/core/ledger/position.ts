import type { Amount } from '../base/amount.ts';
import type { InstrumentId } from '../model/instrument.ts';
import type { PositionAccount } from '../model/margin.ts';

/** The strategy of orders that no strategy of ours placed: found at the venue, or made by hand elsewhere. */
export const externalStrategy = 'external';

/** Holding of a strategy in one instrument, from its own fills since the run began. */
export interface Position {
  readonly instrument: InstrumentId;
  readonly strategy: string;
  /** Signed lots: positive is long. Fees in base currency are taken off, and what is left of a lot then does not count. */
  readonly quantity: number;
  /** Signed quantity to the last digit, in base currency (contracts for futures), less fees in base currency. */
  readonly held: Amount;
  /** Signed cash flow of all fills in quote currency, fees left out: sells minus buys. */
  readonly cash: Amount;
  /** Sum of fees in the fee currency; negative is net rebates. */
  readonly fees: Amount;
  /** The same in quote currency, those in base currency at the prices of their fills; 0 where they are in a third currency. */
  readonly feesInQuote: Amount;
  readonly fillCount: number;
  /** Sum of price times quantity over all fills. */
  readonly turnover: Amount;
  /** Average entry price of the open quantity as quote amount per base unit, `undefined` when flat. */
  readonly averagePrice: Amount | undefined;
  /** Worth of the open quantity at that price, of the sign of the quantity (inverse contracts: the other sign). */
  readonly cost: Amount;
  /** Realised profit in quote currency, fees left out. */
  readonly realized: Amount;
  /** Where it is kept: bought and sold on spot, or by a margin account of that mode. */
  readonly account: PositionAccount;
  /** Sum of funding and interest in the currency of the margin; negative is net received. */
  readonly charges: Amount;
}

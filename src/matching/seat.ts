import type { AccountId } from './command.ts';
import type { Purse } from './ledger.ts';
import type { MarginAccount } from './margin-account.ts';
import type { Terms } from './terms.ts';

/** What all orders of an account on an instrument share: who pays, in what, and at which rates. */
export interface Seat {
  readonly account: AccountId;
  /** The account's base and quote currency. */
  readonly base: Purse;
  readonly quote: Purse;
  readonly terms: Terms;
  /** Where the order pays from instead, when it is traded on margin. */
  readonly margin: MarginAccount | undefined;
}

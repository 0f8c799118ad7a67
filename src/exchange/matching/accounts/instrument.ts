import type { AccountPort } from './port.ts';
import type { AccountId } from './command.ts';
import type { FeeBox } from './wallets.ts';
import type { MarginAccount } from './margin.ts';
import type { Wallet, IntegerBalance } from './wallet.ts';
import type { Terms } from './terms.ts';

/** Terms that all orders of an account on an instrument share: who pays, in what, and at which rates. */
export interface AccountInstrument {
  readonly account: AccountId;
  /** The account's base and quote currency. */
  readonly base: Wallet;
  readonly quote: Wallet;
  /** Pays fees, where those are in a third currency. */
  readonly third: Wallet | undefined;
  readonly terms: Terms;
  /** Where the order pays from instead, when it is traded on margin. */
  readonly margin: MarginAccount | undefined;
  /** Pays instead of the wallets, when there is one. */
  readonly port: AccountPort | undefined;
  /** No fees are paid: the exchange keeps no funds for spot orders. */
  readonly isFree: boolean;
  /** Where spot orders of ordinary size pay from, when the terms come out whole in units. */
  readonly integers?: IntegerBalances | undefined;
}

/** The integer balances of an account for an instrument, and where its fees go. */
export interface IntegerBalances {
  /** In lots. */
  readonly base: IntegerBalance;
  /** In units of the instrument's terms. */
  readonly quote: IntegerBalance;
  readonly fees: FeeBox;
}

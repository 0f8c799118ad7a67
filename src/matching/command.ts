import type { Amount } from '../base/amount.ts';
import type { Brand } from '../base/brand.ts';
import type { InstrumentId, InstrumentStatus, Lots, Ticks } from '../model/instrument.ts';
import type { OrderRequest } from '../model/order.ts';

/** A trading account inside the exchange core. */
export type AccountId = Brand<number, 'account'>;

/** What can be asked of the exchange core. One command in, outcomes out; the core never reads a clock. */
export type ExchangeCommand =
  | PlaceCommand
  | CancelCommand
  | CancelAllCommand
  | ReplaceCommand
  | AdjustBalanceCommand
  | ExpireCommand
  | SetStatusCommand;

export interface PlaceCommand {
  readonly kind: 'place';
  readonly account: AccountId;
  readonly request: OrderRequest;
  /** Fee mark-ups as rates; they can only raise the fee. Source: API v3, take_rate and make_rate. */
  readonly takeMarkup: Amount;
  readonly makeMarkup: Amount;
}

export interface CancelCommand {
  readonly kind: 'cancel';
  readonly account: AccountId;
  readonly clientOrderId: string;
}

export interface CancelAllCommand {
  readonly kind: 'cancelAll';
  readonly account: AccountId;
  /** All instruments when `undefined`. */
  readonly instrument: InstrumentId | undefined;
}

/** Cancel and new in one turn; executed quantity is inherited. Source: v3-gaps, section 10 ("Replace"). */
export interface ReplaceCommand {
  readonly kind: 'replace';
  readonly account: AccountId;
  readonly clientOrderId: string;
  readonly newClientOrderId: string;
  /** The new total quantity, executed part included. */
  readonly quantity: Lots;
  readonly price: Ticks | undefined;
  readonly stopPrice: Ticks | undefined;
}

/** Adds to (or takes from) an available balance: deposits, transfers, set-up. Refused if it would go below zero. */
export interface AdjustBalanceCommand {
  readonly kind: 'adjustBalance';
  readonly account: AccountId;
  readonly currency: string;
  readonly change: Amount;
}

/** Expires GTD and Day orders that are due at the command's time. */
export interface ExpireCommand {
  readonly kind: 'expire';
}

export interface SetStatusCommand {
  readonly kind: 'setStatus';
  readonly instrument: InstrumentId;
  readonly status: InstrumentStatus;
}

import type { Amount } from '../../../core/base/amount.ts';
import type { Brand } from '../../../core/base/brand.ts';
import type { InstrumentId, InstrumentStatus, Lots, Ticks } from '../../../core/model/instrument.ts';
import type { ContingencyType } from '../../../core/model/order-list.ts';
import type { MarginMark, MarginMode } from '../../../core/model/margin.ts';
import type { OrderRequest } from '../../../core/model/order.ts';

/** A trading account inside the exchange core. */
export type AccountId = Brand<number, 'account'>;

/** Command to the exchange core. One command in, outcomes out; the core never reads a clock. */
export type ExchangeCommand =
  | PlaceCommand
  | PlaceListCommand
  | CancelCommand
  | CancelAllCommand
  | ReplaceCommand
  | AdjustBalanceCommand
  | ExpireCommand
  | SetStatusCommand
  | MarginCommand
  | SetMarkCommand;

export interface PlaceCommand extends ListedOrder {
  readonly kind: 'place';
  readonly account: AccountId;
}

/** Orders that depend on each other: all are accepted, or none. Source: API v3, "POST /api/3/spot/order/list". */
export interface PlaceListCommand {
  readonly kind: 'placeList';
  readonly account: AccountId;
  /** Must be the client order id of the first order. */
  readonly listId: string;
  readonly contingency: ContingencyType;
  readonly orders: readonly ListedOrder[];
}

/** An order that stands alone or in a list. */
export interface ListedOrder {
  readonly request: OrderRequest;
  /** Fee mark-ups as rates; they can only raise the fee. Source: API v3, take_rate and make_rate. */
  readonly takeMarkup: Amount;
  readonly makeMarkup: Amount;
  /** For orders of a margin or futures product account; see `isProductAccount`. */
  readonly margin?: MarginMark | undefined;
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
  /** The original stays alive beside the new order, as hosts were seen to leave it. */
  readonly keepsOriginal?: boolean;
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

/** Command to the exchange core about margin. */
export type MarginCommand =
  | SetMarginCommand
  | SetLeverageCommand
  | SetAmrCommand
  | SetAutoMarginCommand
  | ClosePositionCommand
  | TakeInterestCommand
  | SettleFundingCommand
  | ExpireContractCommand
  | SettleContractCommand;

/** Sets the margin of a symbol (isolated) or of a currency (cross). `account` is a product account in these commands. */
export interface SetMarginCommand {
  readonly kind: 'setMargin';
  readonly account: AccountId;
  readonly mode: MarginMode;
  readonly instrument: InstrumentId | undefined;
  readonly currency: string | undefined;
  /** 0 closes the account. */
  readonly balance: Amount;
  /** That of the instrument when `undefined`. */
  readonly leverage: Amount | undefined;
}

/** Switches automatic margin replenishment. */
export interface SetAmrCommand {
  readonly kind: 'setAmr';
  readonly account: AccountId;
  readonly mode: MarginMode;
  readonly instrument: InstrumentId | undefined;
  readonly currency: string | undefined;
  readonly amr: boolean;
}

export interface ClosePositionCommand {
  readonly kind: 'closePosition';
  readonly account: AccountId;
  readonly mode: MarginMode;
  readonly instrument: InstrumentId;
  /** At market when `undefined`. */
  readonly price: Ticks | undefined;
  /** Client id of the order that closes at a price. */
  readonly clientOrderId: string;
}

/** Sets the leverage of the isolated margin of a symbol, which has no position and no orders. */
export interface SetLeverageCommand {
  readonly kind: 'setLeverage';
  readonly account: AccountId;
  readonly mode: MarginMode;
  readonly instrument: InstrumentId | undefined;
  readonly currency: string | undefined;
  readonly leverage: Amount;
}

/** Switches automatic margin management: what orders need is taken from the trading balance, and given back. */
export interface SetAutoMarginCommand {
  readonly kind: 'setAutoMargin';
  readonly account: AccountId;
  readonly mode: MarginMode;
  readonly instrument: InstrumentId | undefined;
  readonly currency: string | undefined;
  readonly auto: boolean;
}

/** Takes the interest of one period from every position of a symbol that lends. Sent by the clock of a server. */
export interface TakeInterestCommand {
  readonly kind: 'takeInterest';
  /** Instrument, for positions of one alone; of all when left out. */
  readonly instrument?: InstrumentId | undefined;
}

/** Settles one funding period of a contract: longs pay `rate` of what they hold at `price`, shorts get it. */
export interface SettleFundingCommand {
  readonly kind: 'settleFunding';
  readonly instrument: InstrumentId;
  readonly price: Ticks;
  readonly rate: Amount;
}

/** Ends trading of a contract: its orders are canceled, its status is `clearing`, its positions are valued at `price`. */
export interface ExpireContractCommand {
  readonly kind: 'expireContract';
  readonly instrument: InstrumentId;
  readonly price: Ticks;
}

/** Closes every position of a contract at `price`; its status is `expired` then. */
export interface SettleContractCommand {
  readonly kind: 'settleContract';
  readonly instrument: InstrumentId;
  readonly price: Ticks;
}

/** The price at which positions of a contract are valued from now on. */
export interface SetMarkCommand {
  readonly kind: 'setMark';
  readonly instrument: InstrumentId;
  readonly price: Ticks;
}

const accountSpan = 2 ** 20;

/**
 * A participant has up to three account numbers: for spot, for margin, and for futures orders. So lists of orders and
 * their histories are apart, as they are in the interface, and the core need not distinguish them. Client order ids and
 * order limits are those of the participant (`UserOrders`).
 */
export function marginAccountOf(account: AccountId): AccountId {
  return (spotAccountOf(account) + accountSpan) as AccountId;
}

export function futuresAccountOf(account: AccountId): AccountId {
  return (spotAccountOf(account) + 2 * accountSpan) as AccountId;
}

/** The number of the same participant for spot orders: the one that a server gives. */
export function spotAccountOf(account: AccountId): AccountId {
  return (account % accountSpan) as AccountId;
}

/** Whether orders of this account are settled with margin. */
export function isProductAccount(account: AccountId): boolean {
  return account >= accountSpan;
}

export function isFuturesAccount(account: AccountId): boolean {
  return account >= 2 * accountSpan;
}

import { fail } from '../base/assert.ts';
import type { Micros } from '../base/clock.ts';
import type { InstrumentId, Lots, Ticks } from './instrument.ts';
import type { MarginChange } from './margin.ts';
import type { ContingencyType } from './order-list.ts';
import type { ClientOrderId, OrderRequest, Side } from './order.ts';
import type { MarginProductName, Product } from './product.ts';

/** Command that leaves for a venue. `commandId` ties the answer (`commandSettled`) to it and never repeats in a run. */
export type Command =
  | NewOrderCommand
  | NewOrderListCommand
  | CancelOrderCommand
  | CancelOrdersCommand
  | ReplaceOrderCommand
  | ChangeMarginCommand
  | ReadCommand;

export interface NewOrderCommand {
  readonly kind: 'newOrder';
  readonly commandId: number;
  readonly strategy: string;
  readonly request: OrderRequest;
}

/**
 * Orders that depend on each other, in one message; all come to be, or none. Each was recorded as pending under this
 * `commandId` before; the answer settles them together.
 */
export interface NewOrderListCommand {
  readonly kind: 'newOrderList';
  readonly commandId: number;
  readonly strategy: string;
  readonly contingency: ContingencyType;
  readonly requests: readonly OrderRequest[];
}

export interface CancelOrderCommand {
  readonly kind: 'cancelOrder';
  readonly commandId: number;
  readonly strategy: string;
  readonly clientOrderId: ClientOrderId;
  readonly instrument: InstrumentId;
  /** Where the order trades; spot when left out, as in records of before. */
  readonly product?: Product | undefined;
  /** The cancels that it leaves with in one request. */
  readonly together?: CancelGroup | undefined;
}

/** Cancels of every order there is of one symbol, or of one product. */
export interface CancelGroup {
  /** The command id of the first of them. */
  readonly first: number;
  readonly count: number;
  readonly scope: 'symbol' | 'product';
}

/**
 * One request that cancels all orders of a symbol, or of a product where no instrument is named. Each cancel in it was recorded as
 * pending before, and is settled under its own number; that of the request is the first one's.
 */
export interface CancelOrdersCommand {
  readonly kind: 'cancelOrders';
  readonly commandId: number;
  readonly instrument: InstrumentId | undefined;
  /** Where the orders trade; spot when left out. */
  readonly product?: Product | undefined;
  readonly cancels: readonly CancelOrderCommand[];
}

export interface ReplaceOrderCommand {
  readonly kind: 'replaceOrder';
  readonly commandId: number;
  readonly strategy: string;
  readonly clientOrderId: ClientOrderId;
  readonly newClientOrderId: ClientOrderId;
  readonly instrument: InstrumentId;
  readonly side: Side;
  /** Where the order trades; spot when left out. */
  readonly product?: Product | undefined;
  /** The new total quantity, executed part included. */
  readonly quantity: Lots;
  readonly price: Ticks | undefined;
  readonly stopPrice: Ticks | undefined;
  /** Id that the program which asked for it gave it. It never leaves. */
  readonly alias?: string | undefined;
}

/** Changes a margin account. Settled like an order's command; silence leaves the account in doubt until it is read. */
export interface ChangeMarginCommand {
  readonly kind: 'changeMargin';
  readonly commandId: number;
  readonly strategy: string;
  readonly change: MarginChange;
}

/** A question to the venue. The answer is a `readAnswered` event with the same `commandId`. */
export interface ReadCommand {
  readonly kind: 'read';
  readonly commandId: number;
  readonly what: ReadTarget;
}

/** Orders, trades and balances are those of one product: spot when left out. Margin orders are paid from spot balances. */
export type ReadTarget =
  | { readonly of: 'activeOrders'; readonly product?: Product | undefined }
  | { readonly of: 'balances'; readonly product?: 'spot' | 'futures' | undefined }
  /** History of one order, by client id. */
  | {
      readonly of: 'orderHistory';
      readonly clientOrderId: ClientOrderId;
      readonly product?: Product | undefined;
    }
  /** Own trades since a time, oldest first. */
  | { readonly of: 'tradeHistory'; readonly since: Micros; readonly product?: Product | undefined }
  /** All margin accounts of a product, with their positions. */
  | { readonly of: 'marginAccounts'; readonly product: MarginProductName }
  /** Public: what holders of a contract paid since a time, oldest first. */
  | { readonly of: 'fundingRates'; readonly instrument: InstrumentId; readonly since: Micros }
  /** Public: what a book holds on each side, as far as such an answer reaches. */
  | { readonly of: 'book'; readonly instrument: InstrumentId }
  /** Transfers into and out of the wallets since a time, by the venue's clock; only for a key that may see payments. */
  | { readonly of: 'transfers'; readonly since: Micros };

/** A list has the id of its first order. Source: API v3, order_list_id. */
export function listIdOf({ requests }: NewOrderListCommand): ClientOrderId {
  return requests[0]?.clientOrderId ?? fail('a list without orders was to be sent');
}

/** A command about orders. */
export type OrderCommand = NewOrderCommand | NewOrderListCommand | CancelOrderCommand | ReplaceOrderCommand;

/** The order a command is about: for a replacement the new one, for a list its first; none for what is about no order or many. */
export function orderIdOf(command: OrderCommand): ClientOrderId;
export function orderIdOf(command: Command): ClientOrderId | undefined;
export function orderIdOf(command: Command): ClientOrderId | undefined {
  switch (command.kind) {
    case 'read':
    case 'changeMargin':
    case 'cancelOrders':
      return undefined;
    case 'newOrder':
      return command.request.clientOrderId;
    case 'newOrderList':
      return listIdOf(command);
    case 'replaceOrder':
      return command.newClientOrderId;
    case 'cancelOrder':
      return command.clientOrderId;
  }
}

/** Budget lanes, most urgent first. Source: faults, section 7. */
export const lanes = ['cancel', 'read', 'replace', 'new'] as const;
export type Lane = (typeof lanes)[number];

export function laneOf(command: Command): Lane {
  switch (command.kind) {
    case 'newOrder':
    case 'newOrderList':
      return 'new';
    case 'cancelOrder':
    case 'cancelOrders':
      return 'cancel';
    case 'replaceOrder':
    case 'changeMargin':
      return 'replace';
    case 'read':
      return 'read';
  }
}

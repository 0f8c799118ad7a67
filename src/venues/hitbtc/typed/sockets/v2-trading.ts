import type { Observable } from 'rxjs';
import type { Balance } from '../../../../core/model/market.ts';
import type { V2MarginAccount, V2Report } from '../../wire/resources/index.ts';
import type { V2Input, CallOptions, Exact } from '../calls/index.ts';
import type { V2TradingLine } from './trading-line.ts';

type Replacement = V2Input<'replaceOrder'>;
/** A new order; over sockets its id is the trader's to give. */
export type V2SocketOrder = V2Input<'putOrder'>;

/**
 * Spot trading on a v2 socket. Rights: orders R2, everything else R1. Per account 300 orders a second. A report
 * comes before the reply to the request that caused it. Errors: as the REST calls. Source: API v2, "Socket
 * methods"; v2-gaps, section 6.
 */
export class V2SocketTrading {
  /** Every active order, right after `subscribeReports`, and again after maintenance. */
  readonly orders$: Observable<readonly V2Report[]>;
  /** Every change of an order. */
  readonly order$: Observable<V2Report>;
  readonly margin: V2SocketMargin;
  readonly #line: V2TradingLine;

  constructor(line: V2TradingLine) {
    this.#line = line;
    this.margin = new V2SocketMargin(line);
    this.orders$ = line.notices.of('activeOrders');
    this.order$ = line.notices.of('report');
  }

  /** Turns `orders$` and `order$` on. Kept up over losses of the connection. */
  subscribeReports(options?: CallOptions): Promise<void> {
    return this.#line.subscribe('subscribeReports', {}, options);
  }

  /** Places an order: the report `new`, or the final one. */
  newOrder(order: V2SocketOrder, options?: CallOptions): Promise<V2Report> {
    return this.#line.ask('newOrder', order, options);
  }

  /** Cancels an order: the report `canceled`. Errors: 20002. */
  cancelOrder(params: { readonly clientOrderId: string }, options?: CallOptions): Promise<V2Report> {
    return this.#line.ask('cancelOrder', params, options);
  }

  /** Replaces an order by one with `requestClientId`: the report `replaced`. Errors: 20002, 20009. */
  replaceOrder(params: Replacement, options?: CallOptions): Promise<V2Report> {
    return this.#line.ask('cancelReplaceOrder', params, options);
  }

  /** Active orders. */
  orders(options?: CallOptions): Promise<readonly V2Report[]> {
    return this.#line.ask('getOrders', {}, options);
  }

  /** Trading balances. */
  balances(options?: CallOptions): Promise<readonly Balance[]> {
    return this.#line.ask('getTradingBalance', {}, options);
  }
}

/** Margin on a v2 socket. Errors: 20032 no such account, 20033 not changed. Source: v2-gaps, section 6.1. */
export class V2SocketMargin {
  readonly orders$: Observable<readonly V2Report[]>;
  readonly accounts$: Observable<readonly V2MarginAccount[]>;
  readonly order$: Observable<V2Report>;
  readonly account$: Observable<V2MarginAccount>;
  readonly #line: V2TradingLine;

  constructor(line: V2TradingLine) {
    this.#line = line;
    this.orders$ = line.notices.of('marginOrders');
    this.accounts$ = line.notices.of('marginAccounts');
    this.order$ = line.notices.of('marginOrderReport');
    this.account$ = line.notices.of('marginAccountReport');
  }

  /** Turns the four streams on. Kept up over losses of the connection. */
  subscribe(options?: CallOptions): Promise<void> {
    return this.#line.subscribe('marginSubscribe', {}, options);
  }

  accounts(options?: CallOptions): Promise<readonly V2MarginAccount[]> {
    return this.#line.ask('marginAccountsGet', {}, options);
  }

  /** Sets the margin of an account, made if need be; 0 closes it. */
  setAccount(
    params: { readonly symbol: string; readonly marginBalance: Exact; readonly strictValidate?: boolean },
    options?: CallOptions,
  ): Promise<V2MarginAccount> {
    return this.#line.ask('marginAccountSet', params, options);
  }

  /** Closes a position at the market; the account as it was. */
  closePosition(params: { readonly symbol: string }, options?: CallOptions): Promise<V2MarginAccount> {
    return this.#line.ask('marginPositionClose', params, options);
  }

  orders(options?: CallOptions): Promise<readonly V2Report[]> {
    return this.#line.ask('marginOrdersGet', {}, options);
  }

  cancelOrders(options?: CallOptions): Promise<readonly V2Report[]> {
    return this.#line.ask('marginOrdersCancel', {}, options);
  }

  newOrder(order: V2SocketOrder, options?: CallOptions): Promise<V2Report> {
    return this.#line.ask('marginOrderNew', order, options);
  }

  cancelOrder(params: { readonly clientOrderId: string }, options?: CallOptions): Promise<V2Report> {
    return this.#line.ask('marginOrderCancel', params, options);
  }

  replaceOrder(params: Replacement, options?: CallOptions): Promise<V2Report> {
    return this.#line.ask('marginOrderCancelReplace', params, options);
  }
}

import type { Observable } from 'rxjs';
import type { V3Input, CallOptions } from '../calls/index.ts';
import type { Contingency } from '../api-v3/index.ts';
import type { V3TradingLine } from './trading-line.ts';
import type { V3Report } from '../../wire/resources/index.ts';

/** A list of orders of any kind. */
export interface AnyOrderList {
  readonly orderListId?: string;
  readonly contingencyType: Contingency;
  readonly orders: readonly object[];
}

/**
 * Methods that spot, margin and futures have in common on the v3 trading socket. Errors are those of the REST calls of the
 * same name. A report is one change of one order; requests are carried out first in, first out, and never sent
 * twice. Source: v3-gaps, sections 2.3 to 2.5.
 */
export class V3SocketOrders<Order extends object, List extends AnyOrderList> {
  /** Every active order, right after `subscribe`, also after a loss of the connection. */
  readonly orders$: Observable<readonly V3Report[]>;
  /** Every change of an order. */
  readonly order$: Observable<V3Report>;
  protected readonly line: V3TradingLine;
  readonly #product: 'spot' | 'margin' | 'futures';

  constructor(line: V3TradingLine, product: 'spot' | 'margin' | 'futures') {
    this.line = line;
    this.#product = product;
    this.orders$ = line.notices.of(`${product}_orders`);
    this.order$ = line.notices.of(`${product}_order`);
  }

  /** Turns `orders$` and `order$` on, and accounts where there are some. Kept up over losses of the connection. Right R1. */
  subscribe(options?: CallOptions): Promise<void> {
    return this.line.subscribe(`${this.#product}_subscribe`, {}, options);
  }

  unsubscribe(options?: CallOptions): Promise<void> {
    const product = this.#product;
    return this.line.unsubscribe(`${product}_subscribe`, `${product}_unsubscribe`, {}, options);
  }

  /** Active orders, report type `status`. Right R1. */
  orders(options?: CallOptions): Promise<readonly V3Report[]> {
    return this.line.ask(`${this.#product}_get_orders`, {}, options);
  }

  /** Places an order: the report `new`, or the final one. Right R2. */
  newOrder(order: Order, options?: CallOptions): Promise<V3Report> {
    return this.line.ask(`${this.#product}_new_order`, order, options);
  }

  /** Places orders as one: a report for each, in the order given. Right R2. */
  async newOrderList(list: List, options?: CallOptions): Promise<readonly V3Report[]> {
    return this.line.askMany(`${this.#product}_new_order_list`, list, list.orders.length, options);
  }

  /** Cancels an order: the report `canceled`. Right R2. Errors: 20002. */
  cancelOrder(params: { readonly clientOrderId: string }, options?: CallOptions): Promise<V3Report> {
    return this.line.ask(`${this.#product}_cancel_order`, params, options);
  }

  /** Cancels all orders. Right R2. */
  cancelOrders(options?: CallOptions): Promise<readonly V3Report[]> {
    return this.line.ask(`${this.#product}_cancel_orders`, {}, options);
  }

  /** Replaces an order: the report `replaced`, or the old order canceled. Right R2. Errors: 20002, 20009. */
  replaceOrder(params: V3Input<'spotReplaceOrder'>, options?: CallOptions): Promise<V3Report> {
    return this.line.ask(`${this.#product}_replace_order`, params, options);
  }
}

import { listFault } from './api-v3/index.ts';
import type { OrderList } from './api-v3/index.ts';
import type { CallOptions, V2Caller, V2Input, V3Caller, V3Input } from './calls/index.ts';

/**
 * Spot trading of v3. Prices in quote, quantities in base currency, fees in the symbol's fee currency. Orders and
 * their reads: per address 300 a second and 450 above; the rest 20 and 30. Errors of every call: 1002 credentials,
 * 1003 right missing, 10001 a parameter, 429. Writes are never repeated: after an outcome `unknown` read what became
 * of them. Source: API v3, "Spot trading".
 */
export class V3Spot {
  readonly #api: V3Caller;

  constructor(api: V3Caller) {
    this.#api = api;
  }

  /** Every trading balance that is not zero: available, reserved, and what margin holds. Right R1. */
  balances(options?: CallOptions) {
    return this.#api.call('spotBalances', {}, options);
  }

  /** The trading balance of one currency. Right R1. Errors: 2002. */
  balance(params: V3Input<'spotBalance'>, options?: CallOptions) {
    return this.#api.call('spotBalance', params, options);
  }

  /** Active and suspended orders, all or of one symbol. Right R1. Errors: 2001. */
  orders(params: V3Input<'spotActiveOrders'> = {}, options?: CallOptions) {
    return this.#api.call('spotActiveOrders', params, options);
  }

  /** One active order. Right R1. Errors: 20002, also for orders that have ended. */
  order(params: V3Input<'spotActiveOrder'>, options?: CallOptions) {
    return this.#api.call('spotActiveOrder', params, options);
  }

  /**
   * Places an order and gives it back as it then is, with `trades` it had at once. `clientOrderId`: 8 to 32 of
   * A-Z a-z 0-9 _ -, made by the service when left out. Without `strictValidate` price and quantity are rounded half
   * down to the grid. At most 2000 open orders a symbol and 25000 an account. Right R2.
   * Errors: 2001, 2010 to 2012, 2020 to 2022, 20001 funds, 20008 id used, 20010 closed, 20045, 20048, 20049, 600 order limit.
   */
  createOrder(params: V3Input<'spotNewOrder'>, options?: CallOptions) {
    return this.#api.call('spotNewOrder', params, options);
  }

  /**
   * Places two or three orders as one; each comes back in the order given. The documents' rules are judged before
   * anything leaves (`denied`, codes LIST_… and ORDER_… of docs/errors.md). Right R2. Errors: as `createOrder`.
   */
  async createOrderList(list: OrderList, options?: CallOptions) {
    const fault = listFault('spotNewOrderList', list);
    if (fault !== undefined) throw fault;
    return this.#api.call('spotNewOrderList', list, options);
  }

  /**
   * Replaces an order by one with `newClientOrderId`; executed quantity is inherited, `quantity` is the new total.
   * When the new one cannot be placed the old one comes back canceled. Right R2. Errors: as `createOrder`, 20002, 20009.
   */
  replaceOrder(params: V3Input<'spotReplaceOrder'>, options?: CallOptions) {
    return this.#api.call('spotReplaceOrder', params, options);
  }

  /** Cancels all orders, or those of one symbol; gives back the canceled ones. Right R2. Errors: 2001. */
  cancelOrders(params: V3Input<'spotCancelOrders'> = {}, options?: CallOptions) {
    return this.#api.call('spotCancelOrders', params, options);
  }

  /** Cancels an order and gives it back. Right R2. Errors: 20002, also when it has ended already. */
  cancelOrder(params: V3Input<'spotCancelOrder'>, options?: CallOptions) {
    return this.#api.call('spotCancelOrder', params, options);
  }

  /** Fee rates of every symbol, as fractions; a negative one is a rebate. Right R1. */
  fees(options?: CallOptions) {
    return this.#api.call('spotFees', {}, options);
  }

  /** Fee rates of one symbol. Right R2. Errors: 2001. */
  fee(params: V3Input<'spotFee'>, options?: CallOptions) {
    return this.#api.call('spotFee', params, options);
  }

  /**
   * Orders that were, newest first: `by` id, `limit` 100 (to 1000), `offset` to 100000; with `clientOrderId` all
   * else is ignored. Those without executions vanish after 24 hours. Right R1. All of it: `pages.orderHistory`.
   */
  orderHistory(params: V3Input<'spotOrderHistory'> = {}, options?: CallOptions) {
    return this.#api.call('spotOrderHistory', params, options);
  }

  /** Own executions, newest first: `by` id, `limit` 100 (to 1000), `offset` to 100000. Right R1. All of it: `pages.tradeHistory`. */
  tradeHistory(params: V3Input<'spotTradeHistory'> = {}, options?: CallOptions) {
    return this.#api.call('spotTradeHistory', params, options);
  }
}

/**
 * Spot trading of v2. Orders: 300 requests a second per account; balance and fees 10. Errors of every call: 1001,
 * 1002, 1003 right missing, 10001 a parameter, 429. Writes are never repeated: after an outcome `unknown` read what
 * became of them. Source: API v2, "Trading and history"; v2-gaps, section 1.
 */
export class V2Trading {
  readonly #api: V2Caller;

  constructor(api: V2Caller) {
    this.#api = api;
  }

  /** Every trading balance. Right R1. */
  balances(options?: CallOptions) {
    return this.#api.call('tradingBalances', {}, options);
  }

  /** Active and suspended orders, all or of one symbol. Right R2. Errors: 2001. */
  orders(params: V2Input<'activeOrders'> = {}, options?: CallOptions) {
    return this.#api.call('activeOrders', params, options);
  }

  /** One order; with `wait` (ms, to 60000) once it has ended or the wait is over: keep it below the client's timeout. Right R2. Errors: 20002. */
  order(params: V2Input<'activeOrder'>, options?: CallOptions) {
    return this.#api.call('activeOrder', params, options);
  }

  /**
   * Places an order and gives it back with what executed at once. `clientOrderId`: at most 32 of A-Z a-z 0-9 _ -,
   * made by the service when left out. Right R2. Errors: 2001, 2010 to 2012, 2020 to 2022, 20001 funds, 20008 id
   * used, 20010 closed, 20048, 20049, 600 order limit.
   */
  createOrder(params: V2Input<'newOrder'>, options?: CallOptions) {
    return this.#api.call('newOrder', params, options);
  }

  /** Places an order under the id of the path. Right R2. Errors: as `createOrder`. */
  putOrder(params: V2Input<'putOrder'>, options?: CallOptions) {
    return this.#api.call('putOrder', params, options);
  }

  /** Replaces an order by one with `requestClientId`, and gives back the new one. Right R2. Errors: as `createOrder`, 20002, 20009. */
  replaceOrder(params: V2Input<'replaceOrder'>, options?: CallOptions) {
    return this.#api.call('replaceOrder', params, options);
  }

  /** Cancels all orders, or those of one symbol; gives back the canceled ones. Right R2. Errors: 2001. */
  cancelOrders(params: V2Input<'cancelOrders'> = {}, options?: CallOptions) {
    return this.#api.call('cancelOrders', params, options);
  }

  /** Cancels an order and gives it back. Right R2. Errors: 20002, also when it has ended already. */
  cancelOrder(params: V2Input<'cancelOrder'>, options?: CallOptions) {
    return this.#api.call('cancelOrder', params, options);
  }

  /** Fee rates of every symbol. Right R2. */
  fees(options?: CallOptions) {
    return this.#api.call('tradingFees', {}, options);
  }

  /** Fee rates of one symbol. Right R2. Errors: 2001. */
  fee(params: V2Input<'tradingFee'>, options?: CallOptions) {
    return this.#api.call('tradingFee', params, options);
  }
}

/**
 * Own orders and executions of v2. Right R1; 10 requests a second per account. Errors of every call: 1001, 1002,
 * 1003, 10001, 429. Source: API v2, "Trading and history"; v2-gaps, section 1.
 */
export class V2History {
  readonly #api: V2Caller;

  constructor(api: V2Caller) {
    this.#api = api;
  }

  /** Orders that were, newest first: `limit` 100 (to 1000), `offset` to 100000; with `clientOrderId` all else is ignored. */
  orders(params: V2Input<'orderHistory'> = {}, options?: CallOptions) {
    return this.#api.call('orderHistory', params, options);
  }

  /** Own executions, newest first: `by` id, `limit` 100 (to 1000), `offset` to 100000, `margin` include. */
  trades(params: V2Input<'tradeHistory'> = {}, options?: CallOptions) {
    return this.#api.call('tradeHistory', params, options);
  }

  /** Executions of one order, by the exchange's number. Errors: 20002. */
  orderTrades(params: V2Input<'orderTrades'>, options?: CallOptions) {
    return this.#api.call('orderTrades', params, options);
  }
}

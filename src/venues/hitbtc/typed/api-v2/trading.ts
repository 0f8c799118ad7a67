import type { CallOptions } from '../caller.ts';
import type { V2Caller, V2Input } from '../table-caller.ts';

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

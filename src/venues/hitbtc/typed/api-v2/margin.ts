import type { CallOptions, V2Caller, V2Input } from '../calls/index.ts';

/**
 * Margin trading of v2: isolated accounts with one position each. Right R2; 300 requests a second per account. Errors
 * of every call: 1001, 1002, 1003, 10001, 2001, 20032 no such account or position, 429. Writes are never repeated.
 * Source: v2-gaps, section 2.
 */
export class V2Margin {
  readonly #api: V2Caller;

  constructor(api: V2Caller) {
    this.#api = api;
  }

  /** Every account, with its position when there is one. */
  accounts(options?: CallOptions) {
    return this.#api.call('marginAccounts', {}, options);
  }

  /** Closes every position, then every account; the closed ones. */
  closeAccounts(options?: CallOptions) {
    return this.#api.call('marginCloseAccounts', {}, options);
  }

  /** The account of a symbol. */
  account(params: V2Input<'marginAccount'>, options?: CallOptions) {
    return this.#api.call('marginAccount', params, options);
  }

  /** Sets the margin of an account, made if need be; 0 closes it and returns the funds. Errors: 20001, 20033. */
  setAccount(params: V2Input<'marginSetAccount'>, options?: CallOptions) {
    return this.#api.call('marginSetAccount', params, options);
  }

  /** Closes an account, its position at the market. */
  closeAccount(params: V2Input<'marginCloseAccount'>, options?: CallOptions) {
    return this.#api.call('marginCloseAccount', params, options);
  }

  /** Every position; the quantity of a short one is negative. */
  positions(options?: CallOptions) {
    return this.#api.call('marginPositions', {}, options);
  }

  /** Closes every position at the market; the closed ones. */
  closePositions(options?: CallOptions) {
    return this.#api.call('marginClosePositions', {}, options);
  }

  /** The position of a symbol. */
  position(params: V2Input<'marginPosition'>, options?: CallOptions) {
    return this.#api.call('marginPosition', params, options);
  }

  /** Closes a position at the market, or by a limit order at `price`; a list, as the service says it. */
  closePosition(params: V2Input<'marginClosePosition'>, options?: CallOptions) {
    return this.#api.call('marginClosePosition', params, options);
  }

  /** Active and suspended orders, all or of one symbol. */
  orders(params: V2Input<'marginOrders'> = {}, options?: CallOptions) {
    return this.#api.call('marginOrders', params, options);
  }

  /** One active order. Errors: 20002. */
  order(params: V2Input<'marginOrder'>, options?: CallOptions) {
    return this.#api.call('marginOrder', params, options);
  }

  /** Places an order; the account must exist. Errors: as spot orders. */
  createOrder(params: V2Input<'marginNewOrder'>, options?: CallOptions) {
    return this.#api.call('marginNewOrder', params, options);
  }

  /** Places an order under the id of the path. Errors: as `createOrder`. */
  putOrder(params: V2Input<'marginPutOrder'>, options?: CallOptions) {
    return this.#api.call('marginPutOrder', params, options);
  }

  /** Cancels all orders, or those of one symbol. */
  cancelOrders(params: V2Input<'marginCancelOrders'> = {}, options?: CallOptions) {
    return this.#api.call('marginCancelOrders', params, options);
  }

  /** Cancels an order and gives it back. Errors: 20002. */
  cancelOrder(params: V2Input<'marginCancelOrder'>, options?: CallOptions) {
    return this.#api.call('marginCancelOrder', params, options);
  }
}

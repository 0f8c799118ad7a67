import type { CallOptions } from '../caller.ts';
import type { V2Caller, V2Input } from '../table-caller.ts';

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

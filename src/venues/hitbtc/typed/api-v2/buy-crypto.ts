import type { CallOptions } from '../caller.ts';
import type { V2Caller, V2Input } from '../table-caller.ts';

/** Buying crypto through providers, v2. Right R3; 10 requests a second per account. Errors: 1001, 1002, 1003, 10001, 429. Source: API v2, "Buy-crypto". */
export class V2BuyCrypto {
  readonly #api: V2Caller;

  constructor(api: V2Caller) {
    this.#api = api;
  }

  /** Providers with their methods of payment and limits; filters by id, source and target currency. */
  providers(params: V2Input<'buyCryptoProviders'> = {}, options?: CallOptions) {
    return this.#api.call('buyCryptoProviders', params, options);
  }

  /** Spot price, and what each method gives for `sourceAmount` or asks for `targetAmount`. */
  rates(params: V2Input<'buyCryptoRates'>, options?: CallOptions) {
    return this.#api.call('buyCryptoRates', params, options);
  }

  /** Orders at a provider from `from` to `till`, both UNIX times and required. */
  orders(params: V2Input<'buyCryptoOrders'>, options?: CallOptions) {
    return this.#api.call('buyCryptoOrders', params, options);
  }

  /** Begins a purchase; the checkout address leads to the provider, who sends to `walletAddress`. */
  createOrder(params: V2Input<'buyCryptoNewOrder'>, options?: CallOptions) {
    return this.#api.call('buyCryptoNewOrder', params, options);
  }
}

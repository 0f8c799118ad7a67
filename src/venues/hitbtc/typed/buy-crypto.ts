import type { CallOptions, V2Caller, V2Input, V3Caller, V3Input } from './calls/index.ts';

/**
 * Buying crypto through providers, v3. Right R3. Per address 10 requests a second and 10 above, per account 20 and
 * 30. Errors of every call: 1002, 1003, 10001, 429. Source: API v3, "Buy-crypto".
 */
export class V3BuyCrypto {
  readonly #api: V3Caller;

  constructor(api: V3Caller) {
    this.#api = api;
  }

  /** Providers with their methods of payment and limits; filters by id, source and target currency. */
  providers(params: V3Input<'buyCryptoProviders'> = {}, options?: CallOptions) {
    return this.#api.call('buyCryptoProviders', params, options);
  }

  /** Spot price, and what each method gives for `sourceAmount` or asks for `targetAmount`. */
  rates(params: V3Input<'buyCryptoRates'>, options?: CallOptions) {
    return this.#api.call('buyCryptoRates', params, options);
  }

  /** Orders at a provider, newest first; `from` and `till` are UNIX times. `limit` 100 (to 1000), `offset` to 100000. */
  orders(params: V3Input<'buyCryptoOrders'>, options?: CallOptions) {
    return this.#api.call('buyCryptoOrders', params, options);
  }

  /** Begins a purchase; `checkoutUrl` leads to the provider, who sends to `walletAddress`. */
  createOrder(params: V3Input<'buyCryptoNewOrder'>, options?: CallOptions) {
    return this.#api.call('buyCryptoNewOrder', params, options);
  }
}

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

  /**
   * Begins a purchase; the checkout address leads to the provider, who sends to `walletAddress`. With `targetAmount` that much
   * is bought, and `sourceAmount` is the most it may cost.
   */
  createOrder(params: V2Input<'buyCryptoNewOrder'>, options?: CallOptions) {
    return this.#api.call('buyCryptoNewOrder', params, options);
  }
}

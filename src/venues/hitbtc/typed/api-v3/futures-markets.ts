import type { CallOptions, V3Caller, V3Input } from '../calls/index.ts';

/**
 * Public data of the futures contracts; no key is needed. Rates are fractions per eight hours, open
 * interest is in units of the underlying. Lists are maps by contract. Errors: 2001, 10001 (also "Is not futures").
 * Source: API v3, "Market data"; v3-gaps, section 4.5.
 */
export class V3FuturesMarketData {
  readonly #api: V3Caller;

  constructor(api: V3Caller) {
    this.#api = api;
  }

  /** Mark and index price, funding and open interest by contract; new values every 3 s. */
  infos(params: V3Input<'publicFuturesInfos'> = {}, options?: CallOptions) {
    return this.#api.call('publicFuturesInfos', params, options);
  }

  /** The same of one contract. */
  info(params: V3Input<'publicFuturesInfo'>, options?: CallOptions) {
    return this.#api.call('publicFuturesInfo', params, options);
  }

  /** Settlements by contract, at 00:00, 08:00 and 16:00 UTC: `sort` DESC, `limit` to 1000. */
  fundingHistory(params: V3Input<'publicFundingHistory'> = {}, options?: CallOptions) {
    return this.#api.call('publicFundingHistory', params, options);
  }

  /** Settlements of one contract. */
  fundingHistoryOf(params: V3Input<'publicFundingHistoryOfSymbol'>, options?: CallOptions) {
    return this.#api.call('publicFundingHistoryOfSymbol', params, options);
  }

  /** Candles of the index price by contract: `period` M30, `sort` DESC, `limit` 10 (to 1000). */
  indexPriceCandles(params: V3Input<'publicIndexPriceCandles'> = {}, options?: CallOptions) {
    return this.#api.call('publicIndexPriceCandles', params, options);
  }

  /** Candles of the index price of one contract: `limit` 100 (to 1000), `offset` to 100000. */
  indexPriceCandlesOf(params: V3Input<'publicIndexPriceCandlesOfSymbol'>, options?: CallOptions) {
    return this.#api.call('publicIndexPriceCandlesOfSymbol', params, options);
  }

  /** Candles of the mark price by contract. */
  markPriceCandles(params: V3Input<'publicMarkPriceCandles'> = {}, options?: CallOptions) {
    return this.#api.call('publicMarkPriceCandles', params, options);
  }

  /** Candles of the mark price of one contract. */
  markPriceCandlesOf(params: V3Input<'publicMarkPriceCandlesOfSymbol'>, options?: CallOptions) {
    return this.#api.call('publicMarkPriceCandlesOfSymbol', params, options);
  }

  /** Candles of the premium index by contract. */
  premiumIndexCandles(params: V3Input<'publicPremiumIndexCandles'> = {}, options?: CallOptions) {
    return this.#api.call('publicPremiumIndexCandles', params, options);
  }

  /** Candles of the premium index of one contract. */
  premiumIndexCandlesOf(params: V3Input<'publicPremiumIndexCandlesOfSymbol'>, options?: CallOptions) {
    return this.#api.call('publicPremiumIndexCandlesOfSymbol', params, options);
  }

  /** Candles of the open interest by contract. */
  openInterestCandles(params: V3Input<'publicOpenInterestCandles'> = {}, options?: CallOptions) {
    return this.#api.call('publicOpenInterestCandles', params, options);
  }

  /** Candles of the open interest of one contract. */
  openInterestCandlesOf(params: V3Input<'publicOpenInterestCandlesOfSymbol'>, options?: CallOptions) {
    return this.#api.call('publicOpenInterestCandlesOfSymbol', params, options);
  }
}

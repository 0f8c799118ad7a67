import type { CallOptions } from '../caller.ts';
import type { V2Caller, V2Input } from '../table-caller.ts';

/**
 * Market data of v2; no key is needed. Keyed answers are maps by symbol. Per address 100 requests a second. Errors:
 * 2001 no such symbol, 2002 no such currency, 10001 a parameter, 429. Source: API v2, "Market data".
 */
export class V2MarketData {
  readonly #api: V2Caller;

  constructor(api: V2Caller) {
    this.#api = api;
  }

  /** Currencies, all or those of `currencies`; amounts in them are decimal text, times seconds. */
  currencies(params: V2Input<'publicCurrencies'> = {}, options?: CallOptions) {
    return this.#api.call('publicCurrencies', params, options);
  }

  /** One currency. Errors: 2002. */
  currency(params: V2Input<'publicCurrency'>, options?: CallOptions) {
    return this.#api.call('publicCurrency', params, options);
  }

  /** Symbols, all or those of `symbols`: increment, tick, rates. */
  symbols(params: V2Input<'publicSymbols'> = {}, options?: CallOptions) {
    return this.#api.call('publicSymbols', params, options);
  }

  /** One symbol. Errors: 2001. */
  symbol(params: V2Input<'publicSymbol'>, options?: CallOptions) {
    return this.#api.call('publicSymbol', params, options);
  }

  /** 24-hour tickers. */
  tickers(params: V2Input<'publicTickers'> = {}, options?: CallOptions) {
    return this.#api.call('publicTickers', params, options);
  }

  /** The 24-hour ticker of one symbol. Errors: 2001. */
  ticker(params: V2Input<'publicTicker'>, options?: CallOptions) {
    return this.#api.call('publicTicker', params, options);
  }

  /** Public trades by symbol: `sort` DESC, `limit` 100 (to 1000), `offset` to 100000. */
  trades(params: V2Input<'publicTrades'> = {}, options?: CallOptions) {
    return this.#api.call('publicTrades', params, options);
  }

  /** Public trades of one symbol: `by` timestamp. Errors: 2001. */
  tradesOf(params: V2Input<'publicTradesOfSymbol'>, options?: CallOptions) {
    return this.#api.call('publicTradesOfSymbol', params, options);
  }

  /** Order books by symbol, best first, `limit` levels a side (100; 0 for all). */
  orderBooks(params: V2Input<'publicOrderBooks'> = {}, options?: CallOptions) {
    return this.#api.call('publicOrderBooks', params, options);
  }

  /** One order book; with `volume` as many levels as hold it, and average prices. Errors: 2001. */
  orderBook(params: V2Input<'publicOrderBook'>, options?: CallOptions) {
    return this.#api.call('publicOrderBook', params, options);
  }

  /** Candles by symbol: `period` M30, `sort` ASC, `limit` 100 (to 1000), `offset` to 100000. */
  candles(params: V2Input<'publicCandles'> = {}, options?: CallOptions) {
    return this.#api.call('publicCandles', params, options);
  }

  /** Candles of one symbol. Errors: 2001. */
  candlesOf(params: V2Input<'publicCandlesOfSymbol'>, options?: CallOptions) {
    return this.#api.call('publicCandlesOfSymbol', params, options);
  }
}

import type { CallOptions, V2Caller, V2Input, V3Caller, V3Input } from './calls/index.ts';
import { V3FuturesMarketData } from './api-v3/index.ts';

/**
 * Market data of v3; no key is needed. Keyed answers are maps by symbol or currency, and unknown names are
 * missing from them. Per address 30 requests a second and 50 above. Errors: 2001 no such symbol, 2002 no such
 * currency, 10001 a parameter, 429. Source: API v3, "Market data"; v3-gaps, section 4.
 */
export class V3MarketData {
  /** Public data of the futures contracts. */
  readonly futures: V3FuturesMarketData;
  readonly #api: V3Caller;

  constructor(api: V3Caller) {
    this.#api = api;
    this.futures = new V3FuturesMarketData(api);
  }

  /** Currencies with their networks, all or those of `currencies`; amounts in them are decimal text. */
  currencies(params: V3Input<'publicCurrencies'> = {}, options?: CallOptions) {
    return this.#api.call('publicCurrencies', params, options);
  }

  /** One currency. Errors: 2002. */
  currency(params: V3Input<'publicCurrency'>, options?: CallOptions) {
    return this.#api.call('publicCurrency', params, options);
  }

  /** Symbols by code, all or those of `symbols`: increment, tick, rates, status (working, suspended, clearing, expired). */
  symbols(params: V3Input<'publicSymbols'> = {}, options?: CallOptions) {
    return this.#api.call('publicSymbols', params, options);
  }

  /** One symbol. Errors: 2001. */
  symbol(params: V3Input<'publicSymbol'>, options?: CallOptions) {
    return this.#api.call('publicSymbol', params, options);
  }

  /** 24-hour tickers by symbol. Volumes in base and in quote currency. */
  tickers(params: V3Input<'publicTickers'> = {}, options?: CallOptions) {
    return this.#api.call('publicTickers', params, options);
  }

  /** The 24-hour ticker of one symbol. Errors: 2001. */
  ticker(params: V3Input<'publicTicker'>, options?: CallOptions) {
    return this.#api.call('publicTicker', params, options);
  }

  /** Prices of one unit of each currency of `from` (all without it) in currency `to`. Errors: 2002. */
  priceRates(params: V3Input<'publicPriceRates'>, options?: CallOptions) {
    return this.#api.call('publicPriceRates', params, options);
  }

  /** Rates of `from` in `to` over time: `since` to `until`, `period` M30, `limit` 1 (to 1000), `sort` DESC. Errors: 2002. */
  priceHistory(params: V3Input<'publicPriceHistory'>, options?: CallOptions) {
    return this.#api.call('publicPriceHistory', params, options);
  }

  /** Last prices by symbol. */
  lastPrices(params: V3Input<'publicPriceTickers'> = {}, options?: CallOptions) {
    return this.#api.call('publicPriceTickers', params, options);
  }

  /** The last price of one symbol. Errors: 2001. */
  lastPrice(params: V3Input<'publicPriceTicker'>, options?: CallOptions) {
    return this.#api.call('publicPriceTicker', params, options);
  }

  /** Public trades by symbol: `by` timestamp, `sort` DESC, `limit` 10 (to 1000). */
  trades(params: V3Input<'publicTrades'> = {}, options?: CallOptions) {
    return this.#api.call('publicTrades', params, options);
  }

  /** Public trades of one symbol: `by` timestamp, `sort` DESC, `limit` 100 (to 1000), `offset` to 100000. Errors: 2001. */
  tradesOf(params: V3Input<'publicTradesOfSymbol'>, options?: CallOptions) {
    return this.#api.call('publicTradesOfSymbol', params, options);
  }

  /** Order books by symbol, best first, `depth` levels a side (100; 0 for all). No sequence: follow the socket instead. */
  orderBooks(params: V3Input<'publicOrderBooks'> = {}, options?: CallOptions) {
    return this.#api.call('publicOrderBooks', params, options);
  }

  /** One order book: `depth` levels a side, or as many as hold `volume` in base currency. Errors: 2001. */
  orderBook(params: V3Input<'publicOrderBook'>, options?: CallOptions) {
    return this.#api.call('publicOrderBook', params, options);
  }

  /** Candles by symbol: `period` M30, `sort` DESC, `limit` 10 (to 1000). Periods without trades are missing. */
  candles(params: V3Input<'publicCandles'> = {}, options?: CallOptions) {
    return this.#api.call('publicCandles', params, options);
  }

  /** Candles of one symbol: as `candles`, `limit` 100 (to 1000), `offset` to 100000. Errors: 2001. */
  candlesOf(params: V3Input<'publicCandlesOfSymbol'>, options?: CallOptions) {
    return this.#api.call('publicCandlesOfSymbol', params, options);
  }

  /** Candles by symbol in `targetCurrency`. Errors: 2002. */
  convertedCandles(params: V3Input<'publicConvertedCandles'>, options?: CallOptions) {
    return this.#api.call('publicConvertedCandles', params, options);
  }

  /** Candles of one symbol in `targetCurrency`. Errors: 2001, 2002. */
  convertedCandlesOf(params: V3Input<'publicConvertedCandlesOfSymbol'>, options?: CallOptions) {
    return this.#api.call('publicConvertedCandlesOfSymbol', params, options);
  }
}

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

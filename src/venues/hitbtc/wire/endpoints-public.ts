import { endpoint } from './endpoint.ts';
import { keyed } from './keyed.ts';
import { orderBook } from './resources/book.ts';
import * as currencies from './resources/currency.ts';
import * as market from './resources/market.ts';
import { candle, lastPrice, ticker } from './resources/market.ts';
import { readV2Symbol, readV2Symbols, readV3Symbol } from './resources/symbol.ts';
import * as v2Params from './v2/rest-params.ts';
import * as v3Params from './v3/rest-params.ts';

const open = { method: 'GET', payload: 'query', right: 'none' } as const;
const v3Open = { ...open, source: 'API v3, "Market data"' } as const;
const v2Open = { ...open, source: 'API v2, "Market data"' } as const;

/** Market data of v3, no key. */
export const publicEndpoints = {
  publicCurrencies: endpoint({
    ...v3Open,
    path: '/api/3/public/currency',
    params: v3Params.currenciesParams,
    answer: currencies.decodeV3Currencies,
  }),
  publicCurrency: endpoint({
    ...v3Open,
    path: '/api/3/public/currency/{currency}',
    params: v3Params.currencyParams,
    answer: (json, { currency = '' }) => currencies.decodeV3Currency(json, currency),
  }),
  publicSymbols: endpoint({
    ...v3Open,
    path: '/api/3/public/symbol',
    params: v3Params.symbolsParams,
    answer: keyed('v3 symbols', readV3Symbol),
  }),
  publicSymbol: endpoint({
    ...v3Open,
    path: '/api/3/public/symbol/{symbol}',
    params: v3Params.symbolParams,
    answer: (json, { symbol = '' }) => readV3Symbol(json, symbol),
  }),
  publicTickers: endpoint({
    ...v3Open,
    path: '/api/3/public/ticker',
    params: v3Params.symbolsParams,
    answer: keyed('v3 tickers', ticker.v3.read),
  }),
  publicTicker: endpoint({
    ...v3Open,
    path: '/api/3/public/ticker/{symbol}',
    params: v3Params.symbolParams,
    answer: ticker.v3.read,
  }),
  publicPriceRates: endpoint({
    ...v3Open,
    path: '/api/3/public/price/rate',
    params: v3Params.rateParams,
    answer: market.decodeV3Rates,
  }),
  publicPriceHistory: endpoint({
    ...v3Open,
    path: '/api/3/public/price/history',
    params: v3Params.rateHistoryParams,
    answer: market.decodeV3RateHistory,
  }),
  publicPriceTickers: endpoint({
    ...v3Open,
    path: '/api/3/public/price/ticker',
    params: v3Params.symbolsParams,
    answer: keyed('v3 last prices', lastPrice.v3.read),
  }),
  publicPriceTicker: endpoint({
    ...v3Open,
    path: '/api/3/public/price/ticker/{symbol}',
    params: v3Params.symbolParams,
    answer: lastPrice.v3.read,
  }),
  publicTrades: endpoint({
    ...v3Open,
    path: '/api/3/public/trades',
    params: v3Params.tradesParams,
    answer: keyed('v3 trades', market.readV3PublicTrades),
  }),
  publicTradesOfSymbol: endpoint({
    ...v3Open,
    path: '/api/3/public/trades/{symbol}',
    params: v3Params.tradesOfParams,
    answer: market.readV3PublicTrades,
    source: 'v3-gaps, section 4.4',
  }),
  publicOrderBooks: endpoint({
    ...v3Open,
    path: '/api/3/public/orderbook',
    params: v3Params.booksParams,
    answer: keyed('v3 order books', orderBook.v3.read),
    source: 'v3-gaps, section 4.1',
  }),
  publicOrderBook: endpoint({
    ...v3Open,
    path: '/api/3/public/orderbook/{symbol}',
    params: v3Params.bookParams,
    answer: orderBook.v3.read,
    source: 'v3-gaps, section 4.1',
  }),
  publicCandles: endpoint({
    ...v3Open,
    path: '/api/3/public/candles',
    params: v3Params.candlesParams,
    answer: keyed('v3 candles', candle.v3.readList),
    source: 'v3-gaps, section 4.2',
  }),
  publicCandlesOfSymbol: endpoint({
    ...v3Open,
    path: '/api/3/public/candles/{symbol}',
    params: v3Params.candlesOfParams,
    answer: candle.v3.readList,
    source: 'v3-gaps, section 4.2',
  }),
  publicConvertedCandles: endpoint({
    ...v3Open,
    path: '/api/3/public/converted/candles',
    params: v3Params.convertedCandlesParams,
    answer: market.readV3ConvertedCandles,
    source: 'v3-gaps, section 4.3',
  }),
  publicConvertedCandlesOfSymbol: endpoint({
    ...v3Open,
    path: '/api/3/public/converted/candles/{symbol}',
    params: v3Params.convertedCandlesOfParams,
    answer: market.readV3ConvertedCandlesOf,
    source: 'v3-gaps, section 4.3',
  }),
} as const;

/** Market data of v2, no key. */
export const v2PublicEndpoints = {
  publicCurrencies: endpoint({
    ...v2Open,
    path: '/api/2/public/currency',
    params: v2Params.currenciesParams,
    answer: currencies.decodeV2Currencies,
  }),
  publicCurrency: endpoint({
    ...v2Open,
    path: '/api/2/public/currency/{currency}',
    params: v2Params.currencyParams,
    answer: currencies.decodeV2Currency,
  }),
  publicSymbols: endpoint({
    ...v2Open,
    path: '/api/2/public/symbol',
    params: v2Params.symbolsParams,
    answer: readV2Symbols,
  }),
  publicSymbol: endpoint({
    ...v2Open,
    path: '/api/2/public/symbol/{symbol}',
    params: v2Params.symbolParams,
    answer: readV2Symbol,
  }),
  publicTickers: endpoint({
    ...v2Open,
    path: '/api/2/public/ticker',
    params: v2Params.symbolsParams,
    answer: ticker.v2.readList,
  }),
  publicTicker: endpoint({
    ...v2Open,
    path: '/api/2/public/ticker/{symbol}',
    params: v2Params.symbolParams,
    answer: ticker.v2.read,
  }),
  publicTrades: endpoint({
    ...v2Open,
    path: '/api/2/public/trades',
    params: v2Params.tradesParams,
    answer: keyed('v2 trades', market.readV2PublicTrades),
  }),
  publicTradesOfSymbol: endpoint({
    ...v2Open,
    path: '/api/2/public/trades/{symbol}',
    params: v2Params.tradesOfParams,
    answer: market.readV2PublicTrades,
  }),
  publicOrderBooks: endpoint({
    ...v2Open,
    path: '/api/2/public/orderbook',
    params: v2Params.booksParams,
    answer: keyed('v2 order books', orderBook.v2.read),
  }),
  publicOrderBook: endpoint({
    ...v2Open,
    path: '/api/2/public/orderbook/{symbol}',
    params: v2Params.bookParams,
    answer: orderBook.v2.read,
  }),
  publicCandles: endpoint({
    ...v2Open,
    path: '/api/2/public/candles',
    params: v2Params.candlesParams,
    answer: keyed('v2 candles', candle.v2.readList),
  }),
  publicCandlesOfSymbol: endpoint({
    ...v2Open,
    path: '/api/2/public/candles/{symbol}',
    params: v2Params.candlesOfParams,
    answer: candle.v2.readList,
  }),
} as const;

import { endpoint } from '../endpoint.ts';
import { keyed } from '../keyed.ts';
import { decodeV3Currencies, decodeV3Currency } from '../resources/currency.ts';
import * as params from './rest-params.ts';
import * as prices from '../resources/market.ts';
import { readV3Symbol } from '../resources/symbol.ts';
import { orderBook } from '../resources/book.ts';
import { candle, lastPrice, readV3PublicTrades, ticker } from '../resources/market.ts';

const open = { method: 'GET', payload: 'query', right: 'none' } as const;

/** The public part: market data, no key. */
export const publicEndpoints = {
  publicCurrencies: endpoint({
    ...open,
    path: '/api/3/public/currency',
    params: params.currenciesParams,
    answer: decodeV3Currencies,
    source: 'API v3, "Market data"',
  }),
  publicCurrency: endpoint({
    ...open,
    path: '/api/3/public/currency/{currency}',
    params: params.currencyParams,
    answer: (json, { currency = '' }) => decodeV3Currency(json, currency),
    source: 'API v3, "Market data"',
  }),
  publicSymbols: endpoint({
    ...open,
    path: '/api/3/public/symbol',
    params: params.symbolsParams,
    answer: keyed('v3 symbols', readV3Symbol),
    source: 'API v3, "Market data"',
  }),
  publicSymbol: endpoint({
    ...open,
    path: '/api/3/public/symbol/{symbol}',
    params: params.symbolParams,
    answer: (json, { symbol = '' }) => readV3Symbol(json, symbol),
    source: 'API v3, "Market data"',
  }),
  publicTickers: endpoint({
    ...open,
    path: '/api/3/public/ticker',
    params: params.symbolsParams,
    answer: keyed('v3 tickers', ticker.v3.read),
    source: 'API v3, "Market data"',
  }),
  publicTicker: endpoint({
    ...open,
    path: '/api/3/public/ticker/{symbol}',
    params: params.symbolParams,
    answer: ticker.v3.read,
    source: 'API v3, "Market data"',
  }),
  publicPriceRates: endpoint({
    ...open,
    path: '/api/3/public/price/rate',
    params: params.rateParams,
    answer: prices.decodeV3Rates,
    source: 'API v3, "Market data"',
  }),
  publicPriceHistory: endpoint({
    ...open,
    path: '/api/3/public/price/history',
    params: params.rateHistoryParams,
    answer: prices.decodeV3RateHistory,
    source: 'API v3, "Market data"',
  }),
  publicPriceTickers: endpoint({
    ...open,
    path: '/api/3/public/price/ticker',
    params: params.symbolsParams,
    answer: keyed('v3 last prices', lastPrice.v3.read),
    source: 'API v3, "Market data"',
  }),
  publicPriceTicker: endpoint({
    ...open,
    path: '/api/3/public/price/ticker/{symbol}',
    params: params.symbolParams,
    answer: lastPrice.v3.read,
    source: 'API v3, "Market data"',
  }),
  publicTrades: endpoint({
    ...open,
    path: '/api/3/public/trades',
    params: params.tradesParams,
    answer: keyed('v3 trades', readV3PublicTrades),
    source: 'API v3, "Market data"',
  }),
  publicTradesOfSymbol: endpoint({
    ...open,
    path: '/api/3/public/trades/{symbol}',
    params: params.tradesOfParams,
    answer: readV3PublicTrades,
    source: 'v3-gaps, section 4.4',
  }),
  publicOrderBooks: endpoint({
    ...open,
    path: '/api/3/public/orderbook',
    params: params.booksParams,
    answer: keyed('v3 order books', orderBook.v3.read),
    source: 'v3-gaps, section 4.1',
  }),
  publicOrderBook: endpoint({
    ...open,
    path: '/api/3/public/orderbook/{symbol}',
    params: params.bookParams,
    answer: orderBook.v3.read,
    source: 'v3-gaps, section 4.1',
  }),
  publicCandles: endpoint({
    ...open,
    path: '/api/3/public/candles',
    params: params.candlesParams,
    answer: keyed('v3 candles', candle.v3.readList),
    source: 'v3-gaps, section 4.2',
  }),
  publicCandlesOfSymbol: endpoint({
    ...open,
    path: '/api/3/public/candles/{symbol}',
    params: params.candlesOfParams,
    answer: candle.v3.readList,
    source: 'v3-gaps, section 4.2',
  }),
  publicConvertedCandles: endpoint({
    ...open,
    path: '/api/3/public/converted/candles',
    params: params.convertedCandlesParams,
    answer: prices.readV3ConvertedCandles,
    source: 'v3-gaps, section 4.3',
  }),
  publicConvertedCandlesOfSymbol: endpoint({
    ...open,
    path: '/api/3/public/converted/candles/{symbol}',
    params: params.convertedCandlesOfParams,
    answer: prices.readV3ConvertedCandlesOf,
    source: 'v3-gaps, section 4.3',
  }),
} as const;

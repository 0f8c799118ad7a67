import { endpoint } from '../endpoint.ts';
import { decodeV3Currencies, decodeV3Currency } from './currencies.ts';
import * as params from './rest-params.ts';
import * as rows from './rest-public.ts';
import { decodeV3Symbol, decodeV3Symbols } from './symbols.ts';

const open = { method: 'GET', payload: 'query', right: 'none' } as const;

/** The public part: market data, no key. */
export const publicEndpoints = {
  publicCurrencies: endpoint({
    ...open,
    path: '/api/3/public/currency',
    params: params.currenciesParams,
    decode: decodeV3Currencies,
    source: 'API v3, "Market data"',
  }),
  publicCurrency: endpoint({
    ...open,
    path: '/api/3/public/currency/{currency}',
    params: params.currencyParams,
    decode: decodeV3Currency,
    source: 'API v3, "Market data"',
  }),
  publicSymbols: endpoint({
    ...open,
    path: '/api/3/public/symbol',
    params: params.symbolsParams,
    decode: decodeV3Symbols,
    source: 'API v3, "Market data"',
  }),
  publicSymbol: endpoint({
    ...open,
    path: '/api/3/public/symbol/{symbol}',
    params: params.symbolParams,
    decode: decodeV3Symbol,
    source: 'API v3, "Market data"',
  }),
  publicTickers: endpoint({
    ...open,
    path: '/api/3/public/ticker',
    params: params.symbolsParams,
    decode: rows.decodeV3Tickers,
    source: 'API v3, "Market data"',
  }),
  publicTicker: endpoint({
    ...open,
    path: '/api/3/public/ticker/{symbol}',
    params: params.symbolParams,
    decode: rows.decodeV3Ticker,
    source: 'API v3, "Market data"',
  }),
  publicPriceRates: endpoint({
    ...open,
    path: '/api/3/public/price/rate',
    params: params.rateParams,
    decode: rows.decodeV3Rates,
    source: 'API v3, "Market data"',
  }),
  publicPriceHistory: endpoint({
    ...open,
    path: '/api/3/public/price/history',
    params: params.rateHistoryParams,
    decode: rows.decodeV3RateHistory,
    source: 'API v3, "Market data"',
  }),
  publicPriceTickers: endpoint({
    ...open,
    path: '/api/3/public/price/ticker',
    params: params.symbolsParams,
    decode: rows.decodeV3LastPrices,
    source: 'API v3, "Market data"',
  }),
  publicPriceTicker: endpoint({
    ...open,
    path: '/api/3/public/price/ticker/{symbol}',
    params: params.symbolParams,
    decode: rows.decodeV3LastPrice,
    source: 'API v3, "Market data"',
  }),
  publicTrades: endpoint({
    ...open,
    path: '/api/3/public/trades',
    params: params.tradesParams,
    decode: rows.decodeV3TradesBySymbol,
    source: 'API v3, "Market data"',
  }),
  publicTradesOfSymbol: endpoint({
    ...open,
    path: '/api/3/public/trades/{symbol}',
    params: params.tradesOfParams,
    decode: rows.decodeV3Trades,
    source: 'v3-gaps, section 4.4',
  }),
  publicOrderBooks: endpoint({
    ...open,
    path: '/api/3/public/orderbook',
    params: params.booksParams,
    decode: rows.decodeV3Books,
    source: 'v3-gaps, section 4.1',
  }),
  publicOrderBook: endpoint({
    ...open,
    path: '/api/3/public/orderbook/{symbol}',
    params: params.bookParams,
    decode: rows.decodeV3Book,
    source: 'v3-gaps, section 4.1',
  }),
  publicCandles: endpoint({
    ...open,
    path: '/api/3/public/candles',
    params: params.candlesParams,
    decode: rows.decodeV3CandlesBySymbol,
    source: 'v3-gaps, section 4.2',
  }),
  publicCandlesOfSymbol: endpoint({
    ...open,
    path: '/api/3/public/candles/{symbol}',
    params: params.candlesOfParams,
    decode: rows.decodeV3Candles,
    source: 'v3-gaps, section 4.2',
  }),
  publicConvertedCandles: endpoint({
    ...open,
    path: '/api/3/public/converted/candles',
    params: params.convertedCandlesParams,
    decode: rows.decodeV3ConvertedCandles,
    source: 'v3-gaps, section 4.3',
  }),
  publicConvertedCandlesOfSymbol: endpoint({
    ...open,
    path: '/api/3/public/converted/candles/{symbol}',
    params: params.convertedCandlesOfParams,
    decode: rows.decodeV3ConvertedCandlesOf,
    source: 'v3-gaps, section 4.3',
  }),
} as const;

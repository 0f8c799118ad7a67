import { endpoint } from '../endpoint.ts';
import { decodeV2Currencies, decodeV2Currency } from './currencies.ts';
import * as params from './rest-params.ts';
import * as rows from './rest-public.ts';
import { decodeV2Symbol, decodeV2Symbols } from './symbols.ts';

const open = { method: 'GET', payload: 'query', right: 'none', source: 'API v2, "Market data"' } as const;

/** Market data of v2, no key. */
export const v2PublicEndpoints = {
  publicCurrencies: endpoint({
    ...open,
    path: '/api/2/public/currency',
    params: params.currenciesParams,
    decode: decodeV2Currencies,
  }),
  publicCurrency: endpoint({
    ...open,
    path: '/api/2/public/currency/{currency}',
    params: params.currencyParams,
    decode: decodeV2Currency,
  }),
  publicSymbols: endpoint({
    ...open,
    path: '/api/2/public/symbol',
    params: params.symbolsParams,
    decode: decodeV2Symbols,
  }),
  publicSymbol: endpoint({
    ...open,
    path: '/api/2/public/symbol/{symbol}',
    params: params.symbolParams,
    decode: decodeV2Symbol,
  }),
  publicTickers: endpoint({
    ...open,
    path: '/api/2/public/ticker',
    params: params.symbolsParams,
    decode: rows.decodeV2Tickers,
  }),
  publicTicker: endpoint({
    ...open,
    path: '/api/2/public/ticker/{symbol}',
    params: params.symbolParams,
    decode: rows.decodeV2Ticker,
  }),
  publicTrades: endpoint({
    ...open,
    path: '/api/2/public/trades',
    params: params.tradesParams,
    decode: rows.decodeV2TradesBySymbol,
  }),
  publicTradesOfSymbol: endpoint({
    ...open,
    path: '/api/2/public/trades/{symbol}',
    params: params.tradesOfParams,
    decode: rows.decodeV2Trades,
  }),
  publicOrderBooks: endpoint({
    ...open,
    path: '/api/2/public/orderbook',
    params: params.booksParams,
    decode: rows.decodeV2Books,
  }),
  publicOrderBook: endpoint({
    ...open,
    path: '/api/2/public/orderbook/{symbol}',
    params: params.bookParams,
    decode: rows.decodeV2Book,
  }),
  publicCandles: endpoint({
    ...open,
    path: '/api/2/public/candles',
    params: params.candlesParams,
    decode: rows.decodeV2CandlesBySymbol,
  }),
  publicCandlesOfSymbol: endpoint({
    ...open,
    path: '/api/2/public/candles/{symbol}',
    params: params.candlesOfParams,
    decode: rows.decodeV2Candles,
  }),
} as const;

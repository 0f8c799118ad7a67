import { endpoint } from '../endpoint.ts';
import { keyed } from '../keyed.ts';
import { decodeV2Currencies, decodeV2Currency } from '../resources/currency.ts';
import * as params from './rest-params.ts';
import { readV2Symbol, readV2Symbols } from '../resources/symbol.ts';
import { orderBook } from '../resources/book.ts';
import { candle, readV2PublicTrades, ticker } from '../resources/market.ts';

const open = { method: 'GET', payload: 'query', right: 'none', source: 'API v2, "Market data"' } as const;

/** Market data of v2, no key. */
export const v2PublicEndpoints = {
  publicCurrencies: endpoint({
    ...open,
    path: '/api/2/public/currency',
    params: params.currenciesParams,
    answer: decodeV2Currencies,
  }),
  publicCurrency: endpoint({
    ...open,
    path: '/api/2/public/currency/{currency}',
    params: params.currencyParams,
    answer: decodeV2Currency,
  }),
  publicSymbols: endpoint({
    ...open,
    path: '/api/2/public/symbol',
    params: params.symbolsParams,
    answer: readV2Symbols,
  }),
  publicSymbol: endpoint({
    ...open,
    path: '/api/2/public/symbol/{symbol}',
    params: params.symbolParams,
    answer: readV2Symbol,
  }),
  publicTickers: endpoint({
    ...open,
    path: '/api/2/public/ticker',
    params: params.symbolsParams,
    answer: ticker.v2.readList,
  }),
  publicTicker: endpoint({
    ...open,
    path: '/api/2/public/ticker/{symbol}',
    params: params.symbolParams,
    answer: ticker.v2.read,
  }),
  publicTrades: endpoint({
    ...open,
    path: '/api/2/public/trades',
    params: params.tradesParams,
    answer: keyed('v2 trades', readV2PublicTrades),
  }),
  publicTradesOfSymbol: endpoint({
    ...open,
    path: '/api/2/public/trades/{symbol}',
    params: params.tradesOfParams,
    answer: readV2PublicTrades,
  }),
  publicOrderBooks: endpoint({
    ...open,
    path: '/api/2/public/orderbook',
    params: params.booksParams,
    answer: keyed('v2 order books', orderBook.v2.read),
  }),
  publicOrderBook: endpoint({
    ...open,
    path: '/api/2/public/orderbook/{symbol}',
    params: params.bookParams,
    answer: orderBook.v2.read,
  }),
  publicCandles: endpoint({
    ...open,
    path: '/api/2/public/candles',
    params: params.candlesParams,
    answer: keyed('v2 candles', candle.v2.readList),
  }),
  publicCandlesOfSymbol: endpoint({
    ...open,
    path: '/api/2/public/candles/{symbol}',
    params: params.candlesOfParams,
    answer: candle.v2.readList,
  }),
} as const;

import { z } from 'zod';
import { candlePeriods } from '../../../../core/model/market.ts';
import { endpoint } from '../endpoint.ts';
import { keyed } from '../keyed.ts';
import { pagedParams, v2Page } from '../paged-params.ts';
import type { PageDefaults } from '../param-fields.ts';
import {
  codeParam,
  integerParam,
  listParam,
  textParam,
  timeParam,
  symbolsParams,
  symbolParams,
  currencyParams,
} from '../param-fields.ts';
import { paramsOf } from '../request.ts';
import { bookQuery, booksQuery, orderBook } from '../resources/book.ts';
import * as currencies from '../resources/currency.ts';
import * as market from '../resources/market.ts';
import { candle, lastPrice, ticker } from '../resources/market.ts';
import { readV2Symbol, readV2Symbols, readV3Symbol } from '../resources/symbol.ts';

// Market data, no key: parameters as a server reads them, and a row for each endpoint.

/** Source: API v3, GET /api/3/public/currency. */
const v3CurrenciesParams = z
  .object({ currencies: listParam.optional(), preferred_network: textParam.optional() })
  .transform((given) => ({ currencies: given.currencies, preferredNetwork: given.preferred_network }));

const period = z
  .enum(candlePeriods, { error: `Parameter must be one of ${candlePeriods.join(', ')}` })
  .default('M30');
const targetCurrency = { target_currency: codeParam };

/** Source: API v3, GET /api/3/public/trades; v3-gaps, section 4.4. */
const v3TradesParams = pagedParams(
  { symbols: listParam.optional() },
  { sort: 'DESC', by: 'timestamp', limit: 10, limitMin: 1 },
);
const v3TradesOfParams = pagedParams(
  { symbol: codeParam },
  { sort: 'DESC', by: 'timestamp', limit: 100, limitMin: 1 },
);
/** Candles of many symbols: 10 by default; of one: 100. Source: v3-gaps, section 4.2. */
const v3CandlePage = { sort: 'DESC', by: 'timestamp', limit: 10, limitMin: 1 } as const;
const v3CandlesParams = pagedParams({ symbols: listParam.optional(), period }, v3CandlePage);
const v3CandlesOfParams = pagedParams({ symbol: codeParam, period }, { ...v3CandlePage, limit: 100 });
const convertedCandlesParams = pagedParams(
  { symbols: listParam.optional(), period, ...targetCurrency },
  v3CandlePage,
);
const convertedCandlesOfParams = pagedParams(
  { symbol: codeParam, period, ...targetCurrency },
  { ...v3CandlePage, limit: 100 },
);

/** Source: API v3, GET /api/3/public/price/rate. */
const rateParams = z.object({ from: listParam.optional(), to: codeParam });

/** Source: API v3, GET /api/3/public/price/history. */
const rateHistoryParams = z.object({
  from: listParam.optional(),
  to: codeParam,
  since: timeParam.optional(),
  until: timeParam.optional(),
  limit: integerParam(1, 1000).default(1),
  period,
  sort: z
    .string()
    .toUpperCase()
    .pipe(z.enum(['ASC', 'DESC'], { error: 'Parameter must be ASC or DESC' }))
    .default('DESC'),
});

const symbols = listParam.optional();

const v2CurrenciesParams = z.object({ currencies: listParam.optional() });
const v2TradesParams = pagedParams({ symbols }, v2Page);
const v2TradesOfParams = pagedParams({ symbol: codeParam }, v2Page);

/** Candles come oldest first unless asked otherwise. Source: API v2, GET /api/2/public/candles. */
const v2CandlePage: PageDefaults = { ...v2Page, sort: 'ASC' };
const v2CandlesParams = pagedParams({ symbols, period }, v2CandlePage);
const v2CandlesOfParams = pagedParams({ symbol: codeParam, period }, v2CandlePage);

const open = { method: 'GET', payload: 'query', right: 'none' } as const;
const v3Open = { ...open, source: 'API v3, "Market data"' } as const;
const v2Open = { ...open, source: 'API v2, "Market data"' } as const;

/** Market data of v3, no key. */
export const publicEndpoints = {
  publicCurrencies: endpoint({
    ...v3Open,
    path: '/api/3/public/currency',
    params: v3CurrenciesParams,
    answer: currencies.decodeV3Currencies,
  }),
  publicCurrency: endpoint({
    ...v3Open,
    path: '/api/3/public/currency/{currency}',
    params: currencyParams,
    answer: (json, { currency = '' }) => currencies.decodeV3Currency(json, currency),
  }),
  publicSymbols: endpoint({
    ...v3Open,
    path: '/api/3/public/symbol',
    params: symbolsParams,
    answer: keyed('v3 symbols', readV3Symbol),
  }),
  publicSymbol: endpoint({
    ...v3Open,
    path: '/api/3/public/symbol/{symbol}',
    params: symbolParams,
    answer: (json, { symbol = '' }) => readV3Symbol(json, symbol),
  }),
  publicTickers: endpoint({
    ...v3Open,
    path: '/api/3/public/ticker',
    params: symbolsParams,
    answer: keyed('v3 tickers', ticker.v3.read),
  }),
  publicTicker: endpoint({
    ...v3Open,
    path: '/api/3/public/ticker/{symbol}',
    params: symbolParams,
    answer: ticker.v3.read,
  }),
  publicPriceRates: endpoint({
    ...v3Open,
    path: '/api/3/public/price/rate',
    params: rateParams,
    answer: market.decodeV3Rates,
  }),
  publicPriceHistory: endpoint({
    ...v3Open,
    path: '/api/3/public/price/history',
    params: rateHistoryParams,
    answer: market.decodeV3RateHistory,
  }),
  publicPriceTickers: endpoint({
    ...v3Open,
    path: '/api/3/public/price/ticker',
    params: symbolsParams,
    answer: keyed('v3 last prices', lastPrice.v3.read),
  }),
  publicPriceTicker: endpoint({
    ...v3Open,
    path: '/api/3/public/price/ticker/{symbol}',
    params: symbolParams,
    answer: lastPrice.v3.read,
  }),
  publicTrades: endpoint({
    ...v3Open,
    path: '/api/3/public/trades',
    params: v3TradesParams,
    answer: keyed('v3 trades', market.readV3PublicTrades),
  }),
  publicTradesOfSymbol: endpoint({
    ...v3Open,
    path: '/api/3/public/trades/{symbol}',
    params: v3TradesOfParams,
    answer: market.readV3PublicTrades,
    source: 'v3-gaps, section 4.4',
  }),
  publicOrderBooks: endpoint({
    ...v3Open,
    path: '/api/3/public/orderbook',
    params: paramsOf(booksQuery, 'v3'),
    answer: keyed('v3 order books', orderBook.v3.read),
    source: 'v3-gaps, section 4.1',
  }),
  publicOrderBook: endpoint({
    ...v3Open,
    path: '/api/3/public/orderbook/{symbol}',
    params: paramsOf(bookQuery, 'v3'),
    answer: orderBook.v3.read,
    source: 'v3-gaps, section 4.1',
  }),
  publicCandles: endpoint({
    ...v3Open,
    path: '/api/3/public/candles',
    params: v3CandlesParams,
    answer: keyed('v3 candles', candle.v3.readList),
    source: 'v3-gaps, section 4.2',
  }),
  publicCandlesOfSymbol: endpoint({
    ...v3Open,
    path: '/api/3/public/candles/{symbol}',
    params: v3CandlesOfParams,
    answer: candle.v3.readList,
    source: 'v3-gaps, section 4.2',
  }),
  publicConvertedCandles: endpoint({
    ...v3Open,
    path: '/api/3/public/converted/candles',
    params: convertedCandlesParams,
    answer: market.readV3ConvertedCandles,
    source: 'v3-gaps, section 4.3',
  }),
  publicConvertedCandlesOfSymbol: endpoint({
    ...v3Open,
    path: '/api/3/public/converted/candles/{symbol}',
    params: convertedCandlesOfParams,
    answer: market.readV3ConvertedCandlesOf,
    source: 'v3-gaps, section 4.3',
  }),
} as const;

/** Market data of v2, no key. */
export const v2PublicEndpoints = {
  publicCurrencies: endpoint({
    ...v2Open,
    path: '/api/2/public/currency',
    params: v2CurrenciesParams,
    answer: currencies.decodeV2Currencies,
  }),
  publicCurrency: endpoint({
    ...v2Open,
    path: '/api/2/public/currency/{currency}',
    params: currencyParams,
    answer: currencies.decodeV2Currency,
  }),
  publicSymbols: endpoint({
    ...v2Open,
    path: '/api/2/public/symbol',
    params: symbolsParams,
    answer: readV2Symbols,
  }),
  publicSymbol: endpoint({
    ...v2Open,
    path: '/api/2/public/symbol/{symbol}',
    params: symbolParams,
    answer: readV2Symbol,
  }),
  publicTickers: endpoint({
    ...v2Open,
    path: '/api/2/public/ticker',
    params: symbolsParams,
    answer: ticker.v2.readList,
  }),
  publicTicker: endpoint({
    ...v2Open,
    path: '/api/2/public/ticker/{symbol}',
    params: symbolParams,
    answer: ticker.v2.read,
  }),
  publicTrades: endpoint({
    ...v2Open,
    path: '/api/2/public/trades',
    params: v2TradesParams,
    answer: keyed('v2 trades', market.readV2PublicTrades),
  }),
  publicTradesOfSymbol: endpoint({
    ...v2Open,
    path: '/api/2/public/trades/{symbol}',
    params: v2TradesOfParams,
    answer: market.readV2PublicTrades,
  }),
  publicOrderBooks: endpoint({
    ...v2Open,
    path: '/api/2/public/orderbook',
    params: paramsOf(booksQuery, 'v2'),
    answer: keyed('v2 order books', orderBook.v2.read),
  }),
  publicOrderBook: endpoint({
    ...v2Open,
    path: '/api/2/public/orderbook/{symbol}',
    params: paramsOf(bookQuery, 'v2'),
    answer: orderBook.v2.read,
  }),
  publicCandles: endpoint({
    ...v2Open,
    path: '/api/2/public/candles',
    params: v2CandlesParams,
    answer: keyed('v2 candles', candle.v2.readList),
  }),
  publicCandlesOfSymbol: endpoint({
    ...v2Open,
    path: '/api/2/public/candles/{symbol}',
    params: v2CandlesOfParams,
    answer: candle.v2.readList,
  }),
} as const;

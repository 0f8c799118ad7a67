import { z } from 'zod';
import { candlePeriods } from '../../../../core/model/market.ts';
import { getOpen } from '../endpoint.ts';
import { keyed, withCode } from '../keyed.ts';
import { pagedParams, v2Page } from '../paged-params.ts';
import type { PageDefaults } from '../param-fields.ts';
import {
  codeParam,
  integerParam,
  listParam,
  oneOfParam,
  sortParam,
  textParam,
  timeParam,
  symbolsParams,
  symbolParams,
  currencyParams,
} from '../param-fields.ts';
import { paramsOf } from '../request.ts';
import {
  bookQuery,
  booksQuery,
  orderBook,
  decodeV2Currencies,
  decodeV2Currency,
  decodeV3Currencies,
  decodeV3Currency,
  readFunding,
  readFuturesCandles,
  readFuturesState,
  candle,
  decodeV3RateHistory,
  decodeV3Rates,
  lastPrice,
  readV2PublicTrades,
  readV3ConvertedCandles,
  readV3ConvertedCandlesOf,
  readV3PublicTrades,
  ticker,
  readV2Symbol,
  readV2Symbols,
  readV3Symbol,
} from '../resources/index.ts';
import type { FuturesSeries } from '../resources/index.ts';

// Market data, no key: parameters as a server reads them, and a row for each endpoint.

/** Source: API v3, GET /api/3/public/currency. */
const v3CurrenciesParams = z
  .object({ currencies: listParam.optional(), preferred_network: textParam.optional() })
  .transform((given) => ({ currencies: given.currencies, preferredNetwork: given.preferred_network }));

const symbols = listParam.optional();
const period = oneOfParam(candlePeriods).default('M30');
const targetCurrency = { target_currency: codeParam };

/** Rows of many symbols: 10 of each by default; of one: 100. Source: v3-gaps, sections 4.2 to 4.4. */
const v3Page: PageDefaults = { sort: 'DESC', by: 'timestamp', limit: 10, limitMin: 1 };
const v3PageOfOne: PageDefaults = { ...v3Page, limit: 100 };
const v3TradesParams = pagedParams({ symbols }, v3Page);
const v3TradesOfParams = pagedParams({ symbol: codeParam }, v3PageOfOne);
const v3CandlesParams = pagedParams({ symbols, period }, v3Page);
const v3CandlesOfParams = pagedParams({ symbol: codeParam, period }, v3PageOfOne);
const convertedCandlesParams = pagedParams({ symbols, period, ...targetCurrency }, v3Page);
const convertedCandlesOfParams = pagedParams({ symbol: codeParam, period, ...targetCurrency }, v3PageOfOne);
/** 100 rows in both forms. Source: v3-gaps, section 4.5. */
const fundingParams = pagedParams({ symbols }, v3PageOfOne);
const fundingOfParams = pagedParams({ symbol: codeParam }, v3PageOfOne);

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
  sort: sortParam('DESC'),
});

const v2CurrenciesParams = z.object({ currencies: listParam.optional() });
const v2TradesParams = pagedParams({ symbols }, v2Page);
const v2TradesOfParams = pagedParams({ symbol: codeParam }, v2Page);

/** Candles come oldest first unless asked otherwise. Source: API v2, GET /api/2/public/candles. */
const v2CandlePage: PageDefaults = { ...v2Page, sort: 'ASC' };
const v2CandlesParams = pagedParams({ symbols, period }, v2CandlePage);
const v2CandlesOfParams = pagedParams({ symbol: codeParam, period }, v2CandlePage);

/** Market data of v3, no key. Source: API v3, "Market data". */
export const publicEndpoints = {
  publicCurrencies: getOpen('/api/3/public/currency', v3CurrenciesParams, decodeV3Currencies),
  publicCurrency: getOpen(
    '/api/3/public/currency/{currency}',
    currencyParams,
    withCode('currency', decodeV3Currency),
  ),
  publicSymbols: getOpen('/api/3/public/symbol', symbolsParams, keyed('v3 symbols', readV3Symbol)),
  publicSymbol: getOpen('/api/3/public/symbol/{symbol}', symbolParams, withCode('symbol', readV3Symbol)),
  publicTickers: getOpen('/api/3/public/ticker', symbolsParams, keyed('v3 tickers', ticker.v3.read)),
  publicTicker: getOpen('/api/3/public/ticker/{symbol}', symbolParams, ticker.v3.read),
  publicPriceRates: getOpen('/api/3/public/price/rate', rateParams, decodeV3Rates),
  publicPriceHistory: getOpen('/api/3/public/price/history', rateHistoryParams, decodeV3RateHistory),
  publicPriceTickers: getOpen(
    '/api/3/public/price/ticker',
    symbolsParams,
    keyed('v3 last prices', lastPrice.v3.read),
  ),
  publicPriceTicker: getOpen('/api/3/public/price/ticker/{symbol}', symbolParams, lastPrice.v3.read),
  publicTrades: getOpen('/api/3/public/trades', v3TradesParams, keyed('v3 trades', readV3PublicTrades)),
  // Source: v3-gaps, sections 4.1 to 4.4.
  publicTradesOfSymbol: getOpen('/api/3/public/trades/{symbol}', v3TradesOfParams, readV3PublicTrades),
  publicOrderBooks: getOpen(
    '/api/3/public/orderbook',
    paramsOf(booksQuery, 'v3'),
    keyed('v3 order books', orderBook.v3.read),
  ),
  publicOrderBook: getOpen('/api/3/public/orderbook/{symbol}', paramsOf(bookQuery, 'v3'), orderBook.v3.read),
  publicCandles: getOpen('/api/3/public/candles', v3CandlesParams, keyed('v3 candles', candle.v3.readList)),
  publicCandlesOfSymbol: getOpen('/api/3/public/candles/{symbol}', v3CandlesOfParams, candle.v3.readList),
  publicConvertedCandles: getOpen(
    '/api/3/public/converted/candles',
    convertedCandlesParams,
    readV3ConvertedCandles,
  ),
  publicConvertedCandlesOfSymbol: getOpen(
    '/api/3/public/converted/candles/{symbol}',
    convertedCandlesOfParams,
    readV3ConvertedCandlesOf,
  ),
} as const;

/** Candles of a value of every contract, and of one, which have the pages of other candles. */
const futuresCandles = (series: FuturesSeries) =>
  getOpen(
    `/api/3/public/futures/candles/${series}`,
    v3CandlesParams,
    keyed('v3 futures', readFuturesCandles),
  );
const futuresCandlesOf = (series: FuturesSeries) =>
  getOpen(
    `/api/3/public/futures/candles/${series}/{symbol}`,
    v3CandlesOfParams,
    withCode('symbol', readFuturesCandles),
  );

/** Public data of the futures contracts. Source: v3-gaps, section 4.5. */
export const futuresPublicEndpoints = {
  publicFuturesInfos: getOpen(
    '/api/3/public/futures/info',
    symbolsParams,
    keyed('v3 futures', readFuturesState),
  ),
  publicFuturesInfo: getOpen(
    '/api/3/public/futures/info/{symbol}',
    symbolParams,
    withCode('symbol', readFuturesState),
  ),
  publicFundingHistory: getOpen(
    '/api/3/public/futures/history/funding',
    fundingParams,
    keyed('v3 futures', readFunding),
  ),
  publicFundingHistoryOfSymbol: getOpen(
    '/api/3/public/futures/history/funding/{symbol}',
    fundingOfParams,
    withCode('symbol', readFunding),
  ),
  publicIndexPriceCandles: futuresCandles('index_price'),
  publicIndexPriceCandlesOfSymbol: futuresCandlesOf('index_price'),
  publicMarkPriceCandles: futuresCandles('mark_price'),
  publicMarkPriceCandlesOfSymbol: futuresCandlesOf('mark_price'),
  publicPremiumIndexCandles: futuresCandles('premium_index'),
  publicPremiumIndexCandlesOfSymbol: futuresCandlesOf('premium_index'),
  publicOpenInterestCandles: futuresCandles('open_interest'),
  publicOpenInterestCandlesOfSymbol: futuresCandlesOf('open_interest'),
} as const;

/** Market data of v2, no key. Source: API v2, "Market data". */
export const v2PublicEndpoints = {
  publicCurrencies: getOpen('/api/2/public/currency', v2CurrenciesParams, decodeV2Currencies),
  publicCurrency: getOpen('/api/2/public/currency/{currency}', currencyParams, decodeV2Currency),
  publicSymbols: getOpen('/api/2/public/symbol', symbolsParams, readV2Symbols),
  publicSymbol: getOpen('/api/2/public/symbol/{symbol}', symbolParams, readV2Symbol),
  publicTickers: getOpen('/api/2/public/ticker', symbolsParams, ticker.v2.readList),
  publicTicker: getOpen('/api/2/public/ticker/{symbol}', symbolParams, ticker.v2.read),
  publicTrades: getOpen('/api/2/public/trades', v2TradesParams, keyed('v2 trades', readV2PublicTrades)),
  publicTradesOfSymbol: getOpen('/api/2/public/trades/{symbol}', v2TradesOfParams, readV2PublicTrades),
  publicOrderBooks: getOpen(
    '/api/2/public/orderbook',
    paramsOf(booksQuery, 'v2'),
    keyed('v2 order books', orderBook.v2.read),
  ),
  publicOrderBook: getOpen('/api/2/public/orderbook/{symbol}', paramsOf(bookQuery, 'v2'), orderBook.v2.read),
  publicCandles: getOpen('/api/2/public/candles', v2CandlesParams, keyed('v2 candles', candle.v2.readList)),
  publicCandlesOfSymbol: getOpen('/api/2/public/candles/{symbol}', v2CandlesOfParams, candle.v2.readList),
} as const;

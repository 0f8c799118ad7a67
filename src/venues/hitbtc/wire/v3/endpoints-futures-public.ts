import { z } from 'zod';
import { candlePeriods } from '../../../../core/model/market.ts';
import { pagedParams } from '../paged-params.ts';
import type { PageDefaults } from '../param-fields.ts';
import { codeParam, listParam } from '../param-fields.ts';
import type { Asked } from '../endpoint.ts';
import { endpoint } from '../endpoint.ts';
import { keyed } from '../keyed.ts';
import * as rows from '../resources/futures.ts';

// Parameters of the public futures endpoints of v3 as a server reads them.

const contractsParams = z.object({ symbols: listParam.optional() });
const contractParams = z.object({ symbol: codeParam });

const period = z
  .enum(candlePeriods, { error: `Parameter must be one of ${candlePeriods.join(', ')}` })
  .default('M30');
const symbols = listParam.optional();

/** 100 rows in both forms. Source: v3-gaps, section 4.5. */
const fundingPage: PageDefaults = { sort: 'DESC', by: 'timestamp', limit: 100, limitMin: 1 };
const fundingParams = pagedParams({ symbols }, fundingPage);
const fundingOfParams = pagedParams({ symbol: codeParam }, fundingPage);

/** 10 rows per contract in a list, 100 of one contract. Source: API v3, GET /api/3/public/futures/candles/premium_index. */
const candlePage: PageDefaults = { sort: 'DESC', by: 'timestamp', limit: 10, limitMin: 1 };
const futuresCandlesParams = pagedParams({ symbols, period }, candlePage);
const futuresCandlesOfParams = pagedParams({ symbol: codeParam, period }, { ...candlePage, limit: 100 });

const open = { method: 'GET', payload: 'query', right: 'none', source: 'v3-gaps, section 4.5' } as const;
const list = {
  ...open,
  params: futuresCandlesParams,
  answer: keyed('v3 futures', rows.readFuturesCandles),
} as const;
const one = {
  ...open,
  params: futuresCandlesOfParams,
  answer: (json: unknown, { symbol = '' }: Asked) => rows.readFuturesCandles(json, symbol),
} as const;

/** Public data of the futures contracts. */
export const futuresPublicEndpoints = {
  publicFuturesInfos: endpoint({
    ...open,
    path: '/api/3/public/futures/info',
    params: contractsParams,
    answer: keyed('v3 futures', rows.readFuturesState),
  }),
  publicFuturesInfo: endpoint({
    ...open,
    path: '/api/3/public/futures/info/{symbol}',
    params: contractParams,
    answer: (json, { symbol = '' }) => rows.readFuturesState(json, symbol),
  }),
  publicFundingHistory: endpoint({
    ...open,
    path: '/api/3/public/futures/history/funding',
    params: fundingParams,
    answer: keyed('v3 futures', rows.readFunding),
  }),
  publicFundingHistoryOfSymbol: endpoint({
    ...open,
    path: '/api/3/public/futures/history/funding/{symbol}',
    params: fundingOfParams,
    answer: (json, { symbol = '' }) => rows.readFunding(json, symbol),
  }),
  publicIndexPriceCandles: endpoint({ ...list, path: '/api/3/public/futures/candles/index_price' }),
  publicIndexPriceCandlesOfSymbol: endpoint({
    ...one,
    path: '/api/3/public/futures/candles/index_price/{symbol}',
  }),
  publicMarkPriceCandles: endpoint({ ...list, path: '/api/3/public/futures/candles/mark_price' }),
  publicMarkPriceCandlesOfSymbol: endpoint({
    ...one,
    path: '/api/3/public/futures/candles/mark_price/{symbol}',
  }),
  publicPremiumIndexCandles: endpoint({ ...list, path: '/api/3/public/futures/candles/premium_index' }),
  publicPremiumIndexCandlesOfSymbol: endpoint({
    ...one,
    path: '/api/3/public/futures/candles/premium_index/{symbol}',
  }),
  publicOpenInterestCandles: endpoint({ ...list, path: '/api/3/public/futures/candles/open_interest' }),
  publicOpenInterestCandlesOfSymbol: endpoint({
    ...one,
    path: '/api/3/public/futures/candles/open_interest/{symbol}',
  }),
} as const;

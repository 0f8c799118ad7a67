import type { Asked } from '../endpoint.ts';
import { endpoint } from '../endpoint.ts';
import { keyed } from '../keyed.ts';
import * as params from './futures-params.ts';
import * as rows from './futures-rows.ts';

const open = { method: 'GET', payload: 'query', right: 'none', source: 'v3-gaps, section 4.5' } as const;
const list = {
  ...open,
  params: params.futuresCandlesParams,
  answer: keyed('v3 futures', rows.decodeV3FuturesCandles),
} as const;
const one = {
  ...open,
  params: params.futuresCandlesOfParams,
  answer: (json: unknown, { symbol = '' }: Asked) => rows.decodeV3FuturesCandles(json, symbol),
} as const;

/** What everybody may see of the futures contracts. */
export const futuresPublicEndpoints = {
  publicFuturesInfos: endpoint({
    ...open,
    path: '/api/3/public/futures/info',
    params: params.contractsParams,
    answer: keyed('v3 futures', rows.decodeV3FuturesState),
  }),
  publicFuturesInfo: endpoint({
    ...open,
    path: '/api/3/public/futures/info/{symbol}',
    params: params.contractParams,
    answer: (json, { symbol = '' }) => rows.decodeV3FuturesState(json, symbol),
  }),
  publicFundingHistory: endpoint({
    ...open,
    path: '/api/3/public/futures/history/funding',
    params: params.fundingParams,
    answer: keyed('v3 futures', rows.decodeV3Funding),
  }),
  publicFundingHistoryOfSymbol: endpoint({
    ...open,
    path: '/api/3/public/futures/history/funding/{symbol}',
    params: params.fundingOfParams,
    answer: (json, { symbol = '' }) => rows.decodeV3Funding(json, symbol),
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

import { endpoint } from '../endpoint.ts';
import * as params from './futures-params.ts';
import * as rows from './futures-rows.ts';

const open = { method: 'GET', payload: 'query', right: 'none', source: 'v3-gaps, section 4.5' } as const;
const list = {
  ...open,
  params: params.futuresCandlesParams,
  decode: rows.decodeV3FuturesCandlesBySymbol,
} as const;
const one = {
  ...open,
  params: params.futuresCandlesOfParams,
  decode: rows.decodeV3FuturesCandles,
} as const;

/** What everybody may see of the futures contracts. */
export const futuresPublicEndpoints = {
  publicFuturesInfos: endpoint({
    ...open,
    path: '/api/3/public/futures/info',
    params: params.contractsParams,
    decode: rows.decodeV3FuturesStates,
  }),
  publicFuturesInfo: endpoint({
    ...open,
    path: '/api/3/public/futures/info/{symbol}',
    params: params.contractParams,
    decode: rows.decodeV3FuturesState,
  }),
  publicFundingHistory: endpoint({
    ...open,
    path: '/api/3/public/futures/history/funding',
    params: params.fundingParams,
    decode: rows.decodeV3FundingBySymbol,
  }),
  publicFundingHistoryOfSymbol: endpoint({
    ...open,
    path: '/api/3/public/futures/history/funding/{symbol}',
    params: params.fundingOfParams,
    decode: rows.decodeV3Funding,
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

import { z } from 'zod';
import { candlePeriods } from '../../../../core/model/market.ts';
import { pagedParams } from '../paged-params.ts';
import type { PageDefaults } from '../param-fields.ts';
import { codeParam, listParam } from '../param-fields.ts';

// Parameters of the public futures endpoints of v3 as a server reads them.

export const contractsParams = z.object({ symbols: listParam.optional() });
export const contractParams = z.object({ symbol: codeParam });

const period = z
  .enum(candlePeriods, { error: `Parameter must be one of ${candlePeriods.join(', ')}` })
  .default('M30');
const symbols = listParam.optional();

/** 100 rows in both forms. Source: v3-gaps, section 4.5. */
const fundingPage: PageDefaults = { sort: 'DESC', by: 'timestamp', limit: 100, limitMin: 1 };
export const fundingParams = pagedParams({ symbols }, fundingPage);
export const fundingOfParams = pagedParams({ symbol: codeParam }, fundingPage);

/** 10 rows per contract in a list, 100 of one contract. Source: API v3, GET /api/3/public/futures/candles/premium_index. */
const candlePage: PageDefaults = { sort: 'DESC', by: 'timestamp', limit: 10, limitMin: 1 };
export const futuresCandlesParams = pagedParams({ symbols, period }, candlePage);
export const futuresCandlesOfParams = pagedParams(
  { symbol: codeParam, period },
  { ...candlePage, limit: 100 },
);

import { z } from 'zod';
import { candlePeriods } from '../../../../core/model/market.ts';
import { ignoringOthers, pagedParams } from '../paged-params.ts';
import type { PageDefaults } from '../param-fields.ts';
import {
  codeParam,
  decimalParam,
  idBoundParam,
  integerParam,
  listParam,
  textParam,
} from '../param-fields.ts';

// Parameters of the v2 REST endpoints as a server reads them.

export { noParams } from '../param-fields.ts';
export const currenciesParams = z.object({ currencies: listParam.optional() });
export const currencyParams = z.object({ currency: codeParam });
export const symbolsParams = z.object({ symbols: listParam.optional() });
export const symbolParams = z.object({ symbol: codeParam });
export const optionalSymbolParams = z.object({ symbol: codeParam.optional() });

/** 0 to 1000 rows, 100 by default. Source: API v2, "Conventions", 5. */
const page: PageDefaults = { sort: 'DESC', by: 'timestamp', limit: 100, limitMin: 0 };
const symbols = listParam.optional();

export const tradesParams = pagedParams({ symbols }, page);
export const tradesOfParams = pagedParams({ symbol: codeParam }, page);

/** How many levels a side may have; 0 means all. Source: API v2, GET /api/2/public/orderbook. */
const limit = integerParam(0, Number.MAX_SAFE_INTEGER).default(100);
export const booksParams = z.object({ symbols, limit });
/** With `volume` the limit is ignored. */
export const bookParams = z.object({ symbol: codeParam, limit, volume: decimalParam.optional() });

const period = z
  .enum(candlePeriods, { error: `Parameter must be one of ${candlePeriods.join(', ')}` })
  .default('M30');
/** Candles come oldest first unless asked otherwise. Source: API v2, GET /api/2/public/candles. */
const candlePage: PageDefaults = { ...page, sort: 'ASC' };
export const candlesParams = pagedParams({ symbols, period }, candlePage);
export const candlesOfParams = pagedParams({ symbol: codeParam, period }, candlePage);

/** The longest a read waits for the end of an order, in milliseconds. Source: v2-gaps, section 1. */
export const waitMsMax = 60_000;
export const orderWaitParams = z.object({
  clientOrderId: textParam,
  wait: integerParam(0, waitMsMax).optional(),
});

/** With `clientOrderId` everything else is ignored. Source: v2-gaps, section 1. */
export const orderHistoryParams = ignoringOthers(
  'clientOrderId',
  pagedParams({ clientOrderId: textParam.optional(), symbol: codeParam.optional() }, page),
);
/** Source: API v2, GET /api/2/history/trades. */
export const tradeHistoryParams = pagedParams(
  {
    symbol: codeParam.optional(),
    margin: z
      .enum(['include', 'only', 'ignore'], { error: 'Parameter must be include, only or ignore' })
      .default('include'),
  },
  { ...page, by: 'id' },
);
export const orderTradesParams = z.object({ orderId: idBoundParam });

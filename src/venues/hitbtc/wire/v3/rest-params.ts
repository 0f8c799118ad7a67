import { z } from 'zod';
import { candlePeriods } from '../../../../core/model/market.ts';
import { ignoringOthers, pagedParams } from '../paged-params.ts';
import {
  codeParam,
  decimalParam,
  idParam,
  integerParam,
  listParam,
  textParam,
  timeParam,
} from '../param-fields.ts';

// Parameters of the v3 REST endpoints as a server reads them, in our spelling.

export { noParams } from '../param-fields.ts';
export const symbolsParams = z.object({ symbols: listParam.optional() });
export const symbolParams = z.object({ symbol: codeParam });
export const optionalSymbolParams = z.object({ symbol: codeParam.optional() });
export const currencyParams = z.object({ currency: codeParam });

/** Source: API v3, GET /api/3/public/currency. */
export const currenciesParams = z
  .object({ currencies: listParam.optional(), preferred_network: textParam.optional() })
  .transform((given) => ({ currencies: given.currencies, preferredNetwork: given.preferred_network }));

/** Depth of a book: 0 and -1 mean all levels; 100 is what live hosts send. Source: v3-gaps, section 4.1. */
const depth = integerParam(-1, Number.MAX_SAFE_INTEGER)
  .default(100)
  .transform((given) => Math.max(0, given));
export const booksParams = z.object({ symbols: listParam.optional(), depth });
export const bookParams = z.object({ symbol: codeParam, depth, volume: decimalParam.optional() });

const period = z
  .enum(candlePeriods, { error: `Parameter must be one of ${candlePeriods.join(', ')}` })
  .default('M30');
const targetCurrency = { target_currency: codeParam };

/** Source: API v3, GET /api/3/public/trades; v3-gaps, section 4.4. */
export const tradesParams = pagedParams(
  { symbols: listParam.optional() },
  { sort: 'DESC', by: 'timestamp', limit: 10, limitMin: 1 },
);
export const tradesOfParams = pagedParams(
  { symbol: codeParam },
  { sort: 'DESC', by: 'timestamp', limit: 100, limitMin: 1 },
);
/** Candles of many symbols: 10 by default; of one: 100. Source: v3-gaps, section 4.2. */
const candlePage = { sort: 'DESC', by: 'timestamp', limit: 10, limitMin: 1 } as const;
export const candlesParams = pagedParams({ symbols: listParam.optional(), period }, candlePage);
export const candlesOfParams = pagedParams({ symbol: codeParam, period }, { ...candlePage, limit: 100 });
export const convertedCandlesParams = pagedParams(
  { symbols: listParam.optional(), period, ...targetCurrency },
  candlePage,
);
export const convertedCandlesOfParams = pagedParams(
  { symbol: codeParam, period, ...targetCurrency },
  { ...candlePage, limit: 100 },
);

/** Source: API v3, GET /api/3/public/price/rate. */
export const rateParams = z.object({ from: listParam.optional(), to: codeParam });

/** Source: API v3, GET /api/3/public/price/history. */
export const rateHistoryParams = z.object({
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

/** Source: API v3, GET /api/3/spot/history/order: with `client_order_id` everything else is ignored. */
export const orderHistoryParams = ignoringOthers(
  'client_order_id',
  pagedParams(
    { client_order_id: textParam.optional(), symbol: listParam.optional() },
    { sort: 'DESC', by: 'id', limit: 100, limitMin: 1 },
  ),
);
/** Source: API v3, GET /api/3/spot/history/trade. */
export const tradeHistoryParams = pagedParams(
  { order_id: idParam.optional(), symbol: listParam.optional() },
  { sort: 'DESC', by: 'id', limit: 100, limitMin: 1 },
);

import { z } from 'zod';
import { candlePeriods } from '../../model/market.ts';
import { codeParam, decimalParam, integerParam, listParam, pageShape, textParam, timeParam, toPage } from '../../wire/param-fields.ts';

const period = z.enum(candlePeriods, { error: `Parameter must be one of ${candlePeriods.join(', ')}` }).default('M30');
const byTime = { sort: 'DESC', by: 'timestamp', limitMin: 1 } as const;
const paged = <Shape extends z.ZodRawShape>(limit: number, shape: Shape) => {
  const defaults = { ...byTime, limit };
  return { shape: { ...pageShape(defaults), ...shape }, defaults };
};

export const noParams = z.object({});
export const listOfSymbols = z.object({ symbols: listParam.optional() });
export const listOfCurrencies = z.object({ currencies: listParam.optional(), preferred_network: textParam.optional() });
export const oneSymbol = z.object({ symbol: codeParam });
export const oneCurrency = z.object({ currency: codeParam });
export const maybeSymbol = z.object({ symbol: codeParam.optional() });
export const oneOrder = z.object({ client_order_id: textParam });
export const rates = z.object({ from: codeParam.optional(), to: codeParam });
export const books = z.object({ symbols: listParam.optional(), depth: integerParam(-1, 100_000).default(100) });
export const book = z.object({ symbol: codeParam, depth: integerParam(-1, 100_000).default(100), volume: decimalParam.optional() });

const trades = paged(10, { symbols: listParam.optional() });
export const tradesOfSymbols = z.object(trades.shape).transform((given, context) => ({ symbols: given.symbols, page: toPage(given, 'timestamp', context) }));
const tradesOne = paged(100, { symbol: codeParam });
export const tradesOfSymbol = z.object(tradesOne.shape).transform((given, context) => ({ symbol: given.symbol, page: toPage(given, 'timestamp', context) }));
const candles = paged(10, { symbols: listParam.optional(), period, target_currency: codeParam.optional() });
export const candlesOfSymbols = z.object(candles.shape).transform((given, context) => ({ symbols: given.symbols, period: given.period, target: given.target_currency, page: toPage({ ...given, by: 'timestamp' }, 'timestamp', context) }));
const candlesOne = paged(100, { symbol: codeParam, period, target_currency: codeParam.optional() });
export const candlesOfSymbol = z.object(candlesOne.shape).transform((given, context) => ({ symbol: given.symbol, period: given.period, target: given.target_currency, page: toPage({ ...given, by: 'timestamp' }, 'timestamp', context) }));
export const rateHistory = z.object({ from: codeParam.optional(), to: codeParam, since: timeParam.optional(), until: timeParam.optional(), limit: integerParam(1, 1000).default(1), period, sort: z.string().toUpperCase().pipe(z.enum(['ASC', 'DESC'])).default('DESC') });
const history = { sort: 'DESC', by: 'id', limit: 100, limitMin: 1 } as const;
export const orderHistory = z.object({ ...pageShape(history), symbol: listParam.optional(), client_order_id: textParam.optional() }).transform((given, context) => ({ symbols: given.symbol, clientOrderId: given.client_order_id, page: toPage(given, 'id', context) }));
export const tradeHistory = z.object({ ...pageShape(history), symbol: listParam.optional(), order_id: textParam.optional() }).transform((given, context) => ({ symbols: given.symbol, orderId: given.order_id, page: toPage(given, 'id', context) }));

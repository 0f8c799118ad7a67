import { z } from 'zod';
import { duration } from '../../core/config/time.ts';

/** Columns a scenario may sample, by name. What each says stands in docs/scenarios.md. */
export const columnNames = [
  'time',
  'timeNanos',
  'mid',
  'bestBid',
  'bestBidQuantity',
  'bestAsk',
  'bestAskQuantity',
  'spread',
  'bidLevels',
  'askLevels',
  'lastTrade',
  'position',
  'balance',
  'fee',
  'trades',
  'volume',
  'value',
  'funding',
  'profit',
  'openOrders',
] as const;

const symbol = z
  .string()
  .min(1)
  .max(64)
  .optional()
  .describe('of the data; that of the scenario when left out');
const plain = z.strictObject({ column: z.enum(columnNames).exclude(['time', 'timeNanos']), symbol });
const levels = z.strictObject({
  column: z.literal('levels'),
  symbol,
  count: z.int().min(1).max(100_000),
});
const imbalance = z.strictObject({
  column: z.literal('depthImbalance'),
  symbol,
  within: z.number().gt(0).max(1).describe('of the mid price: 0.005 is half a percent'),
});
const vwap = z.strictObject({
  column: z.literal('vwap'),
  symbol,
  over: duration,
  side: z.enum(['buy', 'sell', 'both']).default('both'),
});
const holding = z.strictObject({
  column: z.literal('holding'),
  currency: z.string().min(1).describe('of the account: available plus reserved'),
});

/** One column: a name, or a column with settings. */
export const scenarioColumns = z.union([z.enum(columnNames), plain, levels, imbalance, vwap, holding], {
  error: `expected ${columnNames.join(', ')}, or { column: levels, depthImbalance, vwap or holding, ... }`,
});

export type SampleColumn = z.output<typeof scenarioColumns>;
export type ColumnName = (typeof columnNames)[number];

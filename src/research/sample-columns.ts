import { z } from 'zod';
import { duration } from './scenario-time.ts';

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
  'profit',
  'openOrders',
] as const;

const levels = z.strictObject({ column: z.literal('levels'), count: z.int().min(1).max(100_000) });
const imbalance = z.strictObject({
  column: z.literal('depthImbalance'),
  within: z.number().gt(0).max(1).describe('of the mid price: 0.005 is half a percent'),
});
const vwap = z.strictObject({
  column: z.literal('vwap'),
  over: duration,
  side: z.enum(['buy', 'sell', 'both']).default('both'),
});
const holding = z.strictObject({
  column: z.literal('holding'),
  currency: z.string().min(1).describe('of the account: available plus reserved'),
});

/** One column: a name, or a column with settings. */
export const scenarioColumns = z.union([z.enum(columnNames), levels, imbalance, vwap, holding], {
  error: `expected ${columnNames.join(', ')}, or { column: levels, depthImbalance, vwap or holding, ... }`,
});

export type SampleColumn = z.output<typeof scenarioColumns>;
export type ColumnName = (typeof columnNames)[number];

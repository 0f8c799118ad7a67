import { z } from 'zod';
import { positiveText } from '../base/options.ts';

/** Options of the seeded market. */
export const flowOptions = z.strictObject({
  enabled: z.boolean().default(true),
  eventsPerSecond: z.number().min(0.1).max(2_000).default(30).describe('orders and cancels, per symbol'),
  ordersMax: z.int().min(10).max(1_900).default(400).describe('resting orders of the market, per symbol'),
  takerShare: z.number().min(0).max(0.9).default(0.06).describe('part of the events that take liquidity'),
  volatility: z.number().min(0).max(5).default(0.6).describe('yearly deviation of a currency, as a fraction'),
  spreadBps: z
    .number()
    .min(0.01)
    .max(1_000)
    .default(1.5)
    .describe('half spread aimed at, in 1/10000 of the price'),
  depthBps: z.number().min(0.1).max(5_000).default(30).describe('mean distance of a far quote, in 1/10000'),
  orderValue: positiveText
    .default('1000')
    .describe('median value of a taker or of a quote at the touch, in units of account'),
  basisBps: z
    .number()
    .min(0)
    .max(1_000)
    .default(20)
    .describe(
      'how far a contract is away from its spot price as a rule, in 1/10000; half is gone in ten minutes',
    ),
  informationLagMs: z
    .int()
    .min(0)
    .max(600_000)
    .default(10_000)
    .describe('by how much what makers know lags behind what informed takers know; 0: makers know as much'),
});

export type FlowOptions = z.infer<typeof flowOptions>;

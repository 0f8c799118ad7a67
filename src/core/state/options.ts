import { z } from 'zod';
import { barFault, barForms } from '../model/bar-spec.ts';
import type { BarSpec } from '../model/market.ts';

/** Bars as options and parameters name them: a candle period, or bars of one's own such as `45m` or `volume:2.5`. */
export const barSpec = z
  .string()
  .regex(
    /^([MHD]\d{1,2}|1M|\d{1,9}[smhdw]|(tick|range):\d{1,12}|(volume|value):\d{1,20}(\.\d{1,18})?)$/,
    `expected ${barForms}`,
  )
  .refine((text) => barFault(text) === undefined, {
    error: ({ input }) => barFault(String(input)) ?? '',
    abort: true,
  }) as unknown as z.ZodType<BarSpec, BarSpec>;

/** How much the stores keep. */
export const stateOptions = z.strictObject({
  ladder: z
    .enum(['auto', 'sorted', 'ring'])
    .default('auto')
    .describe(
      'order book structure: sorted (small), ring (about three times faster, 1 MiB a book), or auto: a ring for the first 64 books that are busy and dense',
    ),
  tradesMax: z.int().min(1).max(100_000).default(500).describe('public trades kept per symbol'),
  candlePeriods: z.array(barSpec).default([]).describe('candles built from trades where the feed sends none'),
  candlesMax: z.int().min(1).max(100_000).default(1_000).describe('candles kept per symbol and period'),
  closedOrdersMax: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(20_000)
    .describe('orders kept for lookup after their end'),
  fillsRememberedMax: z
    .int()
    .min(1_000)
    .max(10_000_000)
    .default(200_000)
    .describe('trade numbers remembered so that no fill is booked twice'),
  carryEvery: z
    .int()
    .min(1_000)
    .max(100_000_000)
    .default(50_000)
    .describe(
      'records in the journal after which the state is carried over whole: a restart reads only the rest',
    ),
  carriedClosedMax: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(5_000)
    .describe('ended orders that outlive a restart'),
  carriedFillsMax: z
    .int()
    .min(1_000)
    .max(10_000_000)
    .default(20_000)
    .describe('trade numbers that outlive a restart; older fills count as booked'),
});

export type StateOptions = z.output<typeof stateOptions>;

/** Options that hold where nothing is said. */
export const stateDefaults: StateOptions = stateOptions.parse({});

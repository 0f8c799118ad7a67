import { z } from 'zod';
import { duration } from '../../core/config/time.ts';

const constant = duration.transform((micros) => ({ kind: 'constant' as const, micros: micros as number }));
const uniform = z
  .strictObject({ kind: z.literal('uniform'), low: duration, high: duration })
  .refine(({ low, high }) => low <= high, 'expected low to be at most high');
const exponential = z
  .strictObject({ kind: z.literal('exponential'), base: duration, tailMean: duration, max: duration })
  .refine(({ base, max }) => base <= max, 'expected base to be at most max');
const measured = z
  .strictObject({
    kind: z.enum(['measured', 'interpolated']),
    file: z.string().min(1).describe('relative to the scenario file'),
  })
  .describe(
    'measured: each draw is one of the latencies in the file; interpolated: by time between two of them',
  );

const wayHint =
  'expected a length of time such as 10ms, or kind: uniform, exponential, measured or interpolated';
const way = z.union([constant, uniform, exponential, measured], {
  error: wayHint,
});

/** How long things take, each way apart. */
export const scenarioLatency = z
  .strictObject({
    feed: z
      .union([z.literal('recorded'), way], { error: `${wayHint}, or recorded` })
      .prefault('recorded')
      .describe('from the exchange to us: as recorded, or drawn and added to the exchange time'),
    entry: way.prefault('15ms').describe('from us to the matching engine'),
    report: way.prefault('15ms').describe('from the matching engine back to us'),
  })
  .prefault({});

export type ScenarioWay = z.output<typeof way>;

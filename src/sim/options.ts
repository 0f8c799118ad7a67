import { z } from 'zod';
import { withoutExponent } from '../core/base/exponent.ts';
import { l3Fifo } from './l3-fifo.ts';
import { queueModelNames } from './queue-model.ts';

const micros = z.int().min(0).max(60_000_000);

const constantWay = z.strictObject({
  kind: z.literal('constant'),
  micros: micros.describe('always so long'),
});
const uniformWay = z
  .strictObject({ kind: z.literal('uniform'), low: micros, high: micros })
  .refine(({ low, high }) => low <= high, 'expected low to be at most high');
const exponentialWay = z
  .strictObject({ kind: z.literal('exponential'), base: micros, tailMean: micros, max: micros })
  .refine(({ base, max }) => base <= max, 'expected base to be at most max');

const way = z.discriminatedUnion('kind', [constantWay, uniformWay, exponentialWay]);

const charge = z.strictObject({
  rate: z
    .string()
    .overwrite(withoutExponent)
    .regex(/^-?0(\.\d{1,18})?$/, 'expected a rate below "1" as text, such as "0.0001"'),
  everyMinutes: z.int().min(1).max(1_440).describe('charged at every multiple of it since midnight UTC'),
});

/** The simulated venue of backtests and paper trading. Times in microseconds. */
export const simOptions = z.strictObject({
  entryLatency: way
    .default({ kind: 'constant', micros: 15_000 })
    .describe('from the gate to the matching engine; commands arrive in the order they were sent'),
  reportLatency: way
    .default({ kind: 'constant', micros: 15_000 })
    .describe('from the matching engine back: reports, answers, balances, in order'),
  queueModel: z
    .enum([...queueModelNames, l3Fifo])
    .default('conservative')
    .describe(
      'who leaves when a level shrinks: those behind us first, all in proportion, by a probability, or as the single orders of the recording show',
    ),
  queuePower: z.number().min(0.1).max(10).default(3).describe('exponent of the queue model `power`'),
  idReuseAfterMs: z
    .int()
    .min(0)
    .max(86_400_000)
    .default(60_000)
    .describe('how long a client order id stays taken after its order ended'),
  fatFingerFraction: z
    .number()
    .positive()
    .max(100)
    .optional()
    .describe('orders worse than the last price by more than this fraction are refused; off when absent'),
  windowTicks: z
    .int()
    .min(1_024)
    .max(1_048_576)
    .refine((ticks) => (ticks & (ticks - 1)) === 0, 'expected a power of two')
    .default(65_536)
    .describe('ticks per side kept in the fast part of the book'),
  funding: charge
    .optional()
    .describe('what positions of contracts pay; nothing when left out, unless the market announces it'),
  interest: charge
    .optional()
    .describe('what positions on margin pay of the volume they were opened with; nothing when left out'),
  orderHistoryMax: z.int().min(100).max(10_000_000).default(100_000).describe('orders kept for reads'),
  tradeHistoryMax: z.int().min(100).max(10_000_000).default(100_000).describe('own trades kept for reads'),
  pendingMax: z
    .int()
    .min(1_000)
    .max(100_000_000)
    .default(4_000_000)
    .describe('facts and commands on their way at one time'),
});

export type SimOptions = z.infer<typeof simOptions>;
export type LatencyOptions = z.infer<typeof way>;

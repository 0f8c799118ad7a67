import { z } from 'zod';
import { l3Fifo, l3Rules, queueModelNames } from '../../sim/index.ts';
import { queueRuleNames } from '../../sim/fill-models/queue/position.ts';

const power = z.number().min(0.1).max(10).default(3).describe('exponent of the power and log models');

/** The recorded market as orders in the matching core; ours stand among them. The default, and the strict one. */
const shadowFills = z.strictObject({
  model: z.literal('shadow'),
  queue: z.enum([...queueModelNames, l3Fifo]).default('conservative'),
  power,
});

/**
 * A position in the queue that is estimated per order, beside a recorded book that never changes by us. Orders fill
 * at their own price when the recording proves it; see docs/backtesting.md for each rule.
 */
const queueFills = z.strictObject({
  model: z.literal('queue'),
  queue: z
    .enum([...queueRuleNames, ...l3Rules])
    .default('risk-averse')
    .describe('who is taken to have left when a level shrinks without a trade'),
  power,
  partial: z
    .boolean()
    .default(true)
    .describe('whether orders fill in parts; false: any fill is of the whole order'),
  impact: z
    .boolean()
    .default(false)
    .describe('whether what we take is missing from the book until the recording next changes that level'),
});

/** A fill model of a file of the user; see docs/fill-models.md. */
const moduleFills = z
  .strictObject({
    model: z.literal('module').optional(),
    module: z
      .string()
      .min(1)
      .max(4_096)
      .describe('a file that exports a fill model, relative to the scenario file'),
  })
  .transform(({ module }) => ({ model: 'module' as const, module }));

/** Terms of a model of queues that names none. */
export const usualQueueFills = queueFills.parse({ model: 'queue' });

/** Fill models that are driven by books and trades. */
export const tickFills = [shadowFills, queueFills, moduleFills] as const;

export type ShadowFills = z.output<typeof shadowFills>;
export type ModuleFills = z.output<typeof moduleFills>;
export type QueueFills = z.output<typeof queueFills>;

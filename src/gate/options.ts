import { z } from 'zod';

const milliseconds = z.int().min(1).max(600_000);

/** How long a command may wait at the gate, and how many may. */
export const gateOptions = z.strictObject({
  new_deadline_ms: milliseconds.default(1_000).describe('a new order that could not leave by then is denied'),
  replace_deadline_ms: milliseconds
    .default(1_000)
    .describe('a replacement that could not leave by then is denied'),
  cancel_deadline_ms: milliseconds
    .default(30_000)
    .describe('a cancel that could not leave by then is denied and asked again'),
  read_deadline_ms: milliseconds
    .default(30_000)
    .describe('a read that could not leave by then counts as unanswered'),
  queue_max: z
    .int()
    .min(1)
    .max(100_000)
    .default(30_000)
    .describe('commands waiting in one lane; beyond, they are denied'),
});

export type GateOptions = z.infer<typeof gateOptions>;

import { z } from 'zod';

const milliseconds = z.int().min(1).max(600_000);

/** How long a command may wait at the gate, and how many may. */
export const gateOptions = z.strictObject({
  newDeadlineMs: milliseconds.default(1_000).describe('a new order that could not leave by then is denied'),
  replaceDeadlineMs: milliseconds
    .default(1_000)
    .describe('a replacement that could not leave by then is denied'),
  cancelDeadlineMs: milliseconds
    .default(30_000)
    .describe('a cancel that could not leave by then is denied and asked again'),
  readDeadlineMs: milliseconds
    .default(30_000)
    .describe('a read that could not leave by then counts as unanswered'),
  queueMax: z
    .int()
    .min(1)
    .max(100_000)
    .default(30_000)
    .describe('commands waiting in one lane; beyond, they are denied'),
});

export type GateOptions = z.infer<typeof gateOptions>;

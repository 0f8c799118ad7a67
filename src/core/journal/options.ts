import { z } from 'zod';

/** Bounds of the journal on disk. */
export const journalOptions = z.strictObject({
  outstandingMax: z
    .int()
    .min(100)
    .max(10_000_000)
    .default(200_000)
    .describe('records that may wait for the disk; beyond it the journal fails and trading halts'),
  segmentMib: z
    .int()
    .min(1)
    .max(100_000)
    .default(64)
    .describe(
      'size of one file of the journal in MiB (at most a quarter of sizeMaxMib), beyond which the next state carried over (state.carryEvery) begins a new one',
    ),
  keepDays: z
    .number()
    .positive()
    .max(36_500)
    .default(30)
    .describe('files of the journal that ended longer ago are removed when a new one begins'),
  sizeMaxMib: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(16_384)
    .describe(
      'size of all files of the journal in MiB: the oldest are removed to keep it; when the newest alone is larger, the journal fails and trading halts',
    ),
});

export type JournalOptions = z.output<typeof journalOptions>;

/** Options that hold where nothing is said. */
export const journalDefaults: JournalOptions = journalOptions.parse({});

import { z } from 'zod';

/** Bounds of the journal on disk. */
export const journalOptions = z.strictObject({
  outstandingMax: z
    .int()
    .min(100)
    .max(10_000_000)
    .default(200_000)
    .describe('records that may wait for the disk; beyond it the journal fails and trading halts'),
  sizeMaxMib: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(16_384)
    .describe('size of the journal file in MiB; beyond it the journal fails and trading halts'),
});

export type JournalOptions = z.output<typeof journalOptions>;

/** What holds where nothing is said. */
export const journalDefaults: JournalOptions = journalOptions.parse({});

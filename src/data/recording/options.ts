import { z } from 'zod';

/** How frames are recorded. */
export const recorderOptions = z.strictObject({
  codec: z.enum(['zstd', 'none']).default('zstd').describe('compression of the blocks'),
  blockBytes: z
    .int()
    .min(256)
    .max(64 * 1024 * 1024)
    .default(256 * 1024)
    .describe('a block is written when it holds this many bytes'),
  flushMs: z
    .int()
    .min(10)
    .max(600_000)
    .default(1_000)
    .describe('a block is written at the latest after this time: what a crash may lose'),
  segmentBytes: z
    .int()
    .min(1_024)
    .default(256 * 1024 * 1024)
    .describe('a new file is begun when the current one is larger'),
  segmentMinutes: z.number().positive().default(60).describe('a new file is begun after this time'),
  bufferBytesMax: z
    .int()
    .min(1_024)
    .default(64 * 1024 * 1024)
    .describe('bytes that may wait for the disk; beyond, the recorder halts'),
});

export type RecorderOptions = z.infer<typeof recorderOptions>;

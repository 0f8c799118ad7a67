import { z } from 'zod';

/** Limits of requests and connections. */
export const limitOptions = z.strictObject({
  enabled: z.boolean().default(true).describe('whether the documented request limits apply'),
  socketsCount: z
    .enum(['messagesButOrders', 'connections', 'messages'])
    .default('messagesButOrders')
    .describe(
      'what the limit per address on sockets counts; messagesButOrders: connections on /ws/trading, messages elsewhere',
    ),
  connectionsPerAddress: z.int().min(1).max(10_000).default(100),
  messageBytesMax: z.int().min(1_024).max(16_777_216).default(1_048_576),
  bufferedBytesMax: z
    .int()
    .min(65_536)
    .max(268_435_456)
    .default(33_554_432)
    .describe('unsent bytes after which a slow consumer is cut; a list of 25,000 orders has 8 MB'),
  subscriptionsMax: z.int().min(10).max(100_000).default(10_000).describe('per connection'),
});

/** Cadences of what is published. */
export const publishOptions = z.strictObject({
  bookMs: z
    .int()
    .min(1)
    .max(10_000)
    .default(100)
    .describe('cadence of full book updates, trades and candles'),
  balanceBatchMs: z.int().min(10).max(60_000).default(1_000).describe('cadence of balance batches'),
});

export type LimitOptions = z.infer<typeof limitOptions>;
export type PublishOptions = z.infer<typeof publishOptions>;

import { z } from 'zod';
import { timeOfDay } from './daily.ts';
import { newsKinds, defaultNews } from './news.ts';

/** Certificate of a server: PEM files. */
export const tlsOptions = z.strictObject({
  cert: z.string().min(1).describe('PEM file of the certificate'),
  key: z.string().min(1).describe('PEM file of its key, readable by the owner alone'),
});

/** Names by which a server is asked besides its address. */
export const namesOption = z
  .array(z.string().min(1).max(253))
  .max(20)
  .default([])
  .describe('host names under which it is asked besides its address, such as that of a reverse proxy');

/** Where the operator's interface of a daemon listens. Tokens are of `app/config`, where secrets are read. */
export const operateOptions = z.strictObject({
  enabled: z.boolean().default(true).describe('whether the daemon can be seen and steered from outside'),
  host: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('address to listen on; one that others can reach needs tls'),
  port: z
    .int()
    .min(0)
    .max(65_535)
    .default(0)
    .describe('0 takes a free one; commands find it by the run directory'),
  names: namesOption,
  tls: tlsOptions.optional().describe('serves HTTPS'),
});

const kinds = z
  .array(z.enum(newsKinds))
  .default(defaultNews)
  .describe('what is sent; fills are left out unless they are named');

/** Where news of a daemon goes. Addresses and tokens are secrets: references, read where secrets are. */
export const notifyOptions = z.strictObject({
  name: z.string().max(40).default('godwit').describe('what this daemon is called in what it sends'),
  webhook: z.strictObject({ kinds }).optional().describe('a POST of JSON for each'),
  telegram: z
    .strictObject({
      chats: z
        .array(z.int())
        .min(1)
        .max(20)
        .describe('chats that get the news, and whose commands are carried out'),
      kinds,
      commands: z
        .boolean()
        .default(false)
        .describe('whether commands and buttons of these chats are carried out'),
      address: z
        .string()
        .default('https://api.telegram.org')
        .describe('where the bots of Telegram are reached'),
    })
    .optional()
    .describe('a bot of Telegram'),
  summaryAt: timeOfDay.default('00:05').describe('UTC time of the daily summary'),
});

/** The nightly comparison of a recorded daemon with its backtest. */
export const driftOptions = z.strictObject({
  at: timeOfDay
    .default('00:10')
    .describe('UTC time of day at which the last day is compared with its backtest'),
  worst: z
    .number()
    .positive()
    .max(1)
    .default(0.001)
    .describe('a score above it is an alert: the difference in profit as a share of what was traded'),
  minutesMax: z.int().min(1).max(1_440).default(120).describe('a comparison that takes longer is ended'),
  memoryMaxMib: z
    .int()
    .min(128)
    .max(65_536)
    .default(1_024)
    .describe('memory that the process of the comparison may have'),
});

export type DriftOptions = z.output<typeof driftOptions>;
export type NotifyOptions = z.output<typeof notifyOptions>;
export type OperateOptions = z.output<typeof operateOptions>;

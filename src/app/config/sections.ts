import { z } from 'zod';
import { Decimal } from '../../core/base/decimal.ts';
import { withoutExponent } from '../../core/base/exponent.ts';
import { products, spotAlone } from '../../core/model/product.ts';
import { namesOption, notifyOptions, tlsOptions } from '../../operate/options.ts';
import { presets } from '../../venues/hitbtc/addresses.ts';
import { defaultRunDirectory } from './default-directory.ts';
import { secretReference } from './secrets.ts';

const presetNames = Object.keys(presets) as readonly (keyof typeof presets)[];

const address = (schemes: readonly string[]) =>
  z
    .string()
    .refine(
      (text) =>
        schemes.some((scheme) => text.startsWith(`${scheme}://`)) &&
        URL.canParse(text) &&
        !text.endsWith('/'),
      {
        error: `expected an address such as ${schemes[0]}://host without a slash at the end`,
      },
    );

export const venueSection = z.strictObject({
  name: z.enum(['hitbtc']).optional().describe('which venue that comes with Godwit; hitbtc when left out'),
  module: z
    .string()
    .min(1)
    .optional()
    .describe('a .ts file that exports another venue as default; instead of a name'),
  options: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('settings that only the module of the venue reads; it checks them itself'),
  preset: z
    .enum(['custom', ...presetNames])
    .default('custom')
    .describe('a public host of this API, or custom with base_url and ws_url'),
  base_url: address(['http', 'https'])
    .optional()
    .describe('REST address, as the documents write it: {base_url}/api/3'),
  ws_url: address(['ws', 'wss'])
    .optional()
    .describe('socket address, as the documents write it: {ws_url}/api/3/ws/public'),
  api: z.enum(['v3', 'v2']).default('v3').describe('which version of the public streams to use'),
  api_key: secretReference.optional().describe('reference to the API key'),
  secret_key: secretReference.optional().describe('reference to the secret key'),
});

export const strategySection = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,31}$/, {
      error: 'expected a name of letters, digits and "-", at most 32',
    })
    .describe('name of this instance; part of every client order id it makes'),
  path: z.string().min(1).describe('a .ts file, a folder with index.ts, or the name of a shipped strategy'),
  params: z.record(z.string(), z.unknown()).default({}).describe('checked by the strategy itself'),
  host: z
    .enum(['worker', 'thread'])
    .default('worker')
    .describe('worker: a thread of its own, a hang or crash stays in it; thread: in line'),
  isolation: z
    .strictObject({
      group: z.string().regex(/^[A-Za-z][A-Za-z0-9-]{0,31}$/, {
        error: 'expected a name of letters, digits and "-", at most 32',
      }),
    })
    .optional()
    .describe(
      'group: one worker for all strategies that name it, which hang or flood together; alone when left out',
    ),
  trust: z
    .enum(['limited', 'full'])
    .default('limited')
    .describe('limited: its worker has no network, programs, foreign files; full: the same rights as Godwit'),
  loadMs: z
    .int()
    .min(1_000)
    .max(600_000)
    .optional()
    .describe(
      'how long its code may take to load, 60000 when left out; a second attempt may take twice as long',
    ),
  shadow: z
    .strictObject({
      path: z.string().min(1).optional().describe('its code; that of the strategy when left out'),
      params: z
        .record(z.string(), z.unknown())
        .default({})
        .describe('without a path: those that differ from the params of the strategy; with one: all of them'),
    })
    .refine(({ path, params }) => path !== undefined || Object.keys(params).length > 0, {
      error: 'expected params or a path that differ from those of the strategy',
    })
    .optional()
    .describe('runs beside the strategy on the same market, filled by the simulated venue; sends nothing'),
});

/** Address at which programs of others are served, and the file of their keys. */
export const gatewaySection = z.strictObject({
  host: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('address that programs are served at; one that others can reach needs tls'),
  names: namesOption,
  tls: tlsOptions.optional().describe('serves HTTPS and sockets by TLS'),
  port: z.int().min(0).max(65_535).default(0).describe('port that programs are served at; 0 for a free one'),
  keys: z
    .string()
    .min(1)
    .default('gateway-keys.json')
    .describe('file of the keys of programs, mode 0600; written by godwit gateway add, rotate and revoke'),
  answerMs: z
    .int()
    .min(100)
    .max(25_000)
    .default(10_000)
    .describe('a program whose order has no answer by then gets 504; what became of the order follows'),
});

/** A program of others that trades through the daemon: it has limits as a strategy has, and no code here. */
export const programSection = z.strictObject({
  name: strategySection.shape.name.describe(
    'name of the program; part of every client order id at the venue',
  ),
  rights: z
    .array(z.enum(['R1', 'R2']))
    .min(1)
    .refine((rights) => new Set(rights).size === rights.length, { error: 'expected each right once' })
    .default(['R1', 'R2'])
    .describe('rights of its key, as the documents number them: R1 reads balances and history, R2 trades'),
  symbols: z
    .array(z.string().min(1))
    .min(1)
    .max(1_000)
    .refine((symbols) => new Set(symbols).size === symbols.length, { error: 'expected each symbol once' })
    .describe('symbols that it may trade; the daemon follows their books'),
  products: z
    .array(z.enum(products))
    .min(1)
    .refine((named) => new Set(named).size === named.length, { error: 'expected each product once' })
    .default([...spotAlone])
    .describe('products that it may trade: spot, margin, futures'),
  onSilence: z
    .union([
      z.literal('keep'),
      z.strictObject({
        cancelAfterMs: z
          .int()
          .min(0)
          .max(86_400_000)
          .describe('time without a request and without an open socket; 0: once its last socket has closed'),
      }),
    ])
    .default('keep')
    .describe('what becomes of its orders once it is gone: keep, or cancel all of them after a time'),
});

export const operateTokens = z
  .strictObject({
    operate: secretReference
      .optional()
      .describe('reference to the token that may operate; a new one for each run when left out'),
    read: secretReference
      .optional()
      .describe('reference to a token that sees everything and changes nothing'),
  })
  .prefault({});

/** Where news go: the addresses and tokens are references. */
export const notifySection = notifyOptions
  .extend({
    webhook: notifyOptions.shape.webhook
      .unwrap()
      .extend({ url: secretReference.describe('reference to the address, which may hold a secret') })
      .optional(),
    telegram: notifyOptions.shape.telegram
      .unwrap()
      .extend({ token: secretReference.describe('reference to the token of the bot') })
      .optional(),
  })
  .prefault({});

export const runSection = z.strictObject({
  seed: z.int().min(0).max(4_294_967_295).default(1).describe('seed of every random number of the run'),
  directory: z.string().min(1).default(defaultRunDirectory).describe('journal, lock and reports live here'),
});

/** A number of at most fifteen digits stands for its text: `--set` and YAML without quotes give numbers. */
export const decimalText = z.preprocess(
  (given) =>
    typeof given === 'number' && new Decimal(given).precision(true) <= 15
      ? new Decimal(given).toFixed()
      : given,
  z
    .string()
    .overwrite(withoutExponent)
    .regex(/^\d{1,20}(\.\d{1,18})?$/, 'expected a plain decimal such as "10", as text when it is long'),
);

export const backtestSection = z.strictObject({
  balances: z
    .record(z.string(), decimalText)
    .default({})
    .describe('what the account starts with, by currency; 1000000 of every currency traded when left out'),
  futuresBalances: z
    .record(z.string(), decimalText)
    .optional()
    .describe(
      'what the account of contracts starts with; 1000000 of every currency that contracts settle in when left out',
    ),
});

export const shadowSection = z.strictObject({
  balances: z
    .record(z.string(), decimalText)
    .optional()
    .describe('what the simulated account of the shadows starts with; what the account has when left out'),
  waitingMax: z
    .int()
    .min(100)
    .max(1_000_000)
    .default(50_000)
    .describe('shadows that are more market events behind than this are stopped'),
});

export const logSection = z.strictObject({
  level: z
    .enum(['silent', 'error', 'warn', 'info', 'debug'])
    .default('info')
    .describe('least level that is written'),
  file: z
    .boolean()
    .default(true)
    .describe('whether trade and demo also write godwit.log in their run directory'),
  sizeMaxMib: z
    .number()
    .min(0.01)
    .max(1_024)
    .default(10)
    .describe('a log file that has grown beyond this is put aside'),
  keep: z.int().min(1).max(100).default(5).describe('log files kept beside the one that is written'),
});

/** The second process that cancels own orders when the daemon is gone or stands still, and the venue's own switch for that. */
export const sentinelSection = z.strictObject({
  enabled: z
    .boolean()
    .optional()
    .describe(
      'whether a second process cancels own orders when the daemon is gone or stands; when left out in mode live alone; mode paper has none',
    ),
  startedBy: z
    .enum(['daemon', 'service'])
    .default('daemon')
    .describe(
      'daemon: trade starts it, and the end of the cgroup of the daemon ends it, too; service: godwit sentinel runs as a service of its own',
    ),
  silenceMs: z
    .int()
    .min(500)
    .max(60_000)
    .default(2_000)
    .describe('how long the event loop of the daemon may stand before the sentinel acts'),
  cancel: z
    .enum(['raising', 'all'])
    .default('raising')
    .describe('raising: own orders that can raise exposure, so that exits stay; all: every own order'),
  keepAlive: z
    .boolean()
    .default(true)
    .describe(
      'whether a switch of the venue itself is armed that cancels all orders of the account, where it has one',
    ),
  keepAliveMs: z
    .int()
    .min(5_000)
    .max(600_000)
    .default(60_000)
    .describe('after that long without a renewal such a venue cancels; it is renewed three times within'),
});

import { z } from 'zod';
import { safeStateKinds } from '../core/model/safe-state.ts';
import { chartPeriods } from './history/index.ts';
import { rowSchema } from './view-schemas.ts';
import { orderFields } from './views/orders.ts';

// What the operator's interface answers. Amounts, prices and quantities are decimal text; times are ISO 8601, UTC.

const text = z.string();
const time = z.string().describe('ISO 8601, UTC');
const decimal = z.string().describe('decimal text');
const optionalText = text.nullable();

export const latchSchema = z.object({
  strategy: optionalText.describe('null: the account'),
  currency: text,
  limit: z.enum(['day', 'drawdown', 'losingTrades']),
  action: z.enum(['reducing', 'halted']),
  why: text,
  since: time,
  until: time.nullable().describe('null: until an operator clears it'),
});

export const safeStateSchema = z.object({
  kind: z.enum(safeStateKinds),
  subject: text.describe('what it is of: a session, symbol, order, strategy or product; account: of all'),
  code: optionalText.describe('of the orders that it denies; null: it denies none'),
  cause: text,
  since: time.nullable().describe('null: it is not known'),
  nextLook: time.nullable().describe('when its cause is looked at next; null: no look of ours is due'),
  endsWhen: text.describe('what must come to pass, as it follows "until"'),
  needsOperator: z.boolean().describe('whether time and evidence do not end it'),
});

const came = {
  fills: z.int().describe('own executions, those of earlier runs of the journal counted'),
  profit: z
    .record(text, z.number())
    .describe('by quote currency: realised and unrealised, fees, funding and interest counted'),
};

export const shadowSchema = z.object({
  kind: z.literal('shadow'),
  state: z.enum(['running', 'stopped', 'starting']),
  why: text,
  path: text.describe('where its code is, as the configuration names it'),
  params: z.record(text, z.unknown()),
  ...came,
});

export const strategySchema = z.object({
  name: text,
  kind: z.literal('live'),
  state: z.enum(['running', 'paused', 'stopped', 'starting']),
  why: text,
  off: z
    .boolean()
    .describe('whether an operator stopped it: it stays stopped until it is started, and nothing is wrong'),
  symbols: z.array(text),
  params: z.record(text, z.unknown()),
  ...came,
  shadow: shadowSchema
    .nullable()
    .describe(
      'what runs beside it on the same market and is filled by the simulated venue; it sends nothing',
    ),
});

export const strategyRowSchema = strategySchema.extend({
  path: text.describe('where its code is, as the configuration names it'),
  params: z
    .record(text, z.unknown())
    .describe('what it runs with, defaults included; what is named like a secret is shown as [secret]'),
  schema: z.record(text, z.unknown()).describe('the JSON Schema of its params'),
});

export const statusSchema = z.object({
  run: text,
  mode: z.enum(['sim', 'paper', 'live', 'backtest']),
  account: optionalText,
  venue: text,
  startedAt: time,
  now: time,
  trading: z.object({
    mode: z.enum(['active', 'reducing', 'halted']),
    why: text,
    latched: z.boolean().describe('whether it holds until an operator clears it'),
    holds: z
      .enum(['active', 'reducing', 'halted'])
      .describe('the strictest of the mode and of limits on the loss of the account that were reached'),
    causes: text.describe('why it holds; empty where nothing was said'),
  }),
  sessions: z.object({ market: z.boolean(), trading: z.boolean() }),
  started: z.boolean().describe('whether the account has been compared with the venue'),
  marketLagMs: z.number().nullable(),
  clockOffsetMs: z.number().nullable(),
  orders: z.object({ open: z.int(), unknown: z.int(), inFlight: z.int() }),
  strategies: z.array(strategySchema),
  lossLimits: z.array(latchSchema).describe('limits on loss that were reached'),
  safeStates: z
    .array(safeStateSchema)
    .describe('what keeps orders from leaving, or feeds from being heard, and what ends it'),
  otherGodwits: z
    .array(z.object({ cause: text, since: time }))
    .describe('other Godwits that trade on the account, each with its run and its live orders'),
  drift: z
    .object({
      running: z.boolean(),
      score: z
        .number()
        .nullable()
        .describe('the difference in profit as a share of what was traded; null before the first comparison'),
      limit: z.number().describe('a score above it is an alert'),
      from: time.nullable().describe('the day that was compared'),
      to: time.nullable(),
      endedAt: time.nullable().describe('when the last comparison ended, well or not'),
      why: text.describe('why the last one failed; empty when it did not'),
      failures: z.int().describe('comparisons that failed'),
    })
    .nullable()
    .describe('the last day beside its backtest; null without operate.drift'),
  sentinel: z
    .object({
      up: z.boolean().describe('whether it looked at the daemon a moment ago'),
      pid: z.int().nullable(),
      stage: text.describe('starts, watches, acts, done; down: there is none'),
      since: time.nullable(),
      lastLook: time.nullable(),
      waitsFor: text,
      trouble: text.describe('empty when nothing keeps it from acting'),
      acts: z.int().describe('how often it acted under this daemon'),
      canceled: z.int().describe('orders that it cancelled under this daemon'),
    })
    .nullable()
    .describe('the process that cancels own orders when the daemon is gone; null where there is to be none'),
});

/** One order. */
export const orderSchema = rowSchema(orderFields);

export const bookSchema = z.object({
  symbol: text,
  status: text,
  tick: decimal.describe('the smallest distance of two prices'),
  spread: decimal.nullable().describe('best ask less best bid; null: a side is empty'),
  spreadBp: z.number().nullable().describe('the spread in hundredths of a percent of the middle'),
  bids: z.array(z.tuple([decimal, decimal])).describe('price and quantity, best first'),
  asks: z.array(z.tuple([decimal, decimal])),
});

const levels = z.array(z.tuple([decimal, decimal])).describe('price and quantity, best first');

export const explainedSchema = z.object({
  order: z.object({
    clientOrderId: text,
    run: text,
    mode: text,
    strategy: text,
    symbol: optionalText,
    side: z.enum(['buy', 'sell']).nullable(),
    type: optionalText,
    quantity: decimal.nullable(),
    price: decimal.nullable(),
    stopPrice: decimal.nullable(),
    state: text,
  }),
  seen: z
    .object({
      time,
      after: text.describe('the kind of the kept event before it'),
      mode: text.describe('the trading mode'),
      book: z
        .object({ status: text, sequence: z.number(), ageMs: z.number(), bids: levels, asks: levels })
        .nullable()
        .describe('null: without a recording'),
      balances: z.array(z.object({ currency: text, available: decimal, reserved: decimal })),
    })
    .nullable()
    .describe('what the strategy saw when it declared the order; null: an order of others'),
  steps: z.array(
    z.object({
      time: time.describe('ISO 8601, UTC, to the microsecond'),
      sincePreviousMs: z.number().nullable(),
      step: text,
      text,
      sequence: z.number().nullable().describe('place in the journal; null: of the recording'),
    }),
  ),
  journal: text.describe('the run directory'),
  notes: z.array(text).describe('what is missing, and why'),
});

const owner = {
  name: text.describe('the strategy; external: orders of others'),
  kind: z.enum(['live', 'shadow']).describe('shadow: filled by the simulated venue, nothing is sent'),
  currency: text.describe('a quote currency'),
};

export const strategyProfitSchema = z.object({
  ...owner,
  profit: z.number().describe('realised and unrealised, fees, funding and interest counted'),
});

export const curveSchema = z.object({
  times: z.array(z.number()).describe('milliseconds since 1970'),
  currencies: z.array(
    z.object({
      currency: text.describe('a quote currency'),
      profit: z
        .array(z.number().nullable())
        .describe('realised and unrealised, fees, funding and interest counted; null: without a price'),
      drawdown: z
        .array(z.number().nullable())
        .describe('the highest profit of the run, earlier sessions counted, less the profit'),
      equity: z
        .array(z.number().nullable())
        .describe('wallets and margin accounts, as far as the books value them in this currency'),
    }),
  ),
  strategies: z.array(
    z.object({
      ...owner,
      points: z.array(z.number().nullable()).describe('profit at each of times; null: without a price'),
    }),
  ),
});

const column = z.array(z.number());

export const candlesSchema = z.object({
  symbol: text,
  period: z.enum(chartPeriods),
  times: column.describe('when each begins, milliseconds since 1970'),
  open: column,
  high: column,
  low: column,
  close: column,
  volume: column.describe('in base currency'),
});

export const versionsSchema = z.object({ godwit: text, node: text, configuration: text });

export const healthSchema = z.object({ status: z.enum(['ok', 'not ready']), why: text });

export const actedSchema = z.object({
  done: z.boolean().describe('false: nothing was done yet, the code must be sent again as confirm'),
  text,
  confirm: text.optional(),
  changes: z
    .array(
      z.object({
        name: text.describe('the setting'),
        from: text.nullable().describe('JSON; null: not set'),
        to: text.nullable().describe('JSON; null: not set'),
      }),
    )
    .optional()
    .describe('of a reload: what differs from the configuration that held before'),
});

export const refusedSchema = z.object({ error: z.object({ code: text, message: text }) });

export type Status = z.output<typeof statusSchema>;
export type StrategyRow = z.output<typeof strategyRowSchema>;
export type BookText = z.output<typeof bookSchema>;
export type Explained = z.output<typeof explainedSchema>;
export type StrategyProfit = z.output<typeof strategyProfitSchema>;
export type CurveText = z.output<typeof curveSchema>;
export type CandlesText = z.output<typeof candlesSchema>;
export type Versions = z.output<typeof versionsSchema>;
export type Acted = z.output<typeof actedSchema>;

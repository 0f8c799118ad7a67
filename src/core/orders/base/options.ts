import { z } from 'zod';
import { withoutExponent } from '../../base/exponent.ts';
import { isMembers } from '../../base/members.ts';
import { fullCapabilities } from '../../model/capabilities.ts';

const { evidence } = fullCapabilities;

const decimal = z
  .string()
  .overwrite(withoutExponent)
  .regex(/^\d{1,20}(\.\d{1,18})?$/, 'expected a plain decimal as text, such as "0.5"');
export const percent = z.number().positive().max(100);
export const delayMs = z.int().min(0).max(86_400_000);
export const flagOption = z.boolean();
export const countOption = z.int();

/** Limits of one symbol. What is left out is not limited, unless `requireLimits` is set. */
export const symbolLimits = z.strictObject({
  quantityMax: decimal.optional().describe('largest quantity of one order, in base currency'),
  notionalMax: decimal.optional().describe('largest price times quantity of one order, in quote currency'),
  positionMax: decimal
    .optional()
    .describe('largest position of the account either way, working orders included'),
});

const lossLimits = z.record(
  z.string(),
  z.strictObject({
    day: decimal.optional().describe('largest loss of a UTC day, realised and unrealised, fees counted'),
    drawdown: decimal.optional().describe('largest fall from the highest profit'),
    losingTrades: z
      .int()
      .min(1)
      .max(1_000)
      .optional()
      .describe('round trips in a row that lose; one is over when the position is flat or turns over'),
    action: z
      .enum(['reducing', 'halted'])
      .default('reducing')
      .describe('reducing: only orders that reduce leave; halted: none does'),
    cooldownMs: z
      .int()
      .min(1_000)
      .max(2_592_000_000)
      .optional()
      .describe('how long it holds; until an operator clears it when left out'),
  }),
);

export type LossLimits = z.output<typeof lossLimits>;

const leverage = z
  .string()
  .overwrite(withoutExponent)
  .regex(/^\d{1,4}(\.\d{1,2})?$/, 'expected a leverage as text, such as "2.5"');

const marginLimits = z.strictObject({
  leverageMax: leverage
    .optional()
    .describe('largest worth of the positions of a margin account over its equity, working orders included'),
  liquidationDistanceMinPercent: percent
    .optional()
    .describe('how far the price must stand from where a position would be liquidated'),
});

/** Limits of margin accounts. What is named for a symbol or a currency goes before what holds for all. */
const marginOrderOptions = marginLimits.extend({
  symbols: z
    .record(z.string(), marginLimits)
    .default({})
    .describe('limits of isolated margin and of positions, by symbol'),
  cross: z
    .record(z.string(), marginLimits.pick({ leverageMax: true }))
    .default({})
    .describe('limits of cross margin, by currency'),
  liquidationMultiplier: leverage
    .default('2')
    .describe('by how much leverage may grow until the venue liquidates a position'),
});

/** Rows of `orders.others`. */
const othersMax = 100;

const othersRow = z.strictObject({
  prefix: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,32}$/, 'expected 1 to 32 of A-Za-z0-9_-, with which ids of others begin')
    .describe('how the client order ids begin; the longest prefix that fits an id decides'),
  policy: z
    .enum(['adopt', 'claim', 'leave'])
    .describe(
      'adopt: a strategy has them as its own; claim: halts, kill, flatten and cancels of all orders are for them, too, and no strategy sees them; leave: they count in limits and are shown, and are never touched',
    ),
  strategy: z.string().min(1).max(64).optional().describe('the strategy that adopts them'),
});

export type OthersRow = z.output<typeof othersRow>;
export type OtherPolicy = OthersRow['policy'];

/** Complains of a prefix that is named twice, and of a row whose policy and strategy do not go together. */
function checkRows(rows: readonly OthersRow[], context: z.RefinementCtx): void {
  const seen = new Set<string>();
  for (const [at, { prefix, policy, strategy }] of rows.entries()) {
    const complain = (name: keyof OthersRow, message: string): void =>
      context.addIssue({ code: 'custom', path: [at, name], message });
    if (seen.has(prefix)) complain('prefix', 'expected each prefix once');
    seen.add(prefix);
    if (policy === 'adopt' && strategy === undefined)
      complain('strategy', 'expected the strategy that adopts these orders (policy: adopt)');
    if (policy !== 'adopt' && strategy !== undefined)
      complain('strategy', `expected no strategy where the policy is ${policy}`);
  }
}

/** Notes which windows of evidence are written, in their defaults or not: a value in a file is never replaced by the venue's. */
function withWritten(given: unknown): unknown {
  if (!isMembers(given) || given['written'] !== undefined) return given;
  const written = ['absentMs', 'aliveMs', 'marginMs'].filter((name) => given[name] !== undefined);
  // An empty list is kept, too: a configuration that was recorded with all defaults reads as what it was.
  return { ...given, written };
}

/**
 * Options of orders that several parts of the order manager go by. What one rule alone goes by stands in the row of the rule, and
 * `orderOptions` puts both together.
 */
export const sharedOptions = z.strictObject({
  idPrefix: z
    .string()
    .regex(/^[A-Za-z0-9]{1,6}$/)
    .default('gw')
    .describe(
      'first part of every client order id; orders with it are ours after a restart where the journal knows their run',
    ),
  symbols: z
    .array(z.string())
    .max(10_000)
    .optional()
    .describe('symbols that may be traded; all when left out'),
  requireLimits: z
    .boolean()
    .default(false)
    .describe('refuse to start unless every tradable symbol has a quantity, a notional and a position limit'),
  limits: z
    .record(z.string(), symbolLimits)
    .default({})
    .describe('limits by symbol; "*" for symbols not named'),
  notionalMax: z
    .record(z.string(), decimal)
    .default({})
    .describe('largest price times quantity of one order, by quote currency, for symbols without their own'),
  exposureMax: z
    .record(z.string(), decimal)
    .default({})
    .describe('largest gross exposure (positions and working orders at their worst) by quote currency'),
  loss: lossLimits
    .default({})
    .describe('limits on the loss of the account, by quote currency; what was reached holds over a restart'),
  margin: marginOrderOptions.prefault({}).describe('limits of margin accounts and of contracts'),
  marketLagMsMax: delayMs
    .min(1)
    .default(3_000)
    .describe(
      'market data that come later than this after the venue stamped them are stale: no order leaves',
    ),
  marketReservePercent: percent
    .default(10)
    .describe('what a market order may cost above the touch, for funds and limits'),
  messagesPerSecondMax: z
    .int()
    .min(1)
    .max(300)
    .default(250)
    .describe('new orders and replacements of the account inside any second; cancels are never held back'),
  executions: z
    .strictObject({
      max: z
        .int()
        .min(1)
        .max(1_000)
        .default(50)
        .describe('own orders on one side of one symbol that begin to fill'),
      windowMs: delayMs.min(1).default(1_000).describe('inside this time'),
    })
    .prefault({})
    .describe('more same-side fills than this stop the strategy'),
  rejects: z
    .strictObject({
      of: z.int().min(2).max(1_000).default(20).describe('the last orders of a strategy that are looked at'),
      percentMax: percent.default(50).describe('a larger share of venue rejections stops the strategy'),
    })
    .prefault({}),
  cancelsMax: z.int().min(1).max(10).default(3).describe('cancels per order before it is read instead'),
  cancelTogether: z
    .strictObject({
      from: z
        .int()
        .min(2)
        .max(25_000)
        .default(50)
        .describe(
          'from so many orders that are to go at once on, one request cancels all orders of a symbol',
        ),
      others: z
        .enum(['keep', 'cancel'])
        .default('keep')
        .describe(
          'keep: not where the account has orders that are not ours; cancel: these go too, and one request is for all symbols',
        ),
    })
    .prefault({}),
  onStart: z
    .enum(['exits', 'keep', 'cancel'])
    .default('exits')
    .describe(
      'which own orders of an earlier run that still live are kept: those that only reduce a position, all, or none',
    ),
  onStop: z
    .enum(['exits', 'keep', 'cancel'])
    .default('exits')
    .describe(
      'which own orders stay at the venue when the run ends: those that only reduce a position, all, or none',
    ),
  others: z
    .array(othersRow)
    .max(othersMax)
    .superRefine(checkRows)
    .default([])
    .describe(
      'what becomes of live orders of others on the account, by prefix of their ids; leave where no row fits',
    ),
  unknownRuns: z
    .enum(['leave', 'ours'])
    .default('leave')
    .describe(
      'orders under idPrefix of a run that the journal does not know. leave: another Godwit has them; ours: an earlier run without a journal left them, and onStart decides',
    ),
  reconcile: z
    .preprocess(
      withWritten,
      z.strictObject({
        absentMs: delayMs
          .min(1)
          .default(evidence.absentMs)
          .describe(
            'the second read that proves an order absent begins this long after it was sent; left out: the window of the venue',
          ),
        aliveMs: delayMs
          .default(evidence.aliveMs)
          .describe(
            'an order reported as ended counts as alive when two lists of active orders in a row show it, the second asked for this long after the first',
          ),
        sendDelayMsMax: delayMs.default(1_500).describe('the longest time the gate may hold an order back'),
        marginMs: delayMs
          .default(evidence.marginMs)
          .describe('trades are read again this far back; history lags'),
        retryMsMin: delayMs
          .min(1)
          .default(500)
          .describe('first wait before an unanswered read is asked again'),
        retryMsMax: delayMs
          .min(1)
          .default(30_000)
          .describe(
            'longest wait between reads of unknown orders; one without an answer is asked again within 5 s',
          ),
        answerMsMax: delayMs
          .min(1)
          .default(15_000)
          .describe('a read without an answer for this long is asked again'),
        everyMs: delayMs
          .min(1, 'expected at least 1: a daemon that never looks at its account sees no difference')
          .default(60_000)
          .describe('how often the account is compared with the venue while nothing is open; at least 1'),
        booksEveryMs: delayMs
          .min(1_000)
          .default(600_000)
          .describe(
            'how often the book of each symbol with own orders is compared with a read of it, where the venue has such reads',
          ),
        unexplainedMax: z
          .number()
          .min(0.0001)
          .max(100)
          .default(0.1)
          .describe(
            'percent of the equity: beyond it, money that nothing explains lets only orders that reduce leave; beyond ten times as much, none',
          ),
        idsMax: z.int().min(1).max(1_000).default(50).describe('order histories read in one round'),
        written: z
          .array(z.enum(['absentMs', 'aliveMs', 'marginMs']))
          .default([])
          .describe(
            'which windows are written here, noted while reading: those of the venue do not replace them',
          ),
      }),
    )
    .prefault({}),
});

export type SharedOptions = z.output<typeof sharedOptions>;

/** Limits of one strategy. */
export const strategyLimits = z.strictObject({
  symbols: z.array(z.string()).max(10_000).optional().describe('symbols it may trade; all when left out'),
  openOrdersMax: z
    .int()
    .min(1)
    .max(25_000)
    .default(200)
    .describe('its open orders, in-flight and unknown included'),
  messagesPerSecondMax: z
    .int()
    .min(1)
    .max(300)
    .default(100)
    .describe('its new orders and replacements in any second'),
  positionMax: z
    .record(z.string(), decimal)
    .default({})
    .describe('its largest position either way by symbol, working orders included'),
  funds: z
    .record(z.string(), decimal)
    .optional()
    .describe(
      'its share of the balance on spot by currency; its own trades add to it and take from it, and of a currency that is not named it has what these left. The whole balance when left out',
    ),
  loss: lossLimits.default({}).describe('limits on its loss, by quote currency'),
});

export type StrategyLimits = z.output<typeof strategyLimits>;

/** Those of the shared options that controls go by: a run takes them over while it goes on. */
export const sharedLimits = z.strictObject({
  orders: sharedOptions.pick({
    requireLimits: true,
    limits: true,
    notionalMax: true,
    exposureMax: true,
    loss: true,
    margin: true,
    marketReservePercent: true,
    messagesPerSecondMax: true,
  }),
  /** Strategies by name; one that is not named keeps its limits. */
  strategies: z.record(z.string(), strategyLimits.omit({ symbols: true })),
});

export type SharedLimits = z.output<typeof sharedLimits>;

/** `more`: a greater value allows more; `less`: a smaller one does. No limit at all allows most, either way. */
export type Way = 'more' | 'less';

type Kinds = Readonly<Record<string, z.ZodType>>;

/** Settings of one rule, members of `orders`. */
export interface RuleSettings<Of extends Kinds = Kinds> {
  readonly kinds: Of;
  readonly ways: { readonly [Name in keyof Of]: Way };
  /** Values of these settings among all options of orders. */
  of(options: SharedOptions): { readonly [Name in keyof Of]: z.output<Of[Name]> };
}

/** Describes what a user sets of one rule: the kind of each value, and which way it allows more. */
export function ruleSettings<const Of extends Kinds>(
  kinds: Of,
  ways: { readonly [Name in keyof Of]: Way },
): RuleSettings<Of> {
  // `orderOptions` has the settings of every rule beside the shared ones, and nothing else is parsed.
  return { kinds, ways, of: (options) => options as unknown as ReturnType<RuleSettings<Of>['of']> };
}

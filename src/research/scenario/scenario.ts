import { z } from 'zod';
import { withoutExponent } from '../../core/base/exponent.ts';
import { parseAmount } from '../../core/base/amount.ts';
import { barFills } from './bar-fills.ts';
import { refuseMixedMargin } from './margin-checks.ts';
import { fundingFile, fundingTerms, liquidationTerms, marginTerms } from './position-terms.ts';
import { scenarioColumns } from './sample-columns.ts';
import { duration, pointInTime } from '../../core/config/time.ts';
import { scenarioLatency } from './latency.ts';
import { seriesFiles } from '../../data/series/options.ts';
import { tickFills } from './tick-fills.ts';
import { isTree } from '../../core/config/layers.ts';
import { barSpec } from '../../core/state/index.ts';
import { products } from '../../core/model/product.ts';
import { figureOptions } from '../statistics/index.ts';

const path = z.string().min(1).max(4_096);
const decimal = z
  .string()
  .overwrite(withoutExponent)
  .regex(/^-?\d{1,20}(\.\d{1,18})?$/, 'expected a decimal as text, such as "0.001"');
/** A share of the notional: of 1 and more nothing would be left. */
const feeRate = z
  .string()
  .overwrite(withoutExponent)
  .regex(/^-?0{1,20}(\.\d{1,18})?$/, 'expected a rate between -1 and 1 as text, such as "0.001" for 0.1 %');
const positive = z
  .string()
  .overwrite(withoutExponent)
  .regex(/^(?!0+(\.0+)?$)\d{1,20}(\.\d{1,18})?$/, 'expected a decimal above 0 as text');
const amount = z
  .string()
  .overwrite(withoutExponent)
  .regex(/^\d{1,20}(\.\d{1,18})?$/, 'expected a decimal of 0 or more as text, such as "10.5"');
const currency = z.string().regex(/^[\p{L}\p{N}]{1,20}$/u, 'expected a currency such as USDT');

/** As an account names it: that of a venue with a name carries the name. */
const held = z
  .string()
  .regex(/^[\p{L}\p{N}]{1,20}(@[A-Za-z0-9_-]{1,20})?$/u, 'expected a currency such as USDT');

const dataFile = z.strictObject({
  path: path.describe('relative to the scenario file; any format that can be imported'),
  role: z
    .enum(['run', 'prepare'])
    .default('run')
    .describe('prepare: only builds the market before the clock starts; the strategy sees nothing of it'),
});

const files = z.array(z.union([path.transform((text) => dataFile.parse({ path: text })), dataFile])).min(1);

/** Fees from a traded volume on; volumes in quote currency, rates as fractions, a negative one is a rebate. */
const feeTier = z.strictObject({ volume: amount, maker: feeRate, taker: feeRate });
const feeTiers = z
  .array(feeTier)
  .max(100)
  .superRefine((tiers, context) => {
    const volumes = tiers.map(({ volume }) => parseAmount(volume));
    const at = volumes.findIndex((volume, index) => volume <= (volumes[index - 1] ?? -1n));
    if (at < 0) return;
    const message = `expected more than the volume of the tier before, ${tiers[at - 1]?.volume}`;
    context.addIssue({ code: 'custom', path: [at, 'volume'], message });
  });

const instrument = z
  .strictObject({
    symbol: z.string().min(1).max(64),
    kind: z
      .enum(['spot', 'perpetual', 'inverse'])
      .default('spot')
      .describe('perpetual: settled in quote currency; inverse: a perpetual settled in base currency'),
    contract: positive
      .optional()
      .describe(
        'what one unit of quantity stands for: an amount of base currency; if inverse, of quote currency',
      ),
    base: currency.optional().describe('from the data, or from the symbol, when left out'),
    quote: currency.optional(),
    leverage: z
      .number()
      .min(0.01)
      .max(1_000)
      .optional()
      .describe('of a contract: largest position, times equity; without, no limit'),
    funding: z
      .union([fundingTerms, fundingFile])
      .optional()
      .describe('of a contract, on books and trades: what open positions pay or receive; without, nothing'),
    liquidation: liquidationTerms
      .optional()
      .describe(
        'of a contract with a leverage, on books and trades: when its positions are closed; without, never',
      ),
    margin: marginTerms
      .optional()
      .describe(
        'with products: what margin accounts of the symbol are kept by; as at the exchange when left out',
      ),
    tick: positive.optional().describe('smallest step of a price; from the data when left out'),
    lot: positive.optional().describe('smallest step of a quantity'),
    fees: z
      .strictObject({
        maker: feeRate,
        taker: feeRate,
        fixed: decimal.optional().describe('of a contract: for every execution besides'),
        perUnit: decimal.optional().describe('of a contract: for every unit of quantity besides'),
        tiers: feeTiers.default([]).describe('by traded volume of this run, ascending'),
      })
      .optional(),
  })
  .refine(({ kind, contract }) => kind !== 'inverse' || contract !== undefined, {
    path: ['contract'],
    message: 'expected what one unit is worth in quote currency with kind: inverse, such as "100"',
  })
  .refine(({ kind, contract }) => kind !== 'spot' || contract === undefined, {
    path: ['contract'],
    message: 'expected kind: perpetual or kind: inverse with it',
  })
  .refine(({ kind, leverage }) => kind !== 'spot' || leverage === undefined, {
    path: ['leverage'],
    message: 'expected kind: perpetual or kind: inverse with it',
  })
  .refine(({ kind, funding }) => kind !== 'spot' || funding === undefined, {
    path: ['funding'],
    message: 'expected kind: perpetual or kind: inverse with it',
  })
  .refine(({ leverage, liquidation }) => leverage !== undefined || liquidation === undefined, {
    path: ['liquidation'],
    message: 'expected a leverage with it, because it is a share of the margin that positions lock',
  })
  .refine(({ kind, fees }) => kind !== 'spot' || (fees?.fixed ?? fees?.perUnit) === undefined, {
    path: ['fees'],
    message: 'expected kind: perpetual or kind: inverse with fixed and perUnit',
  });

const reading = z.strictObject({
  clockShift: z
    .enum(['smallest', 'none'])
    .default('smallest')
    .describe('smallest: local times of a file are shifted so that its smallest latency is 0'),
  tickers: z.boolean().default(false),
  format: z.string().max(64).optional().describe('name of the format, where the content does not show it'),
  columns: z
    .record(z.string().max(32), z.union([z.string().max(100), z.int().min(0).transform(String)]))
    .optional()
    .describe('which column of a table is what: by its header or its number from 0'),
  period: z.string().max(8).optional().describe('the period of bars, where the rows do not show it'),
  stamp: z.enum(['open', 'close']).optional().describe('which end of a bar its time names'),
  round: z
    .enum(['tick'])
    .optional()
    .describe('tick: prices of bars and trades are rounded to instrument.tick, and the report says so'),
  skip: z
    .enum(['empty'])
    .optional()
    .describe('empty: rows of tables without numbers, which mean that nothing traded, are left out'),
  bars: barSpec
    .optional()
    .describe('bars that are made of the trades of the data, or of shorter bars, such as 45m or volume:2.5'),
  sequence: z
    .enum(['proven', 'ignored'])
    .default('proven')
    .describe('ignored: every change counts, whatever its number; only for Binance raw files'),
  snapshots: z
    .enum(['whole', 'range'])
    .default('whole')
    .describe('range: a snapshot of limited depth leaves what we know beyond its worst prices'),
  reorder: duration
    .prefault('5s')
    .describe('facts meet the market by exchange time if they are out of order by no more than this'),
});

/** Data that were recorded apart from other data of the same run. */
const source = z.strictObject({
  data: files.describe('files of this source, in the order of time'),
  venue: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,20}$/, 'expected a short name of letters and digits, such as binance')
    .optional()
    .describe('names the account and marks its symbols and currencies: BTCUSDT@binance, USDT@binance'),
  instrument: instrument
    .optional()
    .describe('the one symbol of the files that is run; all of them without it'),
  import: reading
    .omit({ reorder: true, snapshots: true })
    .optional()
    .describe('in the place of import of the scenario'),
});

const outage = z
  .strictObject({
    from: pointInTime,
    to: pointInTime,
    what: z
      .enum(['orders', 'all'])
      .default('all')
      .describe(
        'orders: commands are refused; all: nothing is received either, and books are stale until it ends',
      ),
  })
  .refine(({ from, to }) => from < to, 'expected an outage to end after it begins');

const sample = z.strictObject({
  every: duration,
  columns: z.array(scenarioColumns).min(1).max(100),
  last: z.boolean().default(false).describe('whether a last row is taken when the clock ends'),
});

/** One backtest, whole: what a scenario file says. Times in microseconds once read. */
export const scenarioSchema = z
  .strictObject({
    name: z.string().min(1).max(200),
    note: z.string().max(2_000).optional(),
    data: files.default([]),
    sources: z
      .array(source)
      .min(1)
      .max(64)
      .optional()
      .describe('in the place of data: several symbols or venues that were recorded apart'),
    import: reading.prefault({}),
    instrument: instrument.optional(),
    clock: z
      .strictObject({
        start: pointInTime.optional().describe('the first event of the data when left out'),
        end: pointInTime.optional().describe('the last event of the data when left out'),
      })
      .refine(({ start, end }) => start === undefined || end === undefined || start < end, {
        path: ['end'],
        message: 'expected a time after the start',
      })
      .prefault({}),
    latency: scenarioLatency,
    fills: z.discriminatedUnion('model', [...tickFills, ...barFills]).prefault({ model: 'shadow' }),
    outages: z.array(outage).max(1_000).default([]),
    balances: z.record(held, amount).default({}).describe('what the account starts with'),
    products: z
      .array(z.enum(products))
      .min(1)
      .optional()
      .describe(
        'what the simulated venue offers: spot (alone when left out), margin of symbols, futures of contracts',
      ),
    futuresBalances: z
      .record(held, amount)
      .optional()
      .describe('what the account of contracts starts with, apart from that of spot and margin'),
    strategy: z.strictObject({
      path: path.describe('relative to the scenario file, or the name of a shipped strategy'),
      params: z.record(z.string(), z.unknown()).default({}),
      limits: z.unknown().optional().describe('limits of the strategy, as in the configuration'),
    }),
    series: seriesFiles
      .optional()
      .describe('files of the series that the strategy declares, by name; relative to the scenario file'),
    sample: sample.optional(),
    report: figureOptions.prefault({}).describe('how the figures of the report are made'),
    seed: z.int().min(0).max(4_294_967_295).default(1),
    config: z
      .partialRecord(z.enum(['orders', 'gate', 'budgets', 'state', 'sim']), z.unknown())
      .optional()
      .describe('sections of the default configuration'),
  })
  .superRefine(refuseUnheededSim)
  .superRefine(refuseSourcesBesideData)
  .superRefine(refuseMixedMargin);

export type Scenario = z.output<typeof scenarioSchema>;
export type ScenarioFills = Scenario['fills'];

/** A scenario has either files of one format and one instrument, or sources, each with its own. */
function refuseSourcesBesideData(
  {
    data,
    sources,
    instrument: said,
  }: { readonly data: readonly unknown[]; readonly sources?: unknown; readonly instrument?: unknown },
  context: z.RefinementCtx,
): void {
  const refuse = (key: string, message: string): void =>
    context.addIssue({ code: 'custom', path: [key], message });
  if (sources === undefined) {
    if (data.length === 0) refuse('data', 'expected a list of files');
    return;
  }
  if (data.length > 0) refuse('data', 'expected either data or sources, not both');
  if (said !== undefined) refuse('instrument', 'expected it in each of the sources');
}

/** Keys that a scenario says elsewhere, by the name they have in the configuration. */
const saidElsewhere: Readonly<Record<string, string>> = {
  entryLatency: 'latency.entry',
  reportLatency: 'latency.report',
  queueModel: 'fills.queue',
  queuePower: 'fills.power',
};

/** Options that only the matching core heeds. */
const ofTheCore = ['fatFingerFraction', 'idReuseAfterMs'];

/** Refuses settings of the simulated venue that a scenario would not heed. */
export function refuseUnheededSim(
  {
    config,
    fills,
  }: {
    readonly config?: Readonly<Record<string, unknown>> | undefined;
    readonly fills: { readonly model: string };
  },
  context: z.RefinementCtx,
): void {
  const sim = config?.['sim'];
  if (!isTree(sim)) return;
  for (const name of Object.keys(sim)) {
    const message = whyNot(name, fills.model);
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['config', 'sim', name], message });
  }
}

function whyNot(name: string, model: string): string | undefined {
  const place = saidElsewhere[name];
  if (place !== undefined) return `expected ${place} in its place, because a scenario says it there`;
  if (model === 'shadow' || !ofTheCore.includes(name)) return undefined;
  return `expected fills: {model: shadow} with it, because no other model heeds it`;
}

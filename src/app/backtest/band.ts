import { withoutZeros } from '../../core/base/number-text.ts';
import type { FillAssumption, BandResult, BandRun } from '../../research/report/index.ts';
import type {
  BarFills,
  ScenarioWay,
  ScenarioData,
  ScenarioFills,
  ModuleFills,
  QueueFills,
  ShadowFills,
} from '../../research/scenario/index.ts';
import { readLatencyFile, pathBeside } from '../../research/scenario/index.ts';
import type { LatencyOptions } from '../../sim/index.ts';
import type { ConfiguredScenario } from '../run/scenario.ts';
import type { ScenarioResult } from './scenario-result.ts';
import { runScenario } from './scenario-run.ts';

/** A run that the band repeats with other fills and circumstances. */
export interface BandSubject {
  readonly loaded: ConfiguredScenario;
  readonly data: ScenarioData;
}

interface WaysMicros {
  readonly entry: number;
  readonly report: number;
}

export interface BandSetting {
  readonly currency: string;
  /** Called before each run. */
  readonly onRun?: ((text: string) => void) | undefined;
}

/** Runs a scenario with other fills and, on books and trades, with constant latencies; nothing is sampled or listed. */
async function runWith(
  { loaded, data }: BandSubject,
  fills: ScenarioFills,
  ways: WaysMicros | undefined,
): Promise<ScenarioResult> {
  const { scenario, config } = loaded;
  const latency =
    ways === undefined
      ? scenario.latency
      : { ...scenario.latency, entry: constant(ways.entry), report: constant(ways.report) };
  const queue = fills.model === 'shadow' ? { queueModel: fills.queue } : {};
  return await runScenario({
    loaded: {
      ...loaded,
      scenario: { ...scenario, sample: undefined, fills, latency },
      config: { ...config, sim: { ...config.sim, ...queue } },
      lists: false,
    },
    data,
    // Without details a run on bars makes no report.
    details: fills.model === 'bars',
  });
}

function assumed(way: ScenarioWay, { file }: ConfiguredScenario): AssumedLatency {
  return 'file' in way
    ? { kind: 'measured', micros: readLatencyFile(pathBeside(file, way.file), way.kind).micros }
    : way;
}

function constant(micros: number): { readonly kind: 'constant'; readonly micros: number } {
  return { kind: 'constant', micros };
}

/**
 * The band of a run. On books: three assumptions about the queue, each at the median and the 99th percentile of the latency.
 * On bars, which know neither: three about the path of a bar, each at the slippage of the scenario and a worse one.
 */
export async function runBand(subject: BandSubject, setting: BandSetting): Promise<BandResult | string> {
  const { loaded } = subject;
  const { fills, latency } = loaded.scenario;
  const { currency } = setting;
  if (fills.model === 'bars') {
    return await runBandPlan({
      ...setting,
      axis: 'slippage',
      assumptions: barAssumptions,
      models: barModels(fills),
      levels: slippageLevels(Number(fills.slippage.rate)),
      worse: steeperLevel,
      run: async (own, { rate }) =>
        outcomeIn(
          await runWith(subject, { ...own, slippage: { ...own.slippage, rate } }, undefined),
          currency,
        ),
    });
  }
  return await runBandPlan<ScenarioFills, LatencyLevel>({
    ...setting,
    axis: 'latency',
    ...tickModels(fills),
    levels: latencyLevels(assumed(latency.entry, loaded), assumed(latency.report, loaded)),
    worse: slowerLevel,
    run: async (own, { entry, report }) =>
      outcomeIn(await runWith(subject, own, { entry, report }), currency),
  });
}

function tickModels(fills: Exclude<ScenarioFills, BarFills>): {
  readonly assumptions: string;
  readonly models: readonly BandModel<ScenarioFills>[];
} {
  switch (fills.model) {
    case 'shadow':
      return { assumptions: shadowAssumptions, models: shadowModels(fills) };
    case 'queue':
      return { assumptions: queueAssumptions, models: queueModels(fills) };
    case 'module':
      return { assumptions: queueAssumptions, models: moduleModels(fills) };
  }
}

/** Outcome of a run in one currency. */
function outcomeIn({ report, problems: [problem] }: ScenarioResult, currency: string): BandOutcome {
  if (report === undefined) return { profit: 0, fills: 0, problem };
  const { results, instruments } = report;
  return {
    profit: Number(results.find((one) => one.currency === currency)?.profit ?? 0),
    fills: instruments.reduce((sum, one) => sum + one.fills, 0),
    problem,
  };
}

const shadowAssumptions =
  'Pessimistic: cancels come from behind us (conservative). Fitted: the configured queue model. Optimistic: cancels come from ahead of us as likely as the quantities there (proportional).';
const queueAssumptions =
  'Pessimistic: only trades move us forward, and what we take is missing from the book (risk-averse, impact). Fitted: the configured queue model. Optimistic: cancels come from ahead of us as likely as the quantities there (probability-power 1).';
const barAssumptions =
  'Pessimistic: limit orders fill only when the price goes beyond theirs, and a bar visits first what hurts most. Fitted: as the scenario says. Optimistic: limit orders fill when the price reaches theirs; a bar visits its high first, and in another run its low.';

/**
 * The queue model of each assumption. Fitted is what is configured; where that is one of the ends it is `log`, which lies
 * between them.
 */
export function shadowModels(fills: ShadowFills): readonly BandModel<ShadowFills>[] {
  const { queue } = fills;
  const fitted = queue === 'conservative' || queue === 'proportional' ? 'log' : queue;
  return [
    { assumption: 'pessimistic', text: 'conservative', fills: { ...fills, queue: 'conservative' } },
    { assumption: 'fitted', text: fitted, fills: { ...fills, queue: fitted } },
    { assumption: 'optimistic', text: 'proportional', fills: { ...fills, queue: 'proportional' } },
  ];
}

/** The same of estimated queue positions: `risk-averse` is one of the ends. */
export function queueModels(fills: QueueFills): readonly BandModel<QueueFills>[] {
  const fitted = fills.queue === 'risk-averse' ? 'probability-log' : fills.queue;
  return [
    {
      assumption: 'pessimistic',
      text: 'risk-averse, impact',
      fills: { ...fills, queue: 'risk-averse', impact: true },
    },
    { assumption: 'fitted', text: fitted, fills: { ...fills, queue: fitted } },
    {
      assumption: 'optimistic',
      text: 'probability-power 1',
      fills: { ...fills, queue: 'probability-power', power: 1, impact: false },
    },
  ];
}

/** The model of the user, between the ends of the estimated queue positions. */
function moduleModels(fills: ModuleFills): readonly BandModel<ScenarioFills>[] {
  const ends = queueModels({
    model: 'queue',
    queue: 'probability-log',
    power: 3,
    partial: true,
    impact: false,
  });
  return ends.map((one) => (one.assumption === 'fitted' ? { ...one, text: fills.module, fills } : one));
}

/** How bad the circumstances of a run are, in numbers and in words. */
export interface BandLevel {
  readonly value: number;
  readonly text: string;
}

/** A assumption about fills. */
export interface BandModel<Fills> {
  readonly assumption: FillAssumption;
  readonly text: string;
  readonly fills: Fills;
}

/** Outcome of a run of the band, in the currency of the band. */
export interface BandOutcome {
  readonly profit: number;
  readonly fills: number;
  /** Problem that cut the run short, such as a strategy that threw. */
  readonly problem?: string | undefined;
}

/** Everything a band is made of. */
export interface BandPlan<Fills, Level extends BandLevel> extends Omit<BandResult, 'runs'> {
  readonly models: readonly BandModel<Fills>[];
  /** The usual level and a bad one. */
  readonly levels: readonly Level[];
  /** The next worse level in the search for the one at which the edge is gone; `undefined` at the end of it. */
  readonly worse: (level: number) => Level | undefined;
  readonly run: (fills: Fills, level: Level) => Promise<BandOutcome>;
  /** Called before each run. */
  readonly onRun?: ((text: string) => void) | undefined;
}

/**
 * Runs the band: each assumption at each level; then, where all fitted runs have a profit, fitted fills at ever worse levels
 * until it is gone or the search ends. Where a run is cut short it says so in one clause: there is no band of parts.
 */
export async function runBandPlan<Fills, Level extends BandLevel>(
  plan: BandPlan<Fills, Level>,
): Promise<BandResult | string> {
  const { currency, axis, assumptions, models, levels } = plan;
  const runs: BandRun[] = [];
  for (const level of levels)
    for (const model of models) {
      const run = await runOne(plan, model, level);
      if (typeof run === 'string') return run;
      runs.push(run);
    }
  const search = await searchEdge(plan, runs);
  return typeof search === 'string' ? search : { currency, axis, assumptions, runs: [...runs, ...search] };
}

async function searchEdge<Fills, Level extends BandLevel>(
  plan: BandPlan<Fills, Level>,
  band: readonly BandRun[],
): Promise<readonly BandRun[] | string> {
  const fitted = band.filter(({ assumption }) => assumption === 'fitted');
  const model = plan.models.find(({ assumption }) => assumption === 'fitted');
  if (model === undefined || fitted.some(({ profit }) => profit <= 0)) return [];
  const runs: BandRun[] = [];
  let level = plan.worse(Math.max(...fitted.map((run) => run.level)));
  while (level !== undefined) {
    const run = await runOne(plan, model, level);
    if (typeof run === 'string') return run;
    runs.push(run);
    level = run.profit > 0 ? plan.worse(run.level) : undefined;
  }
  return runs;
}

async function runOne<Fills, Level extends BandLevel>(
  plan: BandPlan<Fills, Level>,
  { assumption, text, fills }: BandModel<Fills>,
  level: Level,
): Promise<BandRun | string> {
  const what = `${assumption} fills (${text}), ${level.text}`;
  plan.onRun?.(`band: ${what}`);
  const { problem, ...outcome } = await plan.run(fills, level);
  if (problem !== undefined) return `not known: its run with ${what} was cut short: ${problem}`;
  return { assumption, model: text, level: level.value, levelText: level.text, ...outcome };
}

/** Both ways of a run of the band, constant, in microseconds. */
export interface LatencyLevel extends BandLevel {
  readonly entry: number;
  readonly report: number;
}

/** A configured latency, or one that was measured. */
export type AssumedLatency =
  | LatencyOptions
  | { readonly kind: 'measured'; readonly micros: readonly number[] };

/** The last step of the search for the latency at which the edge is gone. */
const latencyMax = 2_000_000;

/** The median and the 99th percentile of both ways. */
export function latencyLevels(entryWay: AssumedLatency, reportWay: AssumedLatency): readonly LatencyLevel[] {
  return ([0.5, 0.99] as const).map((share) => {
    const [entry, report] = [quantileOf(entryWay, share), quantileOf(reportWay, share)];
    const label = share === 0.5 ? 'p50' : 'p99';
    return { value: entry, text: `${label}: ${entry / 1_000} ms, back ${report / 1_000} ms`, entry, report };
  });
}

/** Four times as slow, one millisecond at least, both ways; nothing beyond two seconds. */
export function slowerLevel(micros: number): LatencyLevel | undefined {
  if (micros >= latencyMax) return undefined;
  const value = Math.min(latencyMax, Math.max(1_000, micros) * 4);
  return { value, text: `${value / 1_000} ms, back the same`, entry: value, report: value };
}

/** A quantile of a latency, whole microseconds. A constant has no tail: its 99th percentile is four times it. */
export function quantileOf(way: AssumedLatency, share: number): number {
  switch (way.kind) {
    case 'constant':
      return share > 0.5 ? way.micros * 4 : way.micros;
    case 'uniform':
      return Math.round(way.low + share * (way.high - way.low));
    case 'exponential':
      return Math.round(Math.min(way.max, way.base - way.tailMean * Math.log(1 - share)));
    case 'measured': {
      const sorted = way.micros.toSorted((a, b) => a - b);
      return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
    }
  }
}

/** A slippage, as a number and as a scenario says it. */
export interface SlippageLevel extends BandLevel {
  readonly rate: string;
}

/** How much worse a bad slippage is at least, and the last step of the search. */
const worseMin = 0.0005;
const slippageMax = 0.05;

/** The slippage a scenario names, and four times as much, five basis points more at least. */
export function slippageLevels(rate: number): readonly SlippageLevel[] {
  return [levelOf(rate, ', as configured'), levelOf(Math.max(rate * 4, rate + worseMin), ', bad')];
}

/** Four times as much; nothing beyond five per cent. */
export function steeperLevel(rate: number): SlippageLevel | undefined {
  if (rate >= slippageMax) return undefined;
  return levelOf(Math.min(slippageMax, Math.max(rate, worseMin) * 4));
}

/** Assumed paths of a price through a bar, which gives open, high, low and close only. */
export function barModels(fills: BarFills): readonly BandModel<BarFills>[] {
  const { path, limits } = fills;
  return [
    {
      assumption: 'pessimistic',
      text: 'pessimistic path, limits through',
      fills: { ...fills, path: 'pessimistic', limits: 'through' },
    },
    { assumption: 'fitted', text: `${path} path, limits ${limits}`, fills },
    {
      assumption: 'optimistic',
      text: 'highFirst path, limits reach',
      fills: { ...fills, path: 'highFirst', limits: 'reach' },
    },
    {
      assumption: 'optimistic',
      text: 'lowFirst path, limits reach',
      fills: { ...fills, path: 'lowFirst', limits: 'reach' },
    },
  ];
}

function levelOf(rate: number, after = ''): SlippageLevel {
  const value = Number(rate.toFixed(10));
  return {
    value,
    rate: withoutZeros(value.toFixed(10)),
    text: `${Number((value * 10_000).toPrecision(6))} bp${after}`,
  };
}

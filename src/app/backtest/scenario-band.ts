import type { BandResult } from '../../research/report/band.ts';
import { readLatencyFile } from '../../research/scenario/latency-file.ts';
import type { LoadedScenario } from '../../research/scenario/load.ts';
import type { Scenario, ScenarioFills } from '../../research/scenario/scenario.ts';
import type { ScenarioWay } from '../../research/scenario/latency.ts';
import type { QueueFills, ShadowFills } from '../../research/scenario/tick-fills.ts';
import { beliefs, outcomeIn, shadowBeliefs } from './band.ts';
import { barModels, slippageLevels, steeperLevel } from './bar-band.ts';
import type { LatencyTold } from './latency-levels.ts';
import { latencyLevels, slowerLevel } from './latency-levels.ts';
import type { BandModel, BandOutcome, BandPlan } from './run-band.ts';
import { runBandPlan } from './run-band.ts';
import { runScenario } from './scenario-run.ts';

export interface ScenarioBandSetting {
  readonly loaded: LoadedScenario;
  readonly home: string;
  readonly currency: string;
  /** Told before each run. */
  readonly onRun?: ((text: string) => void) | undefined;
}

/**
 * The band of a scenario. On books: three beliefs about the queue, each at the median and the 99th percentile of the
 * latency. On bars, which know neither: three beliefs about the path of a bar, each at the slippage it names and a worse.
 */
export async function runScenarioBand(setting: ScenarioBandSetting): Promise<BandResult | string> {
  const { loaded, currency, onRun } = setting;
  const { fills, latency } = loaded.scenario;
  const common = { currency, onRun };
  if (fills.model === 'bars') {
    return await runBandPlan({
      ...common,
      axis: 'slippage',
      beliefs: barBeliefs,
      models: barModels(fills),
      levels: slippageLevels(Number(fills.slippage.rate)),
      worse: steeperLevel,
      run: async (own, { rate }) =>
        await outcomeOf(setting, { fills: { ...own, slippage: { ...own.slippage, rate } } }),
    });
  }
  const ways = {
    levels: latencyLevels(told(latency.entry, loaded), told(latency.report, loaded)),
    worse: slowerLevel,
  };
  const run: BandPlan<ScenarioFills, (typeof ways.levels)[number]>['run'] = async (own, level) =>
    await outcomeOf(setting, {
      fills: own,
      latency: { ...latency, entry: constant(level.entry), report: constant(level.report) },
    });
  return fills.model === 'shadow'
    ? await runBandPlan({
        ...common,
        ...ways,
        run,
        axis: 'latency',
        beliefs: shadowBeliefs,
        models: shadowModels(fills),
      })
    : await runBandPlan({
        ...common,
        ...ways,
        run,
        axis: 'latency',
        beliefs: queueBeliefs,
        models: queueModels(fills),
      });
}

const queueBeliefs =
  'Pessimistic: only trades move us forward, and what we take is missing from the book (risk-averse, impact). Fitted: the configured queue model. Optimistic: cancels come from ahead of us as likely as the quantities there (probability-power 1).';
const barBeliefs =
  'Pessimistic: limit orders fill only when the price goes beyond theirs, and a bar visits first what hurts most. Fitted: as the scenario says. Optimistic: limit orders fill when the price reaches theirs; a bar visits its high first, and in another run its low.';

function shadowModels(fills: ShadowFills): readonly BandModel<ScenarioFills>[] {
  return beliefs(fills.queue).map((model) => ({ ...model, fills: { ...fills, queue: model.fills } }));
}

/** Nobody fitted `risk-averse`: it is one of the ends. */
export function queueModels(fills: QueueFills): readonly BandModel<QueueFills>[] {
  const fitted = fills.queue === 'risk-averse' ? 'probability-log' : fills.queue;
  return [
    {
      belief: 'pessimistic',
      text: 'risk-averse, impact',
      fills: { ...fills, queue: 'risk-averse', impact: true },
    },
    { belief: 'fitted', text: fitted, fills: { ...fills, queue: fitted } },
    {
      belief: 'optimistic',
      text: 'probability-power 1',
      fills: { ...fills, queue: 'probability-power', power: 1, impact: false },
    },
  ];
}

function told(way: ScenarioWay, { pathOf }: LoadedScenario): LatencyTold {
  return 'file' in way
    ? { kind: 'measured', micros: readLatencyFile(pathOf(way.file), way.kind).micros }
    : way;
}

function constant(micros: number): { readonly kind: 'constant'; readonly micros: number } {
  return { kind: 'constant', micros };
}

/** The scenario with something else in it, and nothing written down. */
async function outcomeOf(
  { loaded, home, currency }: ScenarioBandSetting,
  change: Partial<Scenario>,
): Promise<BandOutcome> {
  const scenario = { ...loaded.scenario, sample: undefined, ...change };
  const { report, problems } = await runScenario({
    loaded: { ...loaded, scenario },
    home,
    details: () => {},
  });
  const outcome = report === undefined ? { profit: 0, fills: 0 } : outcomeIn(report, currency);
  return { ...outcome, problem: problems[0] };
}

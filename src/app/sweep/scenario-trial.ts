import type { Micros } from '../../core/base/clock.ts';
import { dailyValues, dayEnds } from '../../research/statistics/equity.ts';
import type { Summary } from '../../research/report/fold/summary.ts';
import { memoryRecording } from '../../research/scenario/memory-recording.ts';
import type { Scenario } from '../../research/scenario/scenario.ts';
import type { BarRunResult } from '../backtest/bar-run.ts';
import { isBarScenario } from '../../research/scenario/scenario.ts';
import { runBarScenario, runScenario } from '../backtest/scenario-run.ts';
import { amountsOf } from '../run/opening-balances.ts';
import { equityFigures } from './figures.ts';
import type {
  TrialBase,
  TrialOutcome,
  TrialPack,
  TrialParts,
  TrialTaker,
  TrialTask,
} from './trial-contract.ts';
import { outcomeOf, summedParts } from './trial-contract.ts';

type ScenarioBase = Extract<TrialBase, { kind: 'scenario' }>;

/** Runs a trial of a scenario: its clock is the span, its strategy gets the point. */
export async function runScenarioTrial(
  { scenario, file, sha256, home }: ScenarioBase,
  pack: TrialPack | undefined,
  task: TrialTask,
  taker?: TrialTaker,
): Promise<TrialOutcome> {
  const exporting = { details: taker !== undefined, exportRows: taker?.rows };
  const { point, from, until } = task;
  const { clock, strategy } = scenario;
  const own: Scenario = {
    ...scenario,
    clock: {
      ...clock,
      ...(from === undefined ? {} : { start: from }),
      ...(until === undefined ? {} : { end: lastOf(scenario, until) }),
    },
    strategy: { ...strategy, params: { ...strategy.params, ...point } },
  };
  if (isBarScenario(own)) {
    const recording = pack === undefined ? undefined : memoryRecording(pack.bytes, pack.label);
    const ended = await runBarScenario({ scenario: own, file, home, recording, ...exporting });
    if (ended.summary !== undefined) taker?.onSummary(ended.summary);
    return outcomeOf({ ...barParts(ended, scenario, task), digest: ended.digest, problems: ended.problems });
  }
  let summary: Summary | undefined;
  const { report, identity, problems } = await runScenario({
    loaded: { scenario: { ...own, sample: undefined }, file, sha256 },
    home,
    ...exporting,
    onSummary: (finished) => {
      summary = finished;
      taker?.onSummary(finished);
    },
    data:
      pack === undefined
        ? undefined
        : { recording: memoryRecording(pack.bytes, pack.label), prepared: pack.prepared },
  });
  if (summary === undefined || report === undefined) throw new Error('the run handed over no summary');
  const start = own.clock.start ?? summary.span?.start ?? (0 as Micros);
  return outcomeOf({
    ...summedParts({ summary, report, start }, task),
    digest: String(identity['decisions']),
    problems,
  });
}

/** The `clock.end` of a run without what is at `until`: on bars nothing at the end itself counts, on ticks it does. */
function lastOf(scenario: Scenario, until: Micros): Micros {
  return isBarScenario(scenario) ? until : ((until - 1) as Micros);
}

/** What a trial on bars came to. */
function barParts(
  { books, accounts, orders, doubts, start }: BarRunResult,
  { balances, report: options }: Scenario,
  { length }: TrialTask,
): Pick<TrialParts, 'figures' | 'currency' | 'line' | 'doubts'> {
  const { capital, profit, line: sampled, drawdown } = books.outcome(amountsOf(balances));
  const days = dailyValues(sampled.times, sampled.values);
  const ends = dayEnds(sampled.times);
  // From the start of the run on, as on ticks: equity is taken at the end of every bar.
  const line = { times: [start, ...sampled.times], values: [0, ...sampled.values] };
  const figures = {
    ...equityFigures(line, { drawdown, days, ends, options, capital, length }),
    profit,
    return: capital === undefined ? undefined : profit / capital,
    fills: books.fills.length,
    placed: orders.placed,
    denied: orders.denied,
    rejected: orders.rejected,
    cancels: orders.cancels,
    seconds: ((line.times.at(-1) ?? start) - start) / 1e6,
  };
  return { figures, currency: accounts[0]?.currency, line, doubts };
}

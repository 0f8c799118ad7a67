import type { Micros } from '../../core/base/clock.ts';
import { GodwitError } from '../../core/base/errors.ts';
import type { EquityLine } from '../../research/report/index.ts';
import { isBarScenario } from '../../research/scenario/bar-terms.ts';
import type { Scenario } from '../../research/scenario/scenario.ts';
import { dailyValues, dayEnds } from '../../research/statistics/index.ts';
import { memoryRecording } from '../../research/scenario/memory-recording.ts';
import type { BarRunResult } from '../backtest/index.ts';
import { runScenario } from '../backtest/scenario-run.ts';
import { amountsOf } from '../run/opening-balances.ts';
import type { ConfiguredScenario } from '../run/scenario.ts';
import { equityFigures } from './figures.ts';
import type { TrialOutcome, TrialPack, TrialParts, TrialTaker, TrialTask } from './trial-contract.ts';
import { outcomeOf, summedParts } from './trial-contract.ts';

const emptyLine: EquityLine = { times: [], values: [] };

/** Runs one trial: a backtest, event for event, which may end earlier. What goes wrong in it stands in its outcome: a bad trial ends no sweep. */
export async function runTrial(
  base: ConfiguredScenario,
  pack: TrialPack | undefined,
  task: TrialTask,
  taker?: TrialTaker,
): Promise<TrialOutcome> {
  try {
    const outcome = await run(base, pack, task, taker);
    return task.keepEquity === true ? outcome : { ...outcome, equity: emptyLine };
  } catch (error) {
    const failure = error instanceof GodwitError ? error.message : String(error);
    return { figures: {}, digest: '', failure, equity: emptyLine };
  }
}

async function run(
  base: ConfiguredScenario,
  pack: TrialPack | undefined,
  task: TrialTask,
  taker: TrialTaker | undefined,
): Promise<TrialOutcome> {
  const { summary, report, start, digest, problems, barRun } = await runScenario({
    loaded: trialOf(base, task),
    data: pack && { recording: memoryRecording(pack.bytes, pack.label), prepared: pack.prepared },
    details: taker !== undefined,
    exportRows: taker?.rows,
  });
  if (summary !== undefined) taker?.onSummary(summary);
  if (barRun !== undefined) return outcomeOf({ ...barParts(barRun, base.scenario, task), digest, problems });
  if (summary === undefined || report === undefined) throw new Error('the run handed over no summary');
  return outcomeOf({ ...summedParts({ summary, report, start }, task), digest, problems });
}

/** The scenario of a trial: its clock is the span, its strategy gets the point, and nothing is sampled or listed. */
function trialOf(base: ConfiguredScenario, { point, from, until }: TrialTask): ConfiguredScenario {
  const { scenario, config } = base;
  const clock = {
    ...scenario.clock,
    ...(from === undefined ? {} : { start: from }),
    ...(until === undefined ? {} : { end: lastOf(base, until) }),
  };
  const strategies = config.strategies.map((one) => ({ ...one, params: { ...one.params, ...point } }));
  return {
    ...base,
    scenario: { ...scenario, clock, sample: undefined },
    config: { ...config, strategies },
    lists: false,
  };
}

/** The `clock.end` of a run without what is at `until`: by exchange time what is at the end itself counts, on bars and by receipt it does not. */
function lastOf({ scenario, order }: ConfiguredScenario, until: Micros): Micros {
  return isBarScenario(scenario) || order === 'receipt' ? until : ((until - 1) as Micros);
}

/** Figures, equity and doubts of a trial on bars. */
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

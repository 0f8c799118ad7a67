import { dirname, isAbsolute, resolve } from 'node:path';
import type { Micros } from '../base/clock.ts';
import type { Summary } from '../report/summary.ts';
import { memoryRecording } from '../research/memory-recording.ts';
import type { Scenario } from '../research/scenario.ts';
import type { BarRunResult } from './bar-run.ts';
import { isBarScenario } from '../research/scenario.ts';
import { runBarScenario } from './bar-scenario.ts';
import { equityFigures, equityLineOf, reportFigures } from './sweep-figures.ts';
import type { TrialBase, TrialOutcome, TrialPack, TrialTask } from './trial-contract.ts';
import { outcomeOf } from './trial-contract.ts';
import { runTickScenario } from './tick-scenario.ts';

type ScenarioBase = Extract<TrialBase, { kind: 'scenario' }>;

/** Runs a trial of a scenario: its clock is the span, its strategy gets the point. */
export async function runScenarioTrial(
  { scenario, file, sha256, home }: ScenarioBase,
  pack: TrialPack | undefined,
  { point, from, until, currency }: TrialTask,
): Promise<TrialOutcome> {
  const { clock, strategy } = scenario;
  const own: Scenario = {
    ...scenario,
    clock: {
      ...clock,
      ...(from === undefined ? {} : { start: from }),
      ...(until === undefined ? {} : { end: (until - 1) as Micros }),
    },
    strategy: { ...strategy, params: { ...strategy.params, ...point } },
  };
  if (isBarScenario(own)) {
    const recording = pack === undefined ? undefined : memoryRecording(pack.bytes, pack.label);
    return barOutcome(await runBarScenario({ scenario: own, file, home, recording }));
  }
  const folder = dirname(resolve(file));
  let summary: Summary | undefined;
  const { report, identity, problems } = await runTickScenario({
    loaded: {
      scenario: { ...own, sample: undefined },
      file,
      sha256,
      pathOf: (path) => (isAbsolute(path) ? path : resolve(folder, path)),
    },
    home,
    summed: (finished) => {
      summary = finished;
    },
    data:
      pack === undefined
        ? undefined
        : { recording: memoryRecording(pack.bytes, pack.label), prepared: pack.prepared },
  });
  if (summary === undefined) throw new Error('the run handed over no summary');
  const line = equityLineOf(summary, own.clock.start ?? summary.span?.start ?? (0 as Micros), currency);
  const figures = report === undefined ? {} : reportFigures(report, currency);
  return outcomeOf({ ...equityFigures(line), ...figures }, line, String(identity['decisions']), problems);
}

function barOutcome({ books, orders, digest, problems }: BarRunResult): TrialOutcome {
  const { times, equity } = books.series();
  const start = equity[0] ?? 0;
  const line = { times: Array.from(times), values: Array.from(equity, (value) => value - start) };
  const profit = line.values.at(-1) ?? 0;
  const figures = {
    profit,
    return: start === 0 ? undefined : profit / start,
    fills: books.fills.length,
    placed: orders.placed,
    denied: orders.denied,
    rejected: orders.rejected,
    cancels: orders.cancels,
    seconds: ((line.times.at(-1) ?? 0) - (line.times[0] ?? 0)) / 1e6,
    ...equityFigures(line),
  };
  return outcomeOf(figures, line, digest, problems);
}

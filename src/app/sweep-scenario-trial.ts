import { dirname, isAbsolute, resolve } from 'node:path';
import type { Micros } from '../base/clock.ts';
import { seconds } from '../base/clock.ts';
import { memoryRecording } from '../research/memory-recording.ts';
import { scenarioColumns } from '../research/sample-columns.ts';
import type { Scenario } from '../research/scenario.ts';
import type { BarRunResult } from './bar-run.ts';
import { isBarScenario, runBarScenario } from './bar-scenario.ts';
import type { EquityLine } from './sweep-figures.ts';
import { equityFigures, reportFigures } from './sweep-figures.ts';
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
  const sample = {
    every: seconds(1),
    columns: [scenarioColumns.parse('time'), scenarioColumns.parse('profit')],
    last: true,
  };
  const { report, rows, identity, problems } = await runTickScenario({
    loaded: {
      scenario: { ...own, sample },
      file,
      sha256,
      pathOf: (path) => (isAbsolute(path) ? path : resolve(folder, path)),
    },
    home,
    data:
      pack === undefined
        ? undefined
        : { recording: memoryRecording(pack.bytes, pack.label), prepared: pack.prepared },
  });
  const line = lineOf(rows);
  const figures = report === undefined ? {} : reportFigures(report, currency);
  return outcomeOf({ ...equityFigures(line), ...figures }, line, String(identity['decisions']), problems);
}

function lineOf(rows: readonly (readonly unknown[])[]): EquityLine {
  const times: number[] = [];
  const values: number[] = [];
  for (const [time, profit] of rows) {
    times.push(Number(time));
    // Without a mid price nothing can be valued; before the first there is no profit either.
    values.push(profit === null || profit === undefined ? (values.at(-1) ?? 0) : Number(profit));
  }
  return { times, values };
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

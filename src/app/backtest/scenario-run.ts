import { formatAmount } from '../../core/base/amount.ts';
import type { Recording } from '../../data/recording/contract.ts';
import { runReport } from '../../research/report/run.ts';
import type { Summary } from '../../research/report/summary.ts';
import { loggedFill } from '../../research/scenario/fill-log.ts';
import { upkeepJson } from './bar-notes.ts';
import type { BarRunResult } from './bar-run.ts';
import { notesOfData } from '../../research/scenario/recording.ts';
import { isBarScenario } from '../../research/scenario/scenario.ts';
import { openBarData, runBarScenario } from './bar-scenario.ts';
import { scenarioConfig, scenarioIdentity } from '../run/scenario-config.ts';
import type { ScenarioResult, ScenarioRun } from './scenario-result.ts';
import { runTickScenario } from './tick-scenario.ts';

/** Runs a scenario with the runner its fill model needs. Throws `BadInput` in one sentence when it cannot begin. */
export async function runScenario(run: ScenarioRun): Promise<ScenarioResult> {
  const { loaded, home, watch, onProgress } = run;
  const { scenario, file } = loaded;
  if (!isBarScenario(scenario)) return await runTickScenario(run);
  const recording = await openBarData(scenario, file);
  let summary: Summary | undefined;
  const result = await runBarScenario({
    scenario,
    file,
    home,
    watch,
    recording,
    details: run.details === undefined ? undefined : (finished) => (summary = finished),
    onProgress: onProgress === undefined ? undefined : (_, time) => onProgress(time),
  });
  if (summary !== undefined) run.details?.(summary);
  return barResult(run, recording, result, summary);
}

function barResult(
  { loaded, home }: ScenarioRun,
  recording: Recording,
  result: BarRunResult,
  summary: Summary | undefined,
): ScenarioResult {
  const { digest, problems, books, strategies } = result;
  const data = { recording, prepared: 0 };
  const config = scenarioConfig(loaded, home);
  const identity = scenarioIdentity({ loaded, config, data, strategies, digest });
  return {
    name: loaded.scenario.name,
    identity,
    complete: problems.length === 0,
    problems,
    notes: notesOfData(recording, loaded.scenario),
    columns: [],
    rows: [],
    fills: books.fills.map((fill) =>
      loggedFill(fill, {
        instrument: fill.instrument,
        order: fill.request.clientOrderId,
        side: fill.side,
        told: fill.time,
      }),
    ),
    orders: [],
    ...(summary === undefined ? {} : { report: runReport(summary, { identity }) }),
    bars: barsOf(result),
  };
}

function barsOf(result: BarRunResult): object {
  const { bars, orders, denials, live, positions, accounts, statistics, upkeep } = result;
  return {
    bars,
    orders,
    denials,
    liveDenials: [...live.denials].map(([code, count]) => ({ code, count })),
    positions: Object.fromEntries(positions),
    accounts: accounts.map(({ currency, total, locked, free, equity }) => ({
      currency,
      total: formatAmount(total),
      locked: formatAmount(locked),
      free: formatAmount(free),
      equity: formatAmount(equity),
    })),
    ...upkeepJson(upkeep),
    statistics,
  };
}

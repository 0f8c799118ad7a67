import { formatAmount } from '../../core/base/amount.ts';
import type { Micros } from '../../core/base/clock.ts';
import type { Recording } from '../../data/recording/contract.ts';
import type { Event } from '../../core/model/event.ts';
import { runReport } from '../../research/report/sections/run.ts';
import type { RunRows } from '../../research/report/fold/run-rows.ts';
import { barRulesOf } from '../../research/scenario/bar-fills.ts';
import { loggedFill } from '../../research/scenario/fill-log.ts';
import { notesOfData } from '../../research/scenario/recording.ts';
import type { BarScenario } from '../../research/scenario/scenario.ts';
import { isBarScenario } from '../../research/scenario/scenario.ts';
import { checkBalances, checkColumns } from '../../research/scenario/terms.ts';
import { runToEnd } from '../run/drive.ts';
import { scenarioConfig, scenarioIdentity } from '../run/scenario-config.ts';
import { BarSpan, checkBarScenario, openBarData } from './bar-source.ts';
import { BarSamples } from './bar-samples.ts';
import type { BarRunResult } from './bar-run.ts';
import { runBars, sessionRollJson } from './bar-run.ts';
import type { ScenarioResult, ScenarioRun } from './scenario-result.ts';
import { openTickScenario } from './tick-run.ts';

/** Runs a scenario on the data its fill model needs. Throws `BadInput` in one sentence when it cannot begin. */
export async function runScenario(run: ScenarioRun): Promise<ScenarioResult> {
  const { loaded, home, watch, onProgress, details, exportRows } = run;
  const { scenario, file } = loaded;
  if (!isBarScenario(scenario)) return await runToEnd(async () => await openTickScenario(run));
  const recording = run.data?.recording ?? (await openBarData(scenario, file));
  const samples = scenario.sample === undefined ? undefined : new BarSamples(scenario, file);
  const result = await runBarScenario({
    samples,
    scenario,
    file,
    home,
    watch,
    recording,
    details,
    exportRows,
    onProgress: onProgress && ((_, time) => onProgress(time)),
  });
  if (result.summary !== undefined) run.onSummary?.(result.summary);
  return { ...barResult(run, recording, result), columns: samples?.columns ?? [], rows: samples?.rows ?? [] };
}

export interface BarScenarioSetting {
  readonly scenario: BarScenario;
  /** The scenario's file: paths in it are relative to its folder. */
  readonly file: string;
  /** Where the shipped strategies are: the parent of their folder. */
  readonly home?: string | undefined;
  /** The data, when it is open already; otherwise the files the scenario names. */
  readonly recording?: Recording | undefined;
  readonly watch?: ((event: Event) => void) | undefined;
  readonly onProgress?: ((bars: number, time: Micros) => void) | undefined;
  /** Also collects what a full report shows. */
  readonly details?: boolean | undefined;
  /** Takes the samples of the scenario. */
  readonly samples?: BarSamples | undefined;
  /** Takes every row of the run, for an export; with details. */
  readonly exportRows?: RunRows | undefined;
}

/** Runs a scenario whose fill model is `bars`. Throws `BadInput` in one sentence when data and scenario do not fit. */
export async function runBarScenario(setting: BarScenarioSetting): Promise<BarRunResult> {
  const { scenario, file, watch, details, samples, exportRows, onProgress } = setting;
  const { clock, fills } = scenario;
  checkBarScenario(scenario, file);
  const recording = setting.recording ?? (await openBarData(scenario, file));
  checkBalances(scenario.balances, recording.instruments, file);
  checkColumns(scenario, recording.instruments, file);
  const config = scenarioConfig(setting, setting.home ?? '.');
  const span = new BarSpan(recording.events(), {
    start: clock.start ?? 0,
    end: clock.end ?? Number.POSITIVE_INFINITY,
    historyMax: config.state.candlesMax,
  });
  return await runBars({
    config,
    instruments: recording.instruments,
    events: span.events(),
    history: (time) => span.history(time),
    rules: barRulesOf(fills),
    until: clock.end,
    balances: scenario.balances,
    watch,
    details,
    samples,
    exportRows,
    onProgress,
  });
}

function barResult(
  { loaded, home }: ScenarioRun,
  recording: Recording,
  result: BarRunResult,
): Omit<ScenarioResult, 'columns' | 'rows'> {
  const { digest, complete, problems, books, strategies, summary } = result;
  const data = { recording, prepared: 0 };
  const config = scenarioConfig(loaded, home);
  const identity = scenarioIdentity({ loaded, config, data, strategies, digest });
  return {
    name: loaded.scenario.name,
    identity,
    complete,
    problems,
    notes: notesOfData(recording, loaded.scenario),
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
  const { bars, orders, denials, live, positions, accounts, statistics, sessionRoll } = result;
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
    ...sessionRollJson(sessionRoll),
    statistics,
  };
}

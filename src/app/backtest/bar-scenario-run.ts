import { formatAmount } from '../../core/base/amount.ts';
import { fail } from '../../core/base/assert.ts';
import { runReport } from '../../research/report/index.ts';
import {
  barRulesOf,
  isBarScenario,
  notesOfData,
  loggedFill,
  checkBalances,
  checkColumns,
} from '../../research/scenario/index.ts';
import type { LoggedFill } from '../../research/scenario/index.ts';
import type { BarFill } from '../../sim/fill-models/bars/index.ts';
import { noSharesOf } from '../run/account.ts';
import { titleOf } from '../run/assembly.ts';
import { identityOf } from '../run/identity.ts';
import { barBalances } from '../run/opening-balances.ts';
import { BarSpan, checkBarScenario, openBarData } from './bar-source.ts';
import { BarSamples } from './bar-samples.ts';
import type { BarRunResult } from './bar-run.ts';
import { runBars, sessionRollJson } from './bar-run.ts';
import type { ScenarioResult, ScenarioRun } from './scenario-result.ts';

/** Runs a scenario whose fill model is `bars`. Throws `BadInput` in one sentence when data and scenario do not fit. */
export async function runBarScenario(run: ScenarioRun): Promise<ScenarioResult> {
  const { loaded, watch, details, exportRows, onProgress } = run;
  const { scenario, file, config } = loaded;
  if (!isBarScenario(scenario)) fail('a scenario on bars has their fill model');
  const { clock, fills } = scenario;
  checkBarScenario(scenario, file);
  const recording = run.data?.recording ?? (await openBarData(scenario, file));
  const { instruments } = recording;
  const isAssumed = loaded.account === 'configuration';
  const balances = isAssumed ? barBalances(config.backtest.balances, instruments) : scenario.balances;
  checkBalances(balances, instruments, file);
  checkColumns(scenario, instruments, file);
  const samples = scenario.sample === undefined ? undefined : new BarSamples(scenario, file);
  const span = new BarSpan(recording.events(), {
    start: clock.start ?? 0,
    end: clock.end ?? Number.POSITIVE_INFINITY,
    historyMax: config.state.candlesMax,
  });
  const barRun = await runBars({
    config,
    instruments,
    events: span.events(),
    history: (time) => span.history(time),
    rules: barRulesOf(fills),
    series: loaded,
    until: clock.end,
    balances,
    watch,
    details,
    samples,
    exportRows,
    onProgress: onProgress && ((_, time) => onProgress(time, undefined)),
  });
  const { digest, complete, problems, books, strategies, summary, start, cut } = barRun;
  const identity = identityOf({ loaded, recording, strategies, digest });
  const names = config.strategies.map(({ name }) => name);
  return {
    name: scenario.name === '' && summary !== undefined ? titleOf(names, summary) : scenario.name,
    identity,
    complete,
    problems,
    notes: notesOfData(recording, scenario),
    fills: loaded.lists ? books.fills.map(listedFill) : [],
    orders: [],
    ...(summary === undefined
      ? {}
      : { report: runReport(summary, { identity, noShares: noSharesOf(loaded) }) }),
    bars: barsOf(barRun),
    columns: samples?.columns ?? [],
    rows: samples?.rows ?? [],
    barRun,
    summary,
    start,
    digest,
    changes: undefined,
    cut,
  };
}

function listedFill(fill: BarFill): LoggedFill {
  const { instrument, side, time, request } = fill;
  return loggedFill(fill, { instrument, order: request.clientOrderId, side, told: time });
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

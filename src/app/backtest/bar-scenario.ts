import { dirname, resolve } from 'node:path';
import type { Micros } from '../../core/base/clock.ts';
import type { Recording } from '../../data/recording/contract.ts';
import { openData } from '../../data/open/market-data.ts';
import type { Event } from '../../core/model/event.ts';
import type { InstrumentSpec } from '../../core/model/instrument.ts';
import type { Summary } from '../../research/report/summary.ts';
import { barRulesOf } from '../../research/scenario/bar-fills.ts';
import { mergedSpecs, namesFor, spotSpec } from '../../research/scenario/recording.ts';
import { checkBalances } from '../../research/scenario/terms.ts';
import type { BarScenario, Scenario } from '../../research/scenario/scenario.ts';
import { checkBarScenario } from './bar-refusals.ts';
import type { BarRunResult, BarStatisticsOptions } from './bar-run.ts';
import { runBars } from './bar-run.ts';
import { BarSpan } from './bar-span.ts';
import { scenarioConfig } from '../run/scenario-config.ts';

export interface BarScenarioSetting {
  readonly scenario: BarScenario;
  /** The scenario's file: paths in it are relative to its folder. */
  readonly file: string;
  /** Where the shipped strategies are: the parent of their folder. */
  readonly home?: string | undefined;
  /** The data, when it is open already; otherwise the files the scenario names. */
  readonly recording?: Recording | undefined;
  readonly watch?: ((event: Event) => void) | undefined;
  readonly statistics?: BarStatisticsOptions | undefined;
  readonly onProgress?: ((bars: number, time: Micros) => void) | undefined;
  /** Also collects what a full report shows, and hands it over when the run has ended. */
  readonly details?: ((summary: Summary) => void) | undefined;
}

/** Runs a scenario whose fill model is `bars`. Throws `BadInput` in one sentence when data and scenario do not fit. */
export async function runBarScenario(setting: BarScenarioSetting): Promise<BarRunResult> {
  const { scenario, file, watch, statistics, details, onProgress } = setting;
  const { clock, fills } = scenario;
  checkBarScenario(scenario, file);
  const recording = setting.recording ?? (await openBarData(scenario, file));
  checkBalances(scenario.balances, recording.instruments, file);
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
    balances: scenario.balances,
    watch,
    statistics,
    details,
    onProgress,
  });
}

/** Opens the files of a scenario on bars; what it says of its instrument counts. */
export async function openBarData(scenario: Scenario, file: string): Promise<Recording> {
  const folder = dirname(file);
  const { data, instrument } = scenario;
  const { format } = scenario.import;
  const paths = data.map(({ path }) => resolve(folder, path));
  const names = { ...(await namesFor(paths[0], instrument)), ...(format === undefined ? {} : { format }) };
  // A run goes as far as the data do, and says where they end.
  const open = (instruments?: readonly InstrumentSpec[]): Promise<Recording> =>
    openData(paths, { partial: true, ...names, ...(instruments === undefined ? {} : { instruments }) });
  const spec = specOf(instrument);
  if (spec !== undefined) return await open([spec]);
  const recording = await open();
  return instrument === undefined
    ? recording
    : await open(mergedSpecs(recording.instruments, instrument, file));
}

/** The instrument as the scenario tells it, when it tells all that data of bars cannot. */
function specOf(instrument: Scenario['instrument']): InstrumentSpec | undefined {
  if (instrument?.tick === undefined || instrument.lot === undefined) return undefined;
  const { symbol, base = symbol, quote = 'USD', contract, tick, lot } = instrument;
  const { fees = { taker: '0', maker: '0' } } = instrument;
  // The account of the fill model decides how it is settled; the order controls know spot symbols only.
  const spec = spotSpec({ symbol, base, quote, tick, lot, fees });
  return contract === undefined ? spec : { ...spec, contractSize: contract };
}

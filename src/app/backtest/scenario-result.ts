import type { Micros } from '../../core/base/clock.ts';
import type { Event } from '../../core/model/event.ts';
import type { RunReport, RunRows, Summary } from '../../research/report/index.ts';
import type { LoggedFill, OrderTimeline, ScenarioData, SampleValue } from '../../research/scenario/index.ts';
import type { RunResult } from '../run/drive.ts';
import type { LiquidationsJson } from '../run/position-notes.ts';
import type { ConfiguredScenario } from '../run/scenario.ts';
import type { BarRunResult } from './bar-run.ts';

/** Scenario to run, and options of the run. */
export interface ScenarioRun {
  readonly loaded: ConfiguredScenario;
  /** The data, when it is open already; otherwise the files the scenario names. */
  readonly data?: ScenarioData | undefined;
  /** Shows every event of the run, after it was recorded. */
  readonly watch?: ((event: Event) => void) | undefined;
  /** Called now and then with the time, and how many level changes and trades have passed where they are counted. */
  readonly onProgress?: ((time: Micros, changes: number | undefined) => void) | undefined;
  /** Also collects what a full report shows. */
  readonly details?: boolean | undefined;
  /** Takes every row of the run, for an export; with details. */
  readonly exportRows?: RunRows | undefined;
}

/** Result of a scenario. */
export interface ScenarioResult extends RunResult {
  /** That of the scenario; where it has none, strategies and what they traded. */
  readonly name: string;
  /** Hashes of code, data and decisions, seed, fill and latency model. */
  readonly identity: Readonly<Record<string, string | number>>;
  readonly notes: readonly string[];
  readonly columns: readonly string[];
  /** One list of values per sample, in the order of `columns`. */
  readonly rows: readonly (readonly SampleValue[])[];
  /** Own fills and orders, where the scenario lists them. */
  readonly fills: readonly LoggedFill[];
  readonly orders: readonly OrderTimeline[];
  /** There for runs on books and trades, and for runs on bars whose details were asked for; `summary` likewise. */
  readonly report?: RunReport | undefined;
  readonly summary: Summary | undefined;
  /** There for runs on books and trades where positions may be liquidated. */
  readonly liquidations?: LiquidationsJson | undefined;
  /** There for runs on bars: what they count and come to, as plain JSON, and everything they made. */
  readonly bars?: object | undefined;
  readonly barRun?: BarRunResult | undefined;
  /** When the clock started. */
  readonly start: Micros;
  /** Chain hash over everything that happened: same data, configuration, seed and code, same digest. */
  readonly digest: string;
  /** Level changes and trades that passed, where they are counted. */
  readonly changes: number | undefined;
  /** Why the run ended before the data did, in one sentence. */
  readonly cut: string | undefined;
}

/** Everything that a result lists, as plain JSON. */
export function listingOf(result: ScenarioResult): object {
  const {
    summary: _,
    barRun: _run,
    start: _start,
    digest: _digest,
    changes: _changes,
    cut: _cut,
    ...listing
  } = result;
  return listing;
}

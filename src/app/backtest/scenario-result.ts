import type { Micros } from '../../core/base/clock.ts';
import type { Event } from '../../core/model/event.ts';
import type { RunReport } from '../../research/report/sections/run.ts';
import type { RunRows } from '../../research/report/fold/run-rows.ts';
import type { Summary } from '../../research/report/fold/summary.ts';
import type { LoggedFill, OrderTimeline } from '../../research/scenario/fill-log.ts';
import type { LoadedScenario } from '../../research/scenario/load.ts';
import type { ScenarioData } from '../../research/scenario/recording.ts';
import type { SampleValue } from '../../research/scenario/sampler.ts';
import type { RunResult } from '../run/drive.ts';
import type { LiquidationsJson } from '../run/position-notes.ts';

/** What a scenario is run with besides itself. */
export interface ScenarioRun {
  readonly loaded: LoadedScenario;
  /** The folder of the shipped strategies' parent. */
  readonly home: string;
  /** The data, when it is open already; otherwise the files the scenario names. */
  readonly data?: ScenarioData | undefined;
  /** Shows every event of the run, after it was recorded. */
  readonly watch?: ((event: Event) => void) | undefined;
  readonly onProgress?: ((time: Micros) => void) | undefined;
  /** Also collects what a full report shows. */
  readonly details?: boolean | undefined;
  /** Takes every row of the run, for an export; with details. */
  readonly exportRows?: RunRows | undefined;
  /** Receives the summary when the run has ended: of a run on books and trades, and of one on bars with details. */
  readonly onSummary?: ((summary: Summary) => void) | undefined;
}

/** What comes of a scenario, as plain JSON. */
export interface ScenarioResult extends RunResult {
  readonly name: string;
  /** Hashes of code, data and decisions, seed, fill and latency model. */
  readonly identity: Readonly<Record<string, string | number>>;
  readonly notes: readonly string[];
  readonly columns: readonly string[];
  /** One list of values per sample, in the order of `columns`. */
  readonly rows: readonly (readonly SampleValue[])[];
  readonly fills: readonly LoggedFill[];
  readonly orders: readonly OrderTimeline[];
  /** There for runs on books and trades, and for runs on bars whose details were asked for. */
  readonly report?: RunReport | undefined;
  /** There for runs on books and trades where positions may be liquidated. */
  readonly liquidations?: LiquidationsJson | undefined;
  /** There for runs on bars: what they count and come to. */
  readonly bars?: object | undefined;
}

import type { LoadedScenario } from '../../research/scenario/index.ts';
import type { ReportedSetting } from '../../research/report/index.ts';
import type { SeriesTable } from '../../data/series/index.ts';
import type { Config } from '../config/schema.ts';

/**
 * One backtest, whole: a scenario and the configuration of its run, as plain values that threads and other machines can be sent.
 * A configuration and a recording make the default scenario, which differs from a scenario file in the terms below.
 */
export interface ConfiguredScenario extends LoadedScenario {
  /** Strategies, seed, and the sections of the configuration. */
  readonly config: Config;
  /** The series that the configuration names, once they were read. */
  readonly series?: readonly SeriesTable[] | undefined;
  /**
   * Order in which market data meet the market. `receipt`: as they were recorded, from the first to the last, or up to what is received
   * at the end of the clock. `exchange`: by exchange time, as far as the clock goes, on the market that stands when it starts.
   */
  readonly order: 'receipt' | 'exchange';
  /**
   * Source of what the account holds and what is traded on it. `scenario`: balances and products of the scenario. `configuration`: section
   * `backtest`, a million of each traded currency where it names none, and the products that strategies declare.
   */
  readonly account: 'scenario' | 'configuration';
  /** Whether the result lists fills and orders. */
  readonly lists: boolean;
  readonly names: ScenarioNames;
}

/** Terms by which reports and the trial log tell one run from another, as the scenario or the configuration says them. */
export interface ScenarioNames {
  /** Everything that decides about the run, for the hash in the head of a report. */
  readonly deciding: Readonly<Record<string, unknown>>;
  /** Hash of everything that is said of the run, by which a sweep knows its trials. */
  readonly said: string;
  /** Everything that makes a run another attempt on the same data, besides strategies and parameters. */
  readonly attempt: Readonly<Record<string, unknown>>;
  /** Settings that are not the defaults. */
  readonly settings: readonly ReportedSetting[];
}

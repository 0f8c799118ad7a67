import type { CommonOptions, StrategyOptions } from './command-options.ts';

/** Options of `sweep` and `walk-forward`. */
export interface SweepFlags extends CommonOptions, StrategyOptions {
  readonly space?: readonly string[];
  readonly search?: string;
  readonly trials?: number;
  readonly objective?: string;
  readonly seed?: number;
  readonly split?: number;
  readonly top?: number;
  readonly workers?: number;
  readonly store?: string;
  readonly ledger?: string;
  readonly resume: boolean;
  readonly csv?: string;
  readonly queue?: string;
  readonly timeout?: number;
  readonly train?: string;
  readonly test?: string;
  readonly step?: string;
  readonly anchored?: boolean;
  readonly html?: string;
  readonly save?: boolean;
}

import type { ConfiguredScenario } from '../run/scenario.ts';
import type { RunTimeline } from '../../research/checks/index.ts';

/** Task that a process of a check runs, over and over. */
export interface CheckTask {
  /** The data, as a pack. Read before the strategy is loaded; it may then be removed. */
  readonly pack: string;
  /** How many events at its beginning only build the market. */
  readonly prepared: number;
  readonly loaded: ConfiguredScenario;
  readonly home: string;
  /** Files or folders in which an order call counts as the strategy's. */
  readonly sources: readonly string[];
  /** Files that these import from elsewhere: their lines count too. */
  readonly imports: readonly string[];
  /** Another ambient clock and other ambient random numbers than those of the machine. */
  readonly strange: boolean;
}

/** One run of the task. */
export interface CheckRequest {
  /** Times at which the digest of everything up to then is wanted, ascending. */
  readonly cuts: readonly number[];
  /** Another future behind `cut`; the run ends soon after it. */
  readonly future?: { readonly cut: number; readonly seed: number } | undefined;
  /** The data begins here instead. */
  readonly from?: number | undefined;
  /** Run in this many threads at once, each with its own copy of everything: one timeline each. */
  readonly threads?: number | undefined;
}

/** Something a strategy reached for that a run does not hand it, and from where. */
export interface Touch {
  readonly what: string;
  /** `file:line` inside the strategy. */
  readonly site: string;
}

export interface CheckAnswer {
  readonly timelines: readonly RunTimeline[];
  /** Since the last answer; each place once. */
  readonly touches: readonly Touch[];
}

export type ToCheck = { readonly task: CheckTask } | { readonly request: CheckRequest };
export type FromCheck =
  /** The task is loaded, and the pack is read. */
  | { readonly ready: true }
  | { readonly answer: CheckAnswer }
  /** `code` is that of a `GodwitError`; `touches`: what the strategy had reached for until then. */
  | { readonly failed: string; readonly code: string | undefined; readonly touches: readonly Touch[] };

import type { Doubt } from '../../research/report/document/index.ts';
import { trialDoubts } from '../../research/report/figures/run-doubts.ts';
import type { RunRows, EquityCurve, EquityLine, Summary } from '../../research/report/fold/index.ts';
import type { RunReport } from '../../research/report/sections/run.ts';
import { amountToNumber } from '../../core/base/amount.ts';
import type { Micros } from '../../core/base/clock.ts';
import type { Point } from '../../research/search/index.ts';
import type { TrialFigures } from './figures.ts';
import { equityFigures, reportFigures, thinned, withValues } from './figures.ts';

/** Data in memory. */
export interface TrialPack {
  readonly bytes: Uint8Array;
  readonly label: string;
  /** How many events at its beginning only build the market. */
  readonly prepared: number;
}

/** One trial: what is different from the others. */
export interface TrialTask {
  readonly point: Point;
  /** Where the clock starts, of a scenario that has one. */
  readonly from?: Micros | undefined;
  /** Where the run ends; with the data when left out. */
  readonly until?: Micros | undefined;
  readonly currency?: string | undefined;
  /** The length of its window, in microseconds: what a profit a day is of. From end to end of the run when left out. */
  readonly length?: number | undefined;
  /** Whether the equity curve is wanted as well. */
  readonly keepEquity?: boolean | undefined;
}

/** Takes all that a trial makes, where it is run again for an export. */
export interface TrialTaker {
  readonly rows: RunRows;
  /** When it has ended. */
  readonly onSummary: (summary: Summary) => void;
}

/** Outcome of a trial, as plain JSON. */
export interface TrialOutcome {
  readonly figures: TrialFigures;
  /** Currency of its money; `undefined` where nothing was traded and none was named. */
  readonly currency?: string | undefined;
  /** Hash over everything that happened. */
  readonly digest: string;
  /** Why it failed, in one sentence. */
  readonly failure?: string | undefined;
  readonly equity: EquityLine;
  /** Doubts about its result; left out where nothing does. */
  readonly doubts?: readonly Doubt[] | undefined;
}

const samplesMax = 500;

/** Result of a run. */
export interface TrialParts {
  readonly figures: Readonly<Record<string, number | undefined>>;
  readonly currency: string | undefined;
  readonly line: EquityLine;
  readonly digest: string;
  readonly problems: readonly string[];
  readonly doubts: readonly Doubt[];
}

/** Joins what a run came to; the first problem makes it a failed one. */
export function outcomeOf({ figures, currency, line, digest, problems, doubts }: TrialParts): TrialOutcome {
  const [failure] = problems;
  return {
    figures: withValues(figures),
    ...(currency === undefined ? {} : { currency }),
    digest,
    ...(failure === undefined ? {} : { failure }),
    equity: thinned(line, samplesMax),
    ...(doubts.length === 0 ? {} : { doubts }),
  };
}

/** A trial on books and trades that has ended. */
export interface SummedTrial {
  readonly summary: Summary;
  readonly report: RunReport;
  /** When the clock started. */
  readonly start: Micros;
}

/** Result in the currency of the task; in the first that was traded when that names none. */
export function summedParts(
  { summary, report, start }: SummedTrial,
  task: TrialTask,
): Pick<TrialParts, 'figures' | 'currency' | 'line' | 'doubts'> {
  const currency = task.currency ?? report.results[0]?.currency;
  const curve = summary.curves().get(currency ?? '');
  const worth = summary.startOf(currency ?? '');
  const basis = {
    drawdown: curve === undefined ? 0 : amountToNumber(curve.drawdownMax),
    days: summary.days.in(currency ?? ''),
    ends: summary.days.ends,
    options: summary.figures,
    capital: Number.isNaN(worth) ? undefined : worth,
    length: task.length,
  };
  const line = lineOf(curve, start, summary.span?.end ?? start);
  const doubts = trialDoubts(summary.signs, summary.tally);
  return {
    currency,
    line,
    doubts,
    figures: { ...equityFigures(line, basis), ...reportFigures(report, currency) },
  };
}

/** Profit from the start of the run to its end; before the first fill there is none. */
function lineOf(curve: EquityCurve | undefined, start: Micros, end: Micros): EquityLine {
  const samples = curve?.samples() ?? [];
  const last = curve === undefined ? 0 : amountToNumber(curve.last);
  return {
    times: [start, ...samples.map(({ time }) => time), end],
    values: [0, ...samples.map(({ equity }) => amountToNumber(equity)), last],
  };
}

/** Runner of trials: threads of this machine, or workers behind a queue. */
export interface TrialRunner {
  /** The data of all tasks handed in from now on. */
  use(pack: TrialPack | undefined): Promise<void>;
  /** Resolves with what came of the trial, which `key` names among all that were ever run; rejects only when nothing is left to run it. */
  run(task: TrialTask, key: string): Promise<TrialOutcome>;
  /** Lets go of everything; trials under way are dropped. */
  close(): Promise<void>;
}

/** A message to a worker. Bytes are shared, not copied. */
export type ToSweepWorker =
  | { readonly type: 'pack'; readonly pack: TrialPack | undefined }
  | { readonly type: 'run'; readonly task: TrialTask };

/** A message from a worker: the outcome of its trial, or what a strategy threw after the trial had ended. */
export type FromSweepWorker = TrialOutcome | { readonly late: string };

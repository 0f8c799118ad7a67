import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { GodwitError } from '../../core/base/errors.ts';
import type {
  BandResult,
  DocumentSetting,
  ReportDocument,
  Doubt,
  Summary,
  TrialCount,
} from '../../research/report/index.ts';
import {
  dailySharpe,
  makeDocument,
  figureOf,
  readReport,
  storeReport,
  closedTradesCsv,
  appendTrial,
  trialsOn,
} from '../../research/report/index.ts';
import { codeHash } from '../run/code-hash.ts';
import { dataHash } from '../run/hashes.ts';
import { keepNewestRuns, trialLogIn, runsDirectory } from '../run/kept-files.ts';
import type { Output } from '../process/output.ts';
import type { TrialKey } from '../run/trial-key.ts';

/** Wishes of a person for the report of a backtest. */
export interface ReportOptions {
  /** Another place for the page, besides that in the run directory. */
  readonly html?: string | undefined;
  /** A directory for everything the run makes, as tables. */
  readonly export?: string | undefined;
  /** Where to write all closed trades as CSV, besides the run directory. */
  readonly trades?: string | undefined;
  /** Keep the report and count the trial; otherwise nothing is written but `html`. */
  readonly save: boolean;
  /** Run the band: the same run with other fill assumptions. When not said, where the data is small. */
  readonly band?: boolean | undefined;
  /** A name for the run: it is kept under it, and never put away. */
  readonly name?: string | undefined;
  /** The command as it was typed, without secrets. */
  readonly command?: string | undefined;
  /** How many runs without a name are kept; 200 when left out. */
  readonly keep?: number | undefined;
  /** Where reports, grades and the trial log are kept; `runs` when left out. */
  readonly directory?: string | undefined;
}

const keepDefault = 200;

/** Hashes of what a run was made of. */
export interface RunHashes {
  readonly data: string;
  readonly code: string;
}

export function hashesOf(paths: readonly string[]): RunHashes {
  return { data: dataHash(paths), code: codeHash() };
}

export interface FinishedBacktest {
  readonly title: string;
  /** About its data. */
  readonly doubts: readonly Doubt[];
  readonly summary: Summary;
  readonly identity: Readonly<Record<string, string | number>>;
  readonly hashes: RunHashes;
  readonly trial: TrialKey;
  /** Why shares of equity say nothing, when they do not. */
  readonly noShares?: string | undefined;
  /** Problems that cut the run short: such a run is no trial, for its result is none of these data. */
  readonly problems: readonly string[];
  /** The band, or why it was not run. */
  readonly band: BandResult | string;
  readonly notes?: readonly string[] | undefined;
  /** Parameters of its strategies, and settings that are not the defaults. */
  readonly settings: Pick<DocumentSetting, 'parameters' | 'settings'>;
}

/**
 * Makes the report, counts the trial, keeps both and says where. A disk that refuses costs the files, not the report:
 * `output` says so. The page that `options.html` names is written by `writePage`, once the report is printed.
 */
export function reportBacktest(
  finished: FinishedBacktest,
  options: ReportOptions,
  output: Output,
): ReportDocument {
  const { summary, title, doubts, band, hashes, trial, notes = [] } = finished;
  const { decisions = '', ...identity } = finished.identity;
  const { save, name, keep = keepDefault, directory = runsDirectory } = options;
  for (const line of summary.details?.notes.urgent ?? []) output.progress(line);
  const isWhole = finished.problems.length === 0;
  const trials = save && isWhole ? count(finished, directory, output) : undefined;
  const document = makeDocument(summary, {
    title,
    doubts,
    identity: {
      ...identity,
      'data hash': hashes.data,
      code: hashes.code,
      trials: trials?.count ?? 'not counted',
      decisions,
    },
    noShares: finished.noShares,
    trials,
    noTrial: isWhole ? undefined : 'not counted: the run was cut short',
    band,
    ...finished.settings,
    command: options.command,
    walkForward: knownEfficiency(directory, hashes.data, trial.code),
    notes,
  });
  if (save) {
    attemptOnDisk(output, 'the report was not kept', () => {
      const home = join(directory, 'backtests');
      const stored = storeReport(
        join(home, name ?? String(decisions).slice(0, 16)),
        document,
        closedTradesCsv(summary),
      );
      output.progress(`report: ${stored.html}`);
      keepNewestRuns(home, keep);
    });
  }
  return document;
}

function count(
  { summary, identity, hashes: { data }, trial }: FinishedBacktest,
  directory: string,
  output: Output,
): TrialCount | undefined {
  const trialLog = trialLogIn(directory);
  return attemptOnDisk(output, 'the trial was not counted', () => {
    appendTrial(trialLog, {
      data,
      ...trial,
      sharpe: dailySharpe(summary),
      decisions: String(identity['decisions']),
      types: [...summary.tally.asked],
    });
    return trialsOn(trialLog, data);
  });
}

/** Answer of `act`, or `undefined` after the disk refused. */
export function attemptOnDisk<Answer>(output: Output, what: string, act: () => Answer): Answer | undefined {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
    output.progress(`${what}: ${error.message}`);
    return undefined;
  }
}

/** Where the walk-forwards of a directory of runs are kept. */
export function walksIn(runs: string): string {
  return join(runs, 'walk-forwards');
}

/** The place of the latest walk-forward of a strategy (`code`: the hash of its files) on some data. */
export function walkDirectory(runs: string, data: string, code: string): string {
  return join(walksIn(runs), createHash('sha256').update(`${data}\n${code}`).digest('hex').slice(0, 16));
}

/** Efficiency that the walk-forward found: a fraction, why there was none, or `undefined` when none was run. */
export function knownEfficiency(runs: string, data: string, code: string): number | string | undefined {
  const directory = walkDirectory(runs, data, code);
  if (!existsSync(directory)) return undefined;
  try {
    const figure = figureOf(readReport(directory), 'robustness.walkForward');
    return figure?.number ?? figure?.reason;
  } catch (error) {
    if (error instanceof GodwitError) return undefined;
    throw error;
  }
}

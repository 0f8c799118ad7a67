import { join } from 'node:path';
import type { Amount } from '../base/amount.ts';
import type { BandResult } from '../report/band.ts';
import { dailySharpe, makeDocument } from '../report/make-document.ts';
import type { ReportDocument } from '../report/report-document.ts';
import { storePage, storeReport } from '../report/stored-report.ts';
import type { Summary } from '../report/summary.ts';
import type { TrialCount } from '../report/trial-ledger.ts';
import { appendTrial, trialsOn } from '../report/trial-ledger.ts';
import { codeHash } from './code-hash.ts';
import { dataHash } from './recording-hash.ts';
import type { Output } from './output.ts';

/** What a person wants done with the report of a backtest. */
export interface ReportWishes {
  /** Another place for the page, besides that in the run directory. */
  readonly html?: string | undefined;
  /** Keep the report and count the trial; otherwise nothing is written but `html`. */
  readonly save: boolean;
  /** Run the band: the same run with other beliefs. */
  readonly band: boolean;
}

/** What a run was made of. */
export interface RunHashes {
  readonly data: string;
  readonly code: string;
}

export function hashesOf(paths: readonly string[]): RunHashes {
  return { data: dataHash(paths), code: codeHash() };
}

export interface FinishedBacktest {
  readonly title: string;
  readonly warning: string;
  readonly summary: Summary;
  readonly identity: Readonly<Record<string, string | number>>;
  readonly hashes: RunHashes;
  readonly opening?: ReadonlyMap<string, Amount> | undefined;
  /** Why shares of equity say nothing, when they do not. */
  readonly noShares?: string | undefined;
  readonly band?: BandResult | undefined;
  readonly bandNotRun: string;
  readonly notes?: readonly string[] | undefined;
}

/** Where backtests leave their reports, and where all trials are counted. */
const home = 'runs/backtests';
const ledger = 'runs/trials.ndjson';

/**
 * Makes the report, counts the trial, writes the files and says where they are. A disk that refuses costs the files, not
 * the report: `output` is told.
 */
export function reportBacktest(
  finished: FinishedBacktest,
  wishes: ReportWishes,
  output: Output,
): ReportDocument {
  const { summary, opening, title, warning, band, bandNotRun, hashes, notes = [] } = finished;
  const { decisions = '', ...identity } = finished.identity;
  const trials = wishes.save ? count(finished, output) : undefined;
  const document = makeDocument(summary, {
    title,
    warning,
    identity: { ...identity, 'data hash': hashes.data, code: hashes.code, decisions },
    opening,
    noShares: finished.noShares,
    trials,
    band,
    bandNotRun,
    watchedWaits: true,
    notes,
  });
  const { html } = wishes;
  if (html !== undefined) {
    storePage(html, document);
    output.progress(`report: ${html}`);
  }
  if (wishes.save) {
    attempt(output, 'the report was not kept', () => {
      const stored = storeReport(join(home, String(decisions).slice(0, 16)), document);
      output.progress(`report: ${stored.html}`);
    });
  }
  return document;
}

function count(
  { summary, opening, identity, hashes: { data } }: FinishedBacktest,
  output: Output,
): TrialCount | undefined {
  return attempt(output, 'the trial was not counted', () => {
    appendTrial(ledger, {
      data,
      config: [identity['configuration'], identity['scenario']]
        .filter((part) => part !== undefined)
        .join(' '),
      // A new version of Godwit is no new attempt at a strategy: its own hash does not count here.
      code: String(identity['strategy']),
      sharpe: dailySharpe(summary, opening),
      decisions: String(identity['decisions']),
    });
    return trialsOn(ledger, data);
  });
}

/** What `act` answers, or `undefined` after the disk refused. */
function attempt<Answer>(output: Output, what: string, act: () => Answer): Answer | undefined {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
    output.progress(`${what}: ${error.message}`);
    return undefined;
  }
}

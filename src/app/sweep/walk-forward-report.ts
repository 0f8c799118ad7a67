import { gradeIdentity, attemptOnDisk, walkDirectory, walksIn } from '../backtest/index.ts';
import { storePage, storeReport, walkDocument } from '../../research/report/index.ts';
import type { Doubt, ReportDocument } from '../../research/report/index.ts';
import type { WalkOptions, Space } from '../../research/search/index.ts';
import type { ReportOptions } from '../backtest/index.ts';
import { runsDirectory, keepNewestRuns } from '../run/kept-files.ts';
import { codeHash } from '../run/code-hash.ts';
import type { Output } from '../process/output.ts';
import type { SweepSetup } from './setup.ts';
import type { WalkResult } from './walk-forward.ts';
import { timeText } from '../../core/base/clock.ts';
import { inCurrency, sixDigits } from './table.ts';

export interface FinishedWalk {
  readonly setup: SweepSetup;
  readonly doubts: readonly Doubt[];
  readonly result: WalkResult;
  readonly walk: WalkOptions;
  readonly options: Pick<ReportOptions, 'html' | 'save' | 'directory' | 'command'>;
  readonly output: Output;
}

/** As many as of backtests. */
const walksMax = 200;

/**
 * The report of a walk-forward, with its efficiency; kept as the latest of its strategy on its data, so that reports of
 * backtests on the same data show it too. A disk that refuses costs the file, not the report.
 */
export async function reportWalk(finished: FinishedWalk): Promise<ReportDocument> {
  const { setup, doubts, result, walk, options, output } = finished;
  const { html, save, directory: runs = runsDirectory } = options;
  const document = documentOf({ setup, doubts, result, walk, code: codeHash(), command: options.command });
  if (html !== undefined) {
    storePage(html, document);
    output.progress(`report: ${html}`);
  }
  if (save) {
    attemptOnDisk(output, 'the report was not kept', () => {
      const directory = walkDirectory(runs, setup.files, setup.trials.code);
      output.progress(`report: ${storeReport(directory, document).html}`);
      keepNewestRuns(walksIn(runs), walksMax);
    });
  }
  return document;
}

interface Judged extends Pick<FinishedWalk, 'setup' | 'doubts' | 'result' | 'walk'> {
  readonly code: string;
  readonly command: string | undefined;
}

function documentOf({ setup, doubts, result, walk, code, command }: Judged): ReportDocument {
  const { options } = setup.loaded;
  const { windows, profit, days, winning, efficiency, equity, anchored, currency } = result;
  const trials = windows.reduce((sum, one) => sum + one.trials, 0);
  const tests = windows.flatMap(({ chosen }) =>
    chosen?.test?.failure === undefined ? (chosen?.test ?? []) : [],
  );
  return walkDocument({
    title: `${result.name}, walked forward`,
    doubts,
    command,
    ...setup.settings,
    identity: {
      mode: 'walk-forward',
      ...gradeIdentity(setup.grade),
      'data hash': setup.files,
      configuration: setup.configuration.slice(0, 16),
      strategy: setup.trials.code,
      objective: result.objective,
      search: options.search.method,
      windows: `${windows.length} ${anchored ? 'anchored' : 'rolling'}: chosen on ${seconds(walk.train)}, judged on ${seconds(walk.test)}`,
      'points tried': trials,
      seed: setup.seed,
      code,
    },
    currency: currency ?? '',
    profit,
    days,
    winning,
    windows: windows.length,
    efficiency: efficiency ?? 'there was no profit on the training windows',
    times: equity.times,
    profits: equity.values,
    fall: Math.max(0, ...tests.map(({ figures }) => figures['drawdown'] ?? 0)),
    table: { ...walkTable(result, setup.space), words: 2 },
    notes: [...result.notes, ...setup.notes.map((note) => `data: ${note}`)],
  });
}

function seconds(micros: number): string {
  return `${micros / 1_000_000} s`;
}

/** One row a window: where it was judged, what was chosen, and what that came to. */
export function walkTable(
  { windows, currency }: Pick<WalkResult, 'windows' | 'currency'>,
  { dimensions }: Space,
): { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] } {
  const names = dimensions.map(({ name }) => name);
  return {
    columns: [
      'test from',
      'to',
      ...names,
      ...['trained profit', 'tested profit'].map((head) => inCurrency(head, currency)),
      'efficiency',
    ],
    rows: windows.map(({ test, chosen, efficiency }) => [
      iso(test.from),
      iso(test.to),
      ...names.map((name) => String(chosen?.point[name] ?? '-')),
      sixDigits(chosen?.figures['profit']),
      sixDigits(chosen?.test?.figures['profit']),
      partText(efficiency),
    ]),
  };
}

export function partText(part: number | undefined): string {
  return part === undefined ? '-' : `${(part * 100).toFixed(0)} %`;
}

function iso(time: number): string {
  return timeText(time).slice(0, 19);
}

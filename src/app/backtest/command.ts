import { fail } from '../../core/base/assert.ts';
import { seconds, timeText } from '../../core/base/clock.ts';
import type { Clock } from '../../core/base/clock.ts';
import { SystemClock } from '../../core/base/system-clock.ts';
import type { ReportDocument, BandResult, Summary } from '../../research/report/index.ts';
import { isPartialFinding } from '../../data/formats/index.ts';
import { exitSentence, dataDoubts, renderDocument } from '../../research/report/index.ts';
import { exitCodes } from '../process/exit-codes.ts';
import type { Output } from '../process/output.ts';
import { preparePage, writePage, writeTrades } from '../process/page-file.ts';
import { openExport, writeExport } from '../process/export-folder.ts';
import { optimiseEarly } from '../process/long-run.ts';
import { runsDirectory } from '../run/kept-files.ts';
import { noSharesOf } from '../run/account.ts';
import { strategyParameters } from '../run/settings.ts';
import { keptTrials } from '../run/trial-key.ts';
import { onLateError } from '../run/uncaught-errors.ts';
import type { BandSubject } from './band.ts';
import { runBand } from './band.ts';
import { gradeIdentity, Grading } from './grade.ts';
import type { ReportOptions } from './report.ts';
import { hashesOf, reportBacktest } from './report.ts';
import type { ScenarioResult, ScenarioRun } from './scenario-result.ts';
import { listingOf } from './scenario-result.ts';
import { runScenario } from './scenario-run.ts';
import type { NamedScenario } from './subject.ts';
import { hashedFiles, subjectOf } from './subject.ts';

export interface BacktestCommand {
  readonly scenario: NamedScenario;
  readonly output: Output;
  readonly json: boolean;
  readonly report: ReportOptions;
  /** Print every figure and table. */
  readonly full?: boolean | undefined;
}

/** `godwit backtest`: opens the data, runs, runs the band, prints and keeps the report, says how long it took. */
export async function backtestCommand({
  scenario: named,
  output,
  json,
  report,
  full = false,
}: BacktestCommand): Promise<number> {
  preparePage(report.html, report.trades);
  const subject = subjectOf(named);
  const { loaded } = subject;
  const { names } = loaded;
  const data = await subject.open();
  const { recording } = data;

  const hashes = hashesOf(hashedFiles(loaded, recording));
  const rows = await openExport(report.export);
  const clock = new SystemClock();
  const begun = clock.uptime();
  const grading = new Grading({ loaded, recording, hashes, runs: report.directory ?? runsDirectory });
  const running = runScenario({
    loaded,
    data: { ...data, recording: grading.recording },
    details: true,
    exportRows: rows,
    onProgress: onProgressOf(clock, output),
  });
  const run = await running.catch((error: unknown) => {
    rows?.discard();
    throw error;
  });
  const took = (clock.uptime() - begun) / 1_000_000;
  const { name: title, notes: found } = run;
  const summary = run.summary ?? fail('a backtest ended without its summary');
  const problems = [...run.problems, ...lostParts(run)];
  for (const note of found) output.progress(`data: ${note}`);
  addLateErrors(problems);
  for (const remark of summary.remarks) output.progress(`note: ${remark}`);

  const grade = await grading.grade(run, report.save);
  const identity = { ...run.identity, ...gradeIdentity(grade) };
  const band = await bandOrWhyNot({ subject: { loaded, data }, report, summary, problems, output });
  const noShares = noSharesOf(loaded);
  const document = reportBacktest(
    {
      title,
      problems,
      doubts: dataDoubts({
        problems,
        grade,
        findings: found,
        until: summary.span && { end: summary.span.end, now: clock.now() },
      }),
      summary,
      identity,
      hashes,
      settings: { parameters: await strategyParameters(loaded.config.strategies), settings: names.settings },
      trial: (await keptTrials(loaded)).of(),
      band,
      notes: [...found.map((note) => `data: ${note}`), ...(noShares === undefined ? [] : [assumedBalances])],
      noShares,
    },
    report,
    output,
  );
  const { doubts } = document;
  const complete = problems.length === 0;
  output.data(
    json
      ? JSON.stringify(documentOf(run, document, { lists: loaded.lists, identity, complete, problems }))
      : `${renderDocument(document, { colours: output.colour, full })}${loaded.lists ? listedText(run) : ''}`,
  );
  output.progress(speedText(run, took));
  const isWritten = [
    writePage(report.html, document, output),
    writeTrades(report.trades, summary, output),
    await writeExport(rows, { summary, isStartAssumed: noShares !== undefined }, output),
  ].every(Boolean);
  const doubtful = exitSentence(doubts ?? []);
  if (doubtful !== undefined) output.progress(doubtful);
  // What ended the run is the last line: a report of many lines would hide it.
  for (const problem of problems) output.progress(`incomplete: ${problem}`);
  return problems.length > 0 || !isWritten ? exitCodes.failed : exitCodes.done;
}

const assumedBalances =
  'backtest.balances names none: a million of each currency was assumed, so shares of the equity say nothing';

interface Judged extends Pick<ScenarioResult, 'identity' | 'complete' | 'problems'> {
  /** Whether fills, orders and samples stand beside the report. */
  readonly lists: boolean;
}

/** A run and its report as one JSON document. */
function documentOf(run: ScenarioResult, document: ReportDocument, judged: Judged): object {
  const { lists, ...verdict } = judged;
  const { title, warning, doubts, command, sections, notes } = document;
  const { report, digest, changes } = run;
  const printed = { title, warning, doubts, command, sections, notes };
  return lists
    ? {
        ...listingOf(run),
        report: report && { ...report, identity: verdict.identity },
        ...printed,
        ...verdict,
      }
    : { ...report, ...printed, digest, changes, ...verdict };
}

/** How much stands below a report in its document. */
function listedText({ fills, rows, columns }: ScenarioResult): string {
  const sampled = rows.length === 0 ? '' : `, ${rows.length} samples of ${columns.join(', ')} with --json`;
  return `\n${fills.length} fills${sampled}`;
}

/** A short run says nothing of the rate: it is over before the program is compiled. */
function speedText({ name, changes }: ScenarioResult, took: number): string {
  if (changes === undefined) return `${name}: ${took.toFixed(2)} s`;
  const text = `${changes} level changes and trades in ${took.toFixed(2)} s`;
  return took < 5 ? text : `${text} (${(changes / took / 1e6).toFixed(2)} M/s, reading included)`;
}

/** A run on data of which a part was lost is not complete, even where it reached the end of what there is. */
function lostParts({ problems, notes }: ScenarioResult): readonly string[] {
  if (problems.length > 0) return [];
  return notes.filter(isPartialFinding).map((finding) => `a part of the data is missing: ${finding}`);
}

/** A run that has taken so long is worth all that the compiler can do. */
const longRun = seconds(4);

/** Says how far a run has come, every ten seconds. */
function onProgressOf(clock: Clock, output: Output): ScenarioRun['onProgress'] {
  const begun = clock.uptime();
  let printed = begun;
  let isLong = false;
  return (time, changes) => {
    const now = clock.uptime();
    if (!isLong && now - begun > longRun) {
      isLong = true;
      optimiseEarly();
    }
    if (now - printed < seconds(10)) return;
    printed = now;
    const passed = changes === undefined ? '' : `  ${changes} level changes and trades`;
    output.progress(`${timeText(time)}${passed}`);
  };
}

/** Unasked, the band is run on data with no more market messages than these: seconds, not hours. */
const messagesMax = 50_000;

interface BandRequest {
  readonly subject: BandSubject;
  readonly report: ReportOptions;
  readonly summary: Summary;
  /** Problems that cut the run short, if any did. */
  readonly problems: readonly string[];
  readonly output: Output;
}

/** The band, or in one clause why it was not run. Whether it runs unasked depends on the data alone, never on the clock. */
async function bandOrWhyNot(request: BandRequest): Promise<BandResult | string> {
  const { subject, report, summary, problems, output } = request;
  const [currency] = summary.curves().keys();
  if (report.band === false) return 'not run: --no-band';
  if (problems.length > 0) return 'not run: the run was cut short';
  if (currency === undefined) return 'not run: nothing was traded';
  const { market } = summary.messages;
  if (report.band === undefined && market > messagesMax)
    return `not run: of more than ${messagesMax} market messages only with --band, which runs it 6 to 12 times more`;
  return await runBand(subject, { currency, onRun: (text) => output.progress(text) });
}

/**
 * Adds to `problems` what strategies throw from now on in promises and timers of a run that has ended: the first
 * such error, while the report is made.
 */
function addLateErrors(problems: string[]): void {
  let isFound = false;
  onLateError((sentence) => {
    if (isFound) return;
    isFound = true;
    problems.push(`after the end of its run ${sentence}`);
  });
}

import { seconds } from '../../core/base/clock.ts';
import type { Clock } from '../../core/base/clock.ts';
import { SystemClock } from '../../core/base/system-clock.ts';
import type { Config } from '../config/schema.ts';
import { isPartialFinding } from '../../data/formats/partial-recording.ts';
import type { BandResult } from '../../research/report/figures/band.ts';
import { exitSentence } from '../../research/report/document/doubts.ts';
import { dataDoubts } from '../../research/report/figures/run-doubts.ts';
import { renderDocument } from '../../research/report/render/document.ts';
import type { Summary } from '../../research/report/fold/summary.ts';
import { exitCodes } from '../process/exit-codes.ts';
import type { Output } from '../process/output.ts';
import { preparePage, writePage, writeTrades } from '../process/page-file.ts';
import { openExport, writeExport } from '../process/export-folder.ts';
import { runsDirectory } from '../run/kept-files.ts';
import { strategyParameters } from '../run/settings.ts';
import { onLateError } from '../run/uncaught-errors.ts';
import type { BandSubject } from './band.ts';
import { runBand } from './band.ts';
import { gradeIdentity, KnownGrades } from './grade.ts';
import type { ReportOptions, RunHashes } from './report.ts';
import { hashesOf, reportBacktest } from './report.ts';
import type { SubjectRun } from './subject.ts';
import { recordingSubject, scenarioSubject } from './subject.ts';

export interface BacktestCommand {
  readonly subject:
    | { readonly config: Config; readonly recordings: readonly string[] }
    /** A scenario file, and the parent of the folder of shipped strategies. */
    | { readonly file: string; readonly home: string };
  readonly output: Output;
  readonly json: boolean;
  readonly report: ReportOptions;
  /** Print every figure and table. */
  readonly full?: boolean | undefined;
}

/** `godwit backtest`: opens the data, runs, runs the band, prints and keeps the report, says how long it took. */
export async function backtestCommand({
  subject: said,
  output,
  json,
  report,
  full = false,
}: BacktestCommand): Promise<number> {
  preparePage(report.html, report.trades);
  const subject =
    'file' in said
      ? scenarioSubject(said.file, said.home)
      : await recordingSubject(said.config, said.recordings);
  for (const note of subject.notes) output.progress(`data: ${note}`);

  const rows = openExport(report.export);
  const clock = new SystemClock();
  const begun = clock.uptime();
  // A file that is not there is for the run to find.
  let known: RunHashes | undefined;
  const hashes = (): RunHashes => (known ??= hashesOf(subject.paths));
  const running = subject.run({
    hashes,
    grades: new KnownGrades(report.directory ?? runsDirectory),
    keep: report.save,
    rows,
    onProgress: everyTenSeconds(clock, output),
  });
  const run = await running.catch((error: unknown) => {
    rows?.discard();
    throw error;
  });
  const took = (clock.uptime() - begun) / 1_000_000;
  const { summary, title } = run;
  const problems = [...run.problems, ...lostParts(run)];
  for (const finding of run.findings) output.progress(`data: ${finding}`);
  addLateErrors(problems);
  for (const remark of summary.remarks) output.progress(`note: ${remark}`);

  const grade = await run.grade();
  const identity = { ...run.identity, ...gradeIdentity(grade) };
  const band = await bandOrWhyNot({ subject: subject.band, report, summary, problems, output });
  const document = reportBacktest(
    {
      title,
      problems,
      doubts: dataDoubts({
        problems,
        grade,
        findings: run.findings,
        until: summary.span && { end: summary.span.end, now: clock.now() },
      }),
      summary,
      identity,
      hashes: hashes(),
      settings: { parameters: await strategyParameters(subject.strategies), settings: subject.settings },
      trial: (await subject.trials()).of(),
      band,
      notes: run.notes,
      noShares: subject.noShares,
    },
    report,
    output,
  );
  const { warning, doubts, command, sections, notes } = document;
  const complete = problems.length === 0;
  output.data(
    json
      ? JSON.stringify(
          run.json({ title, warning, doubts, command, sections, notes, identity, complete, problems }),
        )
      : `${renderDocument(document, { colours: output.colour, full })}${run.footer}`,
  );
  output.progress(run.speed(took));
  const isWritten = [
    writePage(report.html, document, output),
    writeTrades(report.trades, summary, output),
    await writeExport(rows, { summary, isStartAssumed: subject.noShares !== undefined }, output),
  ].every(Boolean);
  const doubtful = exitSentence(doubts ?? []);
  if (doubtful !== undefined) output.progress(doubtful);
  // What ended the run is the last line: a report of many lines would hide it.
  for (const problem of problems) output.progress(`incomplete: ${problem}`);
  return problems.length > 0 || !isWritten ? exitCodes.failed : exitCodes.done;
}

/** A run on data of which a part was lost is not complete, even where it reached the end of what there is. */
function lostParts({ problems, findings }: SubjectRun): readonly string[] {
  if (problems.length > 0) return [];
  return findings.filter(isPartialFinding).map((finding) => `a part of the data is missing: ${finding}`);
}

function everyTenSeconds(clock: Clock, output: Output): (text: string) => void {
  let printed = clock.uptime();
  return (text) => {
    if (clock.uptime() - printed < seconds(10)) return;
    printed = clock.uptime();
    output.progress(text);
  };
}

/** Unasked, the band is run on data with no more market messages than these: seconds, not hours. */
const messagesMax = 50_000;

interface BandRequest {
  readonly subject: BandSubject;
  readonly report: ReportOptions;
  readonly summary: Summary;
  /** What cut the run short, if anything did. */
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

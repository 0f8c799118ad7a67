import { fail } from '../../core/base/assert.ts';
import { seconds, timeText } from '../../core/base/clock.ts';
import { SystemClock } from '../../core/base/system-clock.ts';
import { ConfigError } from '../../core/config/error.ts';
import type { Config } from '../config/schema.ts';
import { openData } from '../../data/open/market-data.ts';
import type { Recording } from '../../data/recording/contract.ts';
import { GradeCollector } from '../../data/grade/grade.ts';
import type { Event } from '../../core/model/event.ts';
import { isMarketEvent } from '../../core/model/market-data.ts';
import { renderDocument } from '../../research/report/render-document.ts';
import type { ReportDocument } from '../../research/report/document.ts';
import type { Summary } from '../../research/report/summary.ts';
import { runBand } from './band.ts';
import type { ReportWishes, RunHashes } from './report.ts';
import { hashesOf, reportBacktest } from './report.ts';
import { runsDirectory } from '../run/kept-files.ts';
import type { BacktestResult } from './backtest.ts';
import { runBacktest } from './backtest.ts';
import { titleOf } from '../run/backtest-parts.ts';
import { bandOrWhyNot, tellLate, warningOf } from './band-wish.ts';
import type { ToldGrade } from './known-grade.ts';
import { KnownGrades, tellGrade } from './known-grade.ts';
import { exitCodes } from '../process/exit-codes.ts';
import { assumedOnly } from '../run/opening-balances.ts';
import type { Output } from '../process/output.ts';
import { preparePage, writePage, writeTrades } from '../process/page-file.ts';
import { parametersOf, unusualSettings } from '../run/settings.ts';
import { recordingTrials } from '../run/trial-key.ts';

export interface BacktestCommand {
  readonly config: Config;
  readonly recordings: readonly string[];
  readonly output: Output;
  readonly json: boolean;
  readonly report: ReportWishes;
}

/** `godwit backtest`: opens the recording, runs, prints and keeps the report, tells the speed. */
export async function backtestCommand(command: BacktestCommand): Promise<number> {
  const { config, recordings, output, json, report: wishes } = command;
  if (config.strategies.length === 0) {
    throw new ConfigError(
      'strategies: expected at least one strategy (in the configuration or by --strategy), found none',
    );
  }
  preparePage(wishes.html, wishes.trades);
  const clock = new SystemClock();
  const recording = await openData(recordings);
  for (const note of recording.notes) output.progress(`data: ${note}`);
  const hashes = hashesOf(recording.paths);
  const grades = new KnownGrades(wishes.directory ?? runsDirectory);
  const known = grades.find(hashes);
  const collector = known === undefined ? new GradeCollector(recording.instruments) : undefined;
  const begun = clock.uptime();
  let told = begun;
  let summary: Summary | undefined;
  const result = await runBacktest({
    config,
    recording,
    watch: collector === undefined ? undefined : (event) => addTo(collector, event),
    details: (finished) => (summary = finished),
    onProgress: (changes, time) => {
      if (clock.uptime() - told < seconds(10)) return;
      told = clock.uptime();
      output.progress(`${timeText(time)}  ${changes} level changes and trades`);
    },
  });
  const took = (clock.uptime() - begun) / 1_000_000;
  for (const finding of recording.findings) output.progress(`data: ${finding}`);
  const { changes, cut, faults } = result;
  const problems = [...(cut === undefined ? [] : [cut]), ...faults];
  for (const problem of problems) output.progress(`incomplete: ${problem}`);
  tellLate(problems, output);
  if (summary === undefined) fail('a backtest ended without its details');
  for (const remark of summary.remarks) output.progress(`note: ${remark}`);
  const grade = known ?? tellGrade((collector ?? fail('nobody graded the data')).grade(recording));
  if (wishes.save && known === undefined && cut === undefined) grades.keep(hashes, grade);
  const identity = { ...result.report.identity, 'data grade': grade.letter };
  const finished = { command, recording, hashes, summary, identity, grade, problems };
  const document = await documentOf(finished);
  output.data(
    json ? jsonOf(finished, result, document) : renderDocument(document, { colours: output.colour }),
  );
  output.progress(speedText(changes, took));
  const isWritten = [
    writePage(wishes.html, document, output),
    writeTrades(wishes.trades, summary, output),
  ].every(Boolean);
  return problems.length > 0 || !isWritten ? exitCodes.failed : exitCodes.done;
}

/** A short run says nothing of the rate: it is over before the program is compiled. */
function speedText(changes: number, seconds: number): string {
  const text = `${changes} level changes and trades in ${seconds.toFixed(2)} s`;
  return seconds < 5 ? text : `${text} (${(changes / seconds / 1e6).toFixed(2)} M/s, reading included)`;
}

/** What the strategies did is no part of the data. */
function addTo(collector: GradeCollector, event: Event): void {
  if (isMarketEvent(event)) collector.add(event);
}

interface Finished {
  readonly command: BacktestCommand;
  readonly recording: Recording;
  readonly hashes: RunHashes;
  readonly summary: Summary;
  readonly identity: Readonly<Record<string, string | number>>;
  readonly grade: ToldGrade;
  readonly problems: readonly string[];
}

function jsonOf(
  { identity, problems }: Finished,
  { report, digest, changes }: BacktestResult,
  { title, warning, command, sections, notes }: ReportDocument,
): string {
  const complete = problems.length === 0;
  return JSON.stringify({
    ...report,
    identity,
    title,
    warning,
    command,
    sections,
    notes,
    digest,
    changes,
    complete,
    problems,
  });
}

async function documentOf(finished: Finished): Promise<ReportDocument> {
  const { command, recording, hashes, summary, identity, grade, problems } = finished;
  const { config, output, report: wishes } = command;
  const names = config.strategies.map(({ name }) => name);
  const hasBalances = Object.keys(config.backtest.balances).length > 0;
  const onRun = (text: string): void => output.progress(text);
  const band = await bandOrWhyNot({
    wishes,
    summary,
    problems,
    run: async (currency) => await runBand({ config, recording, currency, onRun }),
  });
  return reportBacktest(
    {
      title: titleOf(names, summary),
      problems,
      warning: warningOf(problems, grade.title),
      summary,
      identity,
      hashes,
      told: { parameters: await parametersOf(config.strategies), settings: unusualSettings(config) },
      trial: (await recordingTrials(config)).of(),
      band,
      notes: [
        ...[...recording.notes, ...recording.findings].map((note) => `data: ${note}`),
        ...(hasBalances ? [] : [assumedBalances]),
      ],
      noShares: hasBalances ? undefined : assumedOnly,
    },
    wishes,
    output,
  );
}

const assumedBalances =
  'backtest.balances names none: a million of each currency was assumed, so shares of the equity say nothing';

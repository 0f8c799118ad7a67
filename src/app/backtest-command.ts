import { fail } from '../base/assert.ts';
import { seconds } from '../base/clock.ts';
import { SystemClock } from '../base/system-clock.ts';
import { ConfigError } from '../config/config-error.ts';
import type { Config } from '../config/schema.ts';
import { openData } from '../formats/open-market-data.ts';
import type { Recording } from '../feed/recording.ts';
import { GradeCollector, gradeTitle } from '../formats/grade.ts';
import { renderDocument } from '../report/render-document.ts';
import type { ReportDocument } from '../report/report-document.ts';
import type { RunReport } from '../report/run-report.ts';
import type { Summary } from '../report/summary.ts';
import { runBand } from './backtest-band.ts';
import type { ReportWishes, RunHashes } from './backtest-report.ts';
import { hashesOf, reportBacktest } from './backtest-report.ts';
import { runBacktest } from './backtest.ts';
import { keepGrade, knownGrade } from './known-grade.ts';
import { exitCodes } from './exit-codes.ts';
import type { Output } from './output.ts';

export interface BacktestCommand {
  readonly config: Config;
  readonly recordings: readonly string[];
  readonly output: Output;
  readonly json: boolean;
  readonly report: ReportWishes;
}

const bandNotRun = 'not run: --band runs the backtest 6 to 12 times more';

/** `godwit backtest`: opens the recording, runs, prints and keeps the report, tells the speed. */
export async function backtestCommand(command: BacktestCommand): Promise<number> {
  const { config, recordings, output, json } = command;
  if (config.strategies.length === 0) {
    throw new ConfigError(
      'strategies: expected at least one strategy (in the configuration or by --strategy), found none',
    );
  }
  const clock = new SystemClock();
  const recording = await openData(recordings);
  for (const note of recording.notes) output.progress(`data: ${note}`);
  const hashes = hashesOf(recording.paths);
  const graded = knownGrade(hashes.data, hashes.code);
  const grades = graded === undefined ? new GradeCollector(recording.instruments) : undefined;
  const begun = clock.uptime();
  let told = begun;
  let summary: Summary | undefined;
  const result = await runBacktest({
    config,
    recording,
    watch: grades === undefined ? undefined : (event) => grades.add(event),
    details: (finished) => (summary = finished),
    onProgress: (levelChanges, time) => {
      if (clock.uptime() - told < seconds(10)) return;
      told = clock.uptime();
      output.progress(`${new Date(time / 1_000).toISOString()}  ${levelChanges} level changes`);
    },
  });
  const took = (clock.uptime() - begun) / 1_000_000;
  for (const finding of recording.findings) output.progress(`data: ${finding}`);
  const { report, digest, levelChanges, cut, faults } = result;
  const problems = [...(cut === undefined ? [] : [cut]), ...faults];
  for (const problem of problems) output.progress(`incomplete: ${problem}`);
  if (summary === undefined) fail('a backtest ended without its details');
  const warning = graded ?? gradeTitle((grades ?? fail('nobody graded the data')).grade(recording));
  if (command.report.save && graded === undefined && cut === undefined)
    keepGrade(hashes.data, hashes.code, warning);
  const document = await documentOf({ command, recording, hashes, summary, report, warning, problems });
  const { title, sections } = document;
  output.data(
    json
      ? JSON.stringify({
          ...report,
          title,
          warning,
          sections,
          digest,
          levelChanges,
          complete: problems.length === 0,
          problems,
        })
      : renderDocument(document, { colours: output.colour }),
  );
  output.progress(
    `${levelChanges} level changes in ${took.toFixed(2)} s (${(levelChanges / took / 1e6).toFixed(2)} M/s, reading included)`,
  );
  return problems.length > 0 ? exitCodes.failed : exitCodes.done;
}

interface Finished {
  readonly command: BacktestCommand;
  readonly recording: Recording;
  readonly hashes: RunHashes;
  readonly summary: Summary;
  readonly report: RunReport;
  readonly warning: string;
  readonly problems: readonly string[];
}

async function documentOf(finished: Finished): Promise<ReportDocument> {
  const { command, recording, hashes, summary, report, warning, problems } = finished;
  const { config, output, report: wishes } = command;
  const names = config.strategies.map(({ name }) => name).join(', ');
  const traded = summary.ledgers().map(({ instrument }) => instrument.symbol);
  const currency = report.results[0]?.currency;
  const band =
    wishes.band && currency !== undefined
      ? await runBand({ config, recording, currency, onRun: (text) => output.progress(text) })
      : undefined;
  return reportBacktest(
    {
      title: `${names} on ${traded.join(', ') || 'nothing'}`,
      warning: [...problems.slice(0, 1).map((problem) => `incomplete: ${problem}`), warning]
        .filter((text) => text !== '')
        .join('; '),
      summary,
      identity: report.identity,
      hashes,
      band,
      bandNotRun: wishes.band ? 'nothing was traded' : bandNotRun,
      noShares: Object.keys(config.backtest.balances).length > 0 ? undefined : assumedBalances,
    },
    wishes,
    output,
  );
}

const assumedBalances = 'backtest.balances names none: a million of each currency was assumed';

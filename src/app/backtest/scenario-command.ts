import { fail } from '../../core/base/assert.ts';
import { seconds, timeText } from '../../core/base/clock.ts';
import { SystemClock } from '../../core/base/system-clock.ts';
import { renderDocument } from '../../research/report/render-document.ts';
import type { ReportDocument } from '../../research/report/document.ts';
import type { Summary } from '../../research/report/summary.ts';
import type { LoadedScenario } from '../../research/scenario/load.ts';
import { loadScenario } from '../../research/scenario/load.ts';
import type { ReportWishes } from './report.ts';
import { hashesOf, reportBacktest } from './report.ts';
import { bandOrWhyNot, tellLate, warningOf } from './band-wish.ts';
import { exitCodes } from '../process/exit-codes.ts';
import { runsDirectory } from '../run/kept-files.ts';
import type { Output } from '../process/output.ts';
import { preparePage, writePage, writeTrades } from '../process/page-file.ts';
import { runScenarioBand } from './scenario-band.ts';
import { gradeScenario } from './grade-once.ts';
import type { ScenarioResult } from './scenario-result.ts';
import { runScenario } from './scenario-run.ts';
import { parametersOf, unusualTerms } from '../run/settings.ts';
import { scenarioConfig } from '../run/scenario-config.ts';
import { scenarioTrials } from '../run/trial-key.ts';

export interface ScenarioCommand {
  /** The scenario file. */
  readonly file: string;
  readonly home: string;
  readonly output: Output;
  readonly json: boolean;
  readonly report: ReportWishes;
}

/** `godwit backtest --scenario FILE`: reads it, runs it, prints the report, or everything as one JSON document. */
export async function scenarioCommand(command: ScenarioCommand): Promise<number> {
  const { file, home, output, json, report: wishes } = command;
  preparePage(wishes.html, wishes.trades);
  const clock = new SystemClock();
  const begun = clock.uptime();
  let told = begun;
  const loaded = loadScenario(file);
  let summary: Summary | undefined;
  const result = await runScenario({
    loaded,
    home,
    details: (finished) => (summary = finished),
    onProgress: (time) => {
      if (clock.uptime() - told < seconds(10)) return;
      told = clock.uptime();
      output.progress(timeText(time));
    },
  });
  for (const note of result.notes) output.progress(`data: ${note}`);
  const problems = [...result.problems];
  for (const problem of problems) output.progress(`incomplete: ${problem}`);
  tellLate(problems, output);
  if (summary === undefined) fail('a scenario ended without its details');
  for (const remark of summary.remarks) output.progress(`note: ${remark}`);
  const { document, identity } = await documentOf({ command, loaded, result, summary, problems });
  const { title, warning, command: typed, sections, notes } = document;
  const report = result.report && { ...result.report, identity };
  const ending = { complete: problems.length === 0, problems };
  output.data(
    json
      ? JSON.stringify({
          ...result,
          ...ending,
          identity,
          report,
          title,
          warning,
          command: typed,
          sections,
          notes,
        })
      : textOf(result, document, output.colour),
  );
  output.progress(`${result.name}: ${((clock.uptime() - begun) / 1_000_000).toFixed(2)} s`);
  const isWritten = [
    writePage(wishes.html, document, output),
    writeTrades(wishes.trades, summary, output),
  ].every(Boolean);
  return ending.complete && isWritten ? exitCodes.done : exitCodes.failed;
}

interface Finished {
  readonly command: ScenarioCommand;
  readonly loaded: LoadedScenario;
  readonly result: ScenarioResult;
  readonly summary: Summary;
  /** Why it is not whole; what comes later is added. */
  readonly problems: readonly string[];
}

interface Documented {
  readonly document: ReportDocument;
  readonly identity: ScenarioResult['identity'];
}

async function documentOf({ command, loaded, result, summary, problems }: Finished): Promise<Documented> {
  const { home, output, report: wishes } = command;
  const { scenario, pathOf } = loaded;
  const { notes } = result;
  const config = scenarioConfig(loaded, home);
  const hashes = hashesOf(scenario.data.map(({ path }) => pathOf(path)));
  const runs = wishes.directory ?? runsDirectory;
  const grade = await gradeScenario({ loaded, hashes, runs, keep: wishes.save });
  const identity = grade === undefined ? result.identity : { ...result.identity, 'data grade': grade.letter };
  const onRun = (text: string): void => output.progress(text);
  const band = await bandOrWhyNot({
    wishes,
    summary,
    problems,
    run: async (currency) => await runScenarioBand({ loaded, home, currency, onRun }),
  });
  const document = reportBacktest(
    {
      title: scenario.name,
      problems,
      warning: warningOf(problems, grade?.title ?? ''),
      summary,
      identity,
      hashes,
      told: {
        parameters: await parametersOf(config.strategies),
        settings: unusualTerms(loaded, config),
      },
      trial: (await scenarioTrials(loaded, home)).of(),
      band,
      notes: notes.map((note) => `data: ${note}`),
    },
    wishes,
    output,
  );
  return { document, identity };
}

/** The report, and how much was sampled: rows are for `--json`. */
function textOf(
  { rows, columns, fills }: ScenarioResult,
  document: ReportDocument,
  colours: boolean,
): string {
  const sampled = rows.length === 0 ? '' : `, ${rows.length} samples of ${columns.join(', ')} with --json`;
  return `${renderDocument(document, { colours })}\n${fills.length} fills${sampled}`;
}

import { parseAmount } from '../base/amount.ts';
import { seconds } from '../base/clock.ts';
import { SystemClock } from '../base/system-clock.ts';
import { renderDocument } from '../report/render-document.ts';
import type { ReportDocument } from '../report/report-document.ts';
import type { Summary } from '../report/summary.ts';
import type { LoadedScenario } from '../research/load-scenario.ts';
import { loadScenario } from '../research/load-scenario.ts';
import type { ReportWishes } from './backtest-report.ts';
import { hashesOf, reportBacktest } from './backtest-report.ts';
import { exitCodes } from './exit-codes.ts';
import type { Output } from './output.ts';
import type { ScenarioResult } from './scenario-result.ts';
import { runScenario } from './scenario-run.ts';

export interface ScenarioCommand {
  /** The scenario file. */
  readonly file: string;
  readonly home: string;
  readonly output: Output;
  readonly json: boolean;
  readonly report: ReportWishes;
}

/** `godwit backtest --scenario FILE`: reads it, runs it, prints the report, or everything as one JSON document. */
export async function scenarioCommand({
  file,
  home,
  output,
  json,
  report,
}: ScenarioCommand): Promise<number> {
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
      output.progress(new Date(time / 1_000).toISOString());
    },
  });
  for (const note of result.notes) output.progress(`data: ${note}`);
  for (const problem of result.problems) output.progress(`incomplete: ${problem}`);
  const document = documentOf({ loaded, result, summary, wishes: report, output });
  output.data(
    json
      ? JSON.stringify({ ...result, ...(document === undefined ? {} : { sections: document.sections }) })
      : textOf(result, document, output.colour),
  );
  output.progress(`${result.name}: ${((clock.uptime() - begun) / 1_000_000).toFixed(2)} s`);
  return result.complete ? exitCodes.done : exitCodes.failed;
}

interface Finished {
  readonly loaded: LoadedScenario;
  readonly result: ScenarioResult;
  readonly summary: Summary | undefined;
  readonly wishes: ReportWishes;
  readonly output: Output;
}

/** Runs on books and trades have a full report; runs on bars tell their statistics. */
function documentOf({ loaded, result, summary, wishes, output }: Finished): ReportDocument | undefined {
  if (summary === undefined) return undefined;
  const { scenario, pathOf } = loaded;
  const balances = Object.entries(scenario.balances);
  const problems = result.problems.slice(0, 1).map((problem) => `incomplete: ${problem}`);
  return reportBacktest(
    {
      title: scenario.name,
      warning: problems.join(''),
      summary,
      identity: result.identity,
      hashes: hashesOf(scenario.data.map(({ path }) => pathOf(path))),
      opening: new Map(balances.map(([currency, text]) => [currency, parseAmount(text)])),
      bandNotRun: 'not run: --band runs on recordings; give a scenario other fills or latency and compare',
    },
    wishes,
    output,
  );
}

/** The report, and how much was sampled: rows are for `--json`. */
function textOf(
  { bars, rows, columns, fills }: ScenarioResult,
  document: ReportDocument | undefined,
  colours: boolean,
): string {
  if (document === undefined) return JSON.stringify(bars, undefined, 2);
  const sampled = rows.length === 0 ? '' : `, ${rows.length} samples of ${columns.join(', ')} with --json`;
  return `${renderDocument(document, { colours })}\n${fills.length} fills${sampled}`;
}

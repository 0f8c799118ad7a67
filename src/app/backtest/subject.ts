import { fail } from '../../core/base/assert.ts';
import { timeText } from '../../core/base/clock.ts';
import { ConfigError } from '../../core/config/error.ts';
import type { Config } from '../config/schema.ts';
import { openData } from '../../data/open/market-data.ts';
import type { ReportDocument } from '../../research/report/document/document.ts';
import type { ReportedSetting } from '../../research/report/sections/settings.ts';
import type { RunRows } from '../../research/report/fold/run-rows.ts';
import type { Summary } from '../../research/report/fold/summary.ts';
import { loadScenario, pathBeside } from '../../research/scenario/load.ts';
import { filesOf } from '../../research/scenario/sources.ts';
import { titleOf } from '../run/assembly.ts';
import { assumedOnly } from '../run/opening-balances.ts';
import { scenarioConfig } from '../run/scenario-config.ts';
import { unusualSettings, unusualTerms } from '../run/settings.ts';
import type { TrialNamer } from '../run/trial-key.ts';
import { recordingTrials, scenarioTrials } from '../run/trial-key.ts';
import type { BandSubject } from './band.ts';
import { bandOfRecording, bandOfScenario } from './band.ts';
import type { GradeLabel, KnownGrades } from './grade.ts';
import { gradedReading, gradeScenario } from './grade.ts';
import { runBacktest } from './recording-run.ts';
import type { RunHashes } from './report.ts';
import { runScenario } from './scenario-run.ts';

/** What `godwit backtest` runs: a scenario, or strategies on recordings, which is the default scenario. */
export interface Subject {
  /** The files of the data. */
  readonly paths: readonly string[];
  /** What must be known of the data before the run. */
  readonly notes: readonly string[];
  readonly strategies: Config['strategies'];
  /** What is not as it is when nothing is said. */
  readonly settings: readonly ReportedSetting[];
  /** Why shares of equity say nothing, when they do not. */
  readonly noShares: string | undefined;
  readonly trials: () => Promise<TrialNamer>;
  readonly band: BandSubject;
  run(context: RunContext): Promise<SubjectRun>;
}

export interface RunContext {
  readonly hashes: () => RunHashes;
  readonly grades: KnownGrades;
  /** Whether a grade that was found is kept. */
  readonly keep: boolean;
  /** Takes every row of the run, for an export. */
  readonly rows?: RunRows | undefined;
  readonly onProgress: (text: string) => void;
}

/** What a document says besides what the run says of itself. */
export interface Printed extends Pick<
  ReportDocument,
  'title' | 'warning' | 'doubts' | 'command' | 'sections' | 'notes'
> {
  readonly identity: Readonly<Record<string, string | number>>;
  readonly complete: boolean;
  readonly problems: readonly string[];
}

/** What came of a run. */
export interface SubjectRun {
  readonly title: string;
  readonly summary: Summary;
  readonly identity: Readonly<Record<string, string | number>>;
  readonly problems: readonly string[];
  /** What was found out about the data on the way. */
  readonly findings: readonly string[];
  /** What the report says below its figures. */
  readonly notes: readonly string[];
  /** What the data are worth; unknown of damaged data. */
  grade(): Promise<GradeLabel | undefined>;
  /** Everything as one JSON document. */
  json(printed: Printed): object;
  /** What stands below the report as text. */
  readonly footer: string;
  /** How long it took. */
  speed(seconds: number): string;
}

/** Strategies on recordings. Throws `BadInput` or `ConfigError` in one sentence when there is nothing to run. */
export async function recordingSubject(config: Config, paths: readonly string[]): Promise<Subject> {
  if (config.strategies.length === 0) {
    throw new ConfigError(
      'strategies: expected at least one strategy (in the configuration or by --strategy), found none',
    );
  }
  const recording = await openData(paths);
  const hasBalances = Object.keys(config.backtest.balances).length > 0;
  return {
    paths: recording.paths,
    notes: recording.notes,
    strategies: config.strategies,
    settings: unusualSettings(config),
    noShares: hasBalances ? undefined : assumedOnly,
    trials: async () => await recordingTrials(config),
    band: bandOfRecording(config, recording),
    run: async ({ hashes, grades, keep, rows, onProgress }) => {
      const known = grades.find(hashes());
      // Graded as the file has them: a run delivers what arrives early when it happens, in another order.
      const reading = known === undefined ? gradedReading(recording, undefined) : undefined;
      const result = await runBacktest({
        config,
        recording: reading?.recording ?? recording,
        details: true,
        rows,
        onProgress: (changes, time) => onProgress(`${timeText(time)}  ${changes} level changes and trades`),
      });
      const { report, summary, digest, changes, cut, problems } = result;
      const names = config.strategies.map(({ name }) => name);
      return {
        title: titleOf(names, summary),
        summary,
        identity: report.identity,
        problems,
        findings: recording.findings,
        notes: [
          ...[...recording.notes, ...recording.findings].map((note) => `data: ${note}`),
          ...(hasBalances ? [] : [assumedBalances]),
        ],
        grade: () => {
          const grade = known ?? (reading ?? fail('the data were not graded')).grade();
          if (keep && known === undefined && cut === undefined) grades.keep(hashes(), grade);
          return Promise.resolve(grade);
        },
        json: ({ identity, title, warning, doubts, command, sections, notes, complete, problems: all }) => ({
          ...report,
          identity,
          title,
          warning,
          doubts,
          command,
          sections,
          notes,
          digest,
          changes,
          complete,
          problems: all,
        }),
        footer: '',
        speed: (seconds) => speedText(changes, seconds),
      };
    },
  };
}

const assumedBalances =
  'backtest.balances names none: a million of each currency was assumed, so shares of the equity say nothing';

/** A short run says nothing of the rate: it is over before the program is compiled. */
function speedText(changes: number, seconds: number): string {
  const text = `${changes} level changes and trades in ${seconds.toFixed(2)} s`;
  return seconds < 5 ? text : `${text} (${(changes / seconds / 1e6).toFixed(2)} M/s, reading included)`;
}

/** A scenario file. Throws `ConfigError` in one sentence when it is not one. */
export function scenarioSubject(file: string, home: string): Subject {
  const loaded = loadScenario(file);
  const { scenario } = loaded;
  const config = scenarioConfig(loaded, home);
  return {
    paths: filesOf(scenario).map(({ path }) => pathBeside(file, path)),
    notes: [],
    strategies: config.strategies,
    settings: unusualTerms(loaded, config),
    noShares: undefined,
    trials: async () => await scenarioTrials(loaded, home),
    band: bandOfScenario(loaded, home),
    run: async ({ hashes, grades, keep, rows: exportRows, onProgress }) => {
      let summary: Summary | undefined;
      const result = await runScenario({
        loaded,
        home,
        details: true,
        exportRows,
        onSummary: (finished) => (summary = finished),
        onProgress: (time) => onProgress(timeText(time)),
      });
      if (summary === undefined) fail('a scenario ended without its summary');
      const { name, identity, problems, notes, fills, rows, columns, report } = result;
      // Rows are for `--json`.
      const sampled =
        rows.length === 0 ? '' : `, ${rows.length} samples of ${columns.join(', ')} with --json`;
      return {
        title: name,
        summary,
        identity,
        problems,
        findings: notes,
        notes: notes.map((note) => `data: ${note}`),
        grade: async () => await gradeScenario({ loaded, hashes: hashes(), grades, keep }),
        json: (printed) => {
          const {
            complete,
            problems: all,
            identity: graded,
            title,
            warning,
            doubts,
            command,
            sections,
          } = printed;
          return {
            ...result,
            complete,
            problems: all,
            identity: graded,
            report: report && { ...report, identity: graded },
            title,
            warning,
            doubts,
            command,
            sections,
            notes: printed.notes,
          };
        },
        footer: `\n${fills.length} fills${sampled}`,
        speed: (seconds) => `${name}: ${seconds.toFixed(2)} s`,
      };
    },
  };
}

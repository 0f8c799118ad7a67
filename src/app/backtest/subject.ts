import { timeText } from '../../core/base/clock.ts';
import { ConfigError } from '../../core/config/error.ts';
import type { Recording } from '../../data/recording/index.ts';
import { openData } from '../../data/open/market-data.ts';
import {
  isBarScenario,
  loadScenario,
  pathBeside,
  openScenarioData,
  filesOf,
} from '../../research/scenario/index.ts';
import type { LoadedScenario, Scenario, ScenarioData } from '../../research/scenario/index.ts';
import type { Config } from '../config/schema.ts';
import type { ConfiguredScenario } from '../run/scenario.ts';
import type { RecordedTerms } from '../run/scenario-config.ts';
import { configuredScenario, recordedScenario } from '../run/scenario-config.ts';
import { seriesPathsOf } from '../run/series-files.ts';
import { checkBarScenario, openBarData } from './bar-source.ts';

/** A scenario file and the parent of the folder of shipped strategies, or recordings and the configuration under which they are the default scenario. */
export type NamedScenario = (
  | { readonly file: string; readonly home: string }
  | { readonly config: Config; readonly recordings: readonly string[] }
) & {
  /** Part of the data that is run, in place of the clock of the scenario. */
  readonly span?: Scenario['clock'] | undefined;
  /** Whether the recordings are bars or trades alone, from which orders fill. */
  readonly bars?: boolean | undefined;
};

/** Scenario of a command, and the way to its data. */
export interface Subject {
  readonly loaded: ConfiguredScenario;
  /** Files or folders of the data, as they were named. */
  readonly files: readonly string[];
  /** Opens the data. Throws `BadInput` or `ConfigError` in one sentence. */
  readonly open: () => Promise<ScenarioData>;
}

/** Makes the scenario that a command names. Throws `ConfigError` in one sentence when there is nothing to run. */
export function subjectOf(named: NamedScenario): Subject {
  const { span = {}, bars } = named;
  return 'file' in named
    ? subjectOfFile(withClock(loadScenario(named.file), span), named.home)
    : subjectOfRecordings(named.config, named.recordings, { clock: span, bars });
}

/** The scenario with another begin, another end, or both. Throws `ConfigError` where one it has kept makes no span with it. */
function withClock(loaded: LoadedScenario, { start, end }: Scenario['clock']): LoadedScenario {
  const { clock } = loaded.scenario;
  const span = { start: start ?? clock.start, end: end ?? clock.end };
  if (span.start !== undefined && span.end !== undefined && span.start >= span.end)
    throw new ConfigError(
      `${loaded.file}: clock: expected a begin before ${timeText(span.end)}, found ${timeText(span.start)}: one of the two is of the command line`,
    );
  return { ...loaded, scenario: { ...loaded.scenario, clock: span } };
}

/** Scenario of a file that was read. */
export function subjectOfFile(file: LoadedScenario, home: string): Subject {
  const loaded = configuredScenario(file, home);
  const data = filesOf(loaded.scenario).map(({ path }) => pathBeside(loaded.file, path));
  const files = [...data, ...seriesPathsOf(loaded)];
  return { loaded, files, open: async () => await openDataOf(loaded) };
}

/** Default scenario of recordings. */
export function subjectOfRecordings(
  config: Config,
  recordings: readonly string[],
  terms: RecordedTerms = {},
): Subject {
  if (config.strategies.length === 0)
    throw new ConfigError(
      'strategies: expected at least one strategy (in the configuration or by --strategy), found none',
    );
  const loaded = recordedScenario(config, terms);
  return {
    loaded,
    files: [...recordings, ...seriesPathsOf(loaded)],
    open: async () => ({ recording: await openData(recordings), prepared: 0 }),
  };
}

async function openDataOf(loaded: ConfiguredScenario): Promise<ScenarioData> {
  const { scenario, file } = loaded;
  if (!isBarScenario(scenario)) return await openScenarioData(loaded);
  checkBarScenario(scenario, file);
  return { recording: await openBarData(scenario, file), prepared: 0 };
}

/** Files whose hash stands for the data: those that the scenario names, or those of the recording, and those of series. */
export function hashedFiles(loaded: ConfiguredScenario, { paths }: Recording): readonly string[] {
  const { scenario, file } = loaded;
  const named = filesOf(scenario).map(({ path }) => pathBeside(file, path));
  return [...(named.length === 0 ? paths : named), ...seriesPathsOf(loaded)];
}

import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BadInput } from '../../core/base/errors.ts';
import { ConfigError } from '../../core/config/error.ts';
import type { Config } from '../config/schema.ts';
import { openData } from '../../data/open/market-data.ts';
import { loadScenario, pathBeside } from '../../research/scenario/load.ts';
import { filesOf } from '../../research/scenario/sources.ts';
import type { LoadedScenario } from '../../research/scenario/load.ts';
import type { MemoryPack } from '../../research/scenario/memory-recording.ts';
import { packInMemory } from '../../research/scenario/memory-recording.ts';
import { openScenarioData } from '../../research/scenario/recording.ts';
import type { Scenario } from '../../research/scenario/scenario.ts';
import type { Span } from '../../research/scenario/split.ts';
import { importedFiles } from '../../core/strategy/imported-files.ts';
import { strategyFile } from '../../core/strategy/loader.ts';
import { isBarScenario } from '../../research/scenario/scenario.ts';
import { openBarData } from '../backtest/bar-source.ts';
import type { CheckSetting } from './process.ts';
import { packagesBeside } from './process.ts';
import type { CheckTask } from './task.ts';
import { scenarioConfig } from '../run/scenario-config.ts';

/** What is checked: strategies on recordings, or a scenario. */
export type CheckSubject =
  | (CheckOptions & { readonly config: Config; readonly recordings: readonly string[] })
  | (CheckOptions & { readonly scenario: string });

interface CheckOptions {
  readonly home: string;
  /** How long a run may take. */
  readonly timeoutMs?: number | undefined;
}

/** The data of a check and how its processes are started. */
export interface OpenCheck {
  readonly setting: CheckSetting;
  readonly seed: number;
  readonly events: number;
  /** Receive times of the data, as far as the clock of a scenario takes them. */
  readonly span: Span;
  readonly bars: boolean;
  /** Whether an order may fill at the very price that the strategy was told, such as the open of a bar. */
  readonly fillsAsTold: boolean;
}

/** Reads the data into memory. Throws `BadInput` or `ConfigError` in one sentence when there is nothing to check. */
export async function openCheck(subject: CheckSubject): Promise<OpenCheck> {
  const { setting, ...rest } =
    'scenario' in subject ? await ofScenario(subject) : await ofRecordings(subject);
  return { ...rest, setting: { ...setting, timeoutMs: subject.timeoutMs } };
}

async function ofRecordings(subject: Extract<CheckSubject, { config: Config }>): Promise<OpenCheck> {
  const { config, recordings, home } = subject;
  if (config.strategies.length === 0)
    throw new ConfigError(
      'strategies: expected at least one strategy (in the configuration or by --strategy), found none',
    );
  const pack = await packInMemory(await openData(recordings));
  return opened(pack, {
    seed: config.run.seed,
    bars: false,
    fillsAsTold: false,
    setting: {
      bytes: pack.bytes,
      task: { prepared: 0, run: { config }, home, ...codeOf(config) },
      reads: venueFiles(config, home),
      hides: recordings,
    },
  });
}

async function ofScenario({
  scenario: file,
  home,
}: Extract<CheckSubject, { scenario: string }>): Promise<OpenCheck> {
  const loaded = loadScenario(file);
  const { scenario } = loaded;
  const bars = isBarScenario(scenario);
  const { recording, prepared } = bars
    ? { recording: await openBarData(scenario, file), prepared: 0 }
    : await openScenarioData(loaded);
  const config = scenarioConfig(loaded, home);
  const pack = await packInMemory(recording, { prepared });
  return opened(within(pack, scenario.clock), {
    seed: scenario.seed,
    bars,
    fillsAsTold: isBarScenario(scenario) && (scenario.fills.market === 'open' || scenario.fills.points),
    setting: {
      bytes: pack.bytes,
      task: { prepared, run: { scenario: resolve(file) }, home, ...codeOf(config) },
      reads: [resolve(file), ...latencyFiles(loaded), ...placesOf(loaded, home)],
      hides: filesOf(scenario).map(({ path }) => pathBeside(file, path)),
    },
  });
}

/** The part of the data's span in which the clock of a scenario runs. */
function within(pack: MemoryPack, { start, end }: Scenario['clock']): MemoryPack {
  if (pack.span === undefined) return pack;
  const { from, to } = pack.span;
  const span: Span = {
    from: start !== undefined && start > from ? start : from,
    to: end !== undefined && end < to ? end : to,
  };
  return { ...pack, span: span.from < span.to ? span : undefined };
}

function opened(pack: MemoryPack, rest: Omit<OpenCheck, 'events' | 'span'>): OpenCheck {
  if (pack.span === undefined) throw new BadInput('expected market events to check with, found none');
  return { ...rest, events: pack.events, span: pack.span };
}

/** The strategies' folders or files, and what they import from elsewhere. A module knows the path behind a link only. */
function codeOf({ strategies }: Config): Pick<CheckTask, 'sources' | 'imports'> {
  const files = strategies.map(({ path }) => strategyFile(path));
  const sources = strategies.flatMap(({ path }) => [resolve(path), realpathSync(path)]);
  return { sources: [...new Set(sources)], imports: files.length === 0 ? [] : importedFiles(files) };
}

/** The file of a venue, what it imports, and packages that it may find. */
function venueFiles({ venue: { module } }: Config, home: string): readonly string[] {
  if (module === undefined) return [];
  const file = realpathSync(module);
  return [file, ...importedFiles([file]), ...packagesBeside(file, home)];
}

/** Where a strategy could stand that the scenario names: the run looks there too. */
function placesOf({ scenario, file }: LoadedScenario, home: string): readonly string[] {
  const { path } = scenario.strategy;
  return [pathBeside(file, path), resolve(path), join(home, 'strategies', path)];
}

function latencyFiles({ scenario, file }: LoadedScenario): readonly string[] {
  const { feed, entry, report } = scenario.latency;
  return [feed, entry, report].flatMap((way) =>
    typeof way === 'object' && 'file' in way ? [pathBeside(file, way.file)] : [],
  );
}

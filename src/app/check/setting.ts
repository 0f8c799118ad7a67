import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { BadInput } from '../../core/base/errors.ts';
import type { Config } from '../config/schema.ts';
import { pathBeside, packInMemory, isBarScenario } from '../../research/scenario/index.ts';
import type { LoadedScenario, MemoryPack, Scenario, Span } from '../../research/scenario/index.ts';
import { importedFiles, strategyFile } from '../../core/strategy/framework.ts';
import type { NamedScenario } from '../backtest/index.ts';
import { subjectOf } from '../backtest/index.ts';
import type { CheckSetting } from './process.ts';
import { packagesBeside } from './process.ts';
import type { CheckTask } from './task.ts';

/** Subject of a check. */
export interface CheckSubject {
  readonly scenario: NamedScenario;
  /** The folder of the installation. */
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
export async function openCheck({ scenario: named, home, timeoutMs }: CheckSubject): Promise<OpenCheck> {
  const { loaded: configured, files, open } = subjectOf(named);
  const { withSeries } = await import('../run/series.ts');
  const loaded = await withSeries(configured);
  const { recording, prepared } = await open();
  const { scenario, config } = loaded;
  const pack = within(await packInMemory(recording, { prepared }), scenario.clock);
  if (pack.span === undefined) throw new BadInput('expected market events to check with, found none');
  const { fills } = scenario;
  return {
    seed: config.run.seed,
    events: pack.events,
    span: pack.span,
    bars: isBarScenario(scenario),
    fillsAsTold: fills.model === 'bars' && (fills.market === 'open' || fills.points),
    setting: {
      bytes: pack.bytes,
      task: { prepared, loaded, home, ...codeOf(config) },
      reads: [...latencyFiles(loaded), ...venueFiles(config, home)],
      hides: files,
      timeoutMs,
    },
  };
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

function latencyFiles({ scenario, file }: LoadedScenario): readonly string[] {
  const { feed, entry, report } = scenario.latency;
  return [feed, entry, report].flatMap((way) =>
    typeof way === 'object' && 'file' in way ? [pathBeside(file, way.file)] : [],
  );
}

import { dirname, resolve } from 'node:path';
import type { Micros } from '../../core/base/clock.ts';
import { timeText } from '../../core/base/clock.ts';
import { nearest } from '../../core/base/nearest.ts';
import { ConfigError } from '../../core/config/error.ts';
import { microsOfDuration } from '../../core/config/time.ts';
import type { SeriesColumn, SeriesDeclaration, SeriesEvent, SeriesRow } from '../../core/model/event.ts';
import type { SeriesFile } from '../../data/series/index.ts';
import type { Config } from '../config/schema.ts';
import type { ConfiguredScenario } from './scenario.ts';
import type { LoadedStrategy } from './strategy-plans.ts';

/** Strategy by what it declares. */
export type Declaring = Pick<LoadedStrategy, 'series'> & {
  readonly plan: Pick<LoadedStrategy['plan'], 'name'>;
};

/** The files of the series of a configuration; relative ones begin at `folder`. */
export function seriesFilesOf(series: Config['series'], folder: string): ReadonlyMap<string, SeriesFile> {
  return new Map(
    Object.entries(series ?? {}).map(([name, { path, delay, staleAfter, ...file }]) => [
      name,
      {
        ...file,
        path: resolve(folder, path),
        delay: delay === undefined ? undefined : microsOfDuration(delay),
        staleAfter: staleAfter === undefined ? undefined : microsOfDuration(staleAfter),
      },
    ]),
  );
}

/** The files of the series of a scenario. */
export function seriesPathsOf({
  config,
  file,
}: Pick<ConfiguredScenario, 'config' | 'file'>): readonly string[] {
  return [...seriesFilesOf(config.series, dirname(file)).values()].map(({ path }) => path);
}

/**
 * The series of a run, each as all strategies that declare it read it. Throws `ConfigError` where a strategy declares one that `given`
 * lacks, `given` has one that no strategy declares, or two strategies read a column in different ways. `place`: where series are named.
 */
export function declaredSeries(
  loaded: readonly Declaring[],
  given: readonly string[],
  place: string,
): readonly SeriesDeclaration[] {
  const joined = new Map<string, { readonly by: string; readonly declared: SeriesDeclaration }>();
  for (const { plan, series } of loaded)
    for (const declared of series) {
      if (!given.includes(declared.name)) throw notGiven(plan.name, declared.name, given, place);
      const had = joined.get(declared.name);
      joined.set(declared.name, {
        by: plan.name,
        declared: had === undefined ? declared : bothOf(had, plan.name, declared),
      });
    }
  const unused = given.find((name) => !joined.has(name));
  if (unused !== undefined) {
    const names = loaded.map(({ plan }) => plan.name).join(', ');
    const near = nearest(unused, [...joined.keys()]);
    throw new ConfigError(
      `${place}: series.${unused}: expected a series that a strategy declares (feeds: [{ series: '${unused}' }]), found none in ${names === '' ? 'no strategy' : names}${near === undefined ? '' : `; did you mean ${near}?`}`,
    );
  }
  return given.map((name) => joined.get(name)?.declared ?? { name });
}

function notGiven(strategy: string, name: string, given: readonly string[], place: string): ConfigError {
  const found = given.length === 0 ? 'none' : given.join(', ');
  const near = nearest(name, given);
  return new ConfigError(
    `strategy ${strategy} asks for the series ${name}: expected its file in ${place} (series: { ${name}: FILE }), found ${found}${near === undefined ? '' : `; did you mean ${near}?`}`,
  );
}

/** A series of which two strategies read columns: each its own, and one that both read in one way. */
function bothOf(
  { by, declared: had }: { readonly by: string; readonly declared: SeriesDeclaration },
  strategy: string,
  declared: SeriesDeclaration,
): SeriesDeclaration {
  if (JSON.stringify(had.columns) === JSON.stringify(declared.columns)) return had;
  if (had.columns === undefined || declared.columns === undefined)
    throw new ConfigError(
      `the series ${had.name}: expected strategies ${by} and ${strategy} to read it in one way, found columns in one of them only`,
    );
  const columns: Record<string, SeriesColumn> = { ...had.columns };
  for (const [name, column] of Object.entries(declared.columns)) {
    const other = columns[name];
    if (other !== undefined && JSON.stringify(other) !== JSON.stringify(column))
      throw new ConfigError(
        `the series ${had.name}: expected strategies ${by} and ${strategy} to read its column ${name} in one way, found ${other.kind} and ${column.kind}`,
      );
    columns[name] = column;
  }
  return { name: had.name, columns };
}

/** Name of the place where the files of series are named. */
export function placeOfSeries(file: string): string {
  return file === '' ? 'the configuration' : file;
}

/** Rows of a series in the order in which they are known. */
export interface SeriesTrack {
  readonly name: string;
  readonly known: readonly number[];
  readonly staleAfter: number | undefined;
  row(at: number): SeriesRow;
}

/** Rows of series that a session received, as tracks of a run: each is known when it came then. */
export function receivedTracks(
  received: readonly SeriesRow[],
  { series }: Pick<Config, 'series'>,
): readonly SeriesTrack[] {
  const files = seriesFilesOf(series, '');
  return [...Map.groupBy(received, (row) => row.series)].map(([name, rows]) => ({
    name,
    known: rows.map(({ receiveTime }) => receiveTime),
    staleAfter: files.get(name)?.staleAfter,
    row: (at) => rows[at] as SeriesRow,
  }));
}

/** A series that has been silent for too long. */
export function staleEvent(series: string, now: Micros, last: Pick<SeriesRow, 'receiveTime'>): SeriesEvent {
  const why = `its last row came at ${timeText(last.receiveTime)}`;
  return { kind: 'seriesStale', series, exchangeTime: now, receiveTime: now, why };
}

import { dirname } from 'node:path';
import type { Cancel, Clock, Micros } from '../../core/base/clock.ts';
import type { SeriesDeclaration, SeriesEvent, SeriesRow } from '../../core/model/event.ts';
import type { SeriesTable } from '../../data/series/index.ts';
import { readSeries, SeriesCells, staleLimitOf } from '../../data/series/index.ts';
import type { ConfiguredScenario } from './scenario.ts';
import type { Declaring, SeriesTrack } from './series-files.ts';
import { declaredSeries, placeOfSeries, seriesFilesOf, staleEvent } from './series-files.ts';

/**
 * A scenario with its series read: once, for all runs of it. Throws `BadInput` with file, row and column where one is not as it must be.
 */
export async function withSeries(loaded: ConfiguredScenario): Promise<ConfiguredScenario> {
  if (loaded.series !== undefined || loaded.config.series === undefined) return loaded;
  const series: SeriesTable[] = [];
  for (const [name, file] of seriesFilesOf(loaded.config.series, dirname(loaded.file)))
    series.push(await readSeries(name, file));
  return { ...loaded, series };
}

/** The tracks of a run. Throws `ConfigError` as `declaredSeries` does, `BadInput` where a cell is not what a strategy declares. */
export function seriesTracks(
  loaded: readonly Declaring[],
  tables: readonly SeriesTable[],
  place: string,
): readonly SeriesTrack[] {
  const names = tables.map(({ name }) => name);
  return declaredSeries(loaded, names, place).flatMap((declared) => {
    const table = tables.find(({ name }) => name === declared.name);
    return table === undefined ? [] : trackOf(declared, table);
  });
}

/** Rows of a table are read once for all runs of a thread that read it in one way. */
const rowsOfTables = new WeakMap<SeriesTable, Map<string, readonly SeriesRow[]>>();

function trackOf(declared: SeriesDeclaration, table: SeriesTable): SeriesTrack {
  const kept = rowsOfTables.get(table) ?? new Map<string, readonly SeriesRow[]>();
  rowsOfTables.set(table, kept);
  const key = JSON.stringify(declared.columns ?? null);
  const rows = kept.get(key) ?? rowsOf(declared, table);
  kept.set(key, rows);
  const { name, known, staleAfter } = table;
  return { name, known, staleAfter, row: (at) => rows[at] as SeriesRow };
}

function rowsOf(declared: SeriesDeclaration, table: SeriesTable): readonly SeriesRow[] {
  const reader = new SeriesCells(declared, table);
  const { name: series, times, known, places, cells } = table;
  return times.map((time, at) => ({
    kind: 'seriesRow',
    series,
    exchangeTime: time as Micros,
    receiveTime: known[at] as Micros,
    values: reader.values((column) => cells[column]?.[at] ?? '', places[at] ?? 0),
  }));
}

/**
 * The tracks of a scenario, whose series are read here where they were not before. Throws as `withSeries` and `seriesTracks` do.
 */
export async function tracksOf(
  scenario: ConfiguredScenario,
  loaded: readonly Declaring[],
): Promise<readonly SeriesTrack[]> {
  const { series = [], file } = await withSeries(scenario);
  return seriesTracks(loaded, series, placeOfSeries(file));
}

/** Needs of a player. */
export interface SeriesPlayerDeps {
  readonly tracks: readonly SeriesTrack[];
  readonly clock: Clock;
  readonly publish: (event: SeriesEvent) => void;
}

/**
 * Plays series into a run on a virtual clock: each row when it is known, before market data that come at that time. Of rows that were
 * known when the run begins the last one of each series is reported, as history. A series that has no row for too long is reported stale.
 */
export class SeriesPlayer {
  readonly #clock: Clock;
  readonly #publish: SeriesPlayerDeps['publish'];
  readonly #tracks: readonly { readonly track: SeriesTrack; next: number; stale: number }[];
  #cancel: Cancel | undefined;

  constructor({ tracks, clock, publish }: SeriesPlayerDeps) {
    this.#clock = clock;
    this.#publish = publish;
    const now = clock.now();
    this.#tracks = tracks.map((track) => {
      const later = track.known.findIndex((known) => known > now);
      const next = Math.max(0, (later < 0 ? track.known.length : later) - 1);
      return { track, next, stale: Number.POSITIVE_INFINITY };
    });
    this.#arm();
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  /** The earliest of all that is due gets the timer. */
  #arm(): void {
    let due = Number.POSITIVE_INFINITY;
    for (const { track, next, stale } of this.#tracks)
      due = Math.min(due, track.known[next] ?? Number.POSITIVE_INFINITY, stale);
    if (due === Number.POSITIVE_INFINITY) return;
    this.#cancel = this.#clock.after(Math.max(0, due - this.#clock.now()) as Micros, () => this.#fire());
  }

  #fire(): void {
    const now = this.#clock.now();
    for (const one of this.#tracks) {
      const { track } = one;
      for (
        let known = track.known[one.next];
        known !== undefined && known <= now;
        known = track.known[one.next]
      ) {
        this.#publish(track.row(one.next));
        one.next += 1;
        const limit = staleLimitOf(track.staleAfter, track.known.slice(Math.max(0, one.next - 11), one.next));
        one.stale = limit === undefined ? Number.POSITIVE_INFINITY : known + limit;
      }
      if (one.stale > now) continue;
      one.stale = Number.POSITIVE_INFINITY;
      this.#publish(staleEvent(track.name, now, track.row(one.next - 1)));
    }
    this.#arm();
  }
}

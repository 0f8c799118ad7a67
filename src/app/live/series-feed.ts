import type { Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { Cancel, Clock, Micros } from '../../core/base/clock.ts';
import { seconds } from '../../core/base/clock.ts';
import { BadInput, GodwitError } from '../../core/base/errors.ts';
import type { Logger } from '../../core/base/logger.ts';
import type { SeriesDeclaration, SeriesEvent, SeriesRow } from '../../core/model/event.ts';
import type { SeriesFile, SeriesSource } from '../../data/series/index.ts';
import {
  csvCells,
  openSeriesSource,
  readSeries,
  rowsBehindHeader,
  SeriesCells,
  SeriesReader,
  staleLimitOf,
} from '../../data/series/index.ts';
import type { Config } from '../config/schema.ts';
import { declaredSeries, placeOfSeries, seriesFilesOf, staleEvent } from '../run/series-files.ts';
import type { LoadedStrategy } from '../run/strategy-plans.ts';

type Declaring = Pick<LoadedStrategy, 'series'> & { readonly plan: Pick<LoadedStrategy['plan'], 'name'> };

/** Needs of a feed of series. */
export interface SeriesFeedDeps {
  readonly config: Pick<Config, 'series'>;
  readonly loaded: readonly Declaring[];
  /** The real one. */
  readonly clock: Clock;
  readonly log: Logger;
  /** Takes each event into the run, as an input of it. */
  readonly publish: (event: SeriesEvent) => void;
}

/** The series of a live run. */
export interface SeriesFeed {
  /** Tells the last row of each series that was known before, then every new one. */
  start(): void;
  close(): void;
}

/** Time between two looks at a file. */
const lookEvery = seconds(1);
/** Rows that are known later than now, and bytes that are read at once, at most. */
const pendingMax = 100_000;
const pieceBytes = 1024 * 1024;
const knownKept = 11;

/** Reads each series up to now. Throws `ConfigError` or `BadInput` in one sentence where one is not there or not as it must be. */
export async function openSeriesFeed({
  config,
  loaded,
  clock,
  log,
  publish,
}: SeriesFeedDeps): Promise<SeriesFeed> {
  const followed = declaredFiles(config, loaded).map(
    ({ declared, file }) => new FollowedSeries({ declared, file, clock, log, publish }),
  );
  for (const one of followed) await one.read();
  return {
    start: () => {
      for (const one of followed) one.start();
    },
    close: () => {
      for (const one of followed) one.close();
    },
  };
}

/** Reads the first rows of each series. Throws as `openSeriesFeed`. */
export async function checkSeriesFiles(
  config: Pick<Config, 'series'>,
  loaded: readonly Declaring[],
): Promise<void> {
  for (const { declared, file } of declaredFiles(config, loaded)) {
    const opened = await openSeriesSource(file.path);
    const { read } = readerOf(declared, file, opened);
    for await (const [first] of rowsBehindHeader(opened)) {
      if (first !== undefined) read(first);
      break;
    }
  }
}

function declaredFiles(
  { series }: Pick<Config, 'series'>,
  loaded: readonly Declaring[],
): readonly { readonly declared: SeriesDeclaration; readonly file: SeriesFile }[] {
  const files = seriesFilesOf(series, '');
  return declaredSeries(loaded, [...files.keys()], placeOfSeries('')).flatMap((declared) => {
    const file = files.get(declared.name);
    return file === undefined ? [] : [{ declared, file }];
  });
}

/** A row that was read, and when it is known. */
interface ReadRow {
  readonly known: number;
  readonly row: SeriesRow;
}

interface RowReader {
  readonly read: (row: Parameters<SeriesReader['read']>[0]) => ReadRow;
}

function readerOf(
  declared: SeriesDeclaration,
  file: SeriesFile,
  { source, header }: SeriesSource,
): RowReader {
  const reader = new SeriesReader(declared.name, file, source, header);
  const { path, unit } = source;
  const values = new SeriesCells(declared, { path, unit, columns: reader.columns });
  return {
    read: (row) => {
      const { time, known, cells } = reader.read(row);
      return {
        known,
        row: rowOf(
          declared.name,
          time,
          values.values((at) => cells[at] ?? '', row.number),
        ),
      };
    },
  };
}

function rowOf(series: string, time: number, values: SeriesRow['values']): SeriesRow {
  return { kind: 'seriesRow', series, exchangeTime: time as Micros, receiveTime: time as Micros, values };
}

interface FollowedDeps extends Pick<SeriesFeedDeps, 'clock' | 'log' | 'publish'> {
  readonly declared: SeriesDeclaration;
  readonly file: SeriesFile;
}

/** Place up to which a text has been read: behind a whole line. */
interface TextPlace {
  readonly reader: RowReader;
  readonly delimiter: string;
  readonly path: string;
  offset: number;
  /** Lines before it. */
  lines: number;
  /** Whether the header is among them. */
  isHeaded: boolean;
}

/**
 * A file that is followed as it grows: a plain text from where it was read to, any other whole when it has changed. A file that cannot
 * be read makes its series stale, is read anew when it has changed, and goes on with the rows behind the last that was reported.
 */
class FollowedSeries {
  readonly #parts: FollowedDeps;
  readonly #pending: ReadRow[] = [];
  /** Times at which the last rows that were reported were known. */
  readonly #known: number[] = [];
  #place: TextPlace | undefined;
  /** Size and times of the file when it was read last. */
  #seen = '';
  #latest: ReadRow | undefined;
  /** Time of the last row that was read: what is not behind it was reported before. */
  #readTo = Number.NEGATIVE_INFINITY;
  #isStale = false;
  /** Reason why the file could not be read at the last look. */
  #failure = '';
  #started = false;
  #closed = false;
  #cancel: Cancel | undefined;

  constructor(parts: FollowedDeps) {
    this.#parts = parts;
  }

  /** Reads what the file has beyond what was read. Throws `BadInput`. */
  async read(): Promise<void> {
    const { file } = this.#parts;
    const found = await statOf(file.path);
    const seen = `${found.ino} ${found.size} ${found.mtimeMs}`;
    if (seen === this.#seen) return;
    const isOther =
      this.#seen !== '' &&
      (found.size < (this.#place?.offset ?? 0) || !this.#seen.startsWith(`${found.ino} `));
    if (isOther) this.#place = undefined;
    this.#seen = seen;
    try {
      await this.#readNew(found.size);
    } catch (error) {
      // What is behind a row that is refused is not known: the file is read anew once it has changed.
      this.#place = undefined;
      throw error;
    }
  }

  start(): void {
    this.#started = true;
    this.#tellDue();
    this.#setTimer();
  }

  close(): void {
    this.#closed = true;
    this.#cancel?.();
  }

  async #readNew(size: number): Promise<void> {
    const { declared, file } = this.#parts;
    if (this.#place === undefined) {
      const opened = await openSeriesSource(file.path);
      if (!opened.isPlainText) {
        const table = await readSeries(declared.name, file);
        const values = new SeriesCells(declared, table);
        for (const [at, time] of table.times.entries())
          this.#takeRow({
            known: table.known[at] ?? time,
            row: rowOf(
              declared.name,
              time,
              values.values((column) => table.cells[column]?.[at] ?? '', table.places[at] ?? 0),
            ),
          });
        return;
      }
      const { path } = opened.source;
      this.#place = {
        reader: readerOf(declared, file, opened),
        delimiter: opened.delimiter,
        path,
        offset: 0,
        lines: 0,
        isHeaded: false,
      };
    }
    await this.#readText(this.#place, size);
  }

  /** Reads the whole lines up to `size`; the rest of a line that is being written waits. */
  async #readText(place: TextPlace, size: number): Promise<void> {
    const handle = await open(place.path, 'r');
    try {
      const piece = Buffer.alloc(Math.min(pieceBytes, Math.max(1, size - place.offset)));
      while (place.offset < size && !this.#closed) {
        const { bytesRead } = await handle.read(piece, 0, piece.length, place.offset);
        const end = piece.subarray(0, bytesRead).lastIndexOf(10);
        if (end < 0) {
          if (bytesRead === pieceBytes)
            throw new BadInput(
              `${place.path}:${place.lines + 1}: expected a line of at most ${pieceBytes} bytes, found a longer one`,
            );
          return;
        }
        this.#readLines(place, piece.toString('utf8', 0, end));
        place.offset += end + 1;
      }
    } finally {
      await handle.close();
    }
  }

  #readLines(place: TextPlace, text: string): void {
    for (const line of text.split('\n')) {
      place.lines += 1;
      const number = place.lines;
      if (line.trim() === '') continue;
      if (!place.isHeaded) {
        place.isHeaded = true;
        continue;
      }
      const cells = csvCells(line.replace(/\r$/, ''), place.delimiter, `${place.path}:${number}`);
      this.#takeRow(place.reader.read({ number, cells }));
    }
  }

  #takeRow(one: ReadRow): void {
    const time = one.row.exchangeTime;
    if (time <= this.#readTo) return;
    this.#readTo = time;
    const now = this.#parts.clock.now();
    // Before the start only the last row that is known counts.
    if (!this.#started && one.known <= now) {
      if (one.known < (this.#latest?.known ?? 0)) return;
      this.#latest = one;
      this.#noteKnown(one.known);
      return;
    }
    if (this.#pending.length >= pendingMax)
      throw new BadInput(
        `${this.#parts.file.path}: expected at most ${pendingMax} rows that are known later than now, found more`,
      );
    this.#pending.push(one);
  }

  #noteKnown(known: number): void {
    this.#known.push(known);
    if (this.#known.length > knownKept) this.#known.shift();
  }

  async #lookAgain(): Promise<void> {
    try {
      await this.read();
      this.#failure = '';
    } catch (error) {
      if (!this.#closed) this.#failed(error);
    }
    if (this.#closed) return;
    this.#tellDue();
    this.#setTimer();
  }

  #failed(error: unknown): void {
    const { log, declared } = this.#parts;
    const why = error instanceof GodwitError ? error.message : `${this.#parts.file.path}: ${String(error)}`;
    if (why === this.#failure) return;
    this.#failure = why;
    log.warn({ series: declared.name, why }, 'a series cannot be read');
    this.#isStale = true;
    this.#publish({ kind: 'seriesStale', series: declared.name, why });
  }

  /** Tells what is due, and that nothing came where it is late. */
  #tellDue(): void {
    const { clock, declared, file } = this.#parts;
    const now = clock.now();
    if (this.#latest !== undefined) this.#publish(this.#latest.row);
    const due = this.#pending.filter(({ known }) => known <= now).toSorted((a, b) => a.known - b.known);
    for (const { row, known } of due) {
      this.#publish(row);
      this.#noteKnown(known);
      this.#isStale = false;
    }
    if (due.length > 0) {
      const later = this.#pending.filter(({ known }) => known > now);
      this.#pending.splice(0, this.#pending.length, ...later);
    }
    this.#latest = undefined;
    const last = this.#known.at(-1);
    const limit = staleLimitOf(file.staleAfter, this.#known);
    if (this.#isStale || last === undefined || limit === undefined || now < last + limit) return;
    this.#isStale = true;
    this.#parts.log.warn({ series: declared.name }, 'a series is stale');
    this.#parts.publish(staleEvent(declared.name, now, { receiveTime: last as Micros }));
  }

  #publish(
    event: SeriesRow | { readonly kind: 'seriesStale'; readonly series: string; readonly why: string },
  ): void {
    const now = this.#parts.clock.now();
    const exchangeTime = event.kind === 'seriesRow' ? event.exchangeTime : now;
    this.#parts.publish({ ...event, exchangeTime, receiveTime: now });
  }

  #setTimer(): void {
    const { clock } = this.#parts;
    const now = clock.now();
    const next = this.#pending.reduce((least, { known }) => Math.min(least, known), now + lookEvery);
    this.#cancel = clock.after(Math.max(0, next - now) as Micros, () => void this.#lookAgain());
  }
}

/** Throws `BadInput` where there is no such file. */
async function statOf(path: string): Promise<Stats> {
  try {
    return await stat(path);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new BadInput(`${path}: expected a file that can be read, found: ${why}`, { cause: error });
  }
}

import type { Micros } from '../../core/base/clock.ts';
import { BadInput } from '../../core/base/errors.ts';
import type { Recording, RecordingOptions } from '../recording/index.ts';

/** How to open data: what a file does not say itself. */
export interface OpenOptions extends RecordingOptions {
  /** The name of a format, instead of detecting it from the content. */
  readonly format?: string;
  /** The symbol of data that name none, such as bars and archives of one market. */
  readonly symbol?: string;
  /** The tick size instead of the one inferred, such as "0.01"; for every symbol of the data. */
  readonly tick?: string;
  /** The quantity increment instead of the one inferred; for every symbol of the data. */
  readonly increment?: string;
  /** Which column of a table is what, by the names the format documents, such as `{ time: 'Date' }`. */
  readonly columns?: Readonly<Record<string, string>>;
  /** The period of bars instead of the one inferred: `1m`, `4h`, `1d`, `1M`. */
  readonly period?: string;
  /** Whether the time of a row is the begin of its bar (default) or its end. */
  readonly stamp?: 'open' | 'close';
  /** Prices of bars and trades are rounded to the tick that is given; without, one off the tick is refused or counted. */
  readonly round?: 'tick';
  /** Bars that are made of the data, such as `45m` or `volume:2.5`: see `BarSpec`. */
  readonly bars?: string;
  /** Rows of tables without numbers are left out; without, one is refused. */
  readonly skip?: 'empty';
}

/** A format of other people's data that can be read as a recording. */
export interface Format {
  /** As in `--format`: lower case, words joined by `-`. Becomes `Recording.format`. */
  readonly name: string;
  /** How a person recognises it, in one phrase without a full stop. */
  readonly looksLike: string;
  /** Content in one phrase: `books (checksum proved), trades`. */
  readonly carries: string;
  /** Whether it may be a table of bars: others take no period and no stamp. */
  readonly bars?: boolean;
  /** Whether it may be a table of trades: only tables of bars and trades take a rounding. */
  readonly trades?: boolean;
  /** Whether it takes a map of its columns; others have theirs fixed. */
  readonly columns?: boolean;
  /** Set of a format that holds values by time and no market: `open` refuses it, with the use of it. */
  readonly series?: SeriesFormat;
  /** Whether a file is of this format, by its content. Must not claim what another format of the list claims. */
  detects(head: FileHead, path: string): boolean;
  /** Opens files that are all of this format as one recording. Throws `BadInput` with file, place and expectation. */
  open(paths: readonly string[], options: OpenOptions): Promise<Recording>;
}

/** A table of values by time that makes no books, trades or bars. */
export interface SeriesFormat {
  /** Content and use, each as one phrase for a sentence. */
  readonly what: string;
  readonly use: string;
  /** Header of each column with numbers. */
  readonly values: readonly string[];
  /** The rows in the order of the file. Throws `BadInput` with the place of what cannot be read. */
  read(path: string, options: OpenOptions): AsyncGenerator<readonly VenueSeriesRow[], void, undefined>;
}

/** One row of a series. */
export interface VenueSeriesRow {
  readonly time: Micros;
  readonly symbol: string;
  /** Plain decimals in the order of the columns; an empty cell is `undefined`. */
  readonly values: readonly (string | undefined)[];
}

/** Throws `BadInput` when an option is given that is for tables of bars alone. */
export function refuseBarOptions(name: string, options: OpenOptions): void {
  const given = (['period', 'stamp'] as const).find((key) => options[key] !== undefined);
  if (given !== undefined)
    throw new BadInput(`expected no ${given} with data of the format ${name}: it is for tables of bars`);
}

/** Throws `BadInput` when prices are to be rounded that no tick was given for, or that are not rounded. */
export function refuseRounding(name: string, options: OpenOptions, isTable: boolean): void {
  if (options.round === undefined) return;
  if (!isTable)
    throw new BadInput(
      `expected no round with data of the format ${name}: it is for tables of bars and trades`,
    );
  if (options.tick === undefined)
    throw new BadInput(
      'expected a tick to round prices to (--tick, in a scenario instrument.tick), found none',
    );
}

/** Throws `BadInput` when rows are to be left out of what is no table. */
export function refuseSkipping(name: string, options: OpenOptions, isTable: boolean): void {
  if (options.skip !== undefined && !isTable)
    throw new BadInput(
      `expected no skip with data of the format ${name}: it is for tables of bars and trades`,
    );
}

/** How the bytes of a file are packed. */
export type FilePacking = 'plain' | 'gzip' | 'zstd' | 'xz' | 'zip';

/** The beginning of a file, unpacked. */
export interface FileHead {
  readonly packing: FilePacking;
  /** Up to 64 KiB of the content. */
  readonly bytes: Uint8Array;
  /** The same as text; what is no UTF-8 shows as replacement characters. */
  readonly text: string;
  /** The first line that is not empty, without its end; cut where the head ends. */
  readonly line: string;
  /** The name of the file inside a zip; otherwise the last part of the path. */
  readonly name: string;
}

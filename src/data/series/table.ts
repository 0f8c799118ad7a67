import { BadInput } from '../../core/base/errors.ts';
import { hintOf } from '../../core/base/nearest.ts';
import { microsPerSecond } from '../../core/base/clock.ts';
import type { Row, RowSource } from '../formats/index.ts';
import { placeOf } from '../formats/index.ts';
import type { TimeForm } from '../formats/tables/index.ts';
import { headerWord, readTableTime, shownCell, timeFormOf } from '../formats/tables/index.ts';

/** File of a series, and what it does not say itself. */
export interface SeriesFile {
  readonly path: string;
  /** Column with the time of a row. */
  readonly time?: string | undefined;
  /** Zone of times that name none: `UTC` or an offset such as `+02:00`. */
  readonly zone?: string | undefined;
  /** Column with the time at which a row was published. */
  readonly availableAt?: string | undefined;
  /** Micros from the time of a row to when it is known. */
  readonly delay?: number | undefined;
  /** Columns of the file by the name that a strategy has for them. */
  readonly columns?: Readonly<Record<string, string>> | undefined;
  /** Micros without a row after which the series is stale. */
  readonly staleAfter?: number | undefined;
}

/** Series as it was read: plain values, which threads and other machines can be sent. Rows are in the order in which they are known. */
export interface SeriesTable {
  readonly name: string;
  /** File, as sentences name it. */
  readonly path: string;
  readonly unit: RowSource['unit'];
  /** Columns besides those of the time, by the names that strategies use. */
  readonly columns: readonly string[];
  readonly times: readonly number[];
  /** Time at which each row is known. */
  readonly known: readonly number[];
  /** Line or row of the file. */
  readonly places: readonly number[];
  /** Cells as they were written, by column. */
  readonly cells: readonly (readonly string[])[];
  readonly staleAfter: number | undefined;
}

/** Table of a file: its rows, and its header, which is the first of them in a text. */
export interface SeriesSource {
  readonly source: RowSource;
  readonly header: readonly string[];
  /** Whether `rows` of the source begin with the header. */
  readonly headed: boolean;
  /** Whether it is a text that is not packed: one that may grow line by line. */
  readonly isPlainText: boolean;
  /** Delimiter of its cells, of a text. */
  readonly delimiter: string;
}

/** Cells of a series that are held in memory at most. */
export const seriesCellsMax = 20_000_000;

/** Headers by which a column of times is known, as `headerWord` writes them, in the order in which they are looked for. */
const timeHeaders = [
  'timestamp',
  'time',
  'datetime',
  'ts',
  'createtime',
  'eventtime',
  'date',
  'day',
  'unix',
  'unixtime',
  'opentime',
  'closetime',
];

/** Reads the rows of a table one after the other, and refuses what is out of order. Each refusal names file, row and column. */
export class SeriesReader {
  readonly #name: string;
  readonly #file: SeriesFile;
  readonly #source: RowSource;
  readonly #header: readonly string[];
  readonly #time: number;
  readonly #availableAt: number | undefined;
  readonly #zone: string | undefined;
  /** Place of each kept column in a row. */
  readonly #places: readonly number[];
  readonly columns: readonly string[];
  readonly #forms = new Map<number, TimeForm>();
  #last = Number.NEGATIVE_INFINITY;
  #lastText = '';

  /** Throws `BadInput` where the header lacks a time or a column that the file is said to have. */
  constructor(name: string, file: SeriesFile, source: RowSource, header: readonly string[]) {
    this.#name = name;
    this.#file = file;
    this.#source = source;
    this.#header = header;
    this.#time = file.time === undefined ? this.#timeColumn() : this.#columnOf(file.time, 'time');
    this.#availableAt =
      file.availableAt === undefined ? undefined : this.#columnOf(file.availableAt, 'availableAt');
    this.#zone = file.zone;
    const renamed = new Map(
      Object.entries(file.columns ?? {}).map(([own, theirs]) => [
        this.#columnOf(theirs, `columns.${own}`),
        own,
      ]),
    );
    const kept = header.flatMap((_, at) => (at === this.#time || at === this.#availableAt ? [] : [at]));
    this.#places = kept;
    this.columns = kept.map((at) => renamed.get(at) ?? header[at] ?? '');
    const again = this.columns.find((one, at) => one !== '' && this.columns.indexOf(one) !== at);
    if (again !== undefined) throw this.#bad(`one column ${shownCell(again)}`, 'two of that name');
  }

  /** Times and cells of a row. */
  read(row: Row): { readonly time: number; readonly known: number; readonly cells: readonly string[] } {
    const { cells } = row;
    if (cells.length !== this.#header.length && cells.slice(this.#header.length).some((cell) => cell !== ''))
      throw this.#badRow(row, `${this.#header.length} cells as in the header`, String(cells.length));
    if (cells.length < this.#header.length)
      throw this.#badRow(
        row,
        `${this.#header.length} cells as in the header`,
        `${cells.length}: the row is cut short`,
      );
    const time = this.#timeOf(row, this.#time);
    const text = cells[this.#time] ?? '';
    if (time === this.#last)
      throw this.#badCell(row, this.#time, 'each time once', `${shownCell(text)} a second time`);
    if (time < this.#last)
      throw this.#badCell(
        row,
        this.#time,
        'rows in the order of time',
        `${shownCell(text)} after ${shownCell(this.#lastText)}; sort the file`,
      );
    this.#last = time;
    this.#lastText = text;
    return { time, known: this.#knownAt(row, time), cells: this.#places.map((at) => cells[at] ?? '') };
  }

  #knownAt(row: Row, time: number): number {
    if (this.#availableAt === undefined) return time + (this.#file.delay ?? 0);
    const known = this.#timeOf(row, this.#availableAt);
    if (known >= time) return known;
    throw this.#badCell(
      row,
      this.#availableAt,
      'no row that is known before its time',
      `${shownCell(row.cells[this.#availableAt] ?? '')} for ${shownCell(row.cells[this.#time] ?? '')}; of a forecast, name the column of its publication as time`,
    );
  }

  #timeOf(row: Row, column: number): number {
    const text = row.cells[column] ?? '';
    const form = this.#forms.get(column) ?? timeFormOf(text);
    const time = form === undefined ? Number.NaN : readTableTime(text, form);
    if (form === undefined || Number.isNaN(time))
      throw this.#badCell(
        row,
        column,
        'a time as a date with its zone, such as 2024-01-02T00:00:00Z, or as a count since 1970',
        shownCell(text),
      );
    this.#forms.set(column, form);
    if (isCount(form) || namesZone(text)) return time;
    if (this.#zone !== undefined) return time - offsetOf(this.#zone);
    throw this.#badCell(
      row,
      column,
      `a time with its zone, such as 2024-01-02T00:00:00Z, or the zone of the file (series: { ${this.#name}: { path: …, zone: UTC } })`,
      shownCell(text),
    );
  }

  #timeColumn(): number {
    const words = this.#header.map(headerWord);
    const found = timeHeaders.map((word) => words.indexOf(word)).find((at) => at >= 0);
    if (found !== undefined) return found;
    throw this.#bad(
      `a column with the time of its rows (time, timestamp or date), or the name of it (series: { ${this.#name}: { path: …, time: COLUMN } })`,
      this.#shownHeader(),
    );
  }

  #columnOf(column: string, what: string): number {
    const exact = this.#header.indexOf(column);
    const at = exact >= 0 ? exact : this.#header.map(headerWord).indexOf(headerWord(column));
    if (at >= 0) return at;
    throw this.#bad(
      `the column ${shownCell(column)} that series.${this.#name}.${what} names`,
      `${this.#shownHeader()}; ${hintOf(column, this.#header)}`,
    );
  }

  #shownHeader(): string {
    const shown = this.#header.slice(0, 12).map((one) => shownCell(one));
    return shown.length < this.#header.length ? `${shown.join(', ')}, …` : shown.join(', ');
  }

  #bad(expectation: string, found: string): BadInput {
    return new BadInput(`${this.#source.path}: expected ${expectation}, found ${found}`);
  }

  #badRow(row: Row, expectation: string, found: string): BadInput {
    return new BadInput(`${placeOf(this.#source, row.number)}: expected ${expectation}, found ${found}`);
  }

  #badCell(row: Row, column: number, expectation: string, found: string): BadInput {
    const place = `${placeOf(this.#source, row.number)}, column ${this.#header[column] ?? ''}`;
    return new BadInput(`${place}: expected ${expectation}, found ${found}`);
  }
}

function isCount(form: TimeForm): boolean {
  return form === 'seconds' || form === 'millis' || form === 'micros' || form === 'nanos';
}

/** Whether a date with a time of day ends in its zone. */
function namesZone(text: string): boolean {
  return /(?:Z|UTC|GMT|:\d{2}(?:[.,]\d+)? ?[+-]\d{2}:?\d{2})$/.test(text);
}

function offsetOf(zone: string): number {
  const [, sign = '+', hours = '0', minutes = '0'] = /^([+-])(\d{2}):(\d{2})$/.exec(zone) ?? [];
  const micros = (Number(hours) * 60 + Number(minutes)) * 60 * microsPerSecond;
  return sign === '-' ? -micros : micros;
}

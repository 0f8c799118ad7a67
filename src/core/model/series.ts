import type { EventTimes } from './event-times.ts';

/** Value of a cell: a number, or text, of which a decimal is a plain one with every digit of the file; `undefined` of an empty cell. */
export type SeriesValue = number | string | undefined;

/** Values of a row, by column. */
export type SeriesValues = Readonly<Record<string, SeriesValue>>;

/**
 * A row of a series of the user has become known. `exchangeTime` is the time that the row names. `receiveTime` is when it was known: in
 * a backtest that time, or the one of its column `availableAt`, or later by its `delay`; live when it was read.
 */
export interface SeriesRow<Values = SeriesValues> extends EventTimes {
  readonly kind: 'seriesRow';
  /** Name of the series. */
  readonly series: string;
  readonly values: Values;
}

/** A series has had no new row for longer than it may, or its file cannot be read. The next row ends it. */
export interface SeriesStale extends EventTimes {
  readonly kind: 'seriesStale';
  readonly series: string;
  readonly why: string;
}

export type SeriesEvent = SeriesRow | SeriesStale;

/** Kind of the values of a column. */
export type SeriesKind = 'number' | 'decimal' | 'text';

/** Values that a column of a series may have. */
export interface SeriesColumn {
  readonly kind: SeriesKind;
  /** Whether a cell may be empty. */
  readonly optional: boolean;
  readonly whole?: boolean | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** Values at the bounds themselves are none. */
  readonly above?: number | undefined;
  readonly below?: number | undefined;
  readonly oneOf?: readonly string[] | undefined;
}

/** Series that a strategy wants, as plain values. */
export interface SeriesDeclaration {
  readonly name: string;
  /** Columns that it reads; every column of the file, as text, when left out. */
  readonly columns?: Readonly<Record<string, SeriesColumn>> | undefined;
}

/** Shape of the name of a series. */
export const seriesNameShape = /^[a-z][a-z0-9-]{0,39}$/;

/** Series of one strategy at most, and columns of one series. */
export const seriesMax = 100;
export const seriesColumnsMax = 1_000;

import { readColumnMap } from '../../data/formats/tables/bars-columns.ts';
import type { OpenOptions } from '../../data/formats/format.ts';

/** What a command line tells about data. */
export interface ToldOptions {
  readonly format?: string | undefined;
  readonly symbol?: string | undefined;
  readonly tick?: string | undefined;
  readonly increment?: string | undefined;
  /** `time=0,open=Open`. */
  readonly columns?: string | undefined;
  readonly period?: string | undefined;
  readonly stamp?: 'open' | 'close' | undefined;
  /** False leaves out book tickers. */
  readonly tickers?: boolean | undefined;
}

/** The same as options of `openData`; what was not told is absent. Throws `BadInput` when the map of columns is none. */
export function openOptionsOf(told: ToldOptions): OpenOptions {
  const { columns, ...others } = told;
  const given = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined));
  return { ...given, ...(columns === undefined ? {} : { columns: readColumnMap(columns) }) };
}

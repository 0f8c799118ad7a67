export { barFault } from '../../core/model/bar-spec.ts';
import { readColumnMap } from '../../data/formats/tables/index.ts';
import type { OpenOptions } from '../../data/formats/index.ts';

/** Options of a command line about data. */
export interface DataOptions {
  readonly format?: string | undefined;
  readonly symbol?: string | undefined;
  /** The quote currency of symbols that tell none. */
  readonly quote?: string | undefined;
  readonly tick?: string | undefined;
  readonly increment?: string | undefined;
  /** `time=0,open=Open`. */
  readonly columns?: string | undefined;
  readonly period?: string | undefined;
  readonly stamp?: 'open' | 'close' | undefined;
  /** Prices are rounded to the tick that is given. */
  readonly round?: 'tick' | undefined;
  /** Bars that are made of the data, such as `45m` or `volume:2.5`. */
  readonly bars?: string | undefined;
  /** Rows of tables without numbers are left out. */
  readonly skip?: 'empty' | undefined;
  /** False leaves out book tickers. */
  readonly tickers?: boolean | undefined;
}

/** The same as options of `openData`; options that were not given are absent. Throws `BadInput` when the map of columns is none. */
export function openOptionsOf(options: DataOptions): OpenOptions {
  const { columns, ...others } = options;
  const given = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined));
  return { ...given, ...(columns === undefined ? {} : { columns: readColumnMap(columns) }) };
}

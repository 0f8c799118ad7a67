import type { Micros } from '../../core/base/clock.ts';
import { BadInput } from '../../core/base/errors.ts';
import { listed } from '../../core/base/listed.ts';
import type { OpenOptions } from '../../data/formats/index.ts';
import type { NamedSeries } from '../../data/open/market-data.ts';
import { exitCodes } from '../process/exit-codes.ts';
import type { Output } from '../process/output.ts';
import { isoOf } from './recording-summary.ts';

/** Values of one column, as the file prints them. */
interface ColumnSummary {
  least: string | undefined;
  greatest: string | undefined;
  last: string | undefined;
  /** Rows without a value. */
  empty: number;
}

/** Figures of a series, gathered while it passes. */
interface SeriesSummary {
  rows: number;
  /** Rows with an earlier time than the row before. */
  back: number;
  from: Micros | undefined;
  till: Micros | undefined;
  readonly symbols: Set<string>;
  readonly columns: readonly ColumnSummary[];
  /** Place and kind of the damage at which reading stopped. */
  stopped: string | undefined;
}

/**
 * Reads a series of a venue to its end, and prints what it is, what it holds and what it can be used for. What comes before damage
 * is shown, and the exit code says that not all could be read.
 */
export async function inspectSeries(
  { name, series, files }: NamedSeries,
  json: boolean,
  output: Output,
  options: OpenOptions,
): Promise<number> {
  const summary: SeriesSummary = {
    rows: 0,
    back: 0,
    from: undefined,
    till: undefined,
    symbols: new Set(),
    columns: series.values.map(() => ({ least: undefined, greatest: undefined, last: undefined, empty: 0 })),
    stopped: undefined,
  };
  try {
    for (const path of files) await readInto(summary, series.read(path, options));
  } catch (error) {
    if (!(error instanceof BadInput) || summary.rows === 0) throw error;
    summary.stopped = error.message;
  }
  if (summary.rows === 0)
    throw new BadInput(`${files.join(', ')}: expected rows of ${series.what}, found none`);
  if (json) output.data(JSON.stringify(jsonOf({ name, series, files }, summary)));
  else for (const line of linesOf({ name, series, files }, summary)) output.data(line);
  return summary.stopped === undefined ? exitCodes.done : exitCodes.failed;
}

async function readInto(
  summary: SeriesSummary,
  batches: ReturnType<NamedSeries['series']['read']>,
): Promise<void> {
  let before = 0;
  for await (const rows of batches) {
    for (const { time, symbol, values } of rows) {
      summary.rows += 1;
      if (time < before) summary.back += 1;
      before = time;
      if (summary.from === undefined || time < summary.from) summary.from = time;
      if (summary.till === undefined || time > summary.till) summary.till = time;
      summary.symbols.add(symbol);
      for (const [at, column] of summary.columns.entries()) take(column, values[at]);
    }
  }
}

function take(column: ColumnSummary, value: string | undefined): void {
  if (value === undefined) {
    column.empty += 1;
    return;
  }
  if (column.least === undefined || Number(value) < Number(column.least)) column.least = value;
  if (column.greatest === undefined || Number(value) > Number(column.greatest)) column.greatest = value;
  column.last = value;
}

function findingsOf({ back, stopped, columns }: SeriesSummary, names: readonly string[]): readonly string[] {
  return [
    ...(stopped === undefined ? [] : [`partial: stopped at ${stopped}`]),
    ...(back === 0 ? [] : [`${back} rows with an earlier time than the row before`]),
    ...columns.flatMap(({ empty }, at) => (empty === 0 ? [] : [`${empty} rows without ${names[at]}`])),
  ];
}

function linesOf({ name, series }: NamedSeries, summary: SeriesSummary): readonly string[] {
  const { rows, from, till, symbols, columns } = summary;
  const width = Math.max(16, ...series.values.map((one) => one.length));
  return [
    `format   ${name}`,
    `series   ${series.what}`,
    `period   ${isoOf(from) ?? '-'} to ${isoOf(till) ?? '-'}`,
    `symbols  ${listed([...symbols], 12)}`,
    `${'rows'.padEnd(width)} ${rows}`,
    ...columns.map(
      ({ least, greatest, last }, at) =>
        `${(series.values[at] ?? '').padEnd(width)} ${least ?? '-'} to ${greatest ?? '-'}, the last ${last ?? '-'}`,
    ),
    `use      ${series.use}`,
    ...findingsOf(summary, series.values).map((finding) => `found    ${finding}`),
  ];
}

function jsonOf({ name, series }: NamedSeries, summary: SeriesSummary): Readonly<Record<string, unknown>> {
  const { rows, from, till, symbols, columns } = summary;
  return {
    format: name,
    series: series.what,
    use: series.use,
    from: isoOf(from),
    till: isoOf(till),
    symbols: [...symbols],
    rows,
    columns: Object.fromEntries(series.values.map((value, at) => [value, columns[at]])),
    findings: findingsOf(summary, series.values),
  };
}

import { BadInput } from '../../core/base/errors.ts';
import type { Format, Row } from '../formats/index.ts';
import { sortedRecords } from '../formats/index.ts';
import type { SeriesSource } from './table.ts';

type VenueSeries = NonNullable<Format['series']>;

const batchRows = 1_024;

/** Column in which rows of one time differ, such as the percentages of a depth. */
const spreadBy = 'percentage';

/**
 * A series of a venue as a table: its time, its symbol and its numbers. Of one whose rows of a time differ by a percentage, each time is
 * one row, with a column for each percentage: `depth -5`, `notional 0.2`. Its percentages are those of its first time.
 */
export async function venueSource(path: string, series: VenueSeries): Promise<SeriesSource> {
  const { values } = series;
  const isSpread = values.includes(spreadBy);
  const header = ['time', 'symbol', ...(isSpread ? await spreadHeader(path, series) : values)];
  return {
    source: {
      path,
      unit: 'row',
      rows: () => (isSpread ? spreadRows(path, series, header) : plainRows(path, series)),
    },
    header,
    headed: false,
    isPlainText: false,
    delimiter: ',',
  };
}

async function* plainRows(
  path: string,
  series: VenueSeries,
): AsyncGenerator<readonly Row[], void, undefined> {
  let number = 0;
  for await (const rows of rowsInOrder(path, series))
    yield rows.map(({ time, symbol, values }) => ({
      number: (number += 1),
      cells: [String(time), symbol, ...values.map((value) => value ?? '')],
    }));
}

/** Files of a venue are small; those of metrics are not in the order of time. */
const sortedRowsMax = 3_000_000;

function rowsInOrder(path: string, series: VenueSeries): ReturnType<VenueSeries['read']> {
  return sortedRecords(series.read(path, {}), {
    path,
    noun: 'rows',
    max: sortedRowsMax,
    batch: batchRows,
    of: (row) => row,
    time: ({ time }) => time,
  });
}

/** Rows of one time. */
interface Moment {
  readonly time: number;
  readonly symbol: string;
  /** Number of the first of them. */
  readonly number: number;
  readonly cells: Map<string, string>;
}

async function* momentsOf(path: string, series: VenueSeries): AsyncGenerator<Moment, void, undefined> {
  const { values } = series;
  const by = values.indexOf(spreadBy);
  let number = 0;
  let moment: Moment | undefined;
  for await (const rows of rowsInOrder(path, series))
    for (const { time, symbol, values: numbers } of rows) {
      number += 1;
      if (moment !== undefined && moment.time !== time) {
        yield moment;
        moment = undefined;
      }
      moment ??= { time, symbol, number, cells: new Map() };
      for (const [at, name] of values.entries())
        if (at !== by) moment.cells.set(`${name} ${numbers[by] ?? ''}`, numbers[at] ?? '');
    }
  if (moment !== undefined) yield moment;
}

async function spreadHeader(path: string, series: VenueSeries): Promise<readonly string[]> {
  for await (const { cells } of momentsOf(path, series)) return [...cells.keys()];
  throw new BadInput(`${path}: expected rows behind the header, found none`);
}

async function* spreadRows(
  path: string,
  series: VenueSeries,
  header: readonly string[],
): AsyncGenerator<readonly Row[], void, undefined> {
  let batch: Row[] = [];
  for await (const { time, symbol, number, cells } of momentsOf(path, series)) {
    batch.push({
      number,
      cells: [String(time), symbol, ...header.slice(2).map((column) => cells.get(column) ?? '')],
    });
    if (batch.length < batchRows) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

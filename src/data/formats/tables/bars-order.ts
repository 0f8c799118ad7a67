import type { Row } from '../bars-rows.ts';
import type { Columns } from './bars-columns.ts';
import { plainDecimal } from './bars-decimal.ts';
import { readTableTime, timeFormOf } from './bars-time.ts';

/**
 * Orders in which venues and tools write the numbers of a bar behind its time. The first is the usual one: it wins where rows do not
 * tell. Sources: Bitfinex and Jesse (open, close, high, low), Coinbase Exchange (low, high, open, close), Gate (volume in the quote currency, close, high,
 * low, open, volume in its API, and one volume before the prices in its archive).
 */
const orders: readonly (readonly string[])[] = [
  ['open', 'high', 'low', 'close', 'volume'],
  ['open', 'close', 'high', 'low', 'volume'],
  ['low', 'high', 'open', 'close', 'volume'],
  ['volumeQuote', 'close', 'high', 'low', 'open', 'volume'],
  ['volume', 'close', 'high', 'low', 'open'],
];

const rowsMin = 2;
/** Tables with more numbers in a row hold something else beside the bars, such as those of bids and of asks. */
const widthMax = 9;

/**
 * Columns of a table of bars without a header, told by its numbers: the only order in which every high is the highest, every low the
 * lowest and, where several are left, every open is nearest to the close before. `undefined` where the rows are no such bars.
 */
export function columnsByNumbers(rows: readonly Row[]): Columns | undefined {
  const [first] = rows;
  if (first === undefined || rows.length < rowsMin) return undefined;
  const isSplit = /^\d{1,2}:\d{2}(?::\d{2})?$/.test(first.cells[1] ?? '');
  const from = isSplit ? 2 : 1;
  const times = rows.map(({ cells }) => (isSplit ? `${cells[0]} ${cells[1]}` : (cells[0] ?? '')));
  const form = timeFormOf(times[0] ?? '');
  if (form === undefined) return undefined;
  const micros = times.map((time) => readTableTime(time, form));
  if (micros.some(Number.isNaN) || micros.every((time) => time === micros[0])) return undefined;
  const numbers = rows.map(({ cells }) => cells.slice(from).map(numberOf));
  const width = Math.min(...numbers.map(({ length }) => length));
  if (width > widthMax) return undefined;
  const byTime = (micros[0] as number) <= (micros.at(-1) as number) ? numbers : numbers.toReversed();
  const found = orders
    .filter((order) => order.length <= width || (width === 4 && order.indexOf('volume') === 4))
    .map((order) => ({ order, leap: leapOf(order, byTime) }))
    .reduce<{ readonly order: readonly string[]; readonly leap: number } | undefined>(
      (best, one) => (one.leap < (best?.leap ?? Number.POSITIVE_INFINITY) ? one : best),
      undefined,
    );
  if (found === undefined) return undefined;
  const names = width === 4 ? found.order.slice(0, 4) : found.order;
  const index = new Map(names.map((name, at) => [name, from + at] as const));
  const volume = names === orders[0] && isAverage(byTime, width) ? from + 5 : undefined;
  if (volume !== undefined) index.set('volume', volume);
  index.set('time', isSplit ? 1 : 0);
  if (isSplit) index.set('date', 0);
  return { index, skip: 0 };
}

function numberOf(cell: string): number {
  const decimal = plainDecimal(cell);
  return decimal === undefined ? Number.NaN : Number(decimal);
}

/** Sum of the leaps from each close to the next open; infinite where a row is no bar in that order. */
function leapOf(order: readonly string[], rows: readonly (readonly number[])[]): number {
  const [open, high, low, close, volume] = ['open', 'high', 'low', 'close', 'volume'].map((name) =>
    order.indexOf(name),
  ) as [number, number, number, number, number];
  let last: number | undefined;
  let leap = 0;
  for (const row of rows) {
    const [first = Number.NaN, top = Number.NaN, bottom = Number.NaN, end = Number.NaN] = [
      row[open],
      row[high],
      row[low],
      row[close],
    ];
    const isBar = bottom > 0 && bottom <= Math.min(first, end) && top >= Math.max(first, end);
    if (!isBar || !((row[volume] ?? 0) >= 0)) return Number.POSITIVE_INFINITY;
    if (last !== undefined) leap += Math.abs(first / last - 1);
    last = end;
  }
  return leap;
}

/** Whether the number behind the close is an average of the bar's prices, and the volume comes behind it, as Kraken's API has it. */
function isAverage(rows: readonly (readonly number[])[], width: number): boolean {
  if (width < 7) return false;
  return (
    rows.every((row) => (row[4] as number) === 0 || (row[4] as number) >= (row[2] as number) * 0.999_999) &&
    rows.every((row) => (row[4] as number) <= (row[1] as number) * 1.000_001)
  );
}

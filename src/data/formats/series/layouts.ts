import { BadInput } from '../../../core/base/errors.ts';
import { thrownBy } from '../../recording/index.ts';
import type { Row } from '../bars-rows.ts';
import { csvSource } from '../bars-rows.ts';
import type { FileHead, Format, OpenOptions, VenueSeriesRow } from '../format.ts';
import { readHead } from '../opened-file.ts';
import type { TimeForm } from '../tables/index.ts';
import {
  CellReader,
  headerWord,
  isPremiumIndex,
  plainDecimal,
  shownCell,
  symbolOfPath,
  timeFormOf,
} from '../tables/index.ts';

/** A table of values by time that makes no books, trades or bars. */
interface SeriesLayout {
  /** Header of the column with the time. */
  readonly time: string;
  /** Header of the column with the symbol; absent where the file is named for it. */
  readonly symbol?: string;
  /** Headers of columns with numbers. */
  readonly values: readonly string[];
  /** All columns in their order, where files without a header exist. */
  readonly bare?: readonly string[];
}

interface Described extends Pick<Format, 'name' | 'looksLike'> {
  /** Content and use, each as one phrase for a sentence. */
  readonly what: string;
  readonly use: string;
  readonly layout: SeriesLayout;
  /** Test of a file by its rows, where the header does not tell. */
  readonly detects?: (head: FileHead, path: string) => boolean;
}

const asSeries =
  'a scenario names it as series: { NAME: FILE } for a strategy that declares the series, and no book is made of it';

/** Columns of a kline behind its values, of which an index has none. */
const restOfKline = ['5', '6', '7', '8', '9', '10', '11'];

/** Series of Binance's public archive. Source: binance-public-data, the folders of `data/futures`. */
export const venueSeries: readonly Format[] = [
  seriesFormat({
    name: 'binance-metrics',
    looksLike: "Binance's public archive of metrics (BTCUSDT-metrics-2023-03-10.zip or its CSV)",
    what: 'open interest and ratios of longs to shorts, each five minutes',
    use: asSeries,
    layout: {
      time: 'create_time',
      symbol: 'symbol',
      values: [
        'sum_open_interest',
        'sum_open_interest_value',
        'count_toptrader_long_short_ratio',
        'sum_toptrader_long_short_ratio',
        'count_long_short_ratio',
        'sum_taker_long_short_vol_ratio',
      ],
    },
  }),
  seriesFormat({
    name: 'binance-book-depth',
    looksLike: "Binance's public archive of bookDepth (BTCUSDT-bookDepth-2023-03-10.zip or its CSV)",
    what: 'sums of the book within percentages of the price, and no levels of a book',
    use: `${asSeries}; books are read from binance-depth or books-csv`,
    layout: { time: 'timestamp', values: ['percentage', 'depth', 'notional'] },
  }),
  seriesFormat({
    name: 'binance-funding',
    looksLike: "Binance's public archive of fundingRate (BTCUSDT-fundingRate-2023-03.zip or its CSV)",
    what: 'funding rates of a perpetual contract',
    use: 'a scenario takes it as instrument: { funding: { file: FILE } } with products: [futures]',
    layout: { time: 'calc_time', values: ['funding_interval_hours', 'last_funding_rate'] },
  }),
  seriesFormat({
    name: 'binance-premium-index',
    looksLike: "Binance's public archive of premiumIndexKlines: klines with values below 0",
    what: 'the premium index of a perpetual contract, and no prices',
    use: asSeries,
    layout: {
      time: 'open_time',
      values: ['open', 'high', 'low', 'close'],
      bare: ['open_time', 'open', 'high', 'low', 'close', ...restOfKline],
    },
    detects: isPremiumIndex,
  }),
  seriesFormat({
    name: 'binance-liquidations',
    looksLike:
      "Binance's public archive of liquidationSnapshot (BTCUSD_PERP-liquidationSnapshot-2023-06-25.zip)",
    what: 'orders that liquidated positions',
    use: `${asSeries}; the trades they made are in the archive's trades`,
    layout: {
      time: 'time',
      values: [
        'original_quantity',
        'price',
        'average_price',
        'last_fill_quantity',
        'accumulated_fill_quantity',
      ],
    },
  }),
];

function seriesFormat({ name, looksLike, what, use, layout, detects }: Described): Format {
  const words = [layout.time, ...layout.values].map(headerWord);
  return {
    name,
    looksLike,
    carries: `a series: ${what}`,
    detects: (head, path) => {
      const header = head.line.split(',').map(headerWord);
      return detects?.(head, path) ?? words.every((word) => header.includes(word));
    },
    open: (paths) =>
      Promise.reject(
        new BadInput(
          `${paths[0] ?? ''}: expected books, trades or bars, found ${what} (${name}): ${use}; godwit data inspect shows it`,
        ),
      ),
    series: {
      what,
      use,
      values: layout.values,
      read: (path, options) => readSeries(path, layout, options),
    },
  };
}

/** The rows of a series in the order of the file. Throws `BadInput` with the place of what cannot be read. */
async function* readSeries(
  path: string,
  layout: SeriesLayout,
  { symbol: given }: Pick<OpenOptions, 'symbol'>,
): AsyncGenerator<readonly VenueSeriesRow[], void, undefined> {
  const head = await readHead(path);
  const source = csvSource(path, ',');
  const header = head.line.split(',').map(headerWord);
  const hasHeader = header.includes(headerWord(layout.time));
  const names = hasHeader ? header : (layout.bare ?? []).map(headerWord);
  const place = (name: string): readonly [string, number] => [name, names.indexOf(headerWord(name))];
  const fields = [['time', place(layout.time)[1]] as const, ...layout.values.map(place)];
  const named = layout.symbol === undefined ? [] : [['symbol', place(layout.symbol)[1]] as const];
  const index = new Map([...fields, ...named].filter(([, at]) => at >= 0));
  const cells = new CellReader({ source, columns: { index, skip: hasHeader ? 1 : 0, width: names.length } });
  const symbol = given ?? symbolOfPath(head.name).symbol;
  let form: TimeForm | undefined;
  const read = (row: Row): VenueSeriesRow => {
    cells.checkWidth(row);
    const text = cells.timeCell(row);
    form ??= timeFormOf(text);
    return {
      time: cells.time(row, text, form),
      symbol: cells.cell(row, 'symbol') ?? symbol,
      values: layout.values.map((name) => valueOf(cells, row, name)),
    };
  };
  let left = hasHeader ? 1 : 0;
  for await (const batch of source.rows()) {
    const rows: VenueSeriesRow[] = [];
    const refusal = thrownBy(() => {
      for (const row of batch.slice(left)) rows.push(read(row));
    });
    left = 0;
    if (rows.length > 0) yield rows;
    if (refusal !== undefined) throw refusal.error;
  }
}

function valueOf(cells: CellReader, row: Row, name: string): string | undefined {
  const text = cells.cell(row, name) ?? '';
  if (text === '') return undefined;
  const value = plainDecimal(text);
  if (value === undefined) throw cells.bad(row, `the ${name} to be a number`, shownCell(text));
  return value;
}

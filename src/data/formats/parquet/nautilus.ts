import { basename, dirname } from 'node:path';
import type { Micros } from '../../../core/base/clock.ts';
import { BadInput } from '../../../core/base/errors.ts';
import { pairOrShareIn } from '../../../core/model/pair.ts';
import type { Recording } from '../../recording/index.ts';
import type { Row, RowSource } from '../bars-rows.ts';
import type { BookItem } from '../books/index.ts';
import { bookShapeOf, readTable, tableOfBooks } from '../books/index.ts';
import { decodedFormat } from '../decoded-recording.ts';
import { FlatTable } from '../feather/index.ts';
import { OtherKind } from '../fields.ts';
import type { OpenOptions } from '../format.ts';
import { refuseBarOptions, refuseRounding } from '../format.ts';
import { openBars, openTrades, parsePeriod, symbolOfText } from '../tables/index.ts';
import type { ParquetFile, ParquetRow } from './source.ts';
import { readCellText } from './source.ts';

/** Kinds of tables in a catalog, by columns that no other kind has. */
const kinds = [
  { name: 'bars', columns: ['open', 'high', 'low', 'close', 'volume'] },
  { name: 'trades', columns: ['price', 'size', 'aggressor_side', 'trade_id'] },
  { name: 'deltas', columns: ['action', 'side', 'price', 'size', 'order_id', 'flags', 'sequence'] },
  { name: 'depth', columns: ['bid_price_0', 'ask_price_0', 'bid_size_0', 'ask_size_0'] },
  { name: 'quotes', columns: ['bid_price', 'ask_price', 'bid_size', 'ask_size'] },
  // Catalogs of 2022.
  { name: 'quotes', columns: ['bid', 'ask', 'bid_size', 'ask_size'] },
] as const;
type CatalogKind = (typeof kinds)[number]['name'];

/** Columns of prices and of sizes, and the names of counts beside them. */
const priceColumn = /^(?:open|high|low|close|price|(?:bid|ask)(?:_price)?(?:_\d+)?)$/;
const sizeColumn = /^(?:volume|size|(?:bid|ask)_size(?:_\d+)?)$/;
/** Decimals of a count: of 8 bytes, and of 16 in builds of high precision. */
const standardScale = 9;
const highScale = 16;
/** Counts that stand where there is no price: the greatest counts of 8 and 16 bytes. */
const undefinedCounts = new Set([2n ** 63n - 1n, 2n ** 64n - 1n, 2n ** 127n - 1n, 2n ** 128n - 1n]);

const actions = { add: 1, update: 2, delete: 3, clear: 4 } as const;
const snapshotFlag = 32;

/** Facts about a file of a catalog: its metadata, or the folder it lies in. */
interface Catalog {
  readonly file: ParquetFile;
  readonly kind: CatalogKind;
  readonly symbol: string;
  readonly barType: string | undefined;
  readonly pricePrecision: number | undefined;
  readonly sizePrecision: number | undefined;
}

/** Test of a Parquet file for one of a catalog of NautilusTrader: its times, and the columns of one of its kinds. */
export function isNautilus(file: ParquetFile): boolean {
  return kindOf(file) !== undefined;
}

function kindOf({ columns }: ParquetFile): CatalogKind | undefined {
  if (!columns.includes('ts_event') || !columns.includes('ts_init')) return undefined;
  return kinds.find((one) => one.columns.every((name) => columns.includes(name)))?.name;
}

/**
 * Files of a catalog of NautilusTrader, of one kind: bars, trades, quotes, depths or changes of a book. Counts are of 10^-9, in 8 bytes
 * or as whole numbers, and of 10^-16 in 16 bytes. Source: nautilus_trader, `crates/serialization/src/arrow`.
 */
export async function openNautilus(files: readonly ParquetFile[], options: OpenOptions): Promise<Recording> {
  const catalogs = files.map((file) => catalogOf(file, options));
  const [first] = catalogs;
  const other = catalogs.find(({ kind }) => kind !== first?.kind);
  if (first === undefined || other !== undefined)
    throw new BadInput(
      `${other?.file.path ?? ''}: expected ${first?.kind ?? 'data'} as in ${first?.file.path ?? ''}, found ${other?.kind ?? 'none'}; open one kind of a catalog at a time`,
    );
  if (first.kind === 'bars') return await openBars('parquet', catalogs.map(barTableOf), options);
  refuseBarOptions('parquet', options);
  if (first.kind === 'trades') return await openTrades('parquet', catalogs.map(tradeTableOf), options);
  refuseRounding('parquet', options, false);
  return await decodedFormat({
    ...tableOfBooks,
    name: 'parquet',
    looksLike: 'a catalog of NautilusTrader',
    pairOf: (symbol) => pairOrShareIn(symbol),
    detects: () => true,
    read: (path, given) => readBooks(catalogs.find(({ file }) => file.path === path) ?? first, given),
  }).open(
    files.map(({ path }) => path),
    options,
  );
}

function catalogOf(file: ParquetFile, { symbol }: OpenOptions): Catalog {
  const kind = kindOf(file);
  if (kind === undefined) throw new BadInput(`${file.path}: expected a table of a catalog of NautilusTrader`);
  const meta = metadataOf(file);
  const barType = meta('bar_type') ?? (kind === 'bars' ? basename(dirname(file.path)) : undefined);
  const instrument =
    meta('instrument_id') ?? barType?.replace(/-\d+-[A-Z]+-.*$/, '') ?? basename(dirname(file.path));
  return {
    file,
    kind,
    // `BTCUSDT-PERP.BINANCE`: the venue stands behind the last point.
    symbol: symbol ?? instrument.replace(/\.[A-Z0-9_]+$/, ''),
    barType,
    pricePrecision: precisionOf(file, meta('price_precision'), 'price_precision'),
    sizePrecision: precisionOf(file, meta('size_precision'), 'size_precision'),
  };
}

/** Metadata of the schema: pyarrow writes it beside the schema of Arrow, Rust within it alone. */
function metadataOf(file: ParquetFile): (key: string) => string | undefined {
  const schema = file.meta('ARROW:schema');
  const within = new Map<string, string>();
  if (schema !== undefined) {
    try {
      // The mark of a message and its length come first.
      const message = FlatTable.root(Buffer.from(schema, 'base64').subarray(8));
      for (const pair of message.table(2)?.tables(2) ?? [])
        within.set(pair.text(0) ?? '', pair.text(1) ?? '');
    } catch {
      within.clear();
    }
  }
  return (key) => file.meta(key) ?? within.get(key);
}

function precisionOf({ path }: ParquetFile, text: string | undefined, key: string): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,2}$/.test(text) && Number(text) <= highScale) return Number(text);
  throw new BadInput(
    `${path}: expected ${key} in the metadata as 0 to ${highScale}, found ${JSON.stringify(text.slice(0, 40))}`,
  );
}

function barTableOf(catalog: Catalog) {
  const match = /-(\d+)-(SECOND|MINUTE|HOUR|DAY|WEEK|MONTH)-/.exec(catalog.barType ?? '');
  if (match === null && catalog.barType !== undefined && /-\d+-[A-Z_]+-/.test(catalog.barType))
    throw new BadInput(
      `${catalog.file.path}: expected bars of a length of time such as 1-MINUTE, found ${catalog.barType}; give the trades that they were made of`,
    );
  const unit = { SECOND: 's', MINUTE: 'm', HOUR: 'h', DAY: 'd', WEEK: 'w', MONTH: 'M' }[match?.[2] ?? ''];
  return {
    ...tableOf(catalog, {
      // A bar is known at `ts_init`, whatever `ts_event` is.
      time: 'ts_init',
      open: 'open',
      high: 'high',
      low: 'low',
      close: 'close',
      volume: 'volume',
    }),
    stamp: 'close' as const,
    ...(unit === undefined ? {} : { period: parsePeriod(`${match?.[1]}${unit}`) }),
  };
}

function tradeTableOf(catalog: Catalog) {
  return tableOf(catalog, {
    time: 'ts_event',
    received: 'ts_init',
    price: 'price',
    quantity: 'size',
    side: 'aggressor_side',
    id: 'trade_id',
  });
}

function tableOf(catalog: Catalog, fields: Readonly<Record<string, string>>) {
  const { columns } = catalog.file;
  return {
    source: sourceOf(catalog),
    columns: {
      index: new Map(Object.entries(fields).map(([field, column]) => [field, columns.indexOf(column)])),
      skip: 0,
    },
    symbol: symbolOfText(catalog.symbol),
    timeForm: 'nanos' as const,
  };
}

/** The rows as cells of text: counts as the decimals they stand for. */
function sourceOf(catalog: Catalog): RowSource {
  const { file } = catalog;
  const readers = file.columns.map((name) => cellReaderOf(catalog, name));
  return {
    path: file.path,
    unit: 'row',
    rows: async function* () {
      let number = 0;
      for await (const rows of file.rows())
        yield rows.map((row): Row => {
          number += 1;
          return {
            number,
            cells: file.columns.map((name, at) => (readers[at] as CellReader)(row[name], number)),
          };
        });
    },
  };
}

type CellReader = (value: unknown, row: number) => string;

const aggressors = ['N', 'buy', 'sell'];

function cellReaderOf(catalog: Catalog, name: string): CellReader {
  if (name === 'aggressor_side') return (value) => aggressors[Number(value)] ?? String(value);
  const isPrice = priceColumn.test(name);
  if (!isPrice && !sizeColumn.test(name)) return readCellText;
  const precision = isPrice ? catalog.pricePrecision : catalog.sizePrecision;
  return (value, row) => {
    const place = `${catalog.file.path}: row ${row}`;
    const [count, scale] = countOf(value, name, place);
    if (undefinedCounts.has(count)) return '';
    if (precision !== undefined && count % 10n ** BigInt(Math.max(0, scale - precision)) !== 0n)
      throw new BadInput(
        `${place}: expected a ${name} of ${precision} decimals as the metadata says, found ${decimalOf(count, scale)}`,
      );
    return decimalOf(count, scale);
  };
}

function countOf(value: unknown, name: string, place: string): readonly [count: bigint, scale: number] {
  if (typeof value === 'bigint') return [value, standardScale];
  if (value instanceof Uint8Array && (value.length === 8 || value.length === 16)) {
    const view = new DataView(value.buffer, value.byteOffset, value.length);
    const low = view.getBigUint64(0, true);
    if (value.length === 8) return [BigInt.asIntN(64, low), standardScale];
    return [(view.getBigInt64(8, true) << 64n) | low, highScale];
  }
  const found = value instanceof Uint8Array ? `${value.length} bytes` : typeof value;
  throw new BadInput(
    `${place}: expected the ${name} as a whole number, or in 8 or 16 bytes as NautilusTrader writes it, found ${found}`,
  );
}

function decimalOf(count: bigint, scale: number): string {
  const digits = (count < 0n ? -count : count).toString().padStart(scale + 1, '0');
  const fraction = digits.slice(-scale).replace(/(?<!0)0+$/, '');
  return `${count < 0n ? '-' : ''}${digits.slice(0, -scale)}${fraction === '' ? '' : `.${fraction}`}`;
}

async function* readBooks(
  catalog: Catalog,
  options: OpenOptions,
): AsyncGenerator<readonly BookItem[], void, undefined> {
  if (catalog.kind === 'deltas') {
    yield* readDeltas(catalog);
    return;
  }
  const header: Row = {
    number: 0,
    // `ts_init` is when it was received.
    cells: catalog.file.columns.map((name) => (name === 'ts_init' ? 'ts_recv' : plainColumn(name))),
  };
  const rows = [header];
  if (bookShapeOf(rows) !== 'wide')
    throw new OtherKind(`${catalog.file.path}: expected quotes or depths, found others`);
  yield* readTable(
    { source: sourceOf(catalog), rows, name: catalog.symbol },
    { ...options, symbol: catalog.symbol },
  );
}

/** Best prices of catalogs of 2022 are called bid and ask; counts of orders are no sizes. */
function plainColumn(name: string): string {
  if (name === 'bid' || name === 'ask') return `${name}_price`;
  return /_count_\d+$/.test(name) || name === 'flags' || name === 'sequence' ? `other_${name}` : name;
}

/** Changes of a book: rows of one pair of times that follow one another are one change, or a whole book behind a clear. */
async function* readDeltas(catalog: Catalog): AsyncGenerator<readonly BookItem[], void, undefined> {
  const { file, symbol } = catalog;
  const price = cellReaderOf(catalog, 'price');
  const size = cellReaderOf(catalog, 'size');
  const orders = new Map<string, bigint>();
  let number = 0;
  let group: DeltaGroup | undefined;
  for await (const rows of file.rows()) {
    const items: BookItem[] = [];
    for (const row of rows) {
      number += 1;
      const action = Number(row['action']);
      const times = { time: microsOf(row['ts_event']), receiveTime: microsOf(row['ts_init']) };
      if (group !== undefined && (group.time !== times.time || group.receiveTime !== times.receiveTime)) {
        items.push(group);
        group = undefined;
      }
      const isWhole = action === actions.clear || (Number(row['flags']) & snapshotFlag) !== 0;
      group ??= { path: file.path, number, symbol, ...times, kind: 'change', levels: [], isNoisy: false };
      if (isWhole) group.kind = 'whole';
      if (action === actions.clear) {
        group.levels.length = 0;
        orders.clear();
        continue;
      }
      const side = { 1: 0, 2: 1 }[Number(row['side'])] as 0 | 1 | undefined;
      if (side === undefined || !(action >= actions.add && action <= actions.delete))
        throw new BadInput(
          `${file.path}: row ${number}: expected an action of 1 to 4 and a side of 1 or 2, found ${action} and ${String(row['side'])}`,
        );
      const level = { side, price: price(row['price'], number), size: size(row['size'], number) };
      refuseOrders(orders, row, { ...level, action }, `${file.path}: row ${number}`);
      group.levels.push(action === actions.delete ? { ...level, size: '0' } : level);
    }
    if (items.length > 0) yield items;
  }
  if (group !== undefined) yield [group];
}

type DeltaGroup = Omit<BookItem, 'kind' | 'levels'> & {
  kind: BookItem['kind'];
  readonly levels: { side: 0 | 1; price: string; size: string }[];
};

/** Two orders that stand at one price are single orders, whose sizes are no level's. */
function refuseOrders(
  orders: Map<string, bigint>,
  row: ParquetRow,
  { side, price, action }: { readonly side: number; readonly price: string; readonly action: number },
  place: string,
): void {
  const id = BigInt(readCellText(row['order_id']));
  const key = `${side} ${price}`;
  const stands = orders.get(key);
  if (action === actions.add && stands !== undefined && stands !== id && id !== 0n)
    throw new OtherKind(
      `${place}: expected levels, one for each price, found single orders (order_id ${stands} and ${id} at ${price}); give the DBN of Databento that they were made of`,
    );
  if (action === actions.delete) orders.delete(key);
  else orders.set(key, id);
}

function microsOf(value: unknown): Micros {
  return Number(BigInt(readCellText(value)) / 1_000n) as Micros;
}

import { formatAmount } from '../../../core/base/amount.ts';
import type { Amount } from '../../../core/base/amount.ts';
import type { Micros } from '../../../core/base/clock.ts';
import { BadInput } from '../../../core/base/errors.ts';
import { durationOption, microsOfDuration } from '../../../core/config/time.ts';
import type { BookSnapshot, BookUpdate, ContractInfo, MarketEvent } from '../../../core/model/event.ts';
import type { Instrument, Lots, Ticks } from '../../../core/model/instrument.ts';
import { levelStride } from '../../../core/model/level-buffer.ts';
import { isMarketEvent } from '../../../core/model/market-data.ts';
import { orderActions, orderStride } from '../../../core/model/order-changes.ts';
import { openData as openRecorded, seriesIn } from '../../../data/open/market-data.ts';
import type { Recording } from '../../../data/recording/index.ts';
import { printPrice, printQuantity } from '../../../data/recording/index.ts';
import { readSeries } from '../../../data/series/index.ts';
import { registerVenues } from '../../venue/load.ts';
import type {
  BarRow,
  BookRow,
  OpenDataOptions,
  OpenedData,
  OrderChangeRow,
  PriceLevel,
  SeriesDataRow,
  TickerRow,
  TradeRow,
} from './opened.ts';

/** Opens data, as `openTyped` says. */
export async function readTyped(paths: readonly string[], options: OpenDataOptions): Promise<OpenedData> {
  const { series, ...rest } = options;
  registerVenues();
  if (paths.length === 0) throw new BadInput('expected the path of recorded data, found none');
  const venue = series === undefined ? await seriesIn(paths, rest) : undefined;
  if (series === undefined && venue === undefined) return new RecordedData(await openRecorded(paths, rest));
  const terms = series === true || series === undefined ? {} : series;
  return await openSeries(venue?.files ?? paths, venue?.name ?? 'series', terms);
}

async function openSeries(
  paths: readonly string[],
  format: string,
  { delay, ...terms }: Exclude<NonNullable<OpenDataOptions['series']>, true>,
): Promise<OpenedData> {
  if (delay !== undefined && !durationOption.safeParse(delay).success)
    throw new BadInput(
      `expected a delay such as 250us, 10ms, 1s, 5m, 1h or 1d, found ${JSON.stringify(delay)}`,
    );
  const micros = delay === undefined ? undefined : microsOfDuration(delay);
  const rows: SeriesDataRow[] = [];
  for (const path of paths) {
    const table = await readSeries('data', { path, ...terms, delay: micros });
    for (const [at, time] of table.times.entries())
      rows.push({
        time: time as Micros,
        knownAt: (table.known[at] ?? time) as Micros,
        values: Object.fromEntries(
          table.columns.map((name, column) => [name, table.cells[column]?.[at] ?? '']),
        ),
      });
  }
  return new SeriesData(format, paths, rows);
}

/** Readings that are under way, so that they can be ended. */
class Readings {
  readonly #open = new Set<AsyncGenerator<unknown, void, undefined>>();
  #closed = false;

  read<Row>(rows: AsyncGenerator<Row, void, undefined>): AsyncIterableIterator<Row> {
    if (this.#closed) throw new BadInput('expected data that are open, found data that were closed');
    const open = this.#open;
    open.add(rows);
    return (async function* () {
      try {
        yield* rows;
      } finally {
        open.delete(rows);
      }
    })();
  }

  /** Whether readings have been ended. */
  get closed(): boolean {
    return this.#closed;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#open].map(async (rows) => await rows.return()));
    this.#open.clear();
  }
}

/** Nothing: data that have no rows of a kind. */
async function* none<Row>(): AsyncGenerator<Row, void, undefined> {}

class SeriesData implements OpenedData {
  readonly format: string;
  readonly paths: readonly string[];
  readonly instruments: readonly Instrument[] = [];
  readonly notes: readonly string[] = [];
  readonly #rows: readonly SeriesDataRow[];
  readonly #readings = new Readings();

  constructor(format: string, paths: readonly string[], rows: readonly SeriesDataRow[]) {
    this.format = format;
    this.paths = paths;
    this.#rows = rows;
  }

  events = (): AsyncIterableIterator<MarketEvent> => this.#readings.read(none<MarketEvent>());
  books = (): AsyncIterableIterator<BookRow> => this.#readings.read(none<BookRow>());
  trades = (): AsyncIterableIterator<TradeRow> => this.#readings.read(none<TradeRow>());
  tickers = (): AsyncIterableIterator<TickerRow> => this.#readings.read(none<TickerRow>());
  bars = (): AsyncIterableIterator<BarRow> => this.#readings.read(none<BarRow>());
  orders = (): AsyncIterableIterator<OrderChangeRow> => this.#readings.read(none<OrderChangeRow>());
  contracts = (): AsyncIterableIterator<ContractInfo> => this.#readings.read(none<ContractInfo>());

  series(): AsyncIterableIterator<SeriesDataRow> {
    const rows = this.#rows;
    return this.#readings.read(
      (async function* () {
        yield* rows;
      })(),
    );
  }

  async close(): Promise<void> {
    await this.#readings.close();
  }
}

class RecordedData implements OpenedData {
  readonly format: string;
  readonly paths: readonly string[];
  readonly instruments: readonly Instrument[];
  readonly #recording: Recording;
  readonly #readings = new Readings();

  constructor(recording: Recording) {
    this.#recording = recording;
    this.format = recording.format;
    this.paths = recording.paths;
    this.instruments = recording.instruments.all;
  }

  get notes(): readonly string[] {
    return this.#recording.notes;
  }

  events(): AsyncIterableIterator<MarketEvent> {
    return this.#rows((event) => [event]);
  }

  books(): AsyncIterableIterator<BookRow> {
    return this.#rows((event, words) => words.book(event));
  }

  trades(): AsyncIterableIterator<TradeRow> {
    return this.#rows((event, words) => words.trades(event));
  }

  tickers(): AsyncIterableIterator<TickerRow> {
    return this.#rows((event, words) => words.ticker(event));
  }

  bars(): AsyncIterableIterator<BarRow> {
    return this.#rows((event, words) => words.bars(event));
  }

  orders(): AsyncIterableIterator<OrderChangeRow> {
    return this.#rows((event, words) => words.orders(event));
  }

  contracts(): AsyncIterableIterator<ContractInfo> {
    return this.#rows((event) => (event.kind === 'contractInfo' ? [event] : []));
  }

  series(): AsyncIterableIterator<SeriesDataRow> {
    return this.#readings.read(none<SeriesDataRow>());
  }

  async close(): Promise<void> {
    await this.#readings.close();
  }

  #rows<Row>(rowsOf: (event: MarketEvent, words: RowWords) => readonly Row[]): AsyncIterableIterator<Row> {
    const recording = this.#recording;
    const readings = this.#readings;
    const words = new RowWords(recording);
    return readings.read(
      (async function* () {
        for await (const batch of recording.events())
          for (const event of batch) {
            if (readings.closed) return;
            if (isMarketEvent(event)) yield* rowsOf(event, words);
          }
      })(),
    );
  }
}

const actionNames = Object.fromEntries(
  Object.entries(orderActions).map(([name, number]) => [number, name as OrderChangeRow['action']]),
);

/** Events in the words of rows. */
class RowWords {
  readonly #recording: Recording;

  constructor(recording: Recording) {
    this.#recording = recording;
  }

  book(event: MarketEvent): readonly BookRow[] {
    if (event.kind === 'bookStale')
      return [{ ...this.#of(event), kind: 'stale', sequence: 0, bids: [], asks: [], why: event.reason }];
    if (event.kind !== 'bookSnapshot' && event.kind !== 'bookUpdate') return [];
    const kind = event.kind === 'bookSnapshot' ? 'snapshot' : 'update';
    const [bids, asks] = [this.#levels(event, 0), this.#levels(event, 1)];
    return [{ ...this.#of(event), kind, sequence: event.sequence, bids, asks, why: undefined }];
  }

  trades(event: MarketEvent): readonly TradeRow[] {
    if (event.kind !== 'trades') return [];
    const of = this.#of(event);
    return event.trades.map(({ tradeId, price, quantity, side, time }) => ({
      ...of,
      exchangeTime: time,
      id: tradeId,
      price: this.#price(event, price),
      quantity: this.#quantity(event, quantity),
      side,
      history: event.snapshot,
    }));
  }

  ticker(event: MarketEvent): readonly TickerRow[] {
    if (event.kind !== 'ticker') return [];
    const { bid, bidQuantity, ask, askQuantity, last, volume } = event.ticker;
    return [
      {
        ...this.#of(event),
        bid: bid && this.#price(event, bid),
        bidQuantity: bidQuantity === undefined ? undefined : this.#quantity(event, bidQuantity),
        ask: ask && this.#price(event, ask),
        askQuantity: askQuantity === undefined ? undefined : this.#quantity(event, askQuantity),
        last: amountText(last),
        volume: amountText(volume),
      },
    ];
  }

  bars(event: MarketEvent): readonly BarRow[] {
    if (event.kind !== 'candles') return [];
    const of = this.#of(event);
    return event.candles.map(({ period, time, open, max, min, close, volume, volumeQuote }) => ({
      ...of,
      period,
      time,
      open: formatAmount(open),
      high: formatAmount(max),
      low: formatAmount(min),
      close: formatAmount(close),
      volume: formatAmount(volume),
      volumeQuote: formatAmount(volumeQuote),
    }));
  }

  orders(event: MarketEvent): readonly OrderChangeRow[] {
    if (!('orders' in event) || event.orders === undefined) return [];
    const { orders } = event;
    const rows: OrderChangeRow[] = [];
    for (let at = 0; at < orders.length; at += orderStride)
      rows.push({
        ...this.#of(event),
        action: actionNames[orders[at] ?? 0] ?? 'joins',
        order: orders[at + 1] ?? 0,
        side: orders[at + 2] === 0 ? 'buy' : 'sell',
        price: this.#price(event, (orders[at + 3] ?? 0) as Ticks),
        quantity: this.#quantity(event, (orders[at + 4] ?? 0) as Lots),
      });
    return rows;
  }

  #levels(event: BookSnapshot | BookUpdate, side: 0 | 1): readonly PriceLevel[] {
    const found: PriceLevel[] = [];
    for (let at = event.start; at < event.end; at += levelStride)
      if (event.levels[at] === side)
        found.push({
          price: this.#price(event, event.levels[at + 1] as Ticks),
          quantity: this.#quantity(event, event.levels[at + 2] as Lots),
        });
    return found;
  }

  #of(event: MarketEvent): Pick<BookRow, 'symbol' | 'exchangeTime' | 'receiveTime'> {
    const { exchangeTime, receiveTime } = event;
    return { symbol: this.#instrument(event).symbol, exchangeTime, receiveTime };
  }

  #instrument({ instrument }: Pick<MarketEvent, 'instrument'>): Instrument {
    return this.#recording.instruments.at(instrument);
  }

  #price(event: MarketEvent, ticks: Ticks): string {
    return printPrice(this.#instrument(event), ticks, this.#recording.printing ?? 'fixed');
  }

  #quantity(event: MarketEvent, lots: Lots): string {
    return printQuantity(this.#instrument(event), lots, this.#recording.printing ?? 'fixed');
  }
}

function amountText(amount: Amount | undefined): string | undefined {
  return amount === undefined ? undefined : formatAmount(amount);
}

import type { Micros } from '../../core/base/clock.ts';
import { Sequencer } from '../../core/book/sequencer.ts';
import { DiffMemory, OrphanUpdates } from '../binance/index.ts';
import type { BookSnapshot, BookUpdate, Event, StaleReason, TickerChanged } from '../../core/model/event.ts';
import type { Instrument, InstrumentId, Instruments, Lots, Ticks } from '../../core/model/instrument.ts';
import { LevelBuffer } from '../../core/model/level-buffer.ts';
import { misfit } from './fields.ts';
import type { FindingCounts } from './finding-counts.ts';
import type { BookSide } from './order-levels.ts';
import type { RebuiltBooks } from './rebuilt-books.ts';
import type { MarketWriter, WrittenBook, SourceItem, WrittenTicker, WrittenTrade } from './market-writer.ts';
import type { FinerSizes } from '../recording/index.ts';
import { parseAmount } from '../../core/base/amount.ts';
import { decimalPattern } from './symbol-survey.ts';

export interface EventWriterOptions {
  /** Wide ones: recorded books carry prices above 2^53 units. */
  readonly instruments: Instruments;
  readonly publish: (event: Event) => void;
  /** Books folded alongside, for checksums and cut depths. */
  readonly books: RebuiltBooks;
  readonly findings: FindingCounts;
  readonly joins: boolean;
  readonly tickers: boolean;
  /** Where an increment is given: takes the sizes between its steps. */
  readonly finer?: FinerSizes | undefined;
}

/**
 * The second pass over a source: words of a venue become events, with the sequence proved where the venue gives one.
 * A gap or a wrong checksum publishes one `bookStale` and then nothing of that book until a snapshot.
 */
export class EventWriter implements MarketWriter {
  readonly #options: EventWriterOptions;
  readonly #buffer = new LevelBuffer();
  readonly #sequencer = new Sequencer('linked');
  readonly orphans = new OrphanUpdates();
  /** Tickers that were left out because they are not wanted. */
  tickersLeft = 0;
  /** Symbols that were left out, the first of them. */
  readonly others = new Set<string>();
  readonly #memory: DiffMemory[];
  readonly #tradeCounts: number[];
  #instrument: Instrument | undefined;
  #receiveTime = 0 as Micros;

  constructor(options: EventWriterOptions) {
    this.#options = options;
    this.#memory = options.joins ? options.instruments.all.map(() => new DiffMemory()) : [];
    this.#tradeCounts = options.instruments.all.map(() => 0);
  }

  /** The next piece of the source. Arrivals never go back: what comes late gets the latest time before it. */
  moveTo({ receiveTime }: SourceItem): void {
    if (receiveTime < this.#receiveTime) {
      this.#options.findings.count('lines are older than the line before; they get its time');
      return;
    }
    this.#receiveTime = receiveTime;
  }

  begin(symbol: string): boolean {
    this.#instrument = this.#find(symbol);
    this.#buffer.beginMessage();
    return this.#instrument !== undefined;
  }

  level(side: BookSide, price: string, size: string): void {
    const instrument = this.#instrument;
    if (instrument === undefined) return;
    const ticks = instrument.readTicks(price);
    const lots = this.#lots(instrument, size);
    if (!(ticks > 0) || !(lots >= 0)) throw offGrid(instrument, `${price} x ${size}`);
    this.#buffer.push(side, ticks, lots);
  }

  snapshot(book: WrittenBook): void {
    const instrument = this.#instrument;
    if (instrument === undefined) return;
    const sequence = book.sequence ?? this.#sequencer.last(instrument.id) + 1;
    this.#sequencer.snapshot(instrument.id, sequence);
    this.orphans.join(instrument.id);
    this.#publishBook(this.#event('bookSnapshot', instrument.id, book, sequence), book);
    this.#memory[instrument.id]?.replay((event, previous) => {
      this.#judgeUpdate({ ...event, receiveTime: this.#receiveTime }, previous, noFurther);
    });
  }

  update(book: WrittenBook): void {
    const instrument = this.#instrument;
    if (instrument === undefined) return;
    const { id } = instrument;
    const sequence = book.sequence ?? this.#sequencer.last(id) + 1;
    const event = this.#event('bookUpdate', id, book, sequence);
    const previous = book.previous ?? anyState;
    this.#memory[id]?.keep(event, previous);
    this.#judgeUpdate(event, previous, book);
  }

  trades(symbol: string, history: boolean, trades: readonly WrittenTrade[]): void {
    const instrument = this.#find(symbol);
    if (instrument === undefined || trades.length === 0) return;
    const printed = trades.flatMap(({ id, price, quantity, side, time }) => {
      const ticks = instrument.readTicks(price);
      const lots = this.#lots(instrument, quantity);
      if (lots === 0 && ticks > 0 && this.#options.finer !== undefined) return [];
      if (!(ticks > 0) || !(lots > 0)) throw offGrid(instrument, `${price} x ${quantity}`);
      const tradeId = id === '' ? this.#countTrade(instrument.id) : id;
      return { tradeId, price: ticks, quantity: lots, side, time };
    });
    if (printed.length === 0) return;
    this.#options.publish({
      kind: 'trades',
      instrument: instrument.id,
      snapshot: history,
      trades: printed,
      exchangeTime: printed.at(-1)?.time ?? this.#receiveTime,
      receiveTime: this.#receiveTime,
    });
  }

  ticker(symbol: string, ticker: WrittenTicker): void {
    const instrument = this.#find(symbol);
    if (instrument === undefined) return;
    if (!this.#options.tickers) {
      this.tickersLeft += 1;
      return;
    }
    this.#options.publish(tickerEvent(instrument, ticker, this.#receiveTime));
  }

  disconnected(symbols?: readonly string[]): void {
    for (const { id, symbol } of this.#options.instruments.all) {
      if (symbols !== undefined && !symbols.includes(symbol)) continue;
      if (this.#sequencer.isLive(id)) this.#stale(id, 'disconnected', 0, 0);
    }
  }

  anomaly(what: string): void {
    this.#options.findings.count(what);
  }

  /** In lots; a size between two steps is rounded down where the increment is given, and the book no longer proved. */
  #lots(instrument: Instrument, text: string): Lots {
    const { finer, books } = this.#options;
    const lots = instrument.readLots(text);
    if (finer === undefined) return lots;
    finer.sizes += 1;
    if (!Number.isNaN(lots)) return lots;
    books.doubt(instrument.id);
    return finer.roundedDown(instrument, text);
  }

  #find(symbol: string): Instrument | undefined {
    const instrument = this.#options.instruments.find(symbol);
    if (instrument === undefined && this.others.size < othersMax) this.others.add(symbol);
    return instrument;
  }

  #judgeUpdate(event: BookUpdate, previous: number, book: WrittenBook): void {
    const { instrument, sequence } = event;
    const base = previous === anyState ? this.#sequencer.last(instrument) : previous;
    switch (this.#sequencer.linkedUpdate(instrument, base, sequence)) {
      case 'next':
        this.#publishBook(event, book);
        break;
      case 'gap':
        this.#options.findings.count('sequence gaps');
        this.#stale(instrument, 'gap', this.#sequencer.expected(instrument), previous);
        break;
      case 'waiting':
        if (!this.#sequencer.hadBook(instrument)) this.orphans.count(instrument);
        if (!this.#options.joins) this.#options.findings.count('updates without a base dropped');
        break;
      case 'old':
        if (!this.#options.joins) this.#options.findings.count('repeated updates dropped');
        break;
    }
  }

  #publishBook(event: BookSnapshot | BookUpdate, book: WrittenBook): void {
    const { books, publish } = this.#options;
    if (!books.isNeeded(book)) {
      publish(event);
      return;
    }
    books.apply(event);
    const whole = books.cut(event.instrument, book.depth, this.#buffer) ? this.#extended(event) : event;
    publish(whole);
    if (books.prove(event.instrument, book.checksum)) return;
    this.#options.findings.count('wrong checksums, each followed by a stale book');
    this.#stale(event.instrument, 'malformed', 0, 0);
  }

  /** The same event with what was pushed behind its levels since. */
  #extended(event: BookSnapshot | BookUpdate): BookSnapshot | BookUpdate {
    return { ...event, levels: this.#buffer.chunk, start: this.#buffer.start, end: this.#buffer.end };
  }

  #stale(instrument: InstrumentId, reason: StaleReason, expected: number, found: number): void {
    this.#sequencer.invalidate(instrument);
    this.#options.publish({
      kind: 'bookStale',
      instrument,
      reason,
      expected,
      found,
      exchangeTime: this.#receiveTime,
      receiveTime: this.#receiveTime,
    });
  }

  #event<Kind extends 'bookSnapshot' | 'bookUpdate'>(
    kind: Kind,
    instrument: InstrumentId,
    book: WrittenBook,
    sequence: number,
  ): { kind: Kind } & Omit<BookUpdate, 'kind'> {
    return {
      kind,
      instrument,
      sequence,
      levels: this.#buffer.chunk,
      start: this.#buffer.start,
      end: this.#buffer.end,
      exchangeTime: book.time ?? this.#receiveTime,
      receiveTime: this.#receiveTime,
    };
  }

  #countTrade(instrument: InstrumentId): string {
    const count = (this.#tradeCounts[instrument] as number) + 1;
    this.#tradeCounts[instrument] = count;
    return String(count);
  }
}

const othersMax = 1_000;

/** State of an update that does not name the one it follows. */
const anyState = -1;
const noFurther: WrittenBook = { time: undefined };

function offGrid(instrument: Instrument, found: string): Error {
  const { tickSize, quantityIncrement } = instrument.spec;
  const grid = `on tick ${tickSize} and increment ${quantityIncrement} (give others with --tick and --increment)`;
  return misfit(`a level of ${instrument.symbol}`, grid, found);
}

/**
 * Event of the top of a book as a venue told it; without a time of the venue's that of arrival stands in. Throws
 * `BadInput` where a price or a quantity is no number.
 */
export function tickerEvent(
  instrument: Instrument,
  ticker: WrittenTicker,
  receiveTime: Micros,
): TickerChanged {
  const time = ticker.time ?? receiveTime;
  const none = undefined;
  return {
    kind: 'ticker',
    instrument: instrument.id,
    ticker: {
      instrument: instrument.id,
      time,
      bid: onGrid(ticker.bid, 'price', (text) => instrument.readTicks(text)),
      bidQuantity: onGrid(ticker.bidQuantity, 'quantity', (text) => instrument.readLots(text)),
      ask: onGrid(ticker.ask, 'price', (text) => instrument.readTicks(text)),
      askQuantity: onGrid(ticker.askQuantity, 'quantity', (text) => instrument.readLots(text)),
      last: ticker.last === undefined ? none : parseAmount(ticker.last),
      open: none,
      high: none,
      low: none,
      volume: none,
      volumeQuote: none,
    },
    exchangeTime: time,
    receiveTime,
  };
}

/** Tickers are rounded by some venues: what is off the grid is left out. */
function onGrid<Unit extends Ticks | Lots>(
  text: string | undefined,
  what: 'price' | 'quantity',
  read: (text: string) => Unit,
): Unit | undefined {
  if (text === undefined) return undefined;
  const value = read(text);
  if (value > 0) return value;
  if (value !== 0 && !decimalPattern.test(text)) throw misfit(`the ${what}`, 'a plain decimal', text);
  return undefined;
}

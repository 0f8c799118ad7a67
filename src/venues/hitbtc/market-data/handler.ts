import type { Micros } from '../../../core/base/clock.ts';
import { Book } from '../../../core/book/book.ts';
import { Sequencer } from '../../../core/book/sequencer.ts';
import type { BookSnapshot, BookUpdate, Event, MarketData, StaleReason } from '../../../core/model/event.ts';
import type { FrameCounters, FrameDecoder, FrameDecoderOptions } from '../../../core/model/frame-format.ts';
import type { Channel, Frame } from '../../../core/model/frame.ts';
import type { Instrument, InstrumentId, Instruments } from '../../../core/model/instrument.ts';
import { LevelBuffer } from '../../../core/model/level-buffer.ts';
import { KnownTrades } from '../../../core/model/known-trades.ts';
import type { Candle, MarketTrade, Ticker } from '../../../core/model/market.ts';
import type { MarketSink, SocketReply } from '../wire/index.ts';
import { publicReaderOf } from './channels.ts';
import { WideInstruments } from '../../../core/model/wide-instruments.ts';

export interface MarketDataHandlerOptions extends FrameDecoderOptions {
  /** Called with market data instead of `publish`, when it is given. */
  readonly publishMarketData?: (data: MarketData) => void;
  /** Replies to requests, which are no events: for the session that asked. */
  readonly onReply?: (reply: SocketReply) => void;
  /** Folds every book here, for an owner who has no other place where its sides are known. */
  readonly keepsBooks?: boolean | undefined;
}

type Counts = { -readonly [Name in keyof FrameCounters]: number };

/**
 * Frames in, market events out: decode, then prove the sequence. Live and replay use this same code.
 *
 * A gap publishes one `bookStale` and then nothing of that book until a snapshot; old updates are dropped. A
 * malformed frame that names a symbol makes its book stale too, because what it said is lost. A `close` frame
 * makes every book of its channel stale. Levels of events point into shared arrays that are never written again. A public
 * trade is published once, whether it came in a history, in an update, or in both.
 */
export class MarketDataHandler implements FrameDecoder {
  readonly #instruments: Instruments;
  readonly #publish: (event: Event) => void;
  readonly #publishMarketData: (data: MarketData) => void;
  readonly #sequencer: Sequencer;
  readonly #buffer = new LevelBuffer();
  readonly #knownTrades = new KnownTrades();
  readonly #sink: MarketSink;
  readonly #counts: Counts = noCounts();
  /** Per instrument: the reason of the `bookStale` that was published last, while no snapshot came since. */
  readonly #reasons: (StaleReason | undefined)[];
  readonly #books: readonly Book[] | undefined;
  /** Per instrument: the channel its book came by last. */
  readonly #channels: (Channel | undefined)[];
  #channel: Channel = 'v3/public';
  #receiveTime = 0 as Micros;
  #lastWhy = '';

  constructor(options: MarketDataHandlerOptions) {
    this.#instruments = new WideInstruments(options.instruments);
    this.#publish = options.publish;
    this.#publishMarketData = options.publishMarketData ?? options.publish;
    this.#sequencer = new Sequencer(options.policy);
    this.#reasons = options.instruments.all.map(() => undefined);
    if (options.keepsBooks === true) this.#books = options.instruments.all.map(({ id }) => new Book(id));
    this.#channels = options.instruments.all.map(() => undefined);
    this.#sink = {
      book: (instrument, snapshot, time, sequence) => this.#book(instrument, snapshot, time, sequence),
      trades: (instrument, snapshot, trades) => this.#trades(instrument, snapshot, trades),
      ticker: (instrument, ticker) => this.#ticker(instrument, ticker),
      candles: (instrument, snapshot, candles) => this.#candles(instrument, snapshot, candles),
      contract: (instrument, info) =>
        this.#publish({
          kind: 'contractInfo',
          instrument: instrument.id,
          ...info,
          receiveTime: this.#receiveTime,
        }),
      reply: (reply) => {
        this.#counts.replies += 1;
        options.onReply?.(reply);
      },
    };
  }

  /** Counts of what passed so far. The object is live: copy it to keep it. */
  get counters(): FrameCounters {
    return this.#counts;
  }

  /** Why the last malformed frame was refused; empty when none was. */
  get lastMalformed(): string {
    return this.#lastWhy;
  }

  /** Whether the book of `instrument` has an unbroken base. */
  isLive(instrument: InstrumentId): boolean {
    return this.#sequencer.isLive(instrument);
  }

  /** Whether the sides of a book meet; false where books are not kept. */
  isCrossed(instrument: InstrumentId): boolean {
    const book = this.#books?.[instrument];
    return book?.status === 'live' && book.crossed;
  }

  /** Takes one frame of a public socket; frames of other channels and of our own sending are passed over. */
  accept(frame: Frame): void {
    const read = publicReaderOf(frame.channel);
    if (read === undefined) return;
    this.#receiveTime = frame.receiveTime;
    this.#channel = frame.channel;
    if (frame.direction === 'close') this.#closed(frame.channel);
    if (frame.direction !== 'in') return;
    this.#counts.frames += 1;
    const result = read(frame.bytes, this.#instruments, this.#buffer, this.#sink);
    if (result.ok) return;
    this.#counts.malformed += 1;
    this.#lastWhy = result.why;
    const named = result.symbol === undefined ? undefined : this.#instruments.find(result.symbol);
    if (named !== undefined) this.markStale('malformed', frame.receiveTime, named.id);
  }

  /**
   * The owner no longer trusts a book (outage, silence, refusal), or all of them: `bookStale` is published for
   * `instrument` unless that was published since its last snapshot, and without `instrument` for every live book. That a
   * book is refused is published also of one that is stale already.
   */
  markStale(reason: StaleReason, now: Micros, instrument?: InstrumentId): void {
    if (instrument !== undefined) {
      const known = this.#reasons[instrument];
      const isNews = known === undefined || (reason === 'refused' && known !== reason);
      if (this.#sequencer.isLive(instrument) || isNews) this.#stale(instrument, reason, now);
      return;
    }
    for (const { id } of this.#instruments.all) {
      if (this.#sequencer.isLive(id)) this.#stale(id, reason, now);
    }
  }

  #closed(channel: Channel): void {
    for (const { id } of this.#instruments.all) {
      if (this.#sequencer.isLive(id) && this.#channels[id] === channel) {
        this.#stale(id, 'disconnected', this.#receiveTime);
      }
    }
  }

  #stale(instrument: InstrumentId, reason: StaleReason, now: Micros, expected = 0, found = 0): void {
    this.#sequencer.invalidate(instrument);
    this.#reasons[instrument] = reason;
    this.#publish({
      kind: 'bookStale',
      instrument,
      reason,
      expected,
      found,
      exchangeTime: now,
      receiveTime: now,
    });
  }

  #book(instrument: Instrument, snapshot: boolean, exchangeTime: Micros, sequence: number): void {
    const { id } = instrument;
    const buffer = this.#buffer;
    if (snapshot) {
      this.#sequencer.snapshot(id, sequence);
      this.#reasons[id] = undefined;
      this.#channels[id] = this.#channel;
      this.#counts.snapshots += 1;
    } else {
      const verdict = this.#sequencer.update(id, sequence);
      if (verdict !== 'next') {
        if (verdict === 'gap') {
          this.#counts.gaps += 1;
          this.#stale(id, 'gap', this.#receiveTime, this.#sequencer.expected(id), sequence);
        } else {
          this.#counts[verdict] += 1;
        }
        buffer.abandon();
        return;
      }
      this.#counts.updates += 1;
    }
    const event: BookSnapshot | BookUpdate = {
      kind: snapshot ? 'bookSnapshot' : 'bookUpdate',
      instrument: id,
      sequence,
      levels: buffer.chunk,
      start: buffer.start,
      end: buffer.end,
      exchangeTime,
      receiveTime: this.#receiveTime,
    };
    this.#books?.[id]?.apply(event);
    this.#publishMarketData(event);
  }

  #trades(instrument: Instrument, snapshot: boolean, printed: readonly MarketTrade[]): void {
    const trades = this.#knownTrades.fresh(instrument.id, printed);
    // An empty history is one too; what was all delivered before is nothing.
    if (trades.length === 0 && printed.length > 0) return;
    this.#counts.trades += trades.length;
    this.#publishMarketData({
      kind: 'trades',
      instrument: instrument.id,
      snapshot,
      trades,
      exchangeTime: trades.at(-1)?.time ?? this.#receiveTime,
      receiveTime: this.#receiveTime,
    });
  }

  #ticker(instrument: Instrument, ticker: Ticker): void {
    this.#counts.tickers += 1;
    this.#publishMarketData({
      kind: 'ticker',
      instrument: instrument.id,
      ticker,
      exchangeTime: ticker.time,
      receiveTime: this.#receiveTime,
    });
  }

  #candles(instrument: Instrument, snapshot: boolean, candles: readonly Candle[]): void {
    this.#counts.candles += candles.length;
    // A candle names the start of its period, not when it changed: the arrival is the best time there is.
    this.#publishMarketData({
      kind: 'candles',
      instrument: instrument.id,
      snapshot,
      candles,
      exchangeTime: this.#receiveTime,
      receiveTime: this.#receiveTime,
    });
  }
}

function noCounts(): Counts {
  return {
    frames: 0,
    snapshots: 0,
    updates: 0,
    old: 0,
    waiting: 0,
    gaps: 0,
    trades: 0,
    tickers: 0,
    candles: 0,
    replies: 0,
    malformed: 0,
  };
}

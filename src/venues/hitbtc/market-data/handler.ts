import type { Micros } from '../../../core/base/clock.ts';
import { Sequencer } from '../../../core/book/sequencer.ts';
import type { Event, MarketData, StaleReason } from '../../../core/model/event.ts';
import type { FrameCounters, FrameDecoder, FrameDecoderOptions } from '../../../core/model/frame-format.ts';
import type { Channel, Frame } from '../../../core/model/frame.ts';
import type { Instrument, InstrumentId, Instruments } from '../../../core/model/instrument.ts';
import { LevelBuffer } from '../../../core/model/level-buffer.ts';
import type { Candle, MarketTrade, Ticker } from '../../../core/model/market.ts';
import type { MarketSink, SocketReply } from '../wire/market-sink.ts';
import { publicReaderOf } from './channels.ts';
import { WideInstruments } from '../../../core/model/wide-instruments.ts';

export interface MarketDataHandlerOptions extends FrameDecoderOptions {
  /** Called with market data instead of `publish`, when it is given. */
  readonly publishMarketData?: (data: MarketData) => void;
  /** Replies to requests, which are no events: for the session that asked. */
  readonly onReply?: (reply: SocketReply) => void;
}

type Counts = { -readonly [Name in keyof FrameCounters]: number };

/**
 * Frames in, market events out: decode, then prove the sequence. Live and replay use this same code.
 *
 * A gap publishes one `bookStale` and then nothing of that book until a snapshot; old updates are dropped. A
 * malformed frame that names a symbol makes its book stale too, because what it said is lost. A `close` frame
 * makes every book of its channel stale. Levels of events point into shared arrays that are never written again.
 */
export class MarketDataHandler implements FrameDecoder {
  readonly #instruments: Instruments;
  readonly #publish: (event: Event) => void;
  readonly #publishMarketData: (data: MarketData) => void;
  readonly #sequencer: Sequencer;
  readonly #buffer = new LevelBuffer();
  readonly #sink: MarketSink;
  readonly #counts: Counts = noCounts();
  /** Per instrument: whether `bookStale` was published and no snapshot came since. */
  readonly #isStale: boolean[];
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
    this.#isStale = options.instruments.all.map(() => false);
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

  /** What passed so far. The object is live: copy it to keep it. */
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
   * `instrument` unless that was published since its last snapshot, and without `instrument` for every live book.
   */
  markStale(reason: StaleReason, now: Micros, instrument?: InstrumentId): void {
    if (instrument !== undefined) {
      if (this.#sequencer.isLive(instrument) || this.#isStale[instrument] !== true) {
        this.#stale(instrument, reason, now);
      }
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
    this.#isStale[instrument] = true;
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
      this.#isStale[id] = false;
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
    this.#publishMarketData({
      kind: snapshot ? 'bookSnapshot' : 'bookUpdate',
      instrument: id,
      sequence,
      levels: buffer.chunk,
      start: buffer.start,
      end: buffer.end,
      exchangeTime,
      receiveTime: this.#receiveTime,
    });
  }

  #trades(instrument: Instrument, snapshot: boolean, trades: readonly MarketTrade[]): void {
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

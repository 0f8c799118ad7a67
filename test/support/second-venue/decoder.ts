import type { Micros } from '../../../src/core/base/clock.ts';
import { millis } from '../../../src/core/base/clock.ts';
import { Sequencer } from '../../../src/core/book/sequencer.ts';
import type { StaleReason } from '../../../src/core/model/event.ts';
import type {
  FrameCounters,
  FrameDecoder,
  FrameDecoderOptions,
} from '../../../src/core/model/frame-format.ts';
import type { Frame } from '../../../src/core/model/frame.ts';
import type { Instrument, InstrumentId } from '../../../src/core/model/instrument.ts';
import { LevelBuffer } from '../../../src/core/model/level-buffer.ts';

export const toyChannel = 'toy/line';

interface MarketLine {
  readonly t: 'full' | 'diff' | 'print';
  readonly n: number;
  readonly at: number;
  readonly bids: readonly (readonly [string, string])[];
  readonly asks: readonly (readonly [string, string])[];
  readonly id: number;
  readonly price: string;
  readonly quantity: string;
  readonly side: 'buy' | 'sell';
}

/** Lines about the market in, events out; a lost diff takes the book out of use until the next full one. */
export class ToyDecoder implements FrameDecoder {
  readonly #options: FrameDecoderOptions;
  readonly #instrument: Instrument;
  readonly #sequencer: Sequencer;
  readonly #buffer = new LevelBuffer();
  readonly #counts: { -readonly [Name in keyof FrameCounters]: number } = {
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
  readonly lastMalformed = '';

  constructor(options: FrameDecoderOptions) {
    this.#options = options;
    this.#instrument = options.instruments.all[0] as Instrument;
    this.#sequencer = new Sequencer(options.policy);
  }

  get counters(): FrameCounters {
    return this.#counts;
  }

  isLive(instrument: InstrumentId): boolean {
    return this.#sequencer.isLive(instrument);
  }

  accept(frame: Frame): void {
    if (frame.channel !== toyChannel) return;
    if (frame.direction === 'close') this.markStale('disconnected', frame.receiveTime);
    if (frame.direction !== 'in') return;
    this.#counts.frames += 1;
    const line = JSON.parse(Buffer.from(frame.bytes).toString('utf8')) as MarketLine;
    if (line.t === 'full' || line.t === 'diff') this.#book(line, frame.receiveTime);
    else if (line.t === 'print') this.#print(line, frame.receiveTime);
  }

  markStale(reason: StaleReason, now: Micros, instrument: InstrumentId = this.#instrument.id): void {
    if (this.#sequencer.isLive(instrument)) this.#stale(reason, now, 0, 0);
  }

  #book({ t, n, at, bids, asks }: MarketLine, receiveTime: Micros): void {
    const { id } = this.#instrument;
    const isFull = t === 'full';
    if (isFull) this.#sequencer.snapshot(id, n);
    else {
      const verdict = this.#sequencer.update(id, n);
      if (verdict === 'gap') this.#stale('gap', receiveTime, this.#sequencer.expected(id), n);
      if (verdict === 'waiting' || verdict === 'old') this.#counts[verdict] += 1;
      if (verdict !== 'next') return;
    }
    this.#counts[isFull ? 'snapshots' : 'updates'] += 1;
    this.#buffer.beginMessage();
    for (const [side, levels] of [bids, asks].entries()) {
      for (const [price, quantity] of levels) {
        this.#buffer.push(
          side as 0 | 1,
          this.#instrument.readTicks(price),
          this.#instrument.readLots(quantity),
        );
      }
    }
    const { chunk: levels, start, end } = this.#buffer;
    this.#options.publish({
      kind: isFull ? 'bookSnapshot' : 'bookUpdate',
      instrument: id,
      sequence: n,
      levels,
      start,
      end,
      exchangeTime: millis(at),
      receiveTime,
    });
  }

  #print({ id, price, quantity, side, at }: MarketLine, receiveTime: Micros): void {
    this.#counts.trades += 1;
    const time = millis(at);
    const trade = {
      tradeId: String(id),
      price: this.#instrument.readTicks(price),
      quantity: this.#instrument.readLots(quantity),
      side,
      time,
    };
    this.#options.publish({
      kind: 'trades',
      instrument: this.#instrument.id,
      snapshot: false,
      trades: [trade],
      exchangeTime: time,
      receiveTime,
    });
  }

  #stale(reason: StaleReason, now: Micros, expected: number, found: number): void {
    const { id: instrument } = this.#instrument;
    this.#sequencer.invalidate(instrument);
    if (reason === 'gap') this.#counts.gaps += 1;
    this.#options.publish({
      kind: 'bookStale',
      instrument,
      reason,
      expected,
      found,
      exchangeTime: now,
      receiveTime: now,
    });
  }
}

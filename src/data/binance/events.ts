import type { Micros } from '../../core/base/clock.ts';
import type { SequenceVerdict } from '../../core/book/sequencer.ts';
import { Sequencer } from '../../core/book/sequencer.ts';
import type { BookUpdate, Event } from '../../core/model/event.ts';
import type { Instrument, InstrumentId, Instruments, Lots, Ticks } from '../../core/model/instrument.ts';
import { LevelBuffer, levelStride } from '../../core/model/level-buffer.ts';
import type { LocalTime } from './line.ts';
import { latencyNanos } from './line.ts';
import type { FileSeams } from '../recording/index.ts';
import type { BestPrices, BinanceSink, ReadTrade } from './sink.ts';
import { DiffMemory, OrphanUpdates } from './baseless-updates.ts';

/**
 * Makes events of what the lines of Binance raw files say, with the sequence proved.
 *
 * A REST snapshot joins by the venue's rule: differences seen before it are kept, and those that end behind its
 * `lastUpdateId` are applied again on top of it. Exchange time is `T`, or `E` for spot; what carries neither repeats
 * the last one seen.
 */
export class BinanceEvents implements BinanceSink {
  readonly buffer = new LevelBuffer();
  readonly time: LocalTime = { micros: 0, nanos: 0 };
  readonly orphans = new OrphanUpdates();
  /** Sizes of levels, trades and book tickers so far. */
  sizes = 0;
  /** Added to local times. */
  #shiftNanos = 0;
  readonly #publish: (event: Event) => void;
  readonly #sequencer = new Sequencer('linked');
  readonly #memory: DiffMemory[];
  readonly #seams: FileSeams | undefined;
  /** Gaps in the sequence, and updates behind them that were left out until a whole book came. */
  readonly #gaps = new Map<InstrumentId, { gaps: number; left: number }>();
  /** How many updates were ahead of a snapshot that came after them. */
  readonly #late = new Map<InstrumentId, number>();
  #lastExchange = 0 as Micros;

  /** `seams` watches that files follow one another. */
  constructor(instruments: Instruments, publish: (event: Event) => void, seams?: FileSeams) {
    this.#seams = seams;
    this.#publish =
      seams === undefined
        ? publish
        : (event) => {
            seams.note(event);
            publish(event);
          };
    this.#memory = instruments.all.map(() => new DiffMemory());
  }

  startFile(shiftNanos: number): void {
    this.#shiftNanos = shiftNanos;
    this.#seams?.startFile(shiftNanos);
  }

  depth(instrument: InstrumentId, millis: number, previous: number, sequence: number): void {
    const exchangeTime = this.#exchangeTime(millis);
    const event: BookUpdate = {
      kind: 'bookUpdate',
      instrument,
      sequence,
      levels: this.buffer.chunk,
      start: this.buffer.start,
      end: this.buffer.end,
      exchangeTime,
      receiveTime: this.#receiveTime(exchangeTime),
    };
    this.sizes += (event.end - event.start) / levelStride;
    this.#memory[instrument]?.keep(event, previous);
    this.#judge(event, previous);
  }

  snapshot(instrument: InstrumentId, millis: number, lastUpdateId: number): void {
    const exchangeTime = this.#exchangeTime(millis);
    const receiveTime = this.#receiveTime(exchangeTime);
    this.#sequencer.snapshot(instrument, lastUpdateId);
    this.orphans.join(instrument);
    this.sizes += (this.buffer.end - this.buffer.start) / levelStride;
    this.#publish({
      kind: 'bookSnapshot',
      instrument,
      sequence: lastUpdateId,
      levels: this.buffer.chunk,
      start: this.buffer.start,
      end: this.buffer.end,
      exchangeTime,
      receiveTime,
    });
    let joined = 0;
    this.#memory[instrument]?.replay((event, previous) => {
      const late = { ...event, receiveTime: Math.max(event.receiveTime, receiveTime) as Micros };
      if (this.#judge(late, previous) === 'next') joined += 1;
    });
    if (joined > 0) this.#late.set(instrument, (this.#late.get(instrument) ?? 0) + joined);
  }

  /** Findings that the recording should tell, one sentence each. */
  findings(instruments: Instruments): readonly string[] {
    const late = [...this.#late].map(
      ([id, count]) =>
        `${instruments.at(id).symbol}: snapshots older than ${count} updates received before them; these were applied again on top`,
    );
    const gaps = [...this.#gaps].map(
      ([id, { gaps, left }]) =>
        `${instruments.at(id).symbol}: ${gaps} sequence gaps, and ${left} updates left out until a whole book came`,
    );
    return [...this.orphans.sentences(instruments), ...gaps, ...late];
  }

  trade(instrument: InstrumentId, millis: number, trade: ReadTrade): void {
    const time = this.#exchangeTime(millis);
    this.sizes += 1;
    this.#publish({
      kind: 'trades',
      instrument,
      snapshot: false,
      trades: [
        {
          tradeId: trade.id,
          price: trade.price as Ticks,
          quantity: trade.quantity as Lots,
          side: trade.isBuyerMaker ? 'sell' : 'buy',
          time,
        },
      ],
      exchangeTime: time,
      receiveTime: this.#receiveTime(time),
    });
  }

  top(instrument: Instrument, millis: number, best: BestPrices): void {
    const time = this.#exchangeTime(millis);
    this.sizes += 2;
    const none = undefined;
    this.#publish({
      kind: 'ticker',
      instrument: instrument.id,
      ticker: {
        instrument: instrument.id,
        time,
        bid: best.bid as Ticks,
        bidQuantity: best.bidQuantity as Lots,
        ask: best.ask as Ticks,
        askQuantity: best.askQuantity as Lots,
        last: none,
        open: none,
        high: none,
        low: none,
        volume: none,
        volumeQuote: none,
      },
      exchangeTime: time,
      receiveTime: this.#receiveTime(time),
    });
  }

  #judge(event: BookUpdate, previous: number): SequenceVerdict {
    const verdict = this.#sequencer.linkedUpdate(event.instrument, previous, event.sequence);
    if (verdict === 'next') this.#publish(event);
    if (verdict === 'waiting') {
      const lost = this.#gaps.get(event.instrument);
      if (!this.#sequencer.hadBook(event.instrument)) this.orphans.count(event.instrument);
      else if (lost !== undefined) lost.left += 1;
    }
    if (verdict === 'gap') {
      const { gaps = 0, left = 0 } = this.#gaps.get(event.instrument) ?? {};
      this.#gaps.set(event.instrument, { gaps: gaps + 1, left: left + 1 });
      this.#publish({
        kind: 'bookStale',
        instrument: event.instrument,
        reason: 'gap',
        expected: this.#sequencer.expected(event.instrument),
        found: previous,
        exchangeTime: event.exchangeTime,
        receiveTime: event.receiveTime,
      });
    }
    return verdict;
  }

  /** Time of the exchange. A message without one repeats the last one seen; before the first, local time stands in. */
  #exchangeTime(millis: number): Micros {
    if (millis < 0) return this.#lastExchange > 0 ? this.#lastExchange : (this.time.micros as Micros);
    const time = (millis * 1_000) as Micros;
    if (time > this.#lastExchange) this.#lastExchange = time;
    return time;
  }

  /** Local time, shifted, rounded up to microseconds and never before the exchange time. */
  #receiveTime(exchangeTime: Micros): Micros {
    const nanos = latencyNanos(this.time, exchangeTime / 1_000) + this.#shiftNanos;
    return (exchangeTime + Math.max(0, Math.ceil(nanos / 1_000))) as Micros;
  }
}

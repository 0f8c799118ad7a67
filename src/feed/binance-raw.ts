import type { Micros } from '../base/clock.ts';
import { Sequencer } from '../book/sequencer.ts';
import type { BookUpdate, Event } from '../model/event.ts';
import type { Instrument, Instruments } from '../model/instrument.ts';
import { LevelArena } from '../model/level-arena.ts';
import type {
  BinanceDepth,
  BinanceLevels,
  BinanceSnapshot,
  BinanceTop,
  BinanceTrade,
  LocalTime,
} from './binance-line.ts';
import { badLine, isMembers, jsonOf, latencyNanos, readLocalTime } from './binance-line.ts';
import { DiffMemory } from './diff-memory.ts';

export interface BinanceOptions {
  readonly instruments: Instruments;
  /** Called with each event, in order. */
  readonly publish: (event: Event) => void;
  /** Whether book tickers become events; they cost as much as all the rest. Default true. */
  readonly tickers?: boolean;
}

/**
 * Turns the lines of Binance raw files into events. Files of consecutive days follow one another: the book carries over.
 *
 * A REST snapshot joins by the venue's rule: differences seen before it are kept, and those that end behind its
 * `lastUpdateId` are applied again on top of it. Exchange time is `T`, or `E` for spot; what carries neither repeats
 * the last one seen. Trades that did not execute against the book (`X` other than MARKET) are dropped.
 */
export class BinanceReader {
  readonly #instruments: Instruments;
  readonly #publish: (event: Event) => void;
  readonly #tickers: boolean;
  readonly #sequencer = new Sequencer('linked');
  readonly #arena = new LevelArena();
  readonly #memory: DiffMemory[];
  readonly #time: LocalTime = { micros: 0, nanos: 0 };
  #path = '';
  #number = 0;
  #shiftNanos = 0;
  #lastExchange = 0 as Micros;

  constructor(options: BinanceOptions) {
    this.#instruments = options.instruments;
    this.#publish = options.publish;
    this.#tickers = options.tickers ?? true;
    this.#memory = options.instruments.all.map(() => new DiffMemory());
  }

  /** The next file begins. `shiftNanos` is added to its local times. */
  startFile(path: string, shiftNanos: number): void {
    this.#path = path;
    this.#shiftNanos = shiftNanos;
  }

  /** Reads one line. Throws `BadInput` with file, line and what was expected. */
  accept(line: Uint8Array, number: number): void {
    this.#number = number;
    const from = readLocalTime(line, this.#time);
    if (from === 0) throw this.#bad('expected a local time of 16 or 19 digits', jsonOf(line, 0));
    const text = jsonOf(line, from);
    if (!this.#tickers && text.slice(0, 64).includes('@bookTicker')) return;
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      throw this.#bad('expected JSON behind the local time', text);
    }
    if (!isMembers(message)) throw this.#bad('expected a JSON object behind the local time', text);
    this.#message(isMembers(message['data']) ? message['data'] : message, text);
  }

  #message(body: Readonly<Record<string, unknown>>, text: string): void {
    if (body['e'] === 'depthUpdate') this.#depth(body as unknown as BinanceDepth);
    else if (body['e'] === 'trade') this.#trade(body as unknown as BinanceTrade);
    else if (body['e'] === 'bookTicker' || (body['e'] === undefined && body['B'] !== undefined)) {
      this.#top(body as unknown as BinanceTop);
    } else if (typeof body['lastUpdateId'] === 'number') {
      this.#snapshot(body as unknown as BinanceSnapshot);
    } else {
      throw this.#bad('expected a depthUpdate, trade, bookTicker or depth reply', text);
    }
  }

  #depth(depth: BinanceDepth): void {
    const { id } = this.#instrumentOf(depth.s);
    const exchangeTime = this.#exchangeTime(depth.T ?? depth.E);
    this.#fill(this.#instruments.at(id), depth.b, depth.a);
    const event: BookUpdate = {
      kind: 'bookUpdate',
      instrument: id,
      sequence: depth.u,
      levels: this.#arena.chunk,
      start: this.#arena.start,
      end: this.#arena.end,
      exchangeTime,
      receiveTime: this.#receiveTime(exchangeTime),
    };
    const previous = depth.pu ?? depth.U - 1;
    this.#memory[id]?.keep(event, previous);
    this.#judge(event, previous);
  }

  #judge(event: BookUpdate, previous: number): void {
    const verdict = this.#sequencer.linkedUpdate(event.instrument, previous, event.sequence);
    if (verdict === 'next') this.#publish(event);
    if (verdict === 'gap') {
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
  }

  #snapshot(reply: BinanceSnapshot): void {
    const { all } = this.#instruments;
    if (reply.symbol === undefined && all.length !== 1) {
      throw this.#bad(`expected a depth reply to name one of the ${all.length} symbols`, 'none');
    }
    const instrument = this.#instrumentOf(reply.symbol ?? (all[0] as Instrument).symbol);
    const exchangeTime = this.#exchangeTime(reply.T);
    const receiveTime = this.#receiveTime(exchangeTime);
    this.#fill(instrument, reply.bids, reply.asks);
    this.#sequencer.snapshot(instrument.id, reply.lastUpdateId);
    this.#publish({
      kind: 'bookSnapshot',
      instrument: instrument.id,
      sequence: reply.lastUpdateId,
      levels: this.#arena.chunk,
      start: this.#arena.start,
      end: this.#arena.end,
      exchangeTime,
      receiveTime,
    });
    this.#memory[instrument.id]?.replay((event, previous) => {
      this.#judge({ ...event, receiveTime: Math.max(event.receiveTime, receiveTime) as Micros }, previous);
    });
  }

  #trade(trade: BinanceTrade): void {
    if (trade.X !== undefined && trade.X !== 'MARKET') return;
    const instrument = this.#instrumentOf(trade.s);
    const time = this.#exchangeTime(trade.T);
    const price = instrument.readTicks(trade.p);
    const quantity = instrument.readLots(trade.q);
    if (!(price > 0) || !(quantity > 0)) throw this.#offGrid(instrument, `${trade.p} ${trade.q}`);
    this.#publish({
      kind: 'trades',
      instrument: instrument.id,
      snapshot: false,
      trades: [{ tradeId: String(trade.t), price, quantity, side: trade.m ? 'sell' : 'buy', time }],
      exchangeTime: time,
      receiveTime: this.#receiveTime(time),
    });
  }

  #top(top: BinanceTop): void {
    if (!this.#tickers) return;
    const instrument = this.#instrumentOf(top.s);
    const time = this.#exchangeTime(top.T);
    const bid = instrument.readTicks(top.b);
    const ask = instrument.readTicks(top.a);
    const bidQuantity = instrument.readLots(top.B);
    const askQuantity = instrument.readLots(top.A);
    if (Number.isNaN(bid + ask + bidQuantity + askQuantity)) {
      throw this.#offGrid(instrument, `${top.b} ${top.B} ${top.a} ${top.A}`);
    }
    const none = undefined;
    this.#publish({
      kind: 'ticker',
      instrument: instrument.id,
      ticker: {
        instrument: instrument.id,
        time,
        bid,
        bidQuantity,
        ask,
        askQuantity,
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

  #fill(instrument: Instrument, bids: BinanceLevels, asks: BinanceLevels): void {
    this.#arena.begin();
    this.#fillSide(instrument, 0, bids);
    this.#fillSide(instrument, 1, asks);
  }

  #fillSide(instrument: Instrument, side: 0 | 1, levels: BinanceLevels): void {
    for (let i = 0; i < levels.length; i++) {
      const level = levels[i] as readonly [string, string];
      const price = instrument.readTicks(level[0]);
      const size = instrument.readLots(level[1]);
      if (!(price > 0) || !(size >= 0)) throw this.#offGrid(instrument, String(level));
      this.#arena.push(side, price, size);
    }
  }

  #instrumentOf(symbol: string): Instrument {
    const instrument = this.#instruments.find(symbol);
    if (instrument === undefined) throw this.#bad('expected one of the known symbols', symbol);
    return instrument;
  }

  /** What carries no time of the exchange repeats the last one seen; before the first, local time stands in. */
  #exchangeTime(millis: number | undefined): Micros {
    if (millis === undefined) {
      return this.#lastExchange > 0 ? this.#lastExchange : (this.#time.micros as Micros);
    }
    const time = (millis * 1_000) as Micros;
    if (time > this.#lastExchange) this.#lastExchange = time;
    return time;
  }

  /** Local time, shifted, rounded up to microseconds and never before the exchange time. */
  #receiveTime(exchangeTime: Micros): Micros {
    const nanos = latencyNanos(this.#time, exchangeTime / 1_000) + this.#shiftNanos;
    return (exchangeTime + Math.max(0, Math.ceil(nanos / 1_000))) as Micros;
  }

  #offGrid(instrument: Instrument, found: string): Error {
    const { tickSize, quantityIncrement } = instrument.spec;
    return this.#bad(
      `expected ${instrument.symbol} on tick ${tickSize} and increment ${quantityIncrement}`,
      found,
    );
  }

  #bad(expectation: string, found: string): Error {
    return badLine(this.#path, this.#number, expectation, found);
  }
}

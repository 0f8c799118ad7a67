import type { Members } from '../../core/base/members.ts';
import { isMembers } from '../../core/base/members.ts';
import type { Event } from '../../core/model/event.ts';
import type { Instrument, Instruments } from '../../core/model/instrument.ts';
import { BinanceEvents } from './events.ts';
import type { BinanceDepth, BinanceLevels, BinanceSnapshot, BinanceTop, BinanceTrade } from './line.ts';
import { badLine, compactLine, jsonOf, readLocalTime } from './line.ts';
import type { FinerSizes } from '../recording/index.ts';
import { isOfBook, LeftOut, messageOf } from './message.ts';
import { BinanceScanner } from './scan.ts';
import type { BinanceSink } from './sink.ts';

export interface BinanceOptions {
  readonly instruments: Instruments;
  /** Called with each event, in order. */
  readonly publish: (event: Event) => void;
  /** Whether book tickers become events; they cost as much as all the rest. Default true. */
  readonly tickers?: boolean;
  /** `bytes` (default) scans what has the usual form and parses the rest; `json` parses every line, to compare. */
  readonly reading?: 'bytes' | 'json';
  /** Takes sizes between the steps of an increment that was given; without, they are refused. */
  readonly finer?: FinerSizes | undefined;
}

/**
 * Turns the lines of Binance raw files into events. Files of consecutive days follow one another: the book carries over.
 *
 * Lines in the venue's usual form are scanned byte by byte, all others go through JSON; both give the same events. Messages of
 * other streams and trades that did not execute against the book (`X` other than MARKET) are left out and counted.
 */
export class BinanceReader {
  readonly leftOut = new LeftOut();
  readonly #instruments: Instruments;
  readonly #events: BinanceSink;
  readonly #scanner: BinanceScanner | undefined;
  readonly #tickers: boolean;
  readonly #finer: FinerSizes | undefined;
  #path = '';
  #number = 0;

  /** With `sink` the lines go there, and no events are made of them. */
  constructor(options: BinanceOptions, sink?: BinanceSink) {
    this.#instruments = options.instruments;
    this.#tickers = options.tickers ?? true;
    this.#finer = options.finer;
    this.#events = sink ?? new BinanceEvents(options.instruments, options.publish);
    this.#scanner =
      options.reading === 'json'
        ? undefined
        : new BinanceScanner(options.instruments, this.#events.buffer, this.#tickers);
  }

  /** The next file begins. `shiftNanos` is added to its local times. */
  startFile(path: string, shiftNanos: number): void {
    this.#path = path;
    this.#events.startFile(shiftNanos);
  }

  /** Reads one line. Throws `BadInput` with file, line and what was expected. */
  accept(read: Uint8Array, number: number): void {
    this.#number = number;
    const from = readLocalTime(read, this.#events.time);
    if (from === 0) throw this.#bad('expected a local time of 16 or 19 digits', jsonOf(read, 0));
    const line = compactLine(read, from);
    if (this.#scanner !== undefined && this.#scan(this.#scanner, line, from)) return;
    const text = jsonOf(line, from);
    if (!this.#tickers && text.slice(0, 64).includes('@bookTicker')) return;
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      throw this.#bad('expected JSON behind the local time', text);
    }
    if (!isMembers(message)) throw this.#bad('expected a JSON object behind the local time', text);
    this.#message(message, text);
  }

  /** Whether the line had the usual form, and was delivered. */
  #scan(scanner: BinanceScanner, line: Uint8Array, from: number): boolean {
    const kind = scanner.scan(line, from);
    if (kind === 'none') return false;
    if (kind === 'skipped') return true;
    const instrument = scanner.instrument as Instrument;
    const { millis, sequence, price, quantity } = scanner;
    if (kind === 'depth') {
      this.#events.depth(instrument.id, millis, scanner.previous, sequence);
    } else if (kind === 'trade') {
      const { isBuyerMaker } = scanner;
      this.#events.trade(instrument.id, millis, { id: String(sequence), price, quantity, isBuyerMaker });
    } else {
      const { askPrice, askQuantity } = scanner;
      this.#events.top(instrument, millis, { bid: price, bidQuantity: quantity, ask: askPrice, askQuantity });
    }
    return true;
  }

  #message(read: Members, text: string): void {
    const message = messageOf(read);
    switch (message.kind) {
      case 'depth':
        return this.#depth(message.body as unknown as BinanceDepth, text);
      case 'trade':
        return this.#trade(message.body as unknown as BinanceTrade, text);
      case 'top':
        return this.#top(message.body as unknown as BinanceTop, text);
      case 'snapshot':
        return this.#snapshot(message.body as unknown as BinanceSnapshot, text);
      case 'other':
        return this.leftOut.message(message.name);
    }
  }

  #depth(depth: BinanceDepth, text: string): void {
    const { s, b, a, u } = depth;
    const millis = depth.T ?? depth.E;
    const previous = depth.pu ?? depth.U - 1;
    if (!areCounts(millis, previous + 1, u) || !areLevels(b) || !areLevels(a))
      throw this.#bad('expected a depthUpdate with E, U, u and levels in b and a', text);
    const instrument = this.#instrumentOf(s);
    this.#fill(instrument, b, a);
    this.#events.depth(instrument.id, millis, previous, u);
  }

  #snapshot(reply: BinanceSnapshot, text: string): void {
    const { all } = this.#instruments;
    const { symbol, bids, asks, lastUpdateId, T = -1 } = reply;
    if (symbol === undefined && all.length !== 1) {
      throw this.#bad(`expected a depth reply to name one of the ${all.length} symbols`, 'none');
    }
    if (!areCounts(T + 1, 0, lastUpdateId) || !areLevels(bids) || !areLevels(asks))
      throw this.#bad('expected a depth reply with lastUpdateId and levels in bids and asks', text);
    const instrument = this.#instrumentOf(symbol ?? (all[0] as Instrument).symbol);
    this.#fill(instrument, bids, asks);
    this.#events.snapshot(instrument.id, T, lastUpdateId);
  }

  #trade(trade: BinanceTrade, text: string): void {
    if (!isOfBook(trade)) return this.leftOut.trade(trade.X);
    const { t, m, T } = trade;
    if (!areCounts(T, 0, 0) || !areTexts(trade.p, trade.q))
      throw this.#bad('expected a trade with T, p and q', text);
    const instrument = this.#instrumentOf(trade.s);
    const price = instrument.readTicks(trade.p);
    const quantity = this.#lots(instrument, trade.q);
    if (quantity === 0 && price > 0 && this.#finer !== undefined) return;
    if (!(price > 0) || !(quantity > 0)) throw this.#offGrid(instrument, `${trade.p} ${trade.q}`);
    this.#events.trade(instrument.id, T, { id: String(t), price, quantity, isBuyerMaker: m });
  }

  #top(top: BinanceTop, text: string): void {
    if (!this.#tickers) return;
    if (!areTexts(top.b, top.B, top.a, top.A) || !areCounts(top.T ?? -1, 0, 0))
      throw this.#bad('expected a bookTicker with b, B, a and A', text);
    const instrument = this.#instrumentOf(top.s);
    const bid = instrument.readTicks(top.b);
    const ask = instrument.readTicks(top.a);
    const bidQuantity = this.#lots(instrument, top.B);
    const askQuantity = this.#lots(instrument, top.A);
    if (Number.isNaN(bid + ask + bidQuantity + askQuantity)) {
      throw this.#offGrid(instrument, `${top.b} ${top.B} ${top.a} ${top.A}`);
    }
    this.#events.top(instrument, top.T ?? -1, { bid, bidQuantity, ask, askQuantity });
  }

  #fill(instrument: Instrument, bids: BinanceLevels, asks: BinanceLevels): void {
    this.#events.buffer.beginMessage();
    this.#fillSide(instrument, 0, bids);
    this.#fillSide(instrument, 1, asks);
  }

  #fillSide(instrument: Instrument, side: 0 | 1, levels: BinanceLevels): void {
    for (let i = 0; i < levels.length; i++) {
      const level = levels[i] as readonly [string, string];
      const price = instrument.readTicks(level[0]);
      const size = this.#lots(instrument, level[1]);
      if (!(price > 0) || !(size >= 0)) throw this.#offGrid(instrument, String(level));
      this.#events.buffer.push(side, price, size);
    }
  }

  #lots(instrument: Instrument, text: string): number {
    const lots = instrument.readLots(text);
    return Number.isNaN(lots) && this.#finer !== undefined ? this.#finer.roundedDown(instrument, text) : lots;
  }

  #instrumentOf(symbol: string): Instrument {
    const instrument = this.#instruments.find(symbol);
    if (instrument === undefined) throw this.#bad('expected one of the known symbols', symbol);
    return instrument;
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

function areCounts(a: number, b: number, c: number): boolean {
  return Number.isSafeInteger(a) && Number.isSafeInteger(b) && Number.isSafeInteger(c);
}

function areTexts(...values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === 'string');
}

function areLevels(levels: unknown): boolean {
  return (
    Array.isArray(levels) && levels.every((level) => Array.isArray(level) && areTexts(level[0], level[1]))
  );
}

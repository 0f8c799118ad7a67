import { isMembers } from '../../core/base/members.ts';
import type { Event } from '../../core/model/event.ts';
import type { Instrument, Instruments } from '../../core/model/instrument.ts';
import { BinanceEvents } from './events.ts';
import type { BinanceDepth, BinanceLevels, BinanceSnapshot, BinanceTop, BinanceTrade } from './line.ts';
import { badLine, compactLine, jsonOf, readLocalTime } from './line.ts';
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
}

/**
 * Turns the lines of Binance raw files into events. Files of consecutive days follow one another: the book carries over.
 *
 * Lines in the venue's usual form are scanned byte by byte, all others go through JSON; both give the same events. Trades that
 * did not execute against the book (`X` other than MARKET) are dropped.
 */
export class BinanceReader {
  readonly #instruments: Instruments;
  readonly #events: BinanceSink;
  readonly #scanner: BinanceScanner | undefined;
  readonly #tickers: boolean;
  #path = '';
  #number = 0;

  /** With `sink` the lines go there, and no events are made of them. */
  constructor(options: BinanceOptions, sink?: BinanceSink) {
    this.#instruments = options.instruments;
    this.#tickers = options.tickers ?? true;
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
    this.#message(isMembers(message['data']) ? message['data'] : message, text);
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
    const instrument = this.#instrumentOf(depth.s);
    this.#fill(instrument, depth.b, depth.a);
    this.#events.depth(instrument.id, depth.T ?? depth.E, depth.pu ?? depth.U - 1, depth.u);
  }

  #snapshot(reply: BinanceSnapshot): void {
    const { all } = this.#instruments;
    if (reply.symbol === undefined && all.length !== 1) {
      throw this.#bad(`expected a depth reply to name one of the ${all.length} symbols`, 'none');
    }
    const instrument = this.#instrumentOf(reply.symbol ?? (all[0] as Instrument).symbol);
    this.#fill(instrument, reply.bids, reply.asks);
    this.#events.snapshot(instrument.id, reply.T ?? -1, reply.lastUpdateId);
  }

  #trade(trade: BinanceTrade): void {
    if (trade.X !== undefined && trade.X !== 'MARKET') return;
    const instrument = this.#instrumentOf(trade.s);
    const price = instrument.readTicks(trade.p);
    const quantity = instrument.readLots(trade.q);
    if (!(price > 0) || !(quantity > 0)) throw this.#offGrid(instrument, `${trade.p} ${trade.q}`);
    const { t, m } = trade;
    this.#events.trade(instrument.id, trade.T, { id: String(t), price, quantity, isBuyerMaker: m });
  }

  #top(top: BinanceTop): void {
    if (!this.#tickers) return;
    const instrument = this.#instrumentOf(top.s);
    const bid = instrument.readTicks(top.b);
    const ask = instrument.readTicks(top.a);
    const bidQuantity = instrument.readLots(top.B);
    const askQuantity = instrument.readLots(top.A);
    if (Number.isNaN(bid + ask + bidQuantity + askQuantity)) {
      throw this.#offGrid(instrument, `${top.b} ${top.B} ${top.a} ${top.A}`);
    }
    this.#events.top(instrument, top.T ?? -1, { bid, bidQuantity, ask, askQuantity });
  }

  #fill(instrument: Instrument, bids: BinanceLevels, asks: BinanceLevels): void {
    this.#events.buffer.begin();
    this.#fillSide(instrument, 0, bids);
    this.#fillSide(instrument, 1, asks);
  }

  #fillSide(instrument: Instrument, side: 0 | 1, levels: BinanceLevels): void {
    for (let i = 0; i < levels.length; i++) {
      const level = levels[i] as readonly [string, string];
      const price = instrument.readTicks(level[0]);
      const size = instrument.readLots(level[1]);
      if (!(price > 0) || !(size >= 0)) throw this.#offGrid(instrument, String(level));
      this.#events.buffer.push(side, price, size);
    }
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

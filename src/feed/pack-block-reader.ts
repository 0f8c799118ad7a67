import type { Amount } from '../base/amount.ts';
import { parseAmount } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import { BadInput } from '../base/errors.ts';
import type { Event, MarketEvent } from '../model/event.ts';
import type { InstrumentId, Lots, Ticks } from '../model/instrument.ts';
import { levelStride } from '../model/level-arena.ts';
import type { MarketTrade, Ticker } from '../model/market.ts';
import { ByteReader, isBase } from './byte-reader.ts';
import type { LevelShelf } from './level-shelf.ts';
import type { PackBases } from './pack-block.ts';
import { readCandles } from './pack-candles.ts';
import { readOrders } from './pack-orders.ts';
import {
  PackState,
  packKindOf,
  staleReasons,
  tradeHasTime,
  tradeIdIsText,
  tradeSells,
} from './pack-block.ts';

interface Head {
  readonly instrument: InstrumentId;
  readonly exchangeTime: Micros;
  readonly receiveTime: Micros;
}

export interface PackBlockOptions {
  /** How many there are; an event of another one is refused. */
  readonly instruments: number;
  /** Whether the pack has the column of single orders. */
  readonly hasOrders: boolean;
  /** Whose arrays levels are put into; an own one for the block without. */
  readonly shelf?: LevelShelf | undefined;
}

/**
 * Decodes one block of a pack. All levels of the block stand in one array, which its events point into, or in those of a
 * shelf.
 */
export class PackBlockReader {
  readonly #reader: ByteReader;
  readonly #state = new PackState();
  readonly #instruments: number;
  readonly #hasOrders: boolean;
  readonly #shelf: LevelShelf | undefined;
  #levels: Float64Array;
  #levelsAt = 0;
  #lastReceive = 0;

  constructor(raw: Uint8Array, base: number, { instruments, hasOrders, shelf }: PackBlockOptions) {
    this.#reader = new ByteReader(raw);
    const levels = this.#reader.varint();
    if (levels * 2 > this.#reader.left) {
      throw new BadInput(`expected ${levels} levels in a block, found ${this.#reader.left} bytes`);
    }
    this.#shelf = shelf;
    this.#levels = shelf?.take(0) ?? new Float64Array(levels * levelStride);
    this.#lastReceive = base;
    this.#instruments = instruments;
    this.#hasOrders = hasOrders;
  }

  /** The `count` events of the block. Throws `BadInput` when the bytes say something else. */
  events(count: number): Event[] {
    const events = this.take(count);
    this.end(count);
    return events;
  }

  /** The next `count` events. Throws `BadInput` when the bytes say something else. */
  take(count: number): Event[] {
    const events: Event[] = [];
    for (let i = 0; i < count; i++) events.push(this.#event());
    return events;
  }

  /** To be called after the last of its `count` events: throws `BadInput` when bytes are left. */
  end(count: number): void {
    if (this.#reader.left === 0) return;
    throw new BadInput(`expected ${count} messages in a block, found ${this.#reader.left} more bytes`);
  }

  #event(): Event {
    const reader = this.#reader;
    const code = reader.varint();
    const instrument = Math.floor(code / 8) as InstrumentId;
    if (instrument >= this.#instruments) {
      throw new BadInput(`expected one of ${this.#instruments} instruments, found number ${instrument}`);
    }
    const receiveTime = reader.delta(this.#lastReceive) as Micros;
    const exchangeTime = reader.delta(receiveTime) as Micros;
    this.#lastReceive = receiveTime;
    const kind = packKindOf(code % 8);
    const event =
      kind === 'bookSnapshot' || kind === 'bookUpdate'
        ? this.#book(kind, instrument, exchangeTime, receiveTime)
        : this.#other(kind, { instrument, exchangeTime, receiveTime });
    return this.#hasOrders ? this.#withOrders(event) : event;
  }

  #withOrders(event: MarketEvent): MarketEvent {
    if (event.kind !== 'bookSnapshot' && event.kind !== 'bookUpdate' && event.kind !== 'trades') return event;
    const orders = readOrders(this.#reader, this.#state.of(event.instrument));
    return orders === undefined ? event : { ...event, orders };
  }

  #book(
    kind: 'bookSnapshot' | 'bookUpdate',
    instrument: InstrumentId,
    exchangeTime: Micros,
    receiveTime: Micros,
  ): MarketEvent {
    const reader = this.#reader;
    const bases = this.#state.of(instrument);
    const sequence = reader.delta(bases.sequence);
    if (isBase(sequence)) bases.sequence = sequence;
    let start = this.#levelsAt;
    let at = start;
    for (let runs = reader.varint(); runs > 0; runs--) {
      const run = reader.varint();
      const side = run % 2 === 0 ? 0 : 1;
      const count = (run - side) / 2;
      if (
        this.#shelf !== undefined &&
        at + count * levelStride > this.#levels.length &&
        count * 2 <= reader.left
      ) {
        this.#moveOn(this.#shelf, { start, end: at, more: count * levelStride });
        at -= start;
        start = 0;
      }
      bases.price[side] = reader.levels(side, count, bases.price[side] as number, this.#levels, at);
      at += count * levelStride;
    }
    this.#levelsAt = at;
    this.#shelf?.filled(exchangeTime, receiveTime);
    return {
      kind,
      instrument,
      sequence,
      levels: this.#levels,
      start,
      end: at,
      exchangeTime,
      receiveTime,
    };
  }

  /** A message that does not fit goes on in the next array of the shelf. */
  #moveOn(
    shelf: LevelShelf,
    at: { readonly start: number; readonly end: number; readonly more: number },
  ): void {
    const begun = this.#levels.subarray(at.start, at.end);
    this.#levels = shelf.take(begun.length + at.more);
    this.#levels.set(begun);
  }

  #other(kind: 'bookStale' | 'trades' | 'ticker' | 'candles', head: Head): MarketEvent {
    const reader = this.#reader;
    const { instrument, exchangeTime, receiveTime } = head;
    const bases = this.#state.of(instrument);
    switch (kind) {
      case 'bookStale': {
        const reason = staleReasons[reader.byte()];
        if (reason === undefined) throw new BadInput('expected a known reason for a stale book');
        const expected = reader.delta(0);
        const found = reader.delta(0);
        return { kind, instrument, reason, expected, found, exchangeTime, receiveTime };
      }
      case 'trades': {
        const code = reader.varint();
        const count = Math.floor(code / 2);
        // Most messages have one trade, and an array that grows begins with room for seventeen.
        const trades: MarketTrade[] = count === 1 ? [this.#trade(exchangeTime, bases)] : [];
        while (trades.length < count) trades.push(this.#trade(exchangeTime, bases));
        return { kind, instrument, snapshot: code % 2 === 1, trades, exchangeTime, receiveTime };
      }
      case 'ticker':
        return { kind, instrument, ticker: this.#ticker(head, bases), exchangeTime, receiveTime };
      case 'candles': {
        const snapshot = reader.byte() === 1;
        return { kind, instrument, snapshot, candles: readCandles(reader.text()), exchangeTime, receiveTime };
      }
    }
  }

  #trade(exchangeTime: Micros, bases: PackBases): MarketTrade {
    const reader = this.#reader;
    const flags = reader.byte();
    let tradeId: string;
    if ((flags & tradeIdIsText) !== 0) {
      tradeId = reader.text();
    } else {
      bases.tradeId = reader.delta(bases.tradeId);
      tradeId = String(bases.tradeId);
    }
    const price = reader.delta(bases.tradePrice) as Ticks;
    if (isBase(price)) bases.tradePrice = price;
    const quantity = reader.varint() as Lots;
    const time = ((flags & tradeHasTime) !== 0 ? reader.delta(exchangeTime) : exchangeTime) as Micros;
    return { tradeId, price, quantity, side: (flags & tradeSells) !== 0 ? 'sell' : 'buy', time };
  }

  #ticker({ instrument, exchangeTime }: Head, bases: PackBases): Ticker {
    const reader = this.#reader;
    const flags = reader.varint();
    const time = ((flags & 1) !== 0 ? reader.delta(exchangeTime) : exchangeTime) as Micros;
    const price = (side: 0 | 1): Ticks => {
      const value = reader.delta(bases.tickerPrice[side] as number);
      if (isBase(value)) bases.tickerPrice[side] = value;
      return value as Ticks;
    };
    const amount = (bit: number): Amount | undefined =>
      (flags & bit) !== 0 ? parseAmount(reader.text()) : undefined;
    // Members are read in the order they were written.
    return {
      instrument,
      time,
      bid: (flags & 2) !== 0 ? price(0) : undefined,
      bidQuantity: (flags & 4) !== 0 ? (reader.varint() as Lots) : undefined,
      ask: (flags & 8) !== 0 ? price(1) : undefined,
      askQuantity: (flags & 16) !== 0 ? (reader.varint() as Lots) : undefined,
      last: amount(32),
      open: amount(64),
      high: amount(128),
      low: amount(256),
      volume: amount(512),
      volumeQuote: amount(1024),
    };
  }
}

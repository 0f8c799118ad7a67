import type { Micros } from '../../core/base/clock.ts';
import { BadInput } from '../../core/base/errors.ts';
import type { Event, MarketEvent, TradesPrinted } from '../../core/model/event.ts';
import type { InstrumentId, Lots, Ticks } from '../../core/model/instrument.ts';
import { levelStride } from '../../core/model/level-buffer.ts';
import type { MarketTrade } from '../../core/model/market.ts';
import { ByteReader, isBase } from '../recording/index.ts';
import type { EventPool, TradeForm, WritableTrade } from './event-pool.ts';
import { readCandles } from './candles.ts';
import { readContract } from './contracts.ts';
import { readOrders } from './orders.ts';
import { readTicker } from './ticker.ts';
import type { PackKind } from './block.ts';
import { PackState, packKindOf, staleReasons, tradeHasTime, tradeIdIsText, tradeSells } from './block.ts';

export interface PackBlockOptions {
  /** How many there are; an event of another one is refused. */
  readonly instruments: number;
  /** Whether the pack has the column of single orders. */
  readonly hasOrders: boolean;
  /** Pool whose arrays levels are put into; an own one for the block without. */
  readonly pool?: EventPool | undefined;
}

/**
 * Decodes one block of a pack. All levels of the block stand in one array, which its events point into, or in those of a
 * pool.
 */
export class PackBlockReader {
  readonly #reader: ByteReader;
  readonly #state = new PackState();
  readonly #instruments: number;
  readonly #hasOrders: boolean;
  readonly #pool: EventPool | undefined;
  #levels: Float64Array;
  #levelsAt = 0;
  // Of the message under way: a number that is handed on is a new box, one that is kept here is not.
  #instrument = 0 as InstrumentId;
  #exchangeTime = 0 as Micros;
  #receiveTime = 0 as Micros;

  constructor(raw: Uint8Array, base: number, { instruments, hasOrders, pool }: PackBlockOptions) {
    this.#reader = new ByteReader(raw);
    const levels = this.#reader.varint();
    if (levels * 2 > this.#reader.left) {
      throw new BadInput(`expected ${levels} levels in a block, found ${this.#reader.left} bytes`);
    }
    this.#pool = pool;
    this.#levels = pool?.takeArray(0) ?? new Float64Array(levels * levelStride);
    this.#receiveTime = base as Micros;
    this.#instruments = instruments;
    this.#hasOrders = hasOrders;
  }

  /** The `count` events of the block. Throws `BadInput` when the bytes say something else. */
  events(count: number): Event[] {
    const events: Event[] = [];
    this.takeEvents(count, events);
    this.endBlock(count);
    return events;
  }

  /** Puts the next `count` events into `events`, and nothing else stays there. Throws `BadInput` when the bytes say something else. */
  takeEvents(count: number, events: Event[]): void {
    for (let i = 0; i < count; i++) events[i] = this.#event();
    if (events.length > count) events.length = count;
  }

  /** To be called after the last of its `count` events: throws `BadInput` when bytes are left. */
  endBlock(count: number): void {
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
    this.#instrument = instrument;
    this.#receiveTime = reader.delta(this.#receiveTime) as Micros;
    this.#exchangeTime = reader.delta(this.#receiveTime) as Micros;
    const kind = packKindOf(code % 8);
    const event = kind === 'bookSnapshot' || kind === 'bookUpdate' ? this.#book(kind) : this.#other(kind);
    return this.#hasOrders ? this.#withOrders(event) : event;
  }

  #withOrders(event: MarketEvent): MarketEvent {
    if (event.kind !== 'bookSnapshot' && event.kind !== 'bookUpdate' && event.kind !== 'trades') return event;
    const orders = readOrders(this.#reader, this.#state.of(event.instrument));
    return orders === undefined ? event : { ...event, orders };
  }

  #book(kind: 'bookSnapshot' | 'bookUpdate'): MarketEvent {
    const reader = this.#reader;
    const pool = this.#pool;
    const instrument = this.#instrument;
    const bases = this.#state.of(instrument);
    const sequence = reader.delta(bases.sequence);
    if (isBase(sequence)) bases.sequence = sequence;
    let start = this.#levelsAt;
    let at = start;
    for (let runs = reader.varint(); runs > 0; runs--) {
      const run = reader.varint();
      const side = run % 2 === 0 ? 0 : 1;
      const count = (run - side) / 2;
      const more = count * levelStride;
      if (pool !== undefined && at + more > this.#levels.length && count * 2 <= reader.left) {
        this.#moveOn(pool, { start, end: at, more });
        at -= start;
        start = 0;
      }
      bases.price[side] = reader.levels(side, count, bases.price[side] as number, this.#levels, at);
      at += more;
    }
    this.#levelsAt = at;
    const levels = this.#levels;
    const end = at;
    const exchangeTime = this.#exchangeTime;
    const receiveTime = this.#receiveTime;
    const form = pool?.book(exchangeTime, receiveTime);
    if (form === undefined) {
      const event = { kind, instrument, sequence, levels, start, end, exchangeTime, receiveTime };
      pool?.keepBook(event);
      return event;
    }
    form.kind = kind;
    form.instrument = instrument;
    form.sequence = sequence;
    form.levels = levels;
    form.start = start;
    form.end = end;
    form.exchangeTime = exchangeTime;
    form.receiveTime = receiveTime;
    return form;
  }

  /** A message that does not fit goes on in the next array of the pool. */
  #moveOn(
    pool: EventPool,
    at: { readonly start: number; readonly end: number; readonly more: number },
  ): void {
    const begun = this.#levels.subarray(at.start, at.end);
    this.#levels = pool.takeArray(begun.length + at.more);
    this.#levels.set(begun);
  }

  #other(kind: Exclude<PackKind, 'bookSnapshot' | 'bookUpdate'>): MarketEvent {
    if (kind === 'trades') return this.#trades();
    const reader = this.#reader;
    const instrument = this.#instrument;
    const exchangeTime = this.#exchangeTime;
    const receiveTime = this.#receiveTime;
    switch (kind) {
      case 'bookStale': {
        const reason = staleReasons[reader.byte()];
        if (reason === undefined) throw new BadInput('expected a known reason for a stale book');
        const expected = reader.delta(0);
        const found = reader.delta(0);
        return { kind, instrument, reason, expected, found, exchangeTime, receiveTime };
      }
      case 'ticker': {
        const ticker = readTicker(reader, this.#state.of(instrument), instrument, exchangeTime);
        return { kind, instrument, ticker, exchangeTime, receiveTime };
      }
      case 'candles': {
        const snapshot = reader.byte() === 1;
        return { kind, instrument, snapshot, candles: readCandles(reader.text()), exchangeTime, receiveTime };
      }
      case 'contractInfo':
        return { kind, instrument, ...readContract(reader.text()), exchangeTime, receiveTime };
    }
  }

  #trades(): TradesPrinted {
    const code = this.#reader.varint();
    const count = Math.floor(code / 2);
    const snapshot = code % 2 === 1;
    const instrument = this.#instrument;
    const exchangeTime = this.#exchangeTime;
    const receiveTime = this.#receiveTime;
    const pool = this.#pool;
    // Most messages have one trade.
    const form = count === 1 ? pool?.trade(exchangeTime, receiveTime) : undefined;
    if (form !== undefined) {
      form.instrument = instrument;
      form.snapshot = snapshot;
      form.exchangeTime = exchangeTime;
      form.receiveTime = receiveTime;
      this.#rewrite(form.trades[0]);
      return form;
    }
    if (count === 1) {
      const event: TradeForm = {
        kind: 'trades',
        instrument,
        snapshot,
        trades: [this.#trade()],
        exchangeTime,
        receiveTime,
      };
      pool?.keepTrade(event);
      return event;
    }
    const trades: MarketTrade[] = [];
    while (trades.length < count) trades.push(this.#trade());
    return { kind: 'trades', instrument, snapshot, trades, exchangeTime, receiveTime };
  }

  #trade(): MarketTrade {
    const trade = {
      tradeId: '',
      price: 0 as Ticks,
      quantity: 0 as Lots,
      side: 'buy' as const,
      time: this.#exchangeTime,
    };
    this.#rewrite(trade);
    return trade;
  }

  /** Reads a trade into one that is there. */
  #rewrite(trade: WritableTrade): void {
    const reader = this.#reader;
    const bases = this.#state.of(this.#instrument);
    const flags = reader.byte();
    if ((flags & tradeIdIsText) !== 0) {
      trade.tradeId = reader.text();
    } else {
      bases.tradeId = reader.delta(bases.tradeId);
      trade.tradeId = bases.tradeIdText.of(bases.tradeId);
    }
    const price = reader.delta(bases.tradePrice) as Ticks;
    if (isBase(price)) bases.tradePrice = price;
    trade.price = price;
    trade.quantity = reader.varint() as Lots;
    const exchangeTime = this.#exchangeTime;
    trade.time = ((flags & tradeHasTime) !== 0 ? reader.delta(exchangeTime) : exchangeTime) as Micros;
    trade.side = (flags & tradeSells) !== 0 ? 'sell' : 'buy';
  }
}

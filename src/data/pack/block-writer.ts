import { formatAmount } from '../../core/base/amount.ts';
import type { BookSnapshot, BookUpdate, MarketEvent } from '../../core/model/event.ts';
import { levelStride } from '../../core/model/level-buffer.ts';
import { orderStride } from '../../core/model/order-changes.ts';
import type { MarketTrade, Ticker } from '../../core/model/market.ts';
import { isBase, ByteWriter } from '../recording/index.ts';
import type { PackBases } from './block.ts';
import { PackState, packKinds, staleReasons, tradeHasTime, tradeIdIsText, tradeSells } from './block.ts';
import { candlesText } from './candles.ts';
import { contractText } from './contracts.ts';
import { writeOrders } from './orders.ts';

const plainId = /^(?:0|[1-9]\d{0,14})$/;

/** Collects events for one block of a pack. */
export class PackBlockWriter {
  readonly #writer = new ByteWriter(512 * 1024);
  readonly #hasOrders: boolean;
  #state = new PackState();
  #messages = 0;
  #levels = 0;
  #weight = 0;
  #base = 0;
  #lastReceive = 0;

  /** With `hasOrders` it keeps what events hold of single orders, and leaves it out without. */
  constructor(hasOrders = false) {
    this.#hasOrders = hasOrders;
  }

  /** Messages collected. */
  get messages(): number {
    return this.#messages;
  }

  /** Level changes, trades and messages collected: what decides when a block is full. */
  get weight(): number {
    return this.#weight;
  }

  /** Receive time of the first message. */
  get base(): number {
    return this.#base;
  }

  add(event: MarketEvent): void {
    if (this.#messages === 0) {
      this.#base = event.receiveTime;
      this.#lastReceive = event.receiveTime;
    }
    const writer = this.#writer;
    writer.varint(event.instrument * 8 + packKinds.indexOf(event.kind));
    writer.delta(event.receiveTime, this.#lastReceive);
    writer.delta(event.exchangeTime, event.receiveTime);
    this.#lastReceive = event.receiveTime;
    this.#messages += 1;
    this.#weight += 1;
    this.#body(event, this.#state.of(event.instrument));
  }

  /** The bytes of the block; the writer begins anew. */
  take(): Uint8Array {
    const count = new ByteWriter(16);
    count.varint(this.#levels);
    const block = Buffer.concat([count.take(), this.#writer.take()]);
    this.#writer.clear();
    this.#state = new PackState();
    this.#messages = 0;
    this.#levels = 0;
    this.#weight = 0;
    return block;
  }

  #body(event: MarketEvent, bases: PackBases): void {
    switch (event.kind) {
      case 'bookSnapshot':
      case 'bookUpdate':
        this.#book(event, bases);
        this.#orders(event.orders, bases);
        break;
      case 'bookStale':
        this.#writer.byte(staleReasons.indexOf(event.reason));
        this.#writer.delta(event.expected, 0);
        this.#writer.delta(event.found, 0);
        break;
      case 'trades':
        this.#writer.varint(event.trades.length * 2 + (event.snapshot ? 1 : 0));
        for (const trade of event.trades) this.#trade(trade, event.exchangeTime, bases);
        this.#weight += event.trades.length;
        this.#orders(event.orders, bases);
        break;
      case 'ticker':
        this.#ticker(event.ticker, event.exchangeTime, bases);
        break;
      case 'candles':
        this.#writer.byte(event.snapshot ? 1 : 0);
        this.#writer.text(candlesText(event.candles));
        break;
      case 'contractInfo':
        this.#writer.text(contractText(event));
        break;
    }
  }

  #book(event: BookSnapshot | BookUpdate, bases: PackBases): void {
    const writer = this.#writer;
    const { levels, start, end } = event;
    writer.delta(event.sequence, bases.sequence);
    if (isBase(event.sequence)) bases.sequence = event.sequence;
    writer.varint(countRuns(levels, start, end));
    for (let at = start; at < end;) {
      const side = levels[at] === 0 ? 0 : 1;
      let stop = at;
      while (stop < end && levels[stop] === side) stop += levelStride;
      writer.varint(((stop - at) / levelStride) * 2 + side);
      bases.price[side] = writer.levels(levels, at, stop, bases.price[side] as number);
      at = stop;
    }
    this.#levels += (end - start) / levelStride;
    this.#weight += (end - start) / levelStride;
  }

  #orders(orders: Float64Array | undefined, bases: PackBases): void {
    if (!this.#hasOrders) return;
    writeOrders(this.#writer, orders, bases);
    this.#weight += (orders?.length ?? 0) / orderStride;
  }

  #trade(trade: MarketTrade, exchangeTime: number, bases: PackBases): void {
    const writer = this.#writer;
    const idIsText = !plainId.test(trade.tradeId);
    const hasTime = trade.time !== exchangeTime;
    const sells = trade.side === 'sell' ? tradeSells : 0;
    writer.byte(sells | (idIsText ? tradeIdIsText : 0) | (hasTime ? tradeHasTime : 0));
    if (idIsText) {
      writer.text(trade.tradeId);
    } else {
      const id = Number(trade.tradeId);
      writer.delta(id, bases.tradeId);
      bases.tradeId = id;
    }
    writer.delta(trade.price, bases.tradePrice);
    if (isBase(trade.price)) bases.tradePrice = trade.price;
    writer.varint(trade.quantity);
    if (hasTime) writer.delta(trade.time, exchangeTime);
  }

  #ticker(ticker: Ticker, exchangeTime: number, bases: PackBases): void {
    const writer = this.#writer;
    const { bid, bidQuantity, ask, askQuantity, last, open, high, low, volume, volumeQuote } = ticker;
    const best = flag(bid, 2) | flag(bidQuantity, 4) | flag(ask, 8) | flag(askQuantity, 16);
    const prices = flag(last, 32) | flag(open, 64) | flag(high, 128) | flag(low, 256);
    const amounts = prices | flag(volume, 512) | flag(volumeQuote, 1_024);
    const hasTime = ticker.time !== exchangeTime;
    writer.varint((hasTime ? 1 : 0) | best | amounts);
    if (hasTime) writer.delta(ticker.time, exchangeTime);
    this.#tickerSide(bid, bidQuantity, bases, 0);
    this.#tickerSide(ask, askQuantity, bases, 1);
    if (amounts === 0) return;
    for (const amount of [last, open, high, low, volume, volumeQuote]) {
      if (amount !== undefined) writer.text(formatAmount(amount));
    }
  }

  #tickerSide(price: number | undefined, lots: number | undefined, bases: PackBases, side: 0 | 1): void {
    if (price !== undefined) {
      this.#writer.delta(price, bases.tickerPrice[side] as number);
      if (isBase(price)) bases.tickerPrice[side] = price;
    }
    if (lots !== undefined) this.#writer.varint(lots);
  }
}

function flag(value: unknown, bit: number): number {
  return value === undefined ? 0 : bit;
}

function countRuns(levels: Float64Array, start: number, end: number): number {
  let runs = 0;
  for (let at = start; at < end; at += levelStride) {
    if (at === start || levels[at] !== levels[at - levelStride]) runs += 1;
  }
  return runs;
}

import type { Lots, Ticks } from '../../../core/model/instrument.ts';
import { opposite } from '../../../core/model/order.ts';
import type { ExchangeState, ExchangeMarket, Fills, Met, OrderRecord } from '../state/index.ts';
import { endAndReport, leftBook } from './reservations.ts';
import { keyOf, priceOf, none } from '../book/index.ts';
import { capOf, closable, isReducing } from './needs.ts';
import { adjustHeld, settleExecution, reportTrade } from './settle.ts';

/** First in, first out: orders execute against the orders that rest in the book, best price and oldest order first. */
export class FifoFills implements Fills {
  readonly #exchange: ExchangeState;
  readonly #market: ExchangeMarket;

  constructor(exchange: ExchangeState, market: ExchangeMarket) {
    this.#exchange = exchange;
    this.#market = market;
  }

  wouldTake(record: OrderRecord): boolean {
    const { bestKey } = this.#market.book.queue(opposite(record.side)).levels;
    return bestKey !== Number.NEGATIVE_INFINITY && bestKey >= limitKey(record);
  }

  visit(record: OrderRecord, met: Met, each: (price: Ticks, lots: Lots) => void): void {
    const side = opposite(record.side);
    const { levels } = this.#market.book.queue(side);
    const limit = limitKey(record);
    let left: number = record.remaining;
    for (let slot = levels.best; slot !== none && left > 0; slot = levels.worse(slot)) {
      const key = levels.key[slot] as number;
      if (key < limit) break;
      const lots = this.#takeableAt(record, slot, left, met);
      each(priceOf(side, key), lots as Lots);
      left -= lots;
    }
  }

  takeOrder(taker: OrderRecord): void {
    const exchange = this.#exchange;
    const market = this.#market;
    const { pool } = exchange;
    const side = opposite(taker.side);
    const queue = market.book.queue(side);
    const { levels } = queue;
    const limit = limitKey(taker);
    while (taker.remaining > 0) {
      const key = levels.bestKey;
      if (key === Number.NEGATIVE_INFINITY || key < limit) break;
      exchange.levelNotes.noteLevel(market, side, key);
      const handle = levels.head[levels.find(key)] as number;
      const resting = pool.quantity[handle] as number;
      const maker = exchange.recordAt(handle);
      const most = exchange.exclusiveCount === 0 ? resting : mostBetween(taker, maker, resting);
      if (most === 0 && capOf(taker) === 0) break;
      if (most === 0 && maker !== undefined) {
        endAndReport(exchange, maker, 'canceled');
        continue;
      }
      const quantity = Math.min(taker.remaining, most) as Lots;
      const execution = exchange.execution(priceOf(side, key), quantity);
      market.last = execution.price;
      if (market.exposed.size > 0) exchange.margin.moved.add(market);
      if (quantity < resting) {
        queue.reduce(handle, quantity);
      } else {
        queue.remove(handle);
        if (maker !== undefined) leftBook(maker);
      }
      if (maker !== undefined) settleExecution(exchange, maker, execution, false);
      settleExecution(exchange, taker, execution, true);
      reportTrade(exchange, market, taker.side, execution);
    }
    if (taker.isLive) adjustHeld(exchange, taker);
  }

  restOrder(record: OrderRecord): void {
    const { side, price } = record;
    const key = keyOf(side, price ?? 0);
    this.#exchange.levelNotes.noteLevel(this.#market, side, key);
    record.handle = this.#market.book.queue(side).append(key, record.remaining, record.index);
  }

  leaveBook({ side, price, handle }: OrderRecord): void {
    this.#exchange.levelNotes.noteLevel(this.#market, side, keyOf(side, price ?? 0));
    this.#market.book.queue(side).remove(handle);
  }

  /** How much of what an order still wants it would find at a level. */
  #takeableAt(record: OrderRecord, slot: number, left: number, met: Met): number {
    const exchange = this.#exchange;
    const queue = this.#market.book.queue(opposite(record.side));
    if (exchange.exclusiveCount === 0) return Math.min(left, queue.totalOf(slot));
    let found = 0;
    for (let handle = queue.headOf(slot); handle !== none && found < left; handle = queue.after(handle)) {
      const resting = queue.quantityOf(handle);
      const maker = exchange.recordAt(handle);
      found += maker === undefined ? resting : executable(record, maker, left - found, met);
    }
    return Math.min(left, found);
  }
}

/** The worst key of the other side that an order may take from. */
function limitKey({ side, price }: OrderRecord): number {
  return price === undefined ? Number.NEGATIVE_INFINITY : keyOf(opposite(side), price);
}

/** How much two orders may execute: nothing between two of one exclusive list, and no more than they may reduce. */
function mostBetween(taker: OrderRecord, maker: OrderRecord | undefined, resting: number): number {
  if (maker === undefined) return Math.min(resting, capOf(taker));
  if (maker.list?.exclusive === true && maker.list === taker.list) return 0;
  return Math.min(resting, capOf(taker), capOf(maker));
}

/** How much of a resting order would execute. */
function executable(record: OrderRecord, maker: OrderRecord, wanted: number, met: Met): number {
  const { list } = maker;
  if (list?.exclusive === true) {
    if (list === record.list || met.lists.has(list)) return 0;
    met.lists.add(list);
  }
  const position = maker.context.margin?.positions.get(maker.instrument);
  const before = position === undefined ? 0 : (met.closable.get(position) ?? closable(maker));
  const lots = Math.min(maker.remaining, wanted, isReducing(maker) ? before : Number.POSITIVE_INFINITY);
  if (position !== undefined) met.closable.set(position, Math.max(0, before - lots));
  return lots;
}

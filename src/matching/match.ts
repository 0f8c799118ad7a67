import { add, subtract, zero } from '../base/amount.ts';
import type { Amount } from '../base/amount.ts';
import type { Lots, Ticks } from '../model/instrument.ts';
import { opposite } from '../model/order.ts';
import type { Desk } from './desk.ts';
import { end } from './ending.ts';
import type { Market } from './market.ts';
import { keyOf, priceOf } from './order-book.ts';
import { nobody, none } from './order-pool.ts';
import type { OrderRecord } from './order-record.ts';
import type { Terms } from './terms.ts';

/** One execution: what both sides and the public are told. */
export interface Execution {
  readonly number: number;
  readonly price: Ticks;
  readonly quantity: Lots;
}

/** The worst key of the other side that an order may take from. */
function limitKey(record: OrderRecord): number {
  const { side, price } = record.request;
  return price === undefined ? Number.NEGATIVE_INFINITY : keyOf(opposite(side), price);
}

/** Whether an order would take at least one lot now. */
export function wouldTake(market: Market, record: OrderRecord): boolean {
  const { levels } = market.book.queue(opposite(record.side));
  return levels.best !== none && (levels.key[levels.best] as number) >= limitKey(record);
}

/** Whether an order can be executed to its end at once. */
export function isFillable(market: Market, record: OrderRecord): boolean {
  const { levels } = market.book.queue(opposite(record.side));
  const limit = limitKey(record);
  let left: number = record.remaining;
  for (let slot = levels.best; slot !== none && left > 0; slot = levels.worse(slot)) {
    if ((levels.key[slot] as number) < limit) break;
    left -= levels.total[slot] as number;
  }
  return left <= 0;
}

/** What buying `quantity` at market costs with the worst fee; less when the book has less. */
export function walkCost(market: Market, terms: Terms, quantity: Lots): Amount {
  const { levels } = market.book.asks;
  let left: number = quantity;
  let cost = zero;
  for (let slot = levels.best; slot !== none && left > 0; slot = levels.worse(slot)) {
    const lots = Math.min(left, levels.total[slot] as number) as Lots;
    cost = add(cost, terms.need(priceOf('sell', levels.key[slot] as number), lots));
    left -= lots;
  }
  return cost;
}

/** Executes an order against the other side, best price and oldest order first, as far as it goes. */
export function take(desk: Desk, market: Market, taker: OrderRecord): void {
  const { pool } = desk;
  const side = opposite(taker.side);
  const queue = market.book.queue(side);
  const { levels } = queue;
  const limit = limitKey(taker);
  while (taker.remaining > 0 && levels.best !== none) {
    const key = levels.key[levels.best] as number;
    if (key < limit) break;
    desk.levelNotes.note(market, side, key);
    const handle = levels.head[levels.best] as number;
    const standing = pool.quantity[handle] as number;
    const quantity = Math.min(taker.remaining, standing) as Lots;
    const maker = pool.owner[handle] === nobody ? undefined : desk.records[handle];
    const execution = { number: desk.nextTradeNumber(), price: priceOf(side, key), quantity };
    market.last = execution.price;
    if (quantity < standing) {
      queue.reduce(handle, quantity);
    } else {
      queue.remove(handle);
      if (maker !== undefined) leave(desk, maker);
    }
    if (maker !== undefined) settle(desk, maker, execution, false);
    settle(desk, taker, execution, true);
    tell(desk, market, taker.side, execution);
  }
  if (taker.isLive) adjustHeld(desk, taker);
}

/** The order's handle is no longer its own: it left the book by being filled. */
export function leave(desk: Desk, record: OrderRecord): void {
  desk.records[record.handle] = undefined;
  record.handle = none;
  record.where = 'nowhere';
}

/** Books one execution for one of its parties and reports it; ends the order when it is filled. */
export function settle(desk: Desk, record: OrderRecord, execution: Execution, taker: boolean): void {
  const { ledger } = desk;
  const { instrument } = desk.market(record.instrument);
  const { price, quantity } = execution;
  const { base, quote, terms } = record.seat;
  const volume = terms.volume(price, quantity);
  const fee = terms.fee(price, quantity, taker);
  const lots = instrument.quantityAmount(quantity);
  if (record.side === 'buy') {
    const paid = add(volume, fee);
    ledger.spend(quote, paid);
    record.held = subtract(record.held, paid);
    ledger.receive(base, lots);
  } else {
    ledger.spend(base, lots);
    record.held = subtract(record.held, lots);
    ledger.receive(quote, subtract(volume, fee));
  }
  ledger.collect(instrument.spec.quoteCurrency, fee);
  record.cumulative = (record.cumulative + quantity) as Lots;
  record.updatedAt = desk.now;
  if (record.remaining === 0) end(desk, record, 'filled');
  else {
    record.state = 'partiallyFilled';
    if (!taker) adjustHeld(desk, record);
  }
  const tradeId = String(execution.number);
  desk.report(record, 'trade', { tradeId, price, quantity, fee, taker, time: desk.now });
}

/** The public hears of an execution. */
export function tell(desk: Desk, market: Market, side: 'buy' | 'sell', execution: Execution): void {
  desk.outcomes.push({
    kind: 'trade',
    instrument: market.instrument.id,
    tradeId: execution.number,
    price: execution.price,
    quantity: execution.quantity,
    side,
    time: desk.now,
  });
}

/** Gives back what a buy with a price no longer needs: better prices, and the fee it did not pay. */
function adjustHeld(desk: Desk, record: OrderRecord): void {
  const { side, price } = record.request;
  if (side === 'sell' || price === undefined) return;
  const { quote, terms } = record.seat;
  const needed = terms.need(price, record.remaining);
  if (needed === record.held) return;
  desk.ledger.release(quote, subtract(record.held, needed));
  record.held = needed;
}

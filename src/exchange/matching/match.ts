import type { Amount } from '../../core/base/amount.ts';
import { add, subtract, zero } from '../../core/base/amount.ts';
import type { Lots } from '../../core/model/instrument.ts';
import { opposite } from '../../core/model/order.ts';
import type { Desk } from './desk.ts';
import { end, endAndReport, followTrade } from './ending.ts';
import type { Execution } from './execution.ts';
import { decide, giveBackPart } from './holding.ts';
import { marginLeft } from './margin-need.ts';
import type { MarginFill } from './margin-settle.ts';
import { settleMargin } from './margin-settle.ts';
import type { Market } from './market.ts';
import { priceOf } from './order-book.ts';
import { none } from './order-pool.ts';
import type { OrderRecord } from './order-record.ts';
import { capOf } from './reducing.ts';
import { payUnits, releaseSpare } from './unit-holding.ts';
import { limitKey } from './walk.ts';

/** Executes an order against the other side, best price and oldest order first, as far as it goes. */
export function take(desk: Desk, market: Market, taker: OrderRecord): void {
  const { pool } = desk;
  const side = opposite(taker.side);
  const queue = market.book.queue(side);
  const { levels } = queue;
  const limit = limitKey(taker);
  while (taker.remaining > 0) {
    const key = levels.bestKey;
    if (key === Number.NEGATIVE_INFINITY || key < limit) break;
    desk.levelNotes.note(market, side, key);
    const handle = levels.head[levels.find(key)] as number;
    const standing = pool.quantity[handle] as number;
    const maker = desk.recordAt(handle);
    const most = desk.exclusiveCount === 0 ? standing : mostBetween(taker, maker, standing);
    if (most === 0 && capOf(taker) === 0) break;
    if (most === 0 && maker !== undefined) {
      endAndReport(desk, maker, 'canceled');
      continue;
    }
    const quantity = Math.min(taker.remaining, most) as Lots;
    const execution = desk.execution(priceOf(side, key), quantity);
    market.last = execution.price;
    if (market.exposed.size > 0) desk.margin.moved.add(market);
    if (quantity < standing) {
      queue.reduce(handle, quantity);
    } else {
      queue.remove(handle);
      if (maker !== undefined) leave(maker);
    }
    if (maker !== undefined) settle(desk, maker, execution, false);
    settle(desk, taker, execution, true);
    tell(desk, market, taker.side, execution);
  }
  if (taker.isLive) adjustHeld(desk, taker);
}

/** How much two orders may execute: nothing between two of one exclusive list, and no more than they may reduce. */
function mostBetween(taker: OrderRecord, maker: OrderRecord | undefined, standing: number): number {
  if (maker === undefined) return Math.min(standing, capOf(taker));
  if (maker.list?.exclusive === true && maker.list === taker.list) return 0;
  return Math.min(standing, capOf(taker), capOf(maker));
}

/** The order's handle is no longer its own: it left the book by being filled. */
export function leave(record: OrderRecord): void {
  record.handle = none;
  record.where = 'nowhere';
}

/** Books one execution for one of its parties and reports it; ends the order when it is filled. */
export function settle(desk: Desk, record: OrderRecord, execution: Execution, taker: boolean): void {
  if (record.list?.exclusive === true) decide(desk, record);
  const { price, quantity } = execution;
  const booked: MarginFill | undefined =
    record.seat.margin === undefined ? undefined : settleMargin(desk, record, execution, taker);
  const fee = booked?.fee ?? pay(desk, record, execution, taker);
  record.cumulative = (record.cumulative + quantity) as Lots;
  record.updatedAt = desk.now;
  if (record.remaining === 0) end(desk, record, 'filled');
  else {
    record.state = 'partiallyFilled';
    if (!taker) adjustHeld(desk, record);
  }
  desk.report(
    record,
    'trade',
    { tradeId: execution.tradeId, price, quantity, fee, taker, time: desk.now },
    booked,
  );
  if (record.list !== undefined) followTrade(desk, record);
}

/** Pays for one execution of a spot order; its fee. */
function pay(desk: Desk, record: OrderRecord, execution: Execution, taker: boolean): Amount {
  if (record.counted) return payUnits(desk, record, execution, taker);
  if (record.seat.isFree) return zero;
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
  return fee;
}

/** The public hears of an execution. */
export function tell(desk: Desk, market: Market, side: 'buy' | 'sell', execution: Execution): void {
  if (!desk.options.publicOutcomes) return;
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
  if (record.counted) {
    releaseSpare(desk, record);
    return;
  }
  if (record.seat.isFree) return;
  const { side, price } = record;
  if (record.seat.margin !== undefined) {
    giveBackPart(desk, record, subtract(record.held, marginLeft(desk, record)));
    return;
  }
  if (side === 'sell' || price === undefined) return;
  const { quote, terms } = record.seat;
  const needed = terms.need(price, record.remaining);
  if (needed === record.held) return;
  desk.ledger.release(quote, subtract(record.held, needed));
  record.held = needed;
}

import type { Amount } from '../base/amount.ts';
import { zero } from '../base/amount.ts';
import { assert } from '../base/assert.ts';
import { needsStopPrice } from '../model/order.ts';
import type { Desk } from './desk.ts';
import { endAndReport } from './ending.ts';
import { endOfDay } from './expiries.ts';
import type { Market } from './market.ts';
import { isFillable, take, walkCost, wouldTake } from './match.ts';
import { keyOf } from './order-book.ts';
import { none } from './order-pool.ts';
import type { OrderRecord } from './order-record.ts';

/** Reserves what an order needs; false, and nothing is held, when the balance is too low. */
export function hold(desk: Desk, market: Market, record: OrderRecord): boolean {
  const amount = needOf(market, record);
  if (!desk.ledger.reserve(record.side === 'buy' ? record.seat.quote : record.seat.base, amount))
    return false;
  record.held = amount;
  return true;
}

/**
 * A sell needs its quantity, a buy its volume at the limit (or, while a stop without limit waits, at the stop
 * price) with the worst fee, a market buy what the walk through the book costs.
 */
function needOf(market: Market, record: OrderRecord): Amount {
  const { request, remaining } = record;
  const { terms } = record.seat;
  if (request.side === 'sell') return market.instrument.quantityAmount(remaining);
  if (request.price !== undefined) return terms.need(request.price, remaining);
  if (record.state === 'suspended' && request.stopPrice !== undefined)
    return terms.need(request.stopPrice, remaining);
  if (request.timeInForce === 'FOK' && !isFillable(market, record)) return zero;
  return walkCost(market, terms, remaining);
}

/** Whether an order waits for a trigger when it is placed. */
export function startsSuspended(record: OrderRecord): boolean {
  return needsStopPrice(record.request.type);
}

/** Whether an order that must not take would do so now. */
export function breaksPostOnly(market: Market, record: OrderRecord): boolean {
  return record.request.postOnly && wouldTake(market, record);
}

/** Parks a stop or take-profit order. Fires at once if the last price is already there. */
export function suspend(
  desk: Desk,
  market: Market,
  record: OrderRecord,
  report: 'suspended' | 'replaced',
): void {
  market.triggers.add(record);
  desk.records[record.handle] = record;
  awaitExpiry(desk, record);
  desk.report(record, report, undefined);
  collectFired(desk, market);
}

/** Brings a funded order to the market: reports it, executes what can be, rests or expires what is left. */
export function enter(desk: Desk, market: Market, record: OrderRecord, report: 'new' | 'replaced'): void {
  if (breaksPostOnly(market, record)) {
    endAndReport(desk, record, 'expired');
    return;
  }
  record.state = record.cumulative > 0 ? 'partiallyFilled' : 'new';
  desk.report(record, report, undefined);
  const { timeInForce, price } = record.request;
  if (timeInForce === 'FOK' && !isFillable(market, record)) {
    endAndReport(desk, record, 'expired');
    return;
  }
  if (wouldTake(market, record)) {
    take(desk, market, record);
    collectFired(desk, market);
  }
  if (!record.isLive) return;
  if (timeInForce === 'IOC' || price === undefined) endAndReport(desk, record, 'expired');
  else rest(desk, market, record);
}

function rest(desk: Desk, market: Market, record: OrderRecord): void {
  const { price } = record.request;
  assert(price !== undefined, 'an order without a price was to rest');
  const key = keyOf(record.side, price);
  desk.levelNotes.note(market, record.side, key);
  record.handle = market.book.queue(record.side).append(key, record.remaining, record.account);
  record.where = 'book';
  desk.records[record.handle] = record;
  awaitExpiry(desk, record);
}

function awaitExpiry(desk: Desk, record: OrderRecord): void {
  if (record.expiresAt !== 0) return;
  const { timeInForce, expireTime } = record.request;
  if (timeInForce === 'GTD' && expireTime !== undefined) record.expiresAt = expireTime;
  else if (timeInForce === 'Day') record.expiresAt = endOfDay(record.createdAt);
  else return;
  desk.expiries.add(record);
}

/** Takes every suspended order that the last price has reached off its triggers, in the order they fire. */
export function collectFired(desk: Desk, market: Market): void {
  const { last, triggers } = market;
  if (last === undefined) return;
  for (let handle = triggers.due(last); handle !== none; handle = triggers.due(last)) {
    const record = desk.records[handle];
    assert(record !== undefined, 'a trigger without an order');
    desk.records[handle] = undefined;
    triggers.remove(record);
    desk.fired.push(record);
  }
}

/** Activates fired orders one after another; each may fire more. */
export function activateFired(desk: Desk): void {
  for (let record = desk.fired.shift(); record !== undefined; record = desk.fired.shift()) {
    activate(desk, desk.market(record.instrument), record);
  }
}

/** A buy without a limit is funded anew, against the book as it is; what it cannot pay is canceled by the system. */
function activate(desk: Desk, market: Market, record: OrderRecord): void {
  record.state = 'new';
  record.updatedAt = desk.now;
  if (record.side === 'buy' && record.request.price === undefined) {
    desk.ledger.release(record.seat.quote, record.held);
    record.held = zero;
    if (!hold(desk, market, record)) {
      endAndReport(desk, record, 'canceled');
      return;
    }
  }
  enter(desk, market, record, 'new');
}

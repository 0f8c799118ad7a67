import type { Amount } from '../../../core/base/amount.ts';
import { zero } from '../../../core/base/amount.ts';
import { assert } from '../../../core/base/assert.ts';
import type { Lots, Ticks } from '../../../core/model/instrument.ts';
import { needsStopPrice } from '../../../core/model/order.ts';
import type { ExchangeState, ExchangeMarket, OrderRecord } from '../state/index.ts';
import { endOfDay, Met } from '../state/index.ts';
import { endAndReport, giveBack, reserveFor, reserveUnits, unitsNeeded } from './reservations.ts';
import { marginNeed, capOf, bearsThird, isFillable, walkCost } from './needs.ts';
import { none } from '../book/index.ts';

/**
 * Reserves what an order needs; false, and nothing is held, when the balance is too low. `met` are the lists that
 * orders before it in the same transaction will have decided.
 */
export function holdFunds(
  exchange: ExchangeState,
  market: ExchangeMarket,
  record: OrderRecord,
  met?: Met,
): boolean {
  if (record.context.isFree) return true;
  const { port } = record.context;
  if (port !== undefined) {
    if (port.holdsAtRest === true && !rests(market, record)) return true;
    return reserveFor(exchange, record, port.need(record, worstPrice(market, record)));
  }
  if (!bearsThird(exchange, market, record, met)) return false;
  const units = unitsNeeded(record);
  if (!Number.isNaN(units)) return reserveUnits(exchange, record, units);
  return reserveFor(exchange, record, needOf(exchange, market, record, met));
}

/**
 * A sell needs its quantity (with the worst fee where that is taken of it), a buy its volume at the limit (or, while a stop without limit waits, at the stop
 * price) with the worst fee, a market buy what the walk through the book costs.
 */
function needOf(
  exchange: ExchangeState,
  market: ExchangeMarket,
  record: OrderRecord,
  met: Met | undefined,
): Amount {
  if (record.context.margin !== undefined) return marginNeed(exchange, market, record, met);
  const { remaining } = record;
  const { terms } = record.context;
  if (record.side === 'sell') return terms.sellNeed(remaining);
  if (record.price !== undefined) return terms.need(record.price, remaining);
  if (record.state === 'suspended' && record.stopPrice !== undefined)
    return terms.need(record.stopPrice, remaining);
  if (record.timeInForce === 'FOK' && !isFillable(exchange, market, record, met?.copy() ?? new Met()))
    return zero;
  return walkCost(market, record, met?.copy() ?? new Met());
}

/** Whether an order has a price and waits for it. */
function rests(market: ExchangeMarket, record: OrderRecord): boolean {
  if (record.state === 'suspended') return true;
  return record.price !== undefined && !market.fills.wouldTake(record);
}

/** The price at which an order is funded: its own, or the worst it would fill at now; one tick where nothing stands. */
function worstPrice(market: ExchangeMarket, record: OrderRecord): Ticks {
  const own = record.price ?? (record.state === 'suspended' ? record.stopPrice : undefined);
  if (own !== undefined) return own;
  let worst = 1 as Ticks;
  market.fills.visit(record, new Met(), (price) => {
    worst = price;
  });
  return worst;
}

/** Whether an order waits for a trigger when it is placed. */
export function startsSuspended(record: OrderRecord): boolean {
  return needsStopPrice(record.type);
}

/** Whether an order that must not take would do so now. */
export function breaksPostOnly(market: ExchangeMarket, record: OrderRecord): boolean {
  return record.postOnly && market.fills.wouldTake(record);
}

/** Parks a stop or take-profit order. Fires at once if the last price is already there. */
export function suspend(
  exchange: ExchangeState,
  market: ExchangeMarket,
  record: OrderRecord,
  report: 'suspended' | 'replaced',
): void {
  market.triggers.add(record);
  awaitExpiry(exchange, record);
  exchange.report(record, report, undefined);
  collectFired(exchange, market);
}

/** Brings a funded order to the market: reports it, executes what can be, rests or expires what is left. */
export function enter(
  exchange: ExchangeState,
  market: ExchangeMarket,
  record: OrderRecord,
  report: 'new' | 'replaced',
): void {
  if (breaksPostOnly(market, record)) {
    endAndReport(exchange, record, 'expired');
    return;
  }
  record.state = record.cumulative > 0 ? 'partiallyFilled' : 'new';
  if (isReported(exchange, market, record, report)) exchange.report(record, report, undefined);
  const { timeInForce, price } = record;
  const waits = market.fills.waits?.(record) === true;
  if (capOf(record) === 0) {
    endAndReport(exchange, record, 'canceled');
    return;
  }
  if (timeInForce === 'FOK' && !waits && !isFillable(exchange, market, record)) {
    endAndReport(exchange, record, unfilledEnd(record));
    return;
  }
  if (market.fills.wouldTake(record)) {
    market.fills.takeOrder(record);
    collectFired(exchange, market);
  }
  if (!record.isLive) return;
  if (capOf(record) === 0) endAndReport(exchange, record, 'canceled');
  else if (!waits && (timeInForce === 'IOC' || price === undefined))
    endAndReport(exchange, record, unfilledEnd(record));
  else restOrder(exchange, market, record);
}

/** How an order ends whose time in force leaves it unfilled. Source: API v3, "Order status"; "Margin order", close_position. */
function unfilledEnd({ margin }: OrderRecord): 'canceled' | 'expired' {
  return margin?.closePosition === true ? 'canceled' : 'expired';
}

/** Whether an order is reported as it comes to the market. */
function isReported(
  { options }: ExchangeState,
  market: ExchangeMarket,
  record: OrderRecord,
  report: 'new' | 'replaced',
): boolean {
  if (options.reportsBeforeTaking || record.type === 'limit' || report === 'replaced') return true;
  return !market.fills.wouldTake(record);
}

/** Lets what is left of an order rest. */
export function restOrder(exchange: ExchangeState, market: ExchangeMarket, record: OrderRecord): void {
  assert(
    record.price !== undefined || market.fills.waits?.(record) === true,
    'an order without a price was to rest',
  );
  market.fills.restOrder(record);
  record.where = 'book';
  awaitExpiry(exchange, record);
}

/** Has a GTD or Day order expire in time. */
export function awaitExpiry(exchange: ExchangeState, record: OrderRecord): void {
  if (record.expiresAt !== 0) return;
  const { timeInForce, expireTime } = record;
  if (timeInForce === 'GTD' && expireTime !== undefined) record.expiresAt = expireTime;
  else if (timeInForce === 'Day') record.expiresAt = endOfDay(record.createdAt);
  else return;
  exchange.expiries.add(record);
}

/** Takes every suspended order that the last price has reached off its triggers, in the order they fire. */
export function collectFired(exchange: ExchangeState, market: ExchangeMarket): void {
  const { last, triggers } = market;
  if (last === undefined) return;
  for (let handle = triggers.due(last); handle !== none; handle = triggers.due(last)) {
    const record = exchange.recordAt(handle);
    assert(record !== undefined, 'a trigger without an order');
    triggers.remove(record);
    exchange.fired.push(record);
  }
}

/** Activates fired orders one after another; each may fire more, or end others that wait here. */
export function activateFired(exchange: ExchangeState): void {
  for (let record = exchange.fired.shift(); record !== undefined; record = exchange.fired.shift()) {
    if (record.isLive) activate(exchange, exchange.market(record.instrument), record);
  }
}

/** A buy without a limit is funded anew, against the book as it is; what it cannot pay is canceled by the system. */
function activate(exchange: ExchangeState, market: ExchangeMarket, record: OrderRecord): void {
  record.updatedAt = exchange.now;
  if (record.inactive) {
    wake(exchange, market, record);
    return;
  }
  record.state = 'new';
  if (record.margin?.closePosition === true) {
    const open = capOf(record);
    if (open === 0) {
      endAndReport(exchange, record, 'canceled');
      return;
    }
    record.quantity = (record.cumulative + open) as Lots;
  }
  const { margin, port } = record.context;
  if (record.price === undefined && (record.side === 'buy' || margin !== undefined || port !== undefined)) {
    giveBack(exchange, record);
    if (!holdFunds(exchange, market, record)) {
      endAndReport(exchange, record, 'canceled');
      return;
    }
  }
  enter(exchange, market, record, 'new');
}

/** The primary order is filled: a secondary is funded only now; what it cannot pay is canceled by the system. */
function wake(exchange: ExchangeState, market: ExchangeMarket, record: OrderRecord): void {
  record.inactive = false;
  if (market.status !== 'working') {
    endAndReport(exchange, record, 'canceled');
    return;
  }
  const suspended = startsSuspended(record);
  if (!suspended) record.state = 'new';
  if (!holdFunds(exchange, market, record)) endAndReport(exchange, record, 'canceled');
  else if (suspended) suspend(exchange, market, record, 'suspended');
  else enter(exchange, market, record, 'new');
}

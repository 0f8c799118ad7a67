import type { Lots } from '../../core/model/instrument.ts';
import type { OrderRequest, ClientOrderId } from '../../core/model/order.ts';
import type { PlaceCommand, AccountId, AccountInstrument, ReplaceCommand } from './accounts/index.ts';
import { isProductAccount, unitsMax } from './accounts/index.ts';
import type { OrderRefusal } from './execution/index.ts';
import {
  checkAccount,
  checkRequest,
  insufficientFunds,
  checkPositionLimit,
  admit,
  enter,
  holdFunds,
  startsSuspended,
  suspend,
  checkFatFinger,
  endAndReport,
  collectFired,
  restOrder,
  checkClientId,
  endOrder,
  withdraw,
  breaksPostOnly,
  giveBack,
  reserveFor,
  reserveUnits,
} from './execution/index.ts';
import type { ExchangeState, ExchangeMarket, OrderRecord, Account } from './state/index.ts';
import { contextFor } from './margin/index.ts';

/** Places an order, or refuses it and leaves everything as it was. */
export function place(exchange: ExchangeState, command: PlaceCommand): void {
  const { request } = command;
  const market = exchange.market(request.instrument);
  const account = exchange.account(command.account);
  const refusal =
    checkRequest(market, request, exchange.now, exchange.options) ?? checkAccount(account, request, exchange);
  if (refusal !== undefined) {
    exchange.refuse(account.id, request.clientOrderId, refusal.code, refusal.why);
    return;
  }
  const origin = {
    number: 0,
    createdAt: exchange.now,
    originalClientOrderId: undefined,
    cumulative: 0 as Lots,
  };
  if (!isProductAccount(account.id)) {
    const context = exchange.context(account, market, command.takeMarkup, command.makeMarkup);
    origin.number = exchange.nextOrderNumber();
    begin(exchange, market, exchange.orders.open(request, context, origin));
    return;
  }
  const contexts = contextFor(exchange, account, market, command);
  if ('code' in contexts) {
    exchange.refuse(account.id, request.clientOrderId, contexts.code, contexts.why);
    return;
  }
  origin.number = exchange.nextOrderNumber();
  const record = exchange.orders.open(request, contexts.context, origin);
  record.margin = contexts.margin;
  begin(exchange, market, record);
}

function begin(exchange: ExchangeState, market: ExchangeMarket, record: OrderRecord): void {
  const suspended = startsSuspended(record);
  if (suspended) record.state = 'suspended';
  if (!holdFunds(exchange, market, record)) {
    exchange.orders.close(record);
    const { code, why } = checkPositionLimit(exchange, market, record, undefined) ?? insufficientFunds;
    exchange.refuse(record.context.account, record.clientOrderId, code, why);
    return;
  }
  admit(exchange, record);
  if (suspended) suspend(exchange, market, record, 'suspended');
  else enter(exchange, market, record, 'new');
}

/**
 * The short way of what nearly every order is: a limit order, GTC or IOC, of a spot account, without mark-ups, counted
 * in units of a integer balance that has enough. False, and nothing has happened, when it is anything else, or must be refused:
 * then it goes the long way, which comes to the same. Fast twin of `place`: row `matching`, 1.19 times as fast.
 */
export function placePlain(exchange: ExchangeState, id: AccountId, request: OrderRequest): boolean {
  const { instrument, price, quantity, side, timeInForce } = request;
  if (request.type !== 'limit' || request.postOnly || request.stopPrice !== undefined) return false;
  if (timeInForce !== 'GTC' && timeInForce !== 'IOC') return false;
  if (exchange.exclusiveCount > 0) return false;
  const account = exchange.account(id);
  const market = exchange.market(instrument);
  const context = account.contexts[instrument];
  if (context === undefined || market.status !== 'working') return false;
  if (price === undefined || !isPositive(price) || !isPositive(quantity)) return false;
  if (!hasRoom(exchange, account, request)) return false;
  if (checkFatFinger(market, request, exchange.options.fatFingerFraction) !== undefined) return false;
  if (context.isFree) {
    if (account.isTaken(request.clientOrderId, exchange.now)) return false;
    beginPlain(exchange, account, market, open(exchange, request, context));
    return true;
  }
  const { integers } = context;
  if (integers === undefined) return false;
  const isBuy = side === 'buy';
  const integer = isBuy ? integers.quote : integers.base;
  const units = isBuy ? price * quantity * context.terms.needUnits : quantity;
  if (!(units <= integer.available) || integer.reserved + units > unitsMax) return false;
  if (account.isTaken(request.clientOrderId, exchange.now)) return false;
  const record = open(exchange, request, context);
  exchange.wallets.reserveUnits(integer, units);
  record.heldUnits = units;
  record.counted = true;
  beginPlain(exchange, account, market, record);
  return true;
}

function hasRoom({ options }: ExchangeState, account: Account, { instrument }: OrderRequest): boolean {
  return (
    account.countOf(instrument) < options.ordersPerSymbolMax && account.count < options.ordersPerAccountMax
  );
}

function open(exchange: ExchangeState, request: OrderRequest, context: AccountInstrument): OrderRecord {
  return exchange.orders.open(request, context, {
    number: exchange.nextOrderNumber(),
    createdAt: exchange.now,
    originalClientOrderId: undefined,
    cumulative: 0 as Lots,
  });
}

function beginPlain(
  exchange: ExchangeState,
  account: Account,
  market: ExchangeMarket,
  record: OrderRecord,
): void {
  account.add(record);
  exchange.report(record, 'new', undefined);
  if (market.fills.wouldTake(record)) {
    market.fills.takeOrder(record);
    collectFired(exchange, market);
    if (!record.isLive) return;
  }
  if (record.timeInForce === 'IOC') {
    endAndReport(exchange, record, 'expired');
    return;
  }
  restOrder(exchange, market, record);
}

function isPositive(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}

/** An order of a list whose fate still has a meaning for others stays as it is. */
export const boundByList: OrderRefusal = {
  code: 'LIST_BOUND',
  why: 'an order that others of its list depend on cannot be replaced',
};

/**
 * Cancels an order and places its replacement in one turn.
 *
 * Executed quantity, creation time and expiry are inherited; the new order always queues behind what is there. If
 * the replacement cannot be placed (no funds, nothing left to execute, or it is post-only and would take) the old
 * order is canceled and reported so. Source: v3-gaps, section 10 ("Replace").
 */
export function replace(exchange: ExchangeState, command: ReplaceCommand): void {
  const account = exchange.account(command.account);
  const old = account.live(command.clientOrderId);
  if (old === undefined) {
    exchange.refuse(
      account.id,
      command.clientOrderId,
      'ORDER_NOT_FOUND',
      'there is no active order with that id',
    );
    return;
  }
  if (old.list?.binds === true) {
    exchange.refuse(account.id, command.clientOrderId, boundByList.code, boundByList.why);
    return;
  }
  const market = exchange.market(old.instrument);
  const request = requestOf(old, command);
  // Time in force and expiry were checked when the old order came, and cannot be changed.
  const refusal =
    checkRequest(market, { ...request, timeInForce: 'IOC' }, exchange.now, exchange.options) ??
    (exchange.options.refusesUnchanged ? checkChange(old, request) : undefined) ??
    checkClientId(account, command.newClientOrderId, exchange.now);
  if (refusal !== undefined) {
    exchange.refuse(account.id, command.clientOrderId, refusal.code, refusal.why);
    return;
  }
  const suspended = old.state === 'suspended';
  const record = request.quantity > old.cumulative ? successor(exchange, old, request) : undefined;
  const succeeds = command.keepsOriginal === true ? joins : takesOver;
  if (record === undefined || !succeeds(exchange, market, old, record)) {
    if (record !== undefined) exchange.orders.close(record);
    endAndReport(exchange, old, 'canceled');
    return;
  }
  admit(exchange, record);
  if (suspended) suspend(exchange, market, record, 'replaced');
  else enter(exchange, market, record, 'replaced');
}

/** Funds the new order beside the old one, which stays; false when that, or post-only, forbids it. */
function joins(
  exchange: ExchangeState,
  market: ExchangeMarket,
  _old: OrderRecord,
  record: OrderRecord,
): boolean {
  return (
    (record.state === 'suspended' || !breaksPostOnly(market, record)) && holdFunds(exchange, market, record)
  );
}

/** Frees what the old order holds and funds the new one; false when that, or post-only, forbids it. */
function takesOver(
  exchange: ExchangeState,
  market: ExchangeMarket,
  old: OrderRecord,
  record: OrderRecord,
): boolean {
  withdraw(exchange, old);
  if (record.state !== 'suspended' && breaksPostOnly(market, record)) return false;
  const { held, heldUnits, counted } = old;
  giveBack(exchange, old);
  if (!holdFunds(exchange, market, record)) {
    if (counted) reserveUnits(exchange, old, heldUnits);
    else reserveFor(exchange, old, held);
    return false;
  }
  const { expiresAt } = old;
  endOrder(exchange, old, 'canceled');
  if (expiresAt !== 0) {
    record.expiresAt = expiresAt;
    exchange.expiries.add(record);
  }
  return true;
}

function successor(exchange: ExchangeState, old: OrderRecord, request: OrderRequest): OrderRecord {
  const record = exchange.orders.open(request, old.context, {
    number: exchange.nextOrderNumber(),
    createdAt: old.createdAt,
    originalClientOrderId: old.clientOrderId,
    cumulative: old.cumulative,
  });
  record.updatedAt = exchange.now;
  record.margin = old.margin;
  if (old.state === 'suspended') record.state = 'suspended';
  return record;
}

/** The replacement's request: prices that are not given stay. */
function requestOf(old: OrderRecord, command: ReplaceCommand): OrderRequest {
  const { instrument, side, type, timeInForce, price, stopPrice, expireTime, postOnly } = old;
  return {
    clientOrderId: command.newClientOrderId as ClientOrderId,
    instrument,
    side,
    type,
    timeInForce,
    quantity: command.quantity,
    price: command.price ?? price,
    stopPrice: command.stopPrice ?? stopPrice,
    expireTime,
    postOnly,
  };
}

function checkChange(old: OrderRecord, request: OrderRequest): OrderRefusal | undefined {
  const same =
    request.quantity === old.quantity && request.price === old.price && request.stopPrice === old.stopPrice;
  return same ? { code: 'NOT_CHANGED', why: 'price and quantity are what they were' } : undefined;
}

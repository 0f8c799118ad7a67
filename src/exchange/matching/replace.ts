import type { ClientOrderId, OrderRequest } from '../../core/model/order.ts';
import {
  checkClientId,
  checkRequest,
  endOrder,
  endAndReport,
  withdraw,
  breaksPostOnly,
  enter,
  holdFunds,
  suspend,
  admit,
  giveBack,
  reserveFor,
  reserveUnits,
} from './execution/index.ts';
import type { ReplaceCommand } from './accounts/index.ts';
import type { ExchangeState, ExchangeMarket } from './state/index.ts';
import type { OrderRefusal } from './execution/index.ts';
import type { OrderRecord } from './orders/index.ts';

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

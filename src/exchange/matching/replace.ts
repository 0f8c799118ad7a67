import type { ClientOrderId, OrderRequest } from '../../core/model/order.ts';
import { checkClientId, checkRequest } from './admission.ts';
import type { ReplaceCommand } from './command.ts';
import type { Desk } from './desk.ts';
import { end, endAndReport, withdraw } from './ending.ts';
import { breaksPostOnly, enter, hold, suspend } from './entry.ts';
import { admit, giveBack, reserveFor } from './holding.ts';
import type { Refusal } from './admission.ts';
import type { Market } from './market.ts';
import type { OrderRecord } from './order-record.ts';
import { reserveUnits } from './unit-holding.ts';

/** An order of a list whose fate still has a meaning for others stays as it is. */
export const boundByList: Refusal = {
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
export function replace(desk: Desk, command: ReplaceCommand): void {
  const account = desk.account(command.account);
  const old = account.live(command.clientOrderId);
  if (old === undefined) {
    desk.refuse(
      account.id,
      command.clientOrderId,
      'ORDER_NOT_FOUND',
      'there is no active order with that id',
    );
    return;
  }
  if (old.list?.binds === true) {
    desk.refuse(account.id, command.clientOrderId, boundByList.code, boundByList.why);
    return;
  }
  const market = desk.market(old.instrument);
  const request = requestOf(old, command);
  // Time in force and expiry were checked when the old order came, and cannot be changed.
  const refusal =
    checkRequest(market, { ...request, timeInForce: 'IOC' }, desk.now, desk.options) ??
    (desk.options.refusesUnchanged ? checkChange(old, request) : undefined) ??
    checkClientId(account, command.newClientOrderId, desk.now);
  if (refusal !== undefined) {
    desk.refuse(account.id, command.clientOrderId, refusal.code, refusal.why);
    return;
  }
  const suspended = old.state === 'suspended';
  const record = request.quantity > old.cumulative ? successor(desk, old, request) : undefined;
  const succeeds = command.keepsOriginal === true ? joins : takesOver;
  if (record === undefined || !succeeds(desk, market, old, record)) {
    if (record !== undefined) desk.orders.close(record);
    endAndReport(desk, old, 'canceled');
    return;
  }
  admit(desk, record);
  if (suspended) suspend(desk, market, record, 'replaced');
  else enter(desk, market, record, 'replaced');
}

/** Funds the new order beside the old one, which stays; false when that, or post-only, forbids it. */
function joins(desk: Desk, market: Market, _old: OrderRecord, record: OrderRecord): boolean {
  return (record.state === 'suspended' || !breaksPostOnly(market, record)) && hold(desk, market, record);
}

/** Frees what the old order holds and funds the new one; false when that, or post-only, forbids it. */
function takesOver(desk: Desk, market: Market, old: OrderRecord, record: OrderRecord): boolean {
  withdraw(desk, old);
  if (record.state !== 'suspended' && breaksPostOnly(market, record)) return false;
  const { held, heldUnits, counted } = old;
  giveBack(desk, old);
  if (!hold(desk, market, record)) {
    if (counted) reserveUnits(desk, old, heldUnits);
    else reserveFor(desk, old, held);
    return false;
  }
  const { expiresAt } = old;
  end(desk, old, 'canceled');
  if (expiresAt !== 0) {
    record.expiresAt = expiresAt;
    desk.expiries.add(record);
  }
  return true;
}

function successor(desk: Desk, old: OrderRecord, request: OrderRequest): OrderRecord {
  const record = desk.orders.open(request, old.seat, {
    number: desk.nextOrderNumber(),
    createdAt: old.createdAt,
    originalClientOrderId: old.clientOrderId,
    cumulative: old.cumulative,
  });
  record.updatedAt = desk.now;
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

function checkChange(old: OrderRecord, request: OrderRequest): Refusal | undefined {
  const same =
    request.quantity === old.quantity && request.price === old.price && request.stopPrice === old.stopPrice;
  return same ? { code: 'NOT_CHANGED', why: 'price and quantity are what they were' } : undefined;
}

import type { Lots } from '../../core/model/instrument.ts';
import type { OrderRequest } from '../../core/model/order.ts';
import type { Account } from './account.ts';
import { checkFatFinger } from './admission.ts';
import type { AccountId } from './command.ts';
import type { Desk } from './desk.ts';
import { endAndReport } from './ending.ts';
import { collectFired, rest } from './entry.ts';
import type { Market } from './market.ts';
import type { OrderRecord } from './order-record.ts';
import type { Seat } from './seat.ts';
import { unitsMax } from './units.ts';

/**
 * The short way of what nearly every order is: a limit order, GTC or IOC, of a spot account, without mark-ups, counted
 * in units of a till that has enough. False, and nothing has happened, when it is anything else, or must be refused:
 * then it goes the long way, which comes to the same.
 */
export function placePlain(desk: Desk, id: AccountId, request: OrderRequest): boolean {
  const { instrument, price, quantity, side, timeInForce } = request;
  if (request.type !== 'limit' || request.postOnly || request.stopPrice !== undefined) return false;
  if (timeInForce !== 'GTC' && timeInForce !== 'IOC') return false;
  if (desk.exclusiveCount > 0) return false;
  const account = desk.account(id);
  const market = desk.market(instrument);
  const seat = account.seats[instrument];
  if (seat === undefined || market.status !== 'working') return false;
  if (price === undefined || !isPositive(price) || !isPositive(quantity)) return false;
  if (!hasRoom(desk, account, request)) return false;
  if (checkFatFinger(market, request, desk.options.fatFingerFraction) !== undefined) return false;
  if (seat.isFree) {
    if (account.isTaken(request.clientOrderId, desk.now)) return false;
    begin(desk, account, market, open(desk, request, seat));
    return true;
  }
  const { tills } = seat;
  if (tills === undefined) return false;
  const isBuy = side === 'buy';
  const till = isBuy ? tills.quote : tills.base;
  const units = isBuy ? price * quantity * seat.terms.needUnits : quantity;
  if (!(units <= till.available) || till.reserved + units > unitsMax) return false;
  if (account.isTaken(request.clientOrderId, desk.now)) return false;
  const record = open(desk, request, seat);
  desk.ledger.reserveUnits(till, units);
  record.heldUnits = units;
  record.counted = true;
  begin(desk, account, market, record);
  return true;
}

function hasRoom({ options }: Desk, account: Account, { instrument }: OrderRequest): boolean {
  return (
    account.countOf(instrument) < options.ordersPerSymbolMax && account.count < options.ordersPerAccountMax
  );
}

function open(desk: Desk, request: OrderRequest, seat: Seat): OrderRecord {
  return desk.orders.open(request, seat, {
    number: desk.nextOrderNumber(),
    createdAt: desk.now,
    originalClientOrderId: undefined,
    cumulative: 0 as Lots,
  });
}

function begin(desk: Desk, account: Account, market: Market, record: OrderRecord): void {
  account.add(record);
  desk.report(record, 'new', undefined);
  if (market.fills.wouldTake(record)) {
    market.fills.take(record);
    collectFired(desk, market);
    if (!record.isLive) return;
  }
  if (record.timeInForce === 'IOC') {
    endAndReport(desk, record, 'expired');
    return;
  }
  rest(desk, market, record);
}

function isPositive(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}

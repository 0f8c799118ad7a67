import type { Lots } from '../../core/model/instrument.ts';
import type { OrderRequest } from '../../core/model/order.ts';
import type { Account, ExchangeState, ExchangeMarket } from './state/index.ts';
import { checkFatFinger, endAndReport, collectFired, restOrder } from './execution/index.ts';
import type { AccountId, AccountInstrument } from './accounts/index.ts';
import type { OrderRecord } from './orders/index.ts';
import { unitsMax } from './accounts/index.ts';

/**
 * The short way of what nearly every order is: a limit order, GTC or IOC, of a spot account, without mark-ups, counted
 * in units of a integer balance that has enough. False, and nothing has happened, when it is anything else, or must be refused:
 * then it goes the long way, which comes to the same. Fast twin of `place.ts`: row `matching`, 1.19 times as fast.
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
    begin(exchange, account, market, open(exchange, request, context));
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
  begin(exchange, account, market, record);
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

function begin(exchange: ExchangeState, account: Account, market: ExchangeMarket, record: OrderRecord): void {
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

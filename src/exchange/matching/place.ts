import type { PlaceCommand } from './accounts/index.ts';
import type { Lots } from '../../core/model/instrument.ts';
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
} from './execution/index.ts';
import type { ExchangeState, ExchangeMarket } from './state/index.ts';
import { contextFor } from './margin/index.ts';
import type { OrderRecord } from './orders/index.ts';
import { isProductAccount } from './accounts/index.ts';

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

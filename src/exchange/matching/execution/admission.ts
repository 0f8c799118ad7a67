import type { Micros } from '../../../core/base/clock.ts';
import type { OrderRequest } from '../../../core/model/order.ts';
import { needsPrice, needsStopPrice, opposite } from '../../../core/model/order.ts';
import type { Account, MatchingOptions, ExchangeMarket } from '../state/index.ts';
import type { RefusalCode } from '../accounts/index.ts';

/** Why an order may not be placed. */
export interface OrderRefusal {
  readonly code: RefusalCode;
  readonly why: string;
}

/** Fault of the request itself, or with placing it on this market now; `undefined` when nothing is. */
export function checkRequest(
  market: ExchangeMarket,
  request: OrderRequest,
  now: Micros,
  options: MatchingOptions,
): OrderRefusal | undefined {
  return (
    checkStatus(market) ??
    checkNumbers(request) ??
    checkTimeInForce(request, now) ??
    checkFatFinger(market, request, options.fatFingerFraction)
  );
}

/** Whether the user of the account may have one more order, under this client id; `ahead` are those accepted with it before it. */
export function checkAccount(
  account: Account,
  request: OrderRequest,
  at: { readonly now: Micros; readonly options: MatchingOptions; readonly ahead?: readonly OrderRequest[] },
): OrderRefusal | undefined {
  const { now, options, ahead } = at;
  const { ordersPerSymbolMax, ordersPerAccountMax } = options;
  const duplicate = checkClientId(account, request.clientOrderId, now);
  if (duplicate !== undefined) return duplicate;
  const here =
    ahead === undefined ? 0 : ahead.filter(({ instrument }) => instrument === request.instrument).length;
  if (account.countOf(request.instrument) + here >= ordersPerSymbolMax)
    return { code: 'ORDER_LIMIT', why: `at most ${ordersPerSymbolMax} active orders per symbol` };
  if (account.count + (ahead?.length ?? 0) >= ordersPerAccountMax)
    return { code: 'ORDER_LIMIT', why: `at most ${ordersPerAccountMax} active orders per user` };
  return undefined;
}

/** Whether a client id is free. Source: v3-gaps, section 9 (20008). */
export function checkClientId(
  account: Account,
  clientOrderId: string,
  now: Micros,
): OrderRefusal | undefined {
  if (!account.isTaken(clientOrderId, now)) return undefined;
  return {
    code: 'DUPLICATE_CLIENT_ORDER_ID',
    why: `the client order id ${clientOrderId} is active or was recently`,
  };
}

/** Source: v3-gaps, section 9 (20001). */
export const insufficientFunds: OrderRefusal = {
  code: 'INSUFFICIENT_FUNDS',
  why: 'the available balance does not cover the order and its fee',
};

/** Orders are taken while the symbol works; where it is suspended, in clearing or expired they are not. */
export function checkStatus({ status, instrument }: ExchangeMarket): OrderRefusal | undefined {
  if (status === 'working') return undefined;
  return { code: 'SYMBOL_NOT_WORKING', why: `the symbol ${instrument.symbol} is ${status}` };
}

function checkNumbers(request: OrderRequest): OrderRefusal | undefined {
  const { type, quantity, price, stopPrice, postOnly } = request;
  if (postOnly && !needsPrice(type))
    return { code: 'ORDER_TYPE_INVALID', why: `a ${type} order cannot be post-only` };
  if (!isPositive(quantity))
    return { code: 'BAD_QUANTITY', why: `expected a positive number of lots, found ${quantity}` };
  const wrongPrice = checkPrice('price', price, needsPrice(type), type);
  return wrongPrice ?? checkPrice('stop price', stopPrice, needsStopPrice(type), type);
}

function checkPrice(
  name: string,
  price: number | undefined,
  needed: boolean,
  type: string,
): OrderRefusal | undefined {
  if (!needed && price !== undefined) return { code: 'BAD_PRICE', why: `a ${type} order has no ${name}` };
  if (needed && (price === undefined || !isPositive(price)))
    return { code: 'BAD_PRICE', why: `expected the ${name} in ticks above zero, found ${String(price)}` };
  return undefined;
}

/** Source: v3-gaps, section 10 ("ExchangeMarket time in force"); API v3, time_in_force and expire_time. */
function checkTimeInForce(request: OrderRequest, now: Micros): OrderRefusal | undefined {
  const { type, timeInForce, expireTime } = request;
  if (type === 'market' && timeInForce !== 'IOC' && timeInForce !== 'FOK')
    return { code: 'TIME_IN_FORCE_INVALID', why: `a market order is IOC or FOK, found ${timeInForce}` };
  if (timeInForce === 'GTD' && (expireTime === undefined || !(expireTime > now)))
    return { code: 'EXPIRE_TIME_INVALID', why: 'a GTD order needs an expire time in the future' };
  return undefined;
}

/** Compared with the last price, or before the first trade with the best price of the other side. */
export function checkFatFinger(
  market: ExchangeMarket,
  request: OrderRequest,
  fraction: number | undefined,
): OrderRefusal | undefined {
  if (fraction === undefined || request.price === undefined) return undefined;
  const reference = market.last ?? market.book.best(opposite(request.side));
  if (reference === undefined) return undefined;
  const limit = request.side === 'buy' ? reference * (1 + fraction) : reference * (1 - fraction);
  const tooFar = request.side === 'buy' ? request.price > limit : request.price < limit;
  if (!tooFar) return undefined;
  return { code: 'FAT_FINGER', why: `the price is more than ${fraction * 100} % worse than the market` };
}

function isPositive(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}

import type { Micros } from '../core/base/clock.ts';
import type { RefusalCode } from '../exchange/matching/outcome.ts';
import type { OrderRequest } from '../core/model/order.ts';
import { needsPrice, needsStopPrice } from '../core/model/order.ts';

/** A reason to refuse. */
export interface Fault {
  readonly code: RefusalCode;
  readonly why: string;
}

export const noFunds: Fault = {
  code: 'INSUFFICIENT_FUNDS',
  why: 'the account does not bear the order',
};

export const notFound: Fault = {
  code: 'ORDER_NOT_FOUND',
  why: 'there is no active order with that id',
};

export const isBound: Fault = {
  code: 'LIST_BOUND',
  why: 'an order that others of its list depend on cannot be replaced',
};

/** Why a request is refused as it stands; `undefined` when nothing is wrong with it. */
export function faultOf(request: OrderRequest, now: Micros): Fault | undefined {
  const { type, quantity, price, stopPrice, timeInForce, expireTime, postOnly } = request;
  if (postOnly && !needsPrice(type))
    return { code: 'ORDER_TYPE_INVALID', why: `a ${type} order cannot be post-only` };
  if (!isPositive(quantity))
    return { code: 'BAD_QUANTITY', why: `expected a positive number of lots, found ${quantity}` };
  if (needsPrice(type) && !isPositive(price))
    return { code: 'BAD_PRICE', why: `expected the price in ticks above zero, found ${String(price)}` };
  if (needsStopPrice(type) && !isPositive(stopPrice))
    return {
      code: 'BAD_PRICE',
      why: `expected the stop price in ticks above zero, found ${String(stopPrice)}`,
    };
  if (type === 'market' && timeInForce !== 'IOC' && timeInForce !== 'FOK')
    return { code: 'TIME_IN_FORCE_INVALID', why: `a market order is IOC or FOK, found ${timeInForce}` };
  if (timeInForce === 'GTD' && !(expireTime !== undefined && expireTime > now))
    return { code: 'EXPIRE_TIME_INVALID', why: 'a GTD order needs an expire time in the future' };
  return undefined;
}

function isPositive(value: number | undefined): boolean {
  return value !== undefined && Number.isSafeInteger(value) && value > 0;
}

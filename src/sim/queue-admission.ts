import type { Micros } from '../base/clock.ts';
import type { RefusalCode } from '../matching/outcome.ts';
import type { OrderRequest } from '../model/order.ts';

/** A reason to refuse. */
export interface Fault {
  readonly code: RefusalCode;
  readonly why: string;
}

/** Orders that depend on each other need the matching core: the fill model `shadow`. */
export const noLists: Fault = {
  code: 'LIST_INVALID',
  why: 'this fill model takes single orders; lists need the fill model shadow',
};

/** Why a request is refused as it stands; `undefined` when nothing is wrong with it. */
export function faultOf(request: OrderRequest, now: Micros): Fault | undefined {
  const { type, quantity, price, timeInForce, expireTime, postOnly } = request;
  if (type !== 'limit' && type !== 'market')
    return {
      code: 'ORDER_TYPE_INVALID',
      why: `this fill model takes limit and market orders, found ${type}`,
    };
  if (type === 'market' && postOnly)
    return { code: 'ORDER_TYPE_INVALID', why: 'a market order cannot be post-only' };
  if (!Number.isSafeInteger(quantity) || quantity <= 0)
    return { code: 'BAD_QUANTITY', why: `expected a positive number of lots, found ${quantity}` };
  if (type === 'limit' && !(Number.isSafeInteger(price) && Number(price) > 0))
    return { code: 'BAD_PRICE', why: `expected the price in ticks above zero, found ${String(price)}` };
  if (type === 'market' && timeInForce !== 'IOC' && timeInForce !== 'FOK')
    return { code: 'TIME_IN_FORCE_INVALID', why: `a market order is IOC or FOK, found ${timeInForce}` };
  if (timeInForce === 'GTD' && !(expireTime !== undefined && expireTime > now))
    return { code: 'EXPIRE_TIME_INVALID', why: 'a GTD order needs an expire time in the future' };
  return undefined;
}

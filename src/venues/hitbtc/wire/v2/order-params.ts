import { z } from 'zod';
import { timesInForce } from '../../../../core/model/order.ts';
import type { OrderParams, ReplaceParams } from '../order-params.ts';
import { booleanParam, codeParam, decimalParam, rateParam } from '../param-fields.ts';
import { textParam, timeParam } from '../param-fields.ts';

/** At most 32 characters of `A-Za-z0-9_-`. Source: v2-gaps, section 1. */
export const v2ClientOrderId = textParam.refine((text) => /^[\w-]{1,32}$/.test(text), {
  error: 'Parameter must have at most 32 characters of A-Z, a-z, 0-9, _ and -',
});
/** v2 knows no take-profit types. Source: API v2, newOrder params. */
const types = ['limit', 'market', 'stopLimit', 'stopMarket'] as const;

/** The members of a new order, before they are renamed; margin orders have one more. */
export const v2OrderMembers = z.object({
  symbol: codeParam,
  side: z.enum(['buy', 'sell'], { error: 'Parameter must be sell or buy' }),
  type: z.enum(types, { error: `Parameter must be one of ${types.join(', ')}` }).default('limit'),
  timeInForce: z
    .enum(timesInForce, { error: `Parameter must be one of ${timesInForce.join(', ')}` })
    .optional(),
  quantity: decimalParam.optional(),
  price: decimalParam.optional(),
  stopPrice: decimalParam.optional(),
  expireTime: timeParam.optional(),
  strictValidate: booleanParam.default(false),
  postOnly: booleanParam.default(false),
  takeLiquidityMarkup: rateParam,
  provideLiquidityMarkup: rateParam,
});

/** A new order over REST, where the id may be left to the server. Source: v2-gaps, section 1. */
export const v2OrderParams = v2OrderMembers
  .extend({ clientOrderId: v2ClientOrderId.optional() })
  .transform(toOrderParams);
/** A new order whose id is required: over the socket, and as part of the path of PUT. Source: API v2, newOrder params. */
export const v2PutOrderParams = v2OrderMembers
  .extend({ clientOrderId: v2ClientOrderId })
  .transform(toOrderParams);

/** A replacement. Source: API v2, cancelReplaceOrder; v2-gaps, section 1 (PATCH). */
export const v2ReplaceParams = z
  .object({
    clientOrderId: textParam,
    requestClientId: v2ClientOrderId,
    quantity: decimalParam.optional(),
    price: decimalParam.optional(),
    strictValidate: booleanParam.default(false),
  })
  .transform((given): ReplaceParams => ({
    clientOrderId: given.clientOrderId,
    newClientOrderId: given.requestClientId,
    quantity: given.quantity,
    price: given.price,
    stopPrice: undefined,
    strictValidate: given.strictValidate,
  }));

/** The same in the spelling of the model. */
export function toOrderParams(
  given: z.output<typeof v2OrderMembers> & { readonly clientOrderId?: string | undefined },
): OrderParams {
  return {
    clientOrderId: given.clientOrderId,
    symbol: given.symbol,
    side: given.side,
    type: given.type,
    timeInForce: given.timeInForce,
    quantity: given.quantity,
    price: given.price,
    stopPrice: given.stopPrice,
    expireTime: given.expireTime,
    strictValidate: given.strictValidate,
    postOnly: given.postOnly,
    takeMarkup: given.takeLiquidityMarkup,
    makeMarkup: given.provideLiquidityMarkup,
  };
}

import { z } from 'zod';
import { contingencyTypes } from '../../../../core/model/order-list.ts';
import type { TimeInForce } from '../../../../core/model/order.ts';
import { orderTypes, timesInForce } from '../../../../core/model/order.ts';
import type { OrderParams, ReplaceParams } from '../order-params.ts';
import { booleanParam, codeParam, decimalParam, rateParam, textParam, timeParam } from '../param-fields.ts';

/** 8 to 32 of `A-Za-z0-9_-`. Source: API v3, "POST /api/3/spot/order parameters". */
export const v3ClientOrderId = textParam.refine((text) => /^[A-Za-z0-9_-]{8,32}$/.test(text), {
  error: 'Parameter must have 8 to 32 characters of A-Z, a-z, 0-9, _ and -',
});

/** The members of a new order, before they are renamed; margin orders have more. */
export const v3OrderMembers = z.object({
  client_order_id: v3ClientOrderId.optional(),
  symbol: codeParam,
  side: z.enum(['buy', 'sell'], { error: 'Parameter must be sell or buy' }),
  type: z.enum(orderTypes, { error: `Parameter must be one of ${orderTypes.join(', ')}` }).default('limit'),
  time_in_force: z
    .enum(timesInForce, { error: `Parameter must be one of ${timesInForce.join(', ')}` })
    .optional(),
  quantity: decimalParam.optional(),
  price: decimalParam.optional(),
  stop_price: decimalParam.optional(),
  expire_time: timeParam.optional(),
  strict_validate: booleanParam.default(false),
  post_only: booleanParam.default(false),
  take_rate: rateParam,
  make_rate: rateParam,
});

/** A new spot order. Source: API v3, "POST /api/3/spot/order parameters". */
export const v3OrderParams = v3OrderMembers.transform(v3OrderOf);

/** The same in our spelling. */
export function v3OrderOf(given: z.output<typeof v3OrderMembers>): OrderParams {
  return {
    clientOrderId: given.client_order_id,
    symbol: given.symbol,
    side: given.side,
    type: given.type,
    timeInForce: given.time_in_force,
    quantity: given.quantity,
    price: given.price,
    stopPrice: given.stop_price,
    expireTime: given.expire_time,
    strictValidate: given.strict_validate,
    postOnly: given.post_only,
    takeMarkup: given.take_rate,
    makeMarkup: given.make_rate,
  };
}

const listShape = {
  order_list_id: v3ClientOrderId.optional(),
  contingency_type: z.enum(contingencyTypes, {
    error: `Parameter must be one of ${contingencyTypes.join(', ')}`,
  }),
};

/** A list of contingent orders. Source: API v3, "POST /api/3/spot/order/list". */
export const v3OrderListParams = listParamsOf(v3OrderParams);

/** A list of orders of one kind, each read by its own schema; what the kinds of lists demand beyond is the core's to say. */
export function listParamsOf<Order extends { readonly timeInForce: TimeInForce | undefined }>(
  order: z.ZodType<Order>,
) {
  return z
    .object({
      ...listShape,
      orders: z
        .array(z.preprocess(withoutAbsent, order), { error: 'Parameter must be a list of orders' })
        .min(2, 'Parameter must hold 2 or 3 orders')
        .max(3, 'Parameter must hold 2 or 3 orders'),
    })
    .superRefine((given, context) => {
      const { contingency_type: contingency, orders } = given;
      if (contingency === 'oneTriggerOneCancelOther' && orders.length !== 3) {
        context.addIssue({
          code: 'custom',
          path: ['orders'],
          message: 'Parameter must hold exactly 3 orders',
        });
      }
      if (contingency !== 'allOrNone') return;
      for (const [index, { timeInForce }] of orders.entries()) {
        if (timeInForce !== undefined) continue;
        context.addIssue({
          code: 'custom',
          path: ['orders', index, 'time_in_force'],
          message: 'Parameter is required',
        });
      }
    })
    .transform((given) => ({
      orderListId: given.order_list_id,
      contingencyType: given.contingency_type,
      orders: given.orders as readonly Order[],
    }));
}

/** Null and empty members count as absent, as they do outside lists. */
function withoutAbsent(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== ''));
}

/** A replacement: PATCH with the id of the path as `client_order_id`, and `spot_replace_order`. Source: API v3, "Spot trading". */
export const v3ReplaceParams = z
  .object({
    client_order_id: textParam,
    new_client_order_id: v3ClientOrderId.optional(),
    quantity: decimalParam.optional(),
    price: decimalParam.optional(),
    stop_price: decimalParam.optional(),
    strict_validate: booleanParam.default(false),
  })
  .transform((given): ReplaceParams => ({
    clientOrderId: given.client_order_id,
    newClientOrderId: given.new_client_order_id,
    quantity: given.quantity,
    price: given.price,
    stopPrice: given.stop_price,
    strictValidate: given.strict_validate,
  }));

import { z } from 'zod';
import { textParam } from '../param-fields.ts';
import { balanceMethods } from './balance-methods.ts';
import { v3OrderListParams, v3OrderParams, v3ReplaceParams } from './order-params.ts';

const none = z.object({});
const order = z.object({ client_order_id: textParam });
const login = z.looseObject({});

/**
 * Every spot method of the v3 trading socket: the right it needs and its parameters as a server reads them.
 * Source: v3-gaps, section 2.3; API v3, "Events" (names) and "Spot trading" (rights of the same calls over REST).
 */
export const v3TradingMethods = {
  login: { right: 'none', params: login },
  spot_subscribe: { right: 'R1', params: none },
  spot_unsubscribe: { right: 'R1', params: none },
  spot_get_orders: { right: 'R1', params: none },
  spot_new_order: { right: 'R2', params: v3OrderParams },
  spot_new_order_list: { right: 'R2', params: v3OrderListParams },
  spot_cancel_order: { right: 'R2', params: order },
  spot_cancel_orders: { right: 'R2', params: none },
  spot_replace_order: { right: 'R2', params: v3ReplaceParams },
  spot_balances: balanceMethods.balances,
  spot_balance: balanceMethods.balance,
  spot_fees: balanceMethods.fees,
  spot_fee: balanceMethods.fee,
  spot_balance_subscribe: balanceMethods.balance_subscribe,
  spot_balance_unsubscribe: balanceMethods.balance_unsubscribe,
} as const;

export type V3TradingMethod = keyof typeof v3TradingMethods;

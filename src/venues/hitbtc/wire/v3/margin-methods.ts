import { z } from 'zod';
import { textParam } from '../param-fields.ts';
import { balanceMethods } from './balance-methods.ts';
import {
  closePositionParams,
  leverageParams,
  marginOrderListParams,
  marginOrderParams,
  marginSetAccountParams,
} from './margin-params.ts';
import { v3ReplaceParams } from './order-params.ts';

const none = z.object({});
const order = z
  .object({ client_order_id: textParam })
  .transform((given) => ({ clientOrderId: given.client_order_id }));

/**
 * The methods of margin and of futures on the v3 trading socket, each under its prefix (`margin_`, `futures_`): the
 * right it needs and its parameters. Source: v3-gaps, sections 2.4 and 2.5; rights of the same calls over REST.
 */
export const marginMethods = {
  subscribe: { right: 'R1', params: none },
  unsubscribe: { right: 'R1', params: none },
  get_orders: { right: 'R1', params: none },
  new_order: { right: 'R2', params: marginOrderParams },
  new_order_list: { right: 'R2', params: marginOrderListParams },
  cancel_order: { right: 'R2', params: order },
  cancel_orders: { right: 'R2', params: none },
  replace_order: { right: 'R2', params: v3ReplaceParams },
  get_accounts: { right: 'R1', params: none },
  set_account: { right: 'R2', params: marginSetAccountParams },
  close_position: { right: 'R2', params: closePositionParams },
} as const;

export type MarginMethod = keyof typeof marginMethods;

/** Balances, fees and leverage of futures alone. Source: v3-gaps, section 2.5. */
export const futuresMethods = {
  futures_balances: balanceMethods.balances,
  futures_balance: balanceMethods.balance,
  futures_fees: balanceMethods.fees,
  futures_fee: balanceMethods.fee,
  futures_set_leverage: { right: 'R2', params: leverageParams },
  futures_balance_subscribe: balanceMethods.balance_subscribe,
  futures_balance_unsubscribe: balanceMethods.balance_unsubscribe,
} as const;

import { z } from 'zod';
import { addCode } from '../keyed.ts';
import { codeParam, currencyParams, noParams } from '../param-fields.ts';
import {
  report,
  leverageParams,
  v3ClosePositionParams,
  v3MarginSetAccountParams,
  v3MarginOrderListParams,
  v3MarginOrderParams,
  v3OneOrderParams,
  v3OrderListParams,
  v3OrderParams,
  v3ReplaceParams,
  marginAccount,
  position,
  transaction,
  v3TransactionsParams,
  walletBalance,
  balanceOfCurrency,
  feeRates,
  spotBalance,
} from '../resources/index.ts';
import type { SocketMethod } from '../socket-method.ts';
import { done, prefixed, socketMethod } from '../socket-method.ts';

const mode = z.object({ mode: z.enum(['updates', 'batches']).default('updates') });
const read = { right: 'R1', params: noParams } as const;
const change = { right: 'R2', changesOrders: true } as const;
const subscription = socketMethod({ ...read, answer: done });

/** Methods that spot, margin and futures have in common; orders and lists have parameters of their own. */
function orderMethods<Order, OrderInput, List, ListInput>(
  order: z.ZodType<Order, OrderInput>,
  list: z.ZodType<List, ListInput>,
) {
  return {
    subscribe: subscription,
    unsubscribe: subscription,
    get_orders: socketMethod({ ...read, answer: report.v3.readList }),
    new_order: socketMethod({ ...change, params: order, answer: report.v3.read }),
    /** Answered once for each order. */
    new_order_list: socketMethod({ ...change, params: list, answer: report.v3.read }),
    cancel_order: socketMethod({ ...change, params: v3OneOrderParams, answer: report.v3.read }),
    cancel_orders: socketMethod({ ...change, params: noParams, answer: report.v3.readList }),
    replace_order: socketMethod({ ...change, params: v3ReplaceParams, answer: report.v3.read }),
  };
}

/** Balances and fees of spot and of futures. */
const balanceMethods = {
  balances: socketMethod({ ...read, answer: spotBalance.v3.readList }),
  balance: socketMethod({ ...read, params: currencyParams, answer: spotBalance.v3.read }),
  fees: socketMethod({ ...read, answer: feeRates.v3.decodeList }),
  fee: socketMethod({ ...read, params: z.object({ symbol: codeParam }), answer: feeRates.v3.decode }),
  balance_subscribe: socketMethod({ ...read, params: mode, answer: done }),
  balance_unsubscribe: socketMethod({ ...read, params: mode, answer: done }),
};

/** Accounts of margin and of futures. */
const accountMethods = {
  get_accounts: socketMethod({ ...read, answer: marginAccount.v3.readList }),
  set_account: socketMethod({ right: 'R2', params: v3MarginSetAccountParams, answer: marginAccount.v3.read }),
  close_position: socketMethod({ ...change, params: v3ClosePositionParams, answer: marginAccount.v3.read }),
};
const derivativeMethods = {
  ...orderMethods(v3MarginOrderParams, v3MarginOrderListParams),
  ...accountMethods,
};

const walletRead = { right: 'R3', params: noParams } as const;
const transactions = socketMethod({
  right: 'R3',
  params: v3TransactionsParams,
  answer: transaction.v3.readList,
});
const walletSubscription = socketMethod({ ...walletRead, answer: done });

/** The v3 wallet socket; clients call `transactions` by the name `get_transactions`. Source: v3-gaps, section 3. */
const walletMethods = {
  subscribe_transactions: walletSubscription,
  unsubscribe_transactions: walletSubscription,
  subscribe_wallet_balances: walletSubscription,
  unsubscribe_wallet_balances: walletSubscription,
  wallet_balances: socketMethod({ ...walletRead, answer: walletBalance.v3.decodeList }),
  wallet_balance: socketMethod({
    ...walletRead,
    params: currencyParams,
    answer: addCode('currency', balanceOfCurrency.v3.decode),
  }),
  transactions,
  get_transactions: transactions,
};

const login = { login: socketMethod({ right: 'none', params: z.looseObject({}), answer: done }) };

/** Every method of the v3 trading socket. */
const tradingMethods = {
  ...login,
  ...prefixed('spot', orderMethods(v3OrderParams, v3OrderListParams)),
  ...prefixed('spot', balanceMethods),
  ...prefixed('margin', derivativeMethods),
  ...prefixed('futures', derivativeMethods),
  ...prefixed('futures', balanceMethods),
  futures_set_leverage: socketMethod({ right: 'R2', params: leverageParams, answer: marginAccount.v3.read }),
} as const;

/**
 * Every method of the v3 trading and wallet sockets. Rights are those of the same calls over REST.
 * Source: v3-gaps, sections 2.3 to 2.5 and 3; API v3, "Events" (names).
 */
export const v3Methods = { ...tradingMethods, ...walletMethods } as const;

export type V3MethodName = keyof typeof v3Methods;

const orderNotices = { orders: report.v3.readList, order: report.v3.read };
const accountNotices = {
  accounts: marginAccount.v3.readList,
  account: marginAccount.v3.read,
  position: position.v3.read,
};
const balanceNotices = { balance: spotBalance.v3.readList };

const tradingNotices = {
  ...prefixed('spot', { ...orderNotices, ...balanceNotices }),
  ...prefixed('margin', { ...orderNotices, ...accountNotices }),
  ...prefixed('futures', { ...orderNotices, ...accountNotices, ...balanceNotices }),
  futures_account_cross: marginAccount.v3.read,
  futures_position_cross: position.v3.read,
} as const;
const walletNotices = {
  transaction_update: transaction.v3.read,
  wallet_balances: walletBalance.v3.decodeList,
  wallet_balance_update: walletBalance.v3.decode,
} as const;

/** Readers of every notification of the v3 trading and wallet sockets. Source: v3-gaps, sections 2.3 to 2.5 and 3. */
export const v3Notices = { ...tradingNotices, ...walletNotices } as const;

/** Methods and notifications by the location where they are served. Source: API v3, "Addresses". */
export const v3Locations = {
  '/api/3/ws/trading': { methods: tradingMethods, notices: tradingNotices },
  '/api/3/ws/wallet': { methods: { ...login, ...walletMethods }, notices: walletNotices },
} as const;

/** Parameters of a method as a server has read them. */
export type V3MethodParams<Name extends V3MethodName> =
  (typeof v3Methods)[Name] extends SocketMethod<infer Params, infer _Answer, infer _Input> ? Params : never;

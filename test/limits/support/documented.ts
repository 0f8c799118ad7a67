type Scope = 'address' | 'account';

/** A row of the limits tables as a careless client would meet it. */
export interface DocumentedLimit {
  readonly name: string;
  readonly scope: Scope;
  /** Requests within one second that must pass; the next one must not. */
  readonly passes: number;
  /** A REST call, the opening of a socket, or a message to say at a location. */
  readonly ask:
    | { readonly of: 'rest'; readonly line: string; readonly signed: boolean }
    | { readonly of: 'opening'; readonly location: string }
    | { readonly of: 'message'; readonly location: string; readonly message: object }
    | { readonly of: 'method'; readonly location: string; readonly method: string };
}

const rest = (
  name: string,
  scope: Scope,
  [passes, line, signed]: readonly [number, string, boolean],
): DocumentedLimit => ({ name, scope, passes, ask: { of: 'rest', line, signed } });
const opening = (location: string, passes: number): DocumentedLimit => ({
  name: `openings of ${location}`,
  scope: 'address',
  passes,
  ask: { of: 'opening', location },
});
const message = (location: string, passes: number, asked: object): DocumentedLimit => ({
  name: `messages on ${location}, such as ${JSON.stringify(asked)}`,
  scope: 'address',
  passes,
  ask: { of: 'message', location, message: asked },
});
const methods = (location: string, passes: number, names: readonly string[]): readonly DocumentedLimit[] =>
  names.map((method) => ({
    name: `${location} ${method}`,
    scope: 'account',
    passes,
    ask: { of: 'method', location, method },
  }));

const trading = '/api/3/ws/trading';
const wallet = '/api/3/ws/wallet';
const marketDataV2 = ['getCurrencies', 'getSymbols', 'getTrades', 'subscribeOrderbook', 'unsubscribeCandles'];
const tradingV2 = [
  'newOrder',
  'cancelOrder',
  'cancelReplaceOrder',
  'getOrders',
  'marginAccountsGet',
  'marginAccountSet',
  'marginPositionClose',
  'marginOrdersGet',
  'marginOrdersCancel',
  'marginOrderNew',
  'marginOrderCancel',
  'marginOrderCancelReplace',
];
const accountV2 = [
  'login',
  'getBalance',
  'findTransactions',
  'loadTransactions',
  'subscribeTransactions',
  'unsubscribeTransactions',
  'subscribeBalance',
  'unsubscribeBalance',
];

/**
 * Rate plus burst, copied from the documents and not from our tables: API v3, "Limits"; API v2, "Limits". One call for
 * each path of each REST row, one opening for each location, or one message, every method of each socket row. The documents have no
 * endpoint under `/buy-crypto/fiat2crypto` and `/transfer-convert/config`: what is asked there ends in 404, and counts.
 */
export const documentedLimits: readonly DocumentedLimit[] = [
  rest('v3 /public/*', 'address', [80, 'GET /api/3/public/symbol/ETHBTC', false]),
  rest('v3 /wallet/* of an address', 'address', [20, 'GET /api/3/wallet/balance', true]),
  rest('v3 /buy-crypto/provider/*', 'address', [20, 'GET /api/3/buy-crypto/provider', true]),
  rest('v3 /buy-crypto/fiat2crypto/*', 'address', [20, 'GET /api/3/buy-crypto/fiat2crypto/config', true]),
  rest('v3 /buy-crypto/* of an account', 'account', [50, 'GET /api/3/buy-crypto/provider', true]),
  rest('v3 /spot/order/*', 'address', [750, 'GET /api/3/spot/order', true]),
  rest('v3 /margin/order/*', 'address', [750, 'GET /api/3/margin/order', true]),
  rest('v3 /margin/account/*', 'address', [750, 'GET /api/3/margin/account', true]),
  rest('v3 /margin/position/*', 'address', [750, 'DELETE /api/3/margin/position', true]),
  rest('v3 /futures/order/*', 'address', [750, 'GET /api/3/futures/order', true]),
  rest('v3 /futures/account/*', 'address', [750, 'GET /api/3/futures/account', true]),
  rest('v3 /futures/position/*', 'address', [750, 'DELETE /api/3/futures/position', true]),
  rest('v3 /transfer-convert/config of an address', 'address', [
    20,
    'GET /api/3/transfer-convert/config',
    true,
  ]),
  rest('v3 /transfer-convert/config of an account', 'account', [
    50,
    'GET /api/3/transfer-convert/config',
    true,
  ]),
  rest('v3 /*', 'address', [50, 'GET /api/3/spot/balance', true]),
  rest('v3 /* where nothing is served', 'address', [50, 'GET /api/3/nowhere', false]),
  rest('v3 /wallet/* of an account', 'account', [50, 'GET /api/3/wallet/balance', true]),
  rest('v3 /sub-account/* of an account', 'account', [50, 'GET /api/3/sub-account', true]),
  rest('v2 /public/*', 'address', [100, 'GET /api/2/public/symbol/ETHBTC', false]),
  rest('v2 trading of an account', 'account', [300, 'GET /api/2/order', true]),
  rest('v2 anything else of an account', 'account', [10, 'GET /api/2/trading/balance', true]),
  message('/api/3/ws/public', 20, { method: 'subscriptions', ch: 'trades', params: {} }),
  message(wallet, 20, { method: 'wallet_balances' }),
  opening(trading, 20),
  ...methods(trading, 5, [
    'login',
    'spot_subscribe',
    'spot_unsubscribe',
    'spot_balance_subscribe',
    'spot_balance_unsubscribe',
    'margin_subscribe',
    'margin_unsubscribe',
    'futures_subscribe',
    'futures_unsubscribe',
    'futures_balance',
  ]),
  ...methods(trading, 30, [
    'spot_balances',
    'spot_fee',
    'margin_get_accounts',
    'futures_get_accounts',
    'futures_balances',
    'futures_fee',
  ]),
  ...methods(trading, 500, [
    'spot_new_order',
    'spot_new_order_list',
    'spot_replace_order',
    'margin_new_order',
    'margin_new_order_list',
    'margin_replace_order',
    'futures_new_order',
    'futures_new_order_list',
    'futures_replace_order',
  ]),
  ...methods(wallet, 12, ['login']),
  ...methods(wallet, 15, [
    'subscribe_transactions',
    'unsubscribe_transactions',
    'subscribe_wallet_balances',
    'unsubscribe_wallet_balances',
    'wallet_balances',
    'wallet_balance',
    'transactions',
  ]),
  ...['/api/2/ws', '/api/2/ws/public'].flatMap((location) =>
    marketDataV2.map((method) => message(location, 100, { method, params: { symbol: 'ETHBTC' } })),
  ),
  ...['/api/2/ws', '/api/2/ws/trading'].flatMap((location) => methods(location, 300, tradingV2)),
  ...methods('/api/2/ws/trading', 10, ['login', 'subscribeReports', 'getTradingBalance', 'marginSubscribe']),
  ...methods('/api/2/ws/account', 10, accountV2),
];

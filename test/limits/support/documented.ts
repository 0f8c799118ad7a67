/** A row of the limits tables as a careless client would meet it. */
export interface DocumentedLimit {
  readonly name: string;
  readonly scope: 'address' | 'account';
  /** Requests within one second that must pass; the next one must not. */
  readonly passes: number;
  /** A REST call, or a message to say at a location. */
  readonly ask:
    | { readonly of: 'rest'; readonly line: string; readonly signed: boolean }
    | { readonly of: 'method'; readonly location: string; readonly method: string };
}

const rest = (
  name: string,
  scope: DocumentedLimit['scope'],
  [passes, line, signed]: readonly [number, string, boolean],
): DocumentedLimit => ({ name, scope, passes, ask: { of: 'rest', line, signed } });
const method = (location: string, name: string, passes: number): DocumentedLimit => ({
  name: `${location} ${name}`,
  scope: 'account',
  passes,
  ask: { of: 'method', location, method: name },
});

/**
 * Rate plus burst, copied from the documents and not from our tables: API v3, "Limits"; API v2, "Limits". One
 * call for each REST row, every method of each socket row.
 */
export const documentedLimits: readonly DocumentedLimit[] = [
  rest('v3 /public/*', 'address', [80, 'GET /api/3/public/symbol/ETHBTC', false]),
  rest('v3 /wallet/* of an address', 'address', [20, 'GET /api/3/wallet/balance', true]),
  rest('v3 /buy-crypto/provider/*', 'address', [20, 'GET /api/3/buy-crypto/provider', true]),
  rest('v3 /buy-crypto/* of an account', 'account', [50, 'GET /api/3/buy-crypto/provider', true]),
  rest('v3 /spot/order/*', 'address', [750, 'GET /api/3/spot/order', true]),
  rest('v3 /margin/order/*', 'address', [750, 'GET /api/3/margin/order', true]),
  rest('v3 /futures/order/*', 'address', [750, 'GET /api/3/futures/order', true]),
  rest('v3 /*', 'address', [50, 'GET /api/3/spot/balance', true]),
  rest('v3 /wallet/* of an account', 'account', [50, 'GET /api/3/wallet/balance', true]),
  rest('v3 /sub-account/* of an account', 'account', [50, 'GET /api/3/sub-account', true]),
  rest('v2 /public/*', 'address', [100, 'GET /api/2/public/symbol/ETHBTC', false]),
  rest('v2 trading of an account', 'account', [300, 'GET /api/2/order', true]),
  rest('v2 anything else of an account', 'account', [10, 'GET /api/2/trading/balance', true]),
  method('/api/3/ws/trading', 'login', 5),
  method('/api/3/ws/trading', 'spot_subscribe', 5),
  method('/api/3/ws/trading', 'spot_balance_subscribe', 5),
  method('/api/3/ws/trading', 'margin_subscribe', 5),
  method('/api/3/ws/trading', 'futures_subscribe', 5),
  method('/api/3/ws/trading', 'spot_balances', 30),
  method('/api/3/ws/trading', 'spot_fee', 30),
  method('/api/3/ws/trading', 'margin_get_accounts', 30),
  method('/api/3/ws/trading', 'futures_get_accounts', 30),
  method('/api/3/ws/trading', 'spot_new_order', 500),
  method('/api/3/ws/trading', 'spot_replace_order', 500),
  method('/api/3/ws/trading', 'margin_new_order', 500),
  method('/api/3/ws/trading', 'futures_new_order', 500),
  method('/api/3/ws/wallet', 'login', 12),
  method('/api/3/ws/wallet', 'subscribe_transactions', 15),
  method('/api/3/ws/wallet', 'wallet_balances', 15),
];

/** Requests admitted in any second: up to `rate` plus `burst`. Source: API v3, "Limits"; API v2, "Limits". */
export interface LimitRow {
  /** Per IP address, or per account whatever the key, session or address. */
  readonly scope: 'address' | 'account';
  /** `rest`: patterns are paths below `/api/3` or `/api/2`. `socket`: locations. `method`: socket methods. */
  readonly of: 'rest' | 'socket' | 'method';
  /** A `*` at the end stands for any rest, also none. */
  readonly patterns: readonly string[];
  readonly rate: number;
  readonly burst: number;
}

const wallet = '/ws/wallet';
const trading = '/ws/trading';

/** Source: API v3, "Limits". Patterns of one row share one count; more exact rows come before `/*`. */
export const v3Limits: readonly LimitRow[] = [
  { scope: 'address', of: 'rest', patterns: ['/public/*'], rate: 30, burst: 50 },
  { scope: 'address', of: 'rest', patterns: ['/wallet/*'], rate: 10, burst: 10 },
  { scope: 'address', of: 'rest', patterns: ['/buy-crypto/provider/*'], rate: 10, burst: 10 },
  { scope: 'address', of: 'rest', patterns: ['/buy-crypto/fiat2crypto/*'], rate: 10, burst: 10 },
  { scope: 'address', of: 'rest', patterns: ['/spot/order/*'], rate: 300, burst: 450 },
  {
    scope: 'address',
    of: 'rest',
    patterns: ['/margin/order/*', '/margin/account/*', '/margin/position/*'],
    rate: 300,
    burst: 450,
  },
  {
    scope: 'address',
    of: 'rest',
    patterns: ['/futures/order/*', '/futures/account/*', '/futures/position/*'],
    rate: 300,
    burst: 450,
  },
  { scope: 'address', of: 'rest', patterns: ['/transfer-convert/config'], rate: 10, burst: 10 },
  { scope: 'address', of: 'rest', patterns: ['/*'], rate: 20, burst: 30 },
  { scope: 'address', of: 'socket', patterns: ['/ws/public'], rate: 10, burst: 10 },
  { scope: 'address', of: 'socket', patterns: [trading], rate: 10, burst: 10 },
  { scope: 'address', of: 'socket', patterns: [wallet], rate: 10, burst: 10 },
  {
    scope: 'account',
    of: 'rest',
    patterns: ['/wallet/*', '/transfer-convert/config'],
    rate: 20,
    burst: 30,
  },
  { scope: 'account', of: 'rest', patterns: ['/buy-crypto/*'], rate: 20, burst: 30 },
  { scope: 'account', of: 'rest', patterns: ['/sub-account/*'], rate: 20, burst: 30 },
  { scope: 'account', of: 'method', patterns: [`${trading} login`], rate: 5, burst: 0 },
  {
    scope: 'account',
    of: 'method',
    patterns: methods(trading, [
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
    rate: 5,
    burst: 0,
  },
  {
    scope: 'account',
    of: 'method',
    patterns: methods(trading, [
      'spot_balances',
      'spot_fee',
      'margin_get_accounts',
      'futures_get_accounts',
      'futures_balances',
      'futures_fee',
    ]),
    rate: 20,
    burst: 10,
  },
  {
    scope: 'account',
    of: 'method',
    patterns: methods(trading, [
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
    rate: 300,
    burst: 200,
  },
  { scope: 'account', of: 'method', patterns: [`${wallet} login`], rate: 2, burst: 10 },
  {
    scope: 'account',
    of: 'method',
    patterns: methods(wallet, [
      'subscribe_transactions',
      'unsubscribe_transactions',
      'subscribe_wallet_balances',
      'unsubscribe_wallet_balances',
      'wallet_balances',
      'wallet_balance',
      'transactions',
      // What the clients call the method above (v3-gaps, section 3).
      'get_transactions',
    ]),
    rate: 5,
    burst: 10,
  },
];

/** Source: API v2, "Limits". A method of a socket counts with the paths of its kind: see `v2LimitOf`. */
export const v2Rows = {
  marketData: { scope: 'address', of: 'rest', patterns: ['/public/*'], rate: 100, burst: 0 },
  /** Orders, and margin accounts and positions. */
  trading: {
    scope: 'account',
    of: 'rest',
    patterns: ['/order', '/order/*', '/margin/*'],
    rate: 300,
    burst: 0,
  },
  other: { scope: 'account', of: 'rest', patterns: ['/*'], rate: 10, burst: 0 },
} satisfies Readonly<Record<string, LimitRow>>;

export const v2Limits: readonly LimitRow[] = [v2Rows.marketData, v2Rows.trading, v2Rows.other];

/** Source: API v3, "Limits", "Other bounds". */
export const bounds = {
  clientOrderIdMin: 8,
  clientOrderIdMax: 32,
  pageLimitMax: 1_000,
  pageOffsetMax: 100_000,
  orderListMin: 2,
  orderListMax: 3,
  historyHours: 24,
  publicCommentMax: 255,
  /** Source: v3-gaps, section 1.7. */
  connectionsPerAddress: 100,
} as const;

/**
 * The row that counts a request, or `undefined` when none does. `what` is a path below `/api/3`, a location such
 * as `/ws/trading`, or a location and a method such as `/ws/trading login`.
 */
export function limitOf(
  table: readonly LimitRow[],
  scope: LimitRow['scope'],
  of: LimitRow['of'],
  what: string,
): LimitRow | undefined {
  return table.find(
    (row) => row.scope === scope && row.of === of && row.patterns.some((pattern) => fits(pattern, what)),
  );
}

function fits(pattern: string, what: string): boolean {
  if (!pattern.endsWith('/*')) return pattern === what;
  const head = pattern.slice(0, -2);
  return what === head || what.startsWith(`${head}/`);
}

function methods(location: string, names: readonly string[]): readonly string[] {
  return names.map((name) => `${location} ${name}`);
}

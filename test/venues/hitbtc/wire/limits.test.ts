import { expect, test } from 'vitest';
import { limitOf, v2Limits, v3Limits } from '../../../../src/venues/hitbtc/wire/limits.ts';
import { v2LimitOf } from '../../../../src/venues/hitbtc/wire/v2/socket-methods.ts';

test.each([
  ['address', 'rest', '/public/symbol', 30, 50],
  ['address', 'rest', '/spot/order', 300, 450],
  ['address', 'rest', '/spot/order/abc', 300, 450],
  ['address', 'rest', '/spot/orders', 20, 30],
  ['address', 'rest', '/spot/balance', 20, 30],
  ['address', 'rest', '/wallet/balance', 10, 10],
  ['account', 'rest', '/sub-account/acl', 20, 30],
  ['address', 'socket', '/ws/trading', 10, 10],
  ['account', 'method', '/ws/trading spot_new_order', 300, 200],
  ['account', 'method', '/ws/trading login', 5, 0],
  ['account', 'method', '/ws/wallet login', 2, 10],
] as const)('%s %s %s is limited to %d with burst %d', (scope, of, what, rate, burst) => {
  expect(limitOf(v3Limits, scope, of, what)).toMatchObject({ rate, burst });
});

test('what no row names has no limit', () => {
  expect(limitOf(v3Limits, 'account', 'rest', '/spot/order')).toBeUndefined();
  expect(limitOf(v3Limits, 'account', 'method', '/ws/trading spot_cancel_order')).toBeUndefined();
});

test('v2 counts trading, market data and the rest apart', () => {
  expect(limitOf(v2Limits, 'address', 'rest', '/public/ticker')).toMatchObject({ rate: 100 });
  expect(limitOf(v2Limits, 'account', 'rest', '/order/abc')).toMatchObject({ rate: 300 });
  expect(limitOf(v2Limits, 'account', 'rest', '/history/trades')).toMatchObject({ rate: 10 });
});

test.each([
  ['getTrades', 'address', 100],
  ['unsubscribeCandles', 'address', 100],
  ['newOrder', 'account', 300],
  ['getOrders', 'account', 300],
  ['marginAccountSet', 'account', 300],
  ['marginOrderCancelReplace', 'account', 300],
  ['marginSubscribe', 'account', 10],
  ['login', 'account', 10],
  ['getBalance', 'account', 10],
  ['loadTransactions', 'account', 10],
  ['no such method', 'account', 10],
])('the v2 method %s counts per %s, %d a second', (method, scope, rate) => {
  expect(v2LimitOf(method)).toMatchObject({ scope, rate, burst: 0 });
});

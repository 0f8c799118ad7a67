import { readFileSync } from 'node:fs';
import { expect, expectTypeOf, test } from 'vitest';
import * as exported from 'godwit/client';
import type { Amount, V3Input, V3Order } from 'godwit/client';
import { denialReasons } from 'godwit/client';

test('the client is exported by the name of the package', () => {
  const client = new exported.GodwitClient({ baseUrl: 'https://venue.example' });
  expect(Object.keys(client.v3)).toEqual(
    expect.arrayContaining(['marketData', 'spot', 'wallet', 'subAccounts', 'buyCrypto', 'margin', 'futures']),
  );
  expect(Object.keys(client.v2)).toEqual(
    expect.arrayContaining([
      'marketData',
      'trading',
      'history',
      'account',
      'buyCrypto',
      'subAccounts',
      'margin',
    ]),
  );
  expect(exported.formatAmount(exported.parseAmount('0.10'))).toBe('0.1');
});

test('parameters are typed: exact decimals, documented words, nothing else', () => {
  type Order = V3Input<'spotNewOrder'>;
  expectTypeOf<Order['symbol']>().toEqualTypeOf<string>();
  expectTypeOf<Exclude<Order['quantity'], undefined>>().toEqualTypeOf<string | Amount>();
  expectTypeOf<Exclude<Order['strictValidate'], undefined>>().toEqualTypeOf<boolean>();
  expectTypeOf<Order['side']>().toEqualTypeOf<'buy' | 'sell'>();
  expectTypeOf<Exclude<V3Input<'publicTradesOfSymbol'>['limit'], undefined>>().toEqualTypeOf<number>();
  expectTypeOf<V3Order['quantity']>().toEqualTypeOf<Amount>();
  expectTypeOf<V3Order['status']>().toEqualTypeOf<
    'new' | 'suspended' | 'partiallyFilled' | 'filled' | 'canceled' | 'expired' | (string & {})
  >();
  // @ts-expect-error A double is no exact decimal.
  const order: Order = { symbol: 'AAABBB', side: 'buy', quantity: 0.1 };
  expect(order.symbol).toBe('AAABBB');
});

test('every code of a denial of the client has a row in docs/errors.md', () => {
  const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
  expect(denialReasons.filter((code) => !page.includes(`| \`${code}\` |`))).toEqual([]);
});

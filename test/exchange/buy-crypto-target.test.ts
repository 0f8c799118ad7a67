import { afterEach, beforeEach, expect, test } from 'vitest';
import { formatAmount } from '../../src/core/base/amount.ts';
import type { Answer, Bench } from './support/raw-client.ts';
import { openBench, rest } from './support/raw-client.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench({
    limits: { enabled: false },
    wallet: { deposits: [] },
    buyCrypto: { abandonedShare: 0, failedShare: 0 },
  });
  // A bitcoin costs 50000 USDT: the middle of two quotes.
  for (const [side, price] of [
    ['buy', '49000'],
    ['sell', '51000'],
  ] as const) {
    const form = { symbol: 'BTCUSDT', side, price, quantity: '0.001' };
    await rest(bench, 'POST /api/3/spot/order', { key: bench.key('demo-two'), form });
  }
});
afterEach(() => bench.close());

const buy = (change: object): Promise<Answer> =>
  rest(bench, 'POST /api/2/buy-crypto/provider/1/order', {
    key: bench.key('demo'),
    basic: true,
    json: { target: 'BTC', source: 'USD', sourceAmount: '1000', paymentMethodId: 101, ...change },
  });
const bitcoins = () => {
  const { accounts, wallet } = bench.server;
  return wallet.context.held.balance(accounts.get('demo').id, 'BTC').available;
};

test('a purchase of v2 that names an amount of the target brings exactly that', async () => {
  const before = bitcoins();
  // 0.01 at 50000 and 3.5 % of the payment cost 518.14.
  expect((await buy({ sourceAmount: '518.14', targetAmount: '0.01' })).status).toBe(200);
  bench.pass(1_000_000);
  expect(formatAmount((bitcoins() - before) as never)).toBe('0.01');
});

test.each([
  [
    { sourceAmount: '518.13', targetAmount: '0.01' },
    '[targetAmount]',
    'costs 518.14 USD, more than sourceAmount',
  ],
  [{ targetAmount: '0.0001' }, '[targetAmount]', 'must cost within [20, 5000] USD'],
  [{ targetAmount: '0.0000000000001' }, '[targetAmount]', 'must be a multiple of'],
  [{ targetAmount: '-1' }, '[targetAmount]', ''],
  [{ targetAmount: '0.01', sourceAmount: null }, 'sourceAmount', 'required'],
])('is refused with %j, naming what is wrong', async (change, name, words) => {
  const { status, body } = await buy(change);
  expect([status, body.error.code]).toEqual([400, 10001]);
  expect(body.error.description).toContain(name);
  expect(body.error.description).toContain(words);
});

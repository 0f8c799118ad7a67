import fc from 'fast-check';
import { expect, test } from 'vitest';
import { add, formatAmount, zero } from '../../src/core/base/amount.ts';
import type { Bench } from './support/raw-client.ts';
import { openBench, rest } from './support/raw-client.ts';

/** What is asked differs from run to run: the seed is reported, so that a failure can be had again. */
const seed = Number(process.env['GODWIT_TEST_SEED'] ?? process.pid);
process.stderr.write(`calls of v2: GODWIT_TEST_SEED=${seed}\n`);

const currencies = ['BTC', 'ETH', 'LTC', 'XRP', 'USDT'];

/** What all accounts hold, plus what the exchange has taken in fees. */
function total({ server }: Bench, currency: string): string {
  let sum = server.core.exchange.collectedFees(currency);
  for (const { id } of server.accounts.all) {
    const { available, reserved } = server.core.exchange.balance(id, currency);
    expect(available >= zero && reserved >= zero).toBe(true);
    sum = add(sum, add(available, reserved));
  }
  return formatAmount(sum);
}

const name = fc.constantFrom(
  'ETHBTC',
  'ethbtc',
  'BTCUSDT',
  'LTCBTC',
  'BTCUSDT_PERP',
  'NOPE',
  '../..',
  '%00',
  '__proto__',
);
const value = fc.oneof(
  name,
  fc.constantFrom('0', '1', '-1', '100', '1e9', 'NaN', '', 'ASC', 'id', 'M1', '2023-11-14T22:13:20Z'),
  fc.string({ maxLength: 12 }),
  fc.integer().map(String),
);
const query = fc.dictionary(
  fc.constantFrom('symbol', 'symbols', 'limit', 'offset', 'sort', 'by', 'from', 'till', 'period', 'volume'),
  value,
  { maxKeys: 3 },
);
const readPath = fc.constantFrom(
  ...['currency', 'symbol', 'ticker', 'trades', 'orderbook', 'candles'].map(
    (path) => `/api/2/public/${path}`,
  ),
  ...['info', 'history/funding', 'candles/mark_price'].map((path) => `/api/3/public/futures/${path}`),
  '/api/2/order',
  '/api/2/trading/balance',
  '/api/2/trading/fee',
  '/api/2/history/order',
  '/api/2/history/trades',
);
const read = fc.tuple(readPath, fc.option(name), query).map(([path, last, given]) => ({
  line: `GET ${path}${last === null ? '' : `/${encodeURIComponent(last)}`}?${new URLSearchParams(given).toString()}`,
  form: undefined,
}));
const id = fc.oneof(
  { arbitrary: fc.integer({ min: 1, max: 200 }).map((number) => `order-${number}`), weight: 20 },
  { arbitrary: fc.constant('b a d'), weight: 1 },
);
const mostly = (sound: fc.Arbitrary<string>) =>
  fc.oneof({ arbitrary: sound, weight: 10 }, { arbitrary: value, weight: 1 });
const order = fc
  .record({
    symbol: mostly(fc.constantFrom('ETHBTC', 'ltcbtc')),
    side: fc.constantFrom('buy', 'sell'),
    type: fc.constantFrom('limit', 'limit', 'market', 'stopLimit', 'stopMarket'),
    timeInForce: fc.constantFrom('GTC', 'IOC', 'FOK', 'Day'),
    quantity: mostly(fc.constantFrom('0.1', '1', '2.5', '0.0001')),
    price: mostly(fc.constantFrom('0.05', '0.0499', '0.0501', '0.0013')),
    stopPrice: fc.constantFrom('0.05', '0.0014'),
    clientOrderId: id,
    requestClientId: id,
  })
  .chain((all) =>
    fc.oneof(
      { arbitrary: fc.constant(all), weight: 4 },
      {
        arbitrary: fc
          .subarray(Object.keys(all))
          .map((keys) => Object.fromEntries(Object.entries(all).filter(([key]) => keys.includes(key)))),
        weight: 1,
      },
    ),
  );
const change = fc
  .tuple(fc.constantFrom('POST', 'POST', 'POST', 'PUT', 'PATCH', 'DELETE'), fc.option(id), order)
  .map(([method, last, form]) => ({
    line: `${method} /api/2/order${last === null || method === 'POST' ? '' : `/${encodeURIComponent(last)}`}`,
    form: form as Record<string, string>,
  }));

test('random calls of v2 are never answered with 500, and no money appears or vanishes', async () => {
  const bench = await openBench({ limits: { enabled: false } });
  const before = currencies.map((currency) => total(bench, currency));
  const statuses = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.oneof({ arbitrary: change, weight: 3 }, { arbitrary: read, weight: 1 }),
      fc.constantFrom('demo', 'demo-two'),
      fc.boolean(),
      async ({ line, form }, account, json) => {
        const body = form === undefined ? {} : json ? { json: form } : { form };
        const { status, body: answer } = await rest(bench, line, {
          key: bench.key(account),
          basic: true,
          ...body,
        });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        expect([200, 400, 404]).toContain(status);
        if (status === 400) expect(answer.error.code).toBeGreaterThan(0);
        if (status === 400 && line.includes('/api/2/')) expect(Object.keys(answer)).toEqual(['error']);
      },
    ),
    { numRuns: 1_500, seed },
  );
  expect(currencies.map((currency) => total(bench, currency))).toEqual(before);
  // The property is worth nothing if nothing gets through, or nothing is refused.
  expect(statuses.get(200)).toBeGreaterThan(200);
  expect(statuses.get(400)).toBeGreaterThan(200);
  await bench.close();
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { add, formatAmount, parseAmount, zero } from '../../src/core/base/amount.ts';
import type { Ask, Bench } from './support/raw-client.ts';
import { openBench, RawSocket, rest } from './support/raw-client.ts';

/** What is asked differs from run to run: the seed is reported, so that a failure can be had again. */
const seed = Number(process.env['GODWIT_TEST_SEED'] ?? process.pid);
process.stderr.write(`robustness: GODWIT_TEST_SEED=${seed}\n`);

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

const nasty = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1e9',
    'NaN',
    'null',
    '__proto__',
    '../..',
    '%00',
    '😀',
    'ETHBTC',
    'BTC',
    '999999999999999999999',
  ),
  fc.string({ maxLength: 20 }),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.integer(), { maxLength: 3 }),
);
const sound = fc.record({
  symbol: fc.constantFrom('ETHBTC', 'BTCUSDT', 'LTCBTC'),
  side: fc.constantFrom('buy', 'sell'),
  type: fc.constantFrom('limit', 'market', 'stopLimit', 'takeProfitMarket'),
  quantity: fc.constantFrom('0.1', '1', '2.5', '0.0001'),
  price: fc.constantFrom('0.05', '0.051', '0.049', '64000', '0.0013'),
  stop_price: fc.constantFrom('0.052', '65000', '0.001'),
  time_in_force: fc.constantFrom('GTC', 'IOC', 'FOK', 'Day'),
  post_only: fc.boolean(),
});
const orders = fc
  .tuple(
    sound,
    fc.dictionary(
      fc.constantFrom(
        'symbol',
        'side',
        'price',
        'quantity',
        'client_order_id',
        'take_rate',
        'expire_time',
        'x',
      ),
      nasty,
      { maxKeys: 2 },
    ),
  )
  .map(([base, odd]) => (Object.keys(odd).length > 1 ? { ...base, ...odd } : base));
const paths = fc.constantFrom(
  'spot/order',
  'spot/order/some-order-0001',
  'spot/balance',
  'spot/balance/BTC',
  'spot/history/order',
  'spot/history/trade',
  'spot/fee/ETHBTC',
  'public/orderbook/ETHBTC',
  'public/trades',
  'public/candles',
  'public/price/history',
  'public/converted/candles/ETHBTC',
  'public/%ff%fe',
  'no/such/path',
);
const requests = fc.oneof(
  { weight: 3, arbitrary: orders.map((json) => ({ line: 'POST /api/3/spot/order', ask: { json } as Ask })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE', 'PUT'),
        paths,
        fc.dictionary(
          fc.constantFrom(
            'limit',
            'from',
            'till',
            'sort',
            'by',
            'offset',
            'symbols',
            'depth',
            'volume',
            'period',
            'to',
          ),
          nasty,
          { maxKeys: 3 },
        ),
      )
      .map(([method, path, query]) => {
        const text = Object.entries(query).map(
          ([name, value]) => `${name}=${encodeURIComponent(String(value).toWellFormed())}`,
        );
        return {
          line: `${method} /api/3/${path}${text.length === 0 ? '' : `?${text.join('&')}`}`,
          ask: {} as Ask,
        };
      }),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.string({ maxLength: 60 }),
        fc.constantFrom('application/json', 'application/x-www-form-urlencoded', 'text/plain', 'nonsense'),
      )
      .map(([text, type]) => ({ line: 'POST /api/3/spot/order', ask: { text, type } as Ask })),
  },
);

test('2,000 random requests are never answered with 500, and no money appears or vanishes', async () => {
  const bench = await openBench({ limits: { enabled: false } });
  const before = currencies.map((currency) => total(bench, currency));
  const accounts = ['demo', 'demo-two'] as const;
  let number = 0;
  await fc.assert(
    fc.asyncProperty(requests, async ({ line, ask }) => {
      const account = accounts[number++ % 2] as string;
      const answer = await rest(bench, line, { ...ask, key: bench.key(account), basic: true });
      expect([200, 400, 404]).toContain(answer.status);
      if (answer.status === 400) expect(answer.body.error.code).toBeGreaterThan(0);
      bench.pass(7);
    }),
    { numRuns: 2_000, seed },
  );
  expect(currencies.map((currency) => total(bench, currency))).toEqual(before);
  expect(bench.server.core.market(bench.server.instruments.get('ETHBTC').id).trades.size).toBeGreaterThan(0);
  await bench.close();
});

test('random messages never close a socket, and every request gets at most one reply', async () => {
  const bench = await openBench({ limits: { enabled: false } });
  const message = fc.oneof(
    fc.string({ maxLength: 80 }),
    fc.json({ maxDepth: 4 }),
    fc
      .record({
        method: fc.constantFrom(
          'subscribe',
          'unsubscribe',
          'spot_new_order',
          'spot_cancel_order',
          'spot_balance',
          'login',
          'newOrder',
          'subscribeTicker',
          'getTrades',
        ),
        ch: fc.constantFrom('trades', 'orderbook/full', 'ticker/1s', 'price/rate/1s', 'candles/M1', 'x'),
        params: fc.oneof(
          nasty,
          fc.dictionary(
            fc.constantFrom('symbols', 'symbol', 'limit', 'currency', 'client_order_id', 'price'),
            nasty,
            { maxKeys: 3 },
          ),
        ),
        id: nasty,
      })
      .map((one) => JSON.stringify(one)),
  );
  for (const [index, path] of ['/api/3/ws/public', '/api/3/ws/trading', '/api/2/ws'].entries()) {
    const socket = await RawSocket.open(bench, path);
    if (path.includes('trading')) await socket.login(bench.key('demo'));
    const texts = fc.sample(message, { numRuns: 300, seed: seed + index });
    for (const text of texts) socket.say(text);
    await socket.settle();
    expect(socket.closed).toBeUndefined();
    const replies = socket.received.filter(
      (received) => received.result !== undefined || received.error !== undefined,
    );
    expect(replies.length).toBeLessThanOrEqual(texts.length + 2);
    socket.close();
  }
  await bench.close();
});

test('an in-process participant trades with those on the wire', async () => {
  const bench = await openBench({ limits: { enabled: false } });
  const { server } = bench;
  const house = server.accounts.open('house');
  server.core.handle({ kind: 'adjustBalance', account: house.id, currency: 'ETH', change: parseAmount('5') });
  const instrument = server.instruments.get('ETHBTC');
  const outcomes = server.core.handle({
    kind: 'place',
    account: house.id,
    takeMarkup: zero,
    makeMarkup: zero,
    request: {
      clientOrderId: 'house-0001' as never,
      instrument: instrument.id,
      side: 'sell',
      type: 'limit',
      timeInForce: 'GTC',
      quantity: instrument.lots('5'),
      price: instrument.ticks('0.05'),
      stopPrice: undefined,
      expireTime: undefined,
      postOnly: false,
    },
  });
  expect(outcomes[0]).toMatchObject({ kind: 'report', reportType: 'new' });
  const json = { symbol: 'ETHBTC', side: 'buy', type: 'market', quantity: '2' };
  const taken = await rest(bench, 'POST /api/3/spot/order', { key: bench.key('demo'), json });
  expect(taken.body.status).toBe('filled');
  expect(formatAmount(server.core.exchange.balance(house.id, 'BTC').available)).toBe('0.10001');
  await bench.close();
});

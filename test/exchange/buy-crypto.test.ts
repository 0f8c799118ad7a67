import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ExchangeOptionsInput } from '../../src/exchange/server/options.ts';
import type { Answer, Bench, Json } from './support/raw-client.ts';
import { openBench, rest } from './support/raw-client.ts';

const limitless: ExchangeOptionsInput = { limits: { enabled: false }, wallet: { deposits: [] } };
const never = { abandonedShare: 0, failedShare: 0 };
let bench: Bench;

const open = async (options: ExchangeOptionsInput = {}) => {
  bench = await openBench({ ...limitless, ...options });
  // A bitcoin costs 50000 USDT: the middle of two quotes.
  const quote = (side: string, price: string) =>
    rest(bench, 'POST /api/3/spot/order', {
      key: bench.key('demo-two'),
      form: { symbol: 'BTCUSDT', side, price, quantity: '0.001' },
    });
  await quote('buy', '49000');
  await quote('sell', '51000');
};
beforeEach(() => open());
afterEach(() => bench.close());

const v3 = (line: string, json?: object, index = 0): Promise<Answer> => {
  const [method, path] = line.split(' ') as [string, string];
  return rest(bench, `${method} /api/3/buy-crypto/provider${path ?? ''}`, {
    key: bench.key('demo', index),
    ...(json && { json }),
  });
};
const v2 = (line: string, json?: object, index = 0): Promise<Answer> => {
  const [method, path] = line.split(' ') as [string, string];
  return rest(bench, `${method} /api/2/buy-crypto/provider${path ?? ''}`, {
    key: bench.key('demo', index),
    basic: true,
    ...(json && { json }),
  });
};
const code = (answer: Answer) => [answer.status, answer.body.error?.code];
const wallet = () => bench.server.wallet.context;
const demo = () => bench.server.accounts.get('demo').id;
const bitcoins = () => wallet().held.balance(demo(), 'BTC').available as bigint;
const buy = (more: object = {}) =>
  v3('POST /1/order', {
    source: 'USD',
    target: 'BTC',
    source_amount: '1000',
    payment_method_id: 101,
    ...more,
  });

describe('providers', () => {
  test('are two, with methods, currencies by network and limits', async () => {
    const { body } = await v3('GET ');
    expect(body.map((row: Json) => [row.provider_id, row.provider_name, row.methods.length])).toEqual([
      [1, 'Cardlane', 2],
      [2, 'Paybridge', 1],
    ]);
    const [method] = body[0].methods;
    expect(method).toMatchObject({
      id: 101,
      name: 'Card',
      description: 'Debit and credit cards',
      method_type: 'card',
      type: 'card',
      status: 'active',
      logo_url: '',
      supported_source: [
        { code: 'USD', display_name: 'US Dollar' },
        { code: 'EUR', display_name: 'Euro' },
      ],
    });
    expect(method.supported_target).toContainEqual({
      code: 'USDT',
      display_name: 'Tether',
      network_code: 'TRX',
    });
    expect(method.transaction_limits).toContainEqual({
      currency_code: 'EUR',
      target_code: 'BTC',
      source_min: '20',
      source_max: '5000',
      network_code: 'BTC',
    });
  });

  test('are filtered by number, source and target', async () => {
    const names = async (query: string) =>
      (await v3(`GET ?${query}`)).body.map((row: Json) => row.methods.map(({ id }: Json) => id));
    expect(await names('provider_id=2')).toEqual([[201]]);
    expect(await names('source=EUR')).toEqual([[101, 102]]);
    expect(await names('source=GBP&target=ETH')).toEqual([[201]]);
    expect(await names('target=NOPE')).toEqual([]);
    expect(await names('provider_id=9')).toEqual([]);
    expect(code(await v3('GET ?provider_id=abc'))).toEqual([400, 10001]);
    expect(code(await v3('GET ', undefined, 1))).toEqual([403, 1003]);
  });

  test('of v2 are spelled its way', async () => {
    const { body } = await v2('GET ?providerId=1&source=EUR');
    expect([body.length, body[0].providerID, body[0].providerName]).toEqual([1, 1, 'Cardlane']);
    expect(body[0].methods[1]).toMatchObject({ id: 102, status: 'ACTIVE', logoURL: '', type: 'bank' });
    expect(body[0].methods[1].transactionLimits[0]).toEqual({
      currencyCode: 'EUR',
      targetCode: 'BTC',
      sourceMin: '50',
      sourceMax: '20000',
      networkCode: 'BTC',
    });
    expect(body[0].methods[0]).not.toHaveProperty('methodType');
    expect(code(await v2('GET ', undefined, 1))).toEqual([403, 1003]);
  });
});

describe('rates', () => {
  test("follow the exchange's own market, less the fee of each method", async () => {
    const { body } = await v3('GET /1/rate?source=EUR&target=BTC&source_amount=1000');
    // 50000 / 1.08 euros; 3.5 % and 1 % are kept.
    expect(body).toEqual({
      spot_price: '46296.296296296296',
      prices: [
        {
          payment_method_id: 101,
          type: 'card',
          target_code: 'BTC',
          source_code: 'EUR',
          target_amount: '0.020844',
          source_amount: '1000',
        },
        {
          payment_method_id: 102,
          type: 'bank',
          target_code: 'BTC',
          source_code: 'EUR',
          target_amount: '0.021384',
          source_amount: '1000',
        },
      ],
    });
  });

  test('for an amount of the target say what must be paid, rounded up', async () => {
    const { body } = await v3('GET /1/rate?source=USD&target=BTC&target_amount=0.01');
    expect(body.prices).toEqual([
      {
        payment_method_id: 101,
        type: 'card',
        target_code: 'BTC',
        source_code: 'USD',
        target_amount: '0.01',
        source_amount: '518.14',
      },
    ]);
  });

  test('leave out methods whose limits are not met, and default to the first pair', async () => {
    const ids = async (query: string) =>
      (await v3(`GET /1/rate?${query}`)).body.prices.map((price: Json) => price.payment_method_id);
    expect(await ids('source=EUR&target=BTC&source_amount=30')).toEqual([101]);
    expect(await ids('source=EUR&target=BTC&source_amount=10000')).toEqual([102]);
    expect(await ids('source=EUR&target=BTC&payment_method_id=102')).toEqual([102]);
    const { body } = await v3('GET /1/rate');
    expect(body.prices[0]).toMatchObject({ source_code: 'USD', target_code: 'BTC', source_amount: '20' });
  });

  test('are refused where nothing is sold', async () => {
    const ask = (query: string, index = 0) => v3(`GET ${query}`, undefined, index);
    expect(code(await ask('/9/rate?source=USD&target=BTC'))).toEqual([400, 10001]);
    expect(code(await ask('/1/rate?source=GBP&target=BTC'))).toEqual([400, 2002]);
    expect(code(await ask('/1/rate?source=USD&target=NOPE'))).toEqual([400, 2002]);
    expect(code(await ask('/1/rate?source=USD&target=BTC&payment_method_id=9'))).toEqual([400, 10001]);
    expect(code(await ask('/1/rate?source=USD&target=BTC&source_amount=0'))).toEqual([400, 10001]);
    expect(code(await ask('/1/rate?source=USD&target=BTC&source_amount=1.001'))).toEqual([400, 10001]);
    expect(code(await ask('/1/rate?source=USD&target=LTC'))).toEqual([400, 20010]);
    expect(code(await ask('/1/rate?source=USD&target=BTC', 1))).toEqual([403, 1003]);
  });

  test('of v2 need source and target', async () => {
    const { body } = await v2('GET /2/rate?source=USD&target=BTC&sourceAmount=100');
    expect(body).toEqual({
      spotPrice: '50000',
      prices: [
        {
          paymentMethodId: 201,
          type: 'card',
          targetCode: 'BTC',
          targetAmount: '0.00192',
          sourceCode: 'USD',
          sourceAmount: '100',
        },
      ],
    });
    const missing = await v2('GET /2/rate?target=BTC');
    expect([missing.status, missing.body]).toEqual([
      400,
      { error: { code: 10001, message: 'Validation error', description: "Param 'source' required" } },
    ]);
    const unknown = await v2('GET /9/rate?source=USD&target=BTC');
    expect(unknown.body.error.description).toContain('[providerID]');
  });
});

describe('orders', () => {
  test('begin as initial, go on by the clock and credit the wallet exactly once', async () => {
    await bench.close();
    await open({ buyCrypto: never });
    const before = bitcoins();
    const placed = await buy();
    expect([placed.status, placed.body]).toEqual([
      200,
      {
        id: 1,
        provider_id: 1,
        order_type: 'buy',
        source_code: 'USD',
        target_code: 'BTC',
        wallet_address: expect.stringMatching(/^bc1q/),
        checkout_url: expect.stringMatching(
          /^https:\/\/checkout\.example\.com\/cardlane\?order=[0-9a-f-]{36}$/,
        ),
        status: 'initial',
        created_at: '2023-11-14T22:13:20.000Z',
      },
    ]);
    const seen: string[] = [];
    let operation = '';
    for (let second = 0; second < 200; second++) {
      const [order] = (await v3('GET /1/order')).body;
      if (seen.at(-1) !== order.status) seen.push(order.status);
      operation = order.operation_id;
      bench.pass(1_000);
    }
    expect(seen).toEqual(['initial', 'in_progress', 'completed']);
    // 1000 less 3.5 % at 50000.
    expect(bitcoins() - before).toBe(19_300_000n * 10n ** 15n);
    const credited = wallet()
      .log.all(demo())
      .filter(({ subtype }) => subtype === 'BUY_CRYPTO');
    expect(credited).toMatchObject([
      { type: 'DEPOSIT', status: 'SUCCESS', operationId: operation, native: { currency: 'BTC' } },
    ]);
  });

  test('may fail or expire, and then nothing is credited', async () => {
    for (const [options, end] of [
      [{ abandonedShare: 1 }, 'expired'],
      [{ abandonedShare: 0, failedShare: 1 }, 'failed'],
    ] as const) {
      await bench.close();
      await open({ buyCrypto: options });
      const before = bitcoins();
      await buy();
      bench.pass(1_000_000);
      expect((await v3('GET /1/order')).body[0].status).toBe(end);
      expect(bitcoins()).toBe(before);
    }
  });

  test('have the same fate with the same seed', async () => {
    const fates: string[][] = [];
    for (let run = 0; run < 2; run++) {
      await bench.close();
      await open({ buyCrypto: { abandonedShare: 0.4, failedShare: 0.4 } });
      for (let i = 0; i < 12; i++) await buy({ source_amount: String(100 + i) });
      bench.pass(2_000_000);
      fates.push((await v3('GET /1/order')).body.map(({ status }: Json) => status));
    }
    expect(fates[0]).toEqual(fates[1]);
    expect(new Set(fates[0]).size).toBe(3);
  });

  test('are validated: method, pair, amount, network', async () => {
    const cases: readonly (readonly [object, number, string])[] = [
      [{ source: 'GBP' }, 2002, ''],
      [{ target: 'NOPE' }, 2002, ''],
      [{ target: 'LTC' }, 20010, ''],
      [{ payment_method_id: 201 }, 10001, '[payment_method_id]'],
      [{ payment_method_id: null }, 10001, '[payment_method_id]'],
      [{ source_amount: '19.99' }, 10001, '[20, 5000]'],
      [{ source_amount: '5000.01' }, 10001, '[20, 5000]'],
      [{ source_amount: '100.001' }, 10001, '[source_amount]'],
      [{ source_amount: '-5' }, 10001, '[source_amount]'],
      [{ source_amount: null }, 10001, '[source_amount]'],
      [{ source: null }, 10001, '[source]'],
      [{ target: null }, 10001, '[target]'],
      [{ target_network_code: 'TRX' }, 10001, '[target_network_code]'],
    ];
    for (const [change, expected, words] of cases) {
      const answer = await buy(change);
      expect([change, ...code(answer)]).toEqual([change, 400, expected]);
      expect(JSON.stringify(answer.body.error)).toContain(words);
    }
    expect(code(await v3('POST /1/order', {}, 1))).toEqual([403, 1003]);
    expect((await v3('GET /1/order')).body).toEqual([]);
  });

  test('under way are bounded', async () => {
    await bench.close();
    await open({ buyCrypto: { ...never, openMax: 2 } });
    expect((await buy()).status).toBe(200);
    expect((await buy()).status).toBe(200);
    expect(code(await buy())).toEqual([400, 20003]);
    bench.pass(1_000_000);
    expect((await buy()).status).toBe(200);
  });

  test('are listed newest first, by page and filter', async () => {
    await bench.close();
    await open({ buyCrypto: never });
    await buy();
    bench.pass(10_000);
    await buy({ target: 'USDT', target_network_code: 'TRX' });
    bench.pass(10_000);
    await buy({ source: 'EUR', payment_method_id: 102 });
    await v3('POST /2/order', { source: 'USD', target: 'BTC', source_amount: '50', payment_method_id: 201 });
    const ids = async (query: string) => (await v3(`GET /1/order?${query}`)).body.map(({ id }: Json) => id);
    expect(await ids('limit=9')).toEqual([3, 2, 1]);
    expect(await ids('sort=asc&order_by=created_at')).toEqual([1, 2, 3]);
    expect(await ids('limit=1&offset=1')).toEqual([2]);
    expect(await ids('source_code=EUR')).toEqual([3]);
    expect(await ids('target_code=USDT')).toEqual([2]);
    expect(await ids('target_network_code=TRX')).toEqual([2]);
    const [{ wallet_address }] = (await v3('GET /1/order?target_code=USDT')).body;
    expect(await ids(`wallet_address=${wallet_address}`)).toEqual([2]);
    expect(await ids('from=1700000010&till=1700000010')).toEqual([2]);
    expect(await ids('from=1700000005000')).toEqual([3, 2]);
    expect(await ids('till=1700000005000')).toEqual([1]);
    const other = await rest(bench, 'GET /api/3/buy-crypto/provider/1/order', { key: bench.key('demo-two') });
    expect(other.body).toEqual([]);
    for (const bad of ['limit=0', 'limit=1001', 'offset=100001', 'from=soon', 'sort=up', 'order_by=id']) {
      const answer = await v3(`GET /1/order?${bad}`);
      expect(code(answer)).toEqual([400, 10001]);
      expect(answer.body.error.message).toContain(`[${bad.split('=')[0]}]`);
    }
    expect(code(await v3('GET /9/order'))).toEqual([400, 10001]);
    expect(code(await v3('GET /1/order', undefined, 1))).toEqual([403, 1003]);
  });

  test('of v2 are placed and listed its way', async () => {
    const placed = await v2('POST /1/order', { source: 'USD', target: 'BTC', sourceAmount: '40' });
    expect(placed.body).toEqual({
      id: 1,
      providerId: 1,
      orderType: 'buy',
      sourceCode: 'USD',
      targetCode: 'BTC',
      walletAddress: expect.stringMatching(/^bc1q/),
      checkoutURL: expect.stringContaining('https://checkout.example.com/cardlane?order='),
      status: 'initial',
      createdAt: '2023-11-14T22:13:20.000Z',
    });
    const listed = (query: string) => v2(`GET /1/order?${query}`);
    expect((await listed('from=1700000000&till=1700000100')).body).toEqual([placed.body]);
    expect((await listed('from=1700000001&till=1700000100')).body).toEqual([]);
    expect((await listed('from=1700000000&till=1700000100&sourceCode=EUR')).body).toEqual([]);
    expect((await listed('from=1700000000&till=1700000100&limit=0')).body).toEqual([]);
    expect((await listed('till=1700000100')).body.error.description).toBe("Param 'from' required");
    expect((await listed('from=1700000000')).body.error.description).toBe("Param 'till' required");
    const bad = await v2('POST /1/order', { source: 'USD', target: 'BTC', sourceAmount: '4' });
    expect([bad.status, bad.body.error.code]).toEqual([400, 10001]);
    expect(bad.body.error.description).toContain('[sourceAmount]');
    const missing = await v2('POST /1/order', { source: 'USD', target: 'BTC' });
    expect(missing.body.error.description).toBe("Param 'sourceAmount' required");
    expect(code(await v2('POST /1/order', {}, 1))).toEqual([403, 1003]);
  });
});

test('the limits of the documents count: 10 and 10 calls a second from one address', async () => {
  await bench.close();
  await open({ limits: {} });
  bench.pass(1_000);
  const codes: number[] = [];
  for (let i = 0; i < 21; i++) codes.push((await v3('GET ')).status);
  expect(codes.filter((status) => status === 200)).toHaveLength(20);
  expect(codes.at(-1)).toBe(429);
});

test('options must name currencies that exist', async () => {
  const method = { id: 1, name: 'Card', sources: ['USD'] };
  const withProvider = (more: object) =>
    openBench({ buyCrypto: { providers: [{ id: 1, name: 'P', methods: [{ ...method, ...more }] }] } });
  await expect(withProvider({ targets: ['NOPE'] })).rejects.toThrow('NOPE');
  await expect(withProvider({ sources: ['NOPE'] })).rejects.toThrow('NOPE');
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Ask, Bench, Json } from './support/raw-client.ts';
import { openBench, rest } from './support/raw-client.ts';
import { walletCurrencies, walletOptions } from './support/wallet-bench.ts';

let bench: Bench;

beforeAll(async () => {
  bench = await openBench({
    limits: { enabled: false },
    currencies: walletCurrencies,
    wallet: {
      ...walletOptions,
      locks: [
        { account: 'demo', currency: 'XRP', amount: '450', forMs: 3_600_000, description: 'review' },
        { account: 'demo', currency: 'XRP', amount: '1', forMs: 60_000, cancelAfterMs: 10_000 },
      ],
      airdrops: [{ account: 'demo', currency: 'LTC', amount: '3', description: 'welcome' }],
    },
  });
});
afterAll(() => bench.close());

const wallet = (line: string, ask: Ask = {}, account = 'demo') => {
  const [method, path] = line.split(' ') as [string, string];
  return rest(bench, `${method} /api/3/wallet/${path}`, { key: bench.key(account), ...ask });
};
const post = (path: string, json: object, account = 'demo') => wallet(`POST ${path}`, { json }, account);
const codeOf = (answer: { status: number; body: Json }) => [answer.status, answer.body.error?.code];
const balance = async (currency: string, account = 'demo') =>
  (await wallet(`GET balance/${currency}`, {}, account)).body.available as string;
const spot = async (currency: string) =>
  (await rest(bench, `GET /api/3/spot/balance/${currency}`, { key: bench.key('demo') })).body
    .available as string;
const transactions = async (query = '', account = 'demo') =>
  (await wallet(`GET transactions${query === '' ? '' : `?${query}`}`, {}, account)).body as Json;
const ids = (rows: Json): number[] => rows.map((row: Json) => row.id);

describe('amount locks', () => {
  test('what is locked cannot be withdrawn, but moved for trading; locks are listed', async () => {
    const address = 'rrrrrrrrrrrrrrrrrrrrrhoLvTp';
    const withdraw = (amount: string) => post('crypto/withdraw', { currency: 'XRP', amount, address });
    expect(codeOf(await withdraw('49.5'))).toEqual([400, 20001]);
    const locks = (await wallet('GET amount-locks?currency=XRP')).body;
    expect(locks.map((lock: Json) => lock.id)).toEqual([2, 1]);
    expect(locks[1]).toEqual({
      id: 1,
      currency: 'XRP',
      amount: '450',
      date_end: '2023-11-14T23:13:20.000Z',
      description: 'review',
      cancelled: false,
      created_at: '2023-11-14T22:13:20.000Z',
    });
    bench.pass(10_000);
    const [cancelled] = (await wallet('GET amount-locks?active=false')).body;
    expect(cancelled).toMatchObject({ id: 2, cancelled: true, cancelled_at: '2023-11-14T22:13:30.000Z' });
    expect((await wallet('GET amount-locks?active=true&limit=1')).body).toHaveLength(1);
    expect((await wallet('GET amount-locks?offset=2')).body).toEqual([]);
    expect((await wallet('GET amount-locks?from=2030-01-01')).body).toEqual([]);
    expect((await withdraw('49.5')).status).toBe(200);
    const moved = await post('transfer', {
      currency: 'XRP',
      amount: '450',
      source: 'wallet',
      destination: 'spot',
    });
    expect(moved.status).toBe(200);
    expect(codeOf(await wallet('GET amount-locks?limit=0'))).toEqual([400, 10001]);
    expect((await wallet('GET amount-locks', {}, 'demo-two')).body).toEqual([]);
  });
});

describe('airdrops', () => {
  test('a gift is paid out once', async () => {
    const [gift] = (await wallet('GET airdrops')).body;
    expect(gift).toMatchObject({ id: 1, currency: 'LTC', amount: '3', status: 'available' });
    const claimed = await wallet('POST airdrops/1/claim');
    expect(claimed.body).toMatchObject({ id: 1, status: 'claimed', tx_id: expect.any(String) });
    expect((await wallet('POST airdrops/1/claim')).body).toEqual(claimed.body);
    expect(await balance('LTC')).toBe('3');
    expect((await transactions('subtypes=AIRDROP'))[0].native.tx_id).toBe(claimed.body.tx_id);
    expect(codeOf(await wallet('POST airdrops/9/claim'))).toEqual([400, 20004]);
    expect(codeOf(await wallet('POST airdrops/1/claim', {}, 'demo-two'))).toEqual([400, 20004]);
  });
});

describe('transfers', () => {
  const transfer = (members: object) =>
    post('transfer', { currency: 'USDT', amount: '10', source: 'wallet', destination: 'spot', ...members });

  test('money moves between wallet, spot and derivatives and back, all of it at once', async () => {
    const before = await balance('USDT');
    const traded = await spot('USDT');
    const { body } = await transfer({ amount: '10.000001' });
    expect(body).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect([await balance('USDT'), await spot('USDT')]).toEqual(['989.999999', '1000010.000001']);
    expect((await transactions(`tx_ids=${body[0]}`))[0]).toMatchObject({
      status: 'SUCCESS',
      type: 'TRANSFER',
      subtype: 'WALLET_TO_SPOT',
      native: { tx_id: body[0], currency: 'USDT', amount: '10.000001' },
    });
    await transfer({ source: 'spot', destination: 'derivatives', amount: '10.000001' });
    expect(codeOf(await transfer({ source: 'derivatives', destination: 'wallet', amount: '11' }))).toEqual([
      400, 20001,
    ]);
    await transfer({ source: 'derivatives', destination: 'wallet', amount: '10.000001' });
    expect([await balance('USDT'), await spot('USDT')]).toEqual([before, traded]);
    expect((await transactions('types=TRANSFER&limit=3')).map((row: Json) => row.subtype)).toEqual([
      'DERIVATIVES_TO_WALLET',
      'UNCLASSIFIED',
      'WALLET_TO_SPOT',
    ]);
  });

  test('each refusal has its code and moves nothing', async () => {
    const before = [await balance('USDT'), await spot('USDT')];
    expect(codeOf(await transfer({ amount: '1001' }))).toEqual([400, 20001]);
    expect(codeOf(await transfer({ source: 'spot', destination: 'wallet', amount: '1000001' }))).toEqual([
      400, 20001,
    ]);
    expect(codeOf(await transfer({ currency: 'NOPE' }))).toEqual([400, 2002]);
    expect(codeOf(await transfer({ destination: 'wallet' }))).toEqual([400, 10001]);
    expect(codeOf(await transfer({ destination: 'moon' }))).toEqual([400, 10001]);
    expect(codeOf(await transfer({ amount: '0.0000001' }))).toEqual([400, 10001]);
    expect(codeOf(await transfer({ amount: 'NaN' }))).toEqual([400, 10001]);
    expect([await balance('USDT'), await spot('USDT')]).toEqual(before);
  });
});

describe('swaps', () => {
  test('a currency is converted at the present rate, and a repeated key is not a second swap', async () => {
    const price = async (side: string, value: string) =>
      rest(bench, 'POST /api/3/spot/order', {
        key: bench.key('demo-two'),
        json: { symbol: 'BTCUSDT', side, quantity: '0.00001', price: value },
      });
    await price('buy', '49999');
    await price('sell', '50001');
    const before = await balance('USDT');
    const convert = (members: object = {}) =>
      post('convert', {
        from_currency: 'USDT',
        to_currency: 'BTC',
        amount: '100',
        idempotency_key: 'once',
        ...members,
      });
    const { body } = await convert();
    expect(body.result).toHaveLength(2);
    expect((await convert()).body).toEqual(body);
    expect([before, await balance('USDT'), await balance('BTC')]).toEqual(['1000', '900', '2.002']);
    const rows = await transactions(`tx_ids=${body.result.join(',')}&sort=ASC`);
    expect(rows.map((row: Json) => [row.type, row.native.currency, row.native.amount])).toEqual([
      ['SWAP', 'USDT', '100'],
      ['SWAP', 'BTC', '0.002'],
    ]);
    expect(rows[0].operation_id).toBe(rows[1].operation_id);
    expect(codeOf(await convert({ idempotency_key: 'a', amount: '901' }))).toEqual([400, 20001]);
    expect(codeOf(await convert({ idempotency_key: 'b', to_currency: 'USDT' }))).toEqual([400, 10001]);
    expect(codeOf(await convert({ idempotency_key: 'c', to_currency: 'EUR' }))).toEqual([400, 10001]);
    expect(codeOf(await convert({ idempotency_key: 'd', to_currency: 'NOPE' }))).toEqual([400, 2002]);
    expect(codeOf(await convert({ idempotency_key: 'e', amount: '0.0001' }))).toEqual([400, 10001]);
  });
});

describe('withdrawals to other users', () => {
  const send = (members: object = {}) =>
    post('internal/withdraw', {
      currency: 'USDT',
      amount: '5',
      by: 'username',
      identifier: 'demo-two',
      ...members,
    });

  test('the other user has the money at once, by user name or by e-mail', async () => {
    const before = [Number(await balance('USDT')), Number(await balance('USDT', 'demo-two'))];
    const { body } = await send();
    expect(body).toEqual({ result: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect((await send({ by: 'email', identifier: 'demo-two@example.com' })).status).toBe(200);
    const after = [Number(await balance('USDT')), Number(await balance('USDT', 'demo-two'))];
    expect(after).toEqual([(before[0] as number) - 10, (before[1] as number) + 10]);
    expect((await transactions('subtypes=OFFCHAIN'))[0]).toMatchObject({ type: 'WITHDRAW' });
    expect((await transactions('subtypes=OFFCHAIN', 'demo-two'))[0]).toMatchObject({ type: 'DEPOSIT' });
  });

  test('each refusal has its code', async () => {
    expect(codeOf(await send({ identifier: 'nobody' }))).toEqual([400, 22004]);
    expect(codeOf(await send({ by: 'email' }))).toEqual([400, 22004]);
    expect(codeOf(await send({ identifier: 'demo' }))).toEqual([400, 600]);
    expect(codeOf(await send({ currency: 'NOPE' }))).toEqual([400, 2002]);
    expect(codeOf(await send({ amount: '100000' }))).toEqual([400, 20001]);
    expect(codeOf(await send({ amount: '0' }))).toEqual([400, 10001]);
    expect(codeOf(await send({ by: 'fax' }))).toEqual([400, 10001]);
  });

  test('they can be off altogether, as withdrawals to networks can', async () => {
    const off = await openBench({ wallet: { internalWithdrawals: false, chainWithdrawals: false } });
    const ask = (path: string, json: object) =>
      rest(off, `POST /api/3/wallet/${path}`, { key: off.key('demo'), json });
    const internal = { currency: 'BTC', amount: '1', by: 'username', identifier: 'demo-two' };
    expect((await ask('internal/withdraw', internal)).body.error).toEqual({
      code: 20018,
      message: 'Withdrawals are unavailable due to the current configuration',
    });
    const chain = { currency: 'BTC', amount: '1', address: 'bc1qqqqqqqqqqqqqqqqq' };
    expect(codeOf(await ask('crypto/withdraw', chain))).toEqual([400, 20018]);
    await off.close();
  });
});

describe('transactions', () => {
  test('they are filtered by every parameter', async () => {
    const all = await transactions('limit=1000&sort=ASC&order_by=ID');
    expect(all.length).toBeGreaterThan(8);
    expect(ids(all)).toEqual([...ids(all)].sort((a, b) => a - b));
    const expectSame = async (query: string, fits: (row: Json) => boolean) =>
      expect(ids(await transactions(`sort=ASC&order_by=id&${query}`))).toEqual(ids(all.filter(fits)));
    await expectSame('types=deposit,swap', ({ type }) => type === 'DEPOSIT' || type === 'SWAP');
    await expectSame('subtypes=BLOCKCHAIN', ({ subtype }) => subtype === 'BLOCKCHAIN');
    await expectSame('statuses=SUCCESS', ({ status }) => status === 'SUCCESS');
    await expectSame('currencies=XRP,LTC', ({ native }) => ['XRP', 'LTC'].includes(native.currency));
    await expectSame('networks=ETH', ({ native }) => native.network_code === 'ETH');
    const [third, fifth] = [ids(all)[2] as number, ids(all)[4] as number];
    await expectSame(`id_from=${third}&id_till=${fifth}`, ({ id }) => id >= third && id <= fifth);
    await expectSame(`from=${third}&till=${fifth}`, ({ id }) => id >= third && id <= fifth);
    await expectSame(`tx_ids=${third}`, ({ id }) => id === third);
    const time = all[0].created_at as string;
    const opening = all.filter((row: Json) => row.created_at === time);
    expect(ids(await transactions(`sort=ASC&till=${time}`))).toEqual(ids(opening));
    expect(ids(await transactions(`sort=ASC&from=${time}&limit=1000`))).toEqual(ids(all));
    expect(ids(await transactions('limit=2&offset=1&order_by=id'))).toEqual(
      ids(all).toReversed().slice(1, 3),
    );
    expect(await transactions('currencies=NOPE')).toEqual([]);
  });

  test('grouping puts the transactions of one operation together', async () => {
    const grouped = await transactions('group_transactions=true&limit=1000');
    expect(new Set(ids(grouped))).toEqual(new Set(ids(await transactions('limit=1000'))));
    const operations = grouped.map((row: Json) => row.operation_id) as string[];
    const changes = operations.filter((operation, index) => operation !== operations[index - 1]);
    expect(changes).toHaveLength(new Set(operations).size);
  });

  test('a parameter out of range is refused by name, an unknown transaction by its code', async () => {
    const bad = {
      limit: ['0', '1001', 'x'],
      offset: ['-1', '100001'],
      sort: ['UP'],
      order_by: ['size'],
      types: ['GIFT'],
      subtypes: ['x'],
      statuses: ['MAYBE'],
      from: ['yesterday'],
      till: ['x'],
      id_from: ['x'],
      group_transactions: ['maybe'],
    };
    for (const [name, values] of Object.entries(bad)) {
      for (const value of values) {
        const answer = await wallet(`GET transactions?${name}=${value}`);
        expect([answer.status, answer.body.error.code]).toEqual([400, 10001]);
        expect(answer.body.error.message).toContain(`[${name}]`);
      }
    }
    expect(codeOf(await wallet('GET transactions/no-such'))).toEqual([400, 20004]);
    const [own] = await transactions('limit=1');
    expect(codeOf(await wallet(`GET transactions/${own.native.tx_id}`, {}, 'demo-two'))).toEqual([
      400, 20004,
    ]);
    expect((await wallet(`GET transactions/${own.id}`)).body).toEqual(own);
  });

  test('requests of wallets are limited per account and per address', async () => {
    const limited = await openBench();
    const ask = (path: string, account: string) =>
      rest(limited, `GET /api/3/wallet/${path}`, { key: limited.key(account) });
    const statuses: number[] = [];
    for (let i = 0; i < 21; i++) statuses.push((await ask('balance', 'demo')).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.at(-1)).toBe(429);
    limited.pass(1_000);
    expect((await ask('balance', 'demo')).status).toBe(200);
    await limited.close();
  });
});

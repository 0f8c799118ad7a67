import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Ask, Bench, Json } from './support/raw-client.ts';
import { openBench, rest } from './support/raw-client.ts';
import { walletCurrencies, walletOptions } from './support/wallet-bench.ts';

let bench: Bench;

beforeAll(async () => {
  bench = await openBench({
    limits: { enabled: false },
    currencies: walletCurrencies,
    wallet: walletOptions,
  });
});
afterAll(() => bench.close());

const account = (line: string, ask: Ask = {}, name = 'demo') => {
  const [method, path] = line.split(' ') as [string, string];
  return rest(bench, `${method} /api/2/account/${path}`, { key: bench.key(name), basic: true, ...ask });
};
const post = (path: string, form: Record<string, string>, name = 'demo') =>
  account(`POST ${path}`, { form }, name);
const codeOf = (answer: { status: number; body: Json }) => [answer.status, answer.body.error?.code];
const outside = 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq';
const transaction = async (id: string) => (await account(`GET transactions/${id}`)).body as Json;
const balanceOf = async (currency: string) => {
  const rows = (await account('GET balance')).body as Json[];
  return rows.find((row) => row.currency === currency)?.available ?? '0';
};

describe('the account of v2', () => {
  test('shows the wallet to any request that is signed or sends the secret, and has the right', async () => {
    expect((await account('GET balance')).body).toContainEqual({
      currency: 'BTC',
      available: '2',
      reserved: '0',
    });
    const key = bench.key('demo');
    const path = '/api/2/account/balance';
    const timestamp = String(Math.floor(bench.clock.now() / 1_000_000));
    const signature = createHmac('sha256', key.secret.reveal())
      .update(`GET${timestamp}${path}`)
      .digest('hex');
    const authorization = `HS256 ${Buffer.from(`${key.apiKey}:${timestamp}:${signature}`).toString('base64')}`;
    expect((await rest(bench, `GET ${path}`, { headers: { authorization } })).status).toBe(200);
    expect((await account('GET balance', { key: bench.key('demo', 1) })).body).toEqual({
      error: expect.objectContaining({ code: 1003 }),
    });
    expect(codeOf(await rest(bench, `GET ${path}`))).toEqual([401, 1001]);
  });

  test('gives out addresses, and knows which are its own', async () => {
    const first = (await account('GET crypto/address/XRP')).body;
    expect(first).toEqual({
      address: expect.stringMatching(/^r/),
      paymentId: expect.stringMatching(/^\d+$/),
      networkCode: 'XRP',
    });
    expect((await account('GET crypto/address/XRP')).body).toEqual(first);
    const second = (await account('POST crypto/address/XRP')).body;
    expect((await account('GET crypto/address/XRP')).body).toEqual(second);
    expect((await account('GET crypto/addresses/XRP')).body).toEqual([second, first]);
    const tron = await account('GET crypto/address/USDT?networkCode=TRX');
    expect(tron.body.networkCode).toBe('TRX');
    expect((await account(`GET crypto/is-mine/${second.address}`)).body).toEqual({ result: true });
    expect((await account(`GET crypto/is-mine/${outside}`)).body).toEqual({ result: false });
    expect(codeOf(await account('GET crypto/address/NOPE'))).toEqual([400, 2002]);
    expect(codeOf(await account('POST crypto/address/EUR'))).toEqual([400, 600]);
    expect(codeOf(await account('GET crypto/addresses/NOPE'))).toEqual([400, 2002]);
    expect(codeOf(await account('GET crypto/used-addresses/NOPE'))).toEqual([400, 2002]);
  });

  test('withdraws in two phases', async () => {
    const order = { currency: 'BTC', amount: '0.1', address: outside, autoCommit: 'false' };
    const kept = (await post('crypto/withdraw', order)).body.id as string;
    const dropped = (await post('crypto/withdraw', order)).body.id as string;
    const lapsed = (await post('crypto/withdraw', order)).body.id as string;
    expect(await transaction(kept)).toMatchObject({
      id: kept,
      type: 'payout',
      status: 'created',
      currency: 'BTC',
      amount: '0.1',
      fee: '0.0003',
      address: outside,
    });
    for (let i = 0; i < 2; i++) {
      expect((await account(`PUT crypto/withdraw/${kept}`)).body).toEqual({ result: true });
      expect((await account(`DELETE crypto/withdraw/${dropped}`)).body).toEqual({ result: true });
    }
    expect(codeOf(await account(`DELETE crypto/withdraw/${kept}`))).toEqual([400, 20006]);
    expect(codeOf(await account(`PUT crypto/withdraw/${dropped}`))).toEqual([400, 20007]);
    expect(codeOf(await account('PUT crypto/withdraw/none'))).toEqual([400, 20005]);
    bench.pass(3_600_000);
    expect((await transaction(kept)).status).toBe('success');
    expect((await transaction(dropped)).status).toBe('failed');
    expect((await transaction(lapsed)).status).toBe('failed');
    expect(await balanceOf('BTC')).toBe('1.8997');
    expect((await account('GET crypto/used-addresses/BTC')).body).toEqual([{ address: outside }]);
  });

  test('refuses a withdrawal with its code', async () => {
    const withdraw = (members: Record<string, string>) =>
      post('crypto/withdraw', { currency: 'BTC', amount: '0.1', address: outside, ...members });
    expect(codeOf(await withdraw({ currency: 'NOPE' }))).toEqual([400, 2002]);
    expect(codeOf(await withdraw({ amount: '9' }))).toEqual([400, 20001]);
    expect(codeOf(await withdraw({ address: 'here' }))).toEqual([400, 20011]);
    expect(codeOf(await withdraw({ amount: '0.69' }))).toEqual([400, 20003]);
    expect(codeOf(await withdraw({ publicComment: 'x'.repeat(256) }))).toEqual([400, 10001]);
    const missing = await post('crypto/withdraw', { currency: 'BTC', amount: '1' });
    expect(missing.body.error).toMatchObject({ code: 10001, description: "Param 'address' required" });
  });

  test('estimates what a withdrawal costs, at three levels', async () => {
    expect((await account('GET crypto/estimate-withdraw?currency=BTC&amount=1')).body).toEqual({
      fee: '0.0003',
    });
    expect(
      (await account('GET crypto/estimate-withdraw?currency=USDT&amount=1&networkCode=TRX')).body,
    ).toEqual({ fee: '1' });
    expect((await account('GET crypto/estimate-withdraw-levels?currency=BTC&amount=1')).body).toEqual([
      { feeLevelId: 1, comment: 'Slow', isDefault: false, fee: '0.00015' },
      { feeLevelId: 2, comment: 'Normal', isDefault: true, fee: '0.0003' },
      { feeLevelId: 3, comment: 'Fast', isDefault: false, fee: '0.0006' },
    ]);
    for (const path of ['estimate-withdraw', 'estimate-withdraw-levels']) {
      expect(codeOf(await account(`GET crypto/${path}?currency=NOPE&amount=1`))).toEqual([400, 2002]);
      expect(codeOf(await account(`GET crypto/${path}?currency=BTC`))).toEqual([400, 10001]);
    }
  });

  test('transfers to trading and back, to other users, and converts', async () => {
    const move = (type: string, amount = '1') => post('transfer', { currency: 'XRP', amount, type });
    const out = (await move('bankToExchange')).body.id as string;
    expect(await balanceOf('XRP')).toBe('499');
    expect(await transaction(out)).toMatchObject({ type: 'bankToExchange', status: 'success', amount: '1' });
    const back = (await move('exchangeToBank')).body.id as string;
    expect(await transaction(back)).toMatchObject({ type: 'exchangeToBank' });
    expect(await balanceOf('XRP')).toBe('500');
    expect(codeOf(await move('bankToExchange', '501'))).toEqual([400, 20001]);
    expect(codeOf(await move('sideways'))).toEqual([400, 10001]);
    const send = (identifier: string) =>
      post('transfer/internal', { currency: 'XRP', amount: '1', by: 'username', identifier });
    const sent = (await send('demo-two')).body.result as string;
    expect(await transaction(sent)).toMatchObject({ type: 'withdraw', subType: 'offchain' });
    expect(codeOf(await send('nobody'))).toEqual([400, 22004]);
    const convert = (toCurrency: string) =>
      post('crypto/transfer-convert', { fromCurrency: 'XRP', toCurrency, amount: '10' });
    expect(codeOf(await convert('BTC'))).toEqual([400, 10001]);
    expect(codeOf(await convert('NOPE'))).toEqual([400, 2002]);
    for (const [side, price] of [
      ['buy', '0.49999'],
      ['sell', '0.50001'],
    ]) {
      await rest(bench, 'POST /api/3/spot/order', {
        key: bench.key('demo-two'),
        json: { symbol: 'XRPUSDT', side, quantity: '1', price },
      });
    }
    const [from, to] = (await convert('USDT')).body.result as string[];
    expect(await transaction(from as string)).toMatchObject({ type: 'withdraw', subType: 'swap' });
    expect(await transaction(to as string)).toMatchObject({ type: 'deposit', subType: 'swap', amount: '5' });
  });

  test('lists transactions by time or index, with the senders where they are asked for', async () => {
    bench.server.deposit({
      account: bench.server.accounts.get('demo').id,
      currency: 'BTC',
      amount: (10n ** 24n) as never,
      senders: ['sender-1'],
    });
    const list = async (query: string) => (await account(`GET transactions?${query}`)).body as Json[];
    const all = await list('by=index&sort=ASC&limit=1000');
    const indexes = all.map(({ index }) => index as number);
    expect(indexes).toEqual([...indexes].sort((a, b) => a - b));
    const [low, high] = [indexes[1] as number, indexes[3] as number];
    expect((await list(`by=index&sort=ASC&from=${low}&till=${high}`)).map(({ index }) => index)).toEqual(
      indexes.slice(1, 4),
    );
    expect((await list('currency=XRP')).every(({ currency }) => currency === 'XRP')).toBe(true);
    expect(await list('limit=0')).toEqual([]);
    expect(await list('offset=1000')).toEqual([]);
    const payin = (rows: Json[]) => rows.find(({ type, status }) => type === 'payin' && status === 'pending');
    expect(payin(await list(''))?.senders).toBeUndefined();
    expect(payin(await list('showSenders=true'))).toMatchObject({
      senders: ['sender-1'],
      confirmations: 0,
      commitRisk: { score: 100 },
    });
    const bad = ['limit=1001', 'offset=100001', 'by=size', 'sort=UP', 'from=x', 'by=index&from=2020-01-01'];
    for (const query of bad) {
      expect(codeOf(await account(`GET transactions?${query}`))).toEqual([400, 10001]);
    }
    expect(codeOf(await account('GET transactions/none'))).toEqual([400, 20004]);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAmount } from '../../src/core/base/amount.ts';
import type { Bench, Json } from './support/raw-client.ts';
import { openBench, rest } from './support/raw-client.ts';

let bench: Bench;

beforeAll(async () => {
  bench = await openBench({ limits: { enabled: false }, wallet: { failureShare: 1 } });
});
afterAll(() => bench.close());

const wallet = async (path: string) =>
  (await rest(bench, `GET /api/3/wallet/${path}`, { key: bench.key('demo') })).body as Json;

describe('deposits', () => {
  test('the demo account has money from the start, and a deposit under way', async () => {
    expect(await wallet('balance')).toEqual([
      { currency: 'BTC', available: '2', reserved: '0' },
      { currency: 'ETH', available: '50', reserved: '0' },
      { currency: 'USDT', available: '100000', reserved: '0' },
    ]);
    const [incoming] = await wallet('transactions?statuses=PENDING');
    expect(incoming).toMatchObject({ type: 'DEPOSIT', native: { currency: 'BTC', amount: '0.25' } });
  });

  test('confirmations grow, the risk falls, and the last one needed credits the money', async () => {
    const { id: account } = bench.server.accounts.get('demo');
    const made = bench.server.deposit({ account, currency: 'ETH', amount: parseAmount('1.5') });
    const path = `transactions/${made.native.txId}`;
    const address = (await wallet('crypto/address?currency=ETH'))[0].address as string;
    expect(await wallet(path)).toMatchObject({
      status: 'PENDING',
      type: 'DEPOSIT',
      subtype: 'BLOCKCHAIN',
      commit_risk: { score: 100 },
      native: { confirmations: 0, address, network_code: 'ETH', hash: made.native.hash },
    });
    const seen: Json[] = [];
    for (let step = 0; step < 400; step++) {
      const row = await wallet(path);
      if (row.native.confirmations !== seen.at(-1)?.native.confirmations) seen.push(row);
      if (row.status === 'SUCCESS') break;
      expect((await wallet('balance/ETH')).available).toBe('50');
      bench.pass(250);
    }
    expect(seen.map((row) => row.native.confirmations as number)).toContain(12);
    const scores = seen.map((row) => row.commit_risk.score as number);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(scores.at(-1)).toBe(0);
    const last = seen.at(-1);
    expect(last).toMatchObject({ status: 'SUCCESS' });
    expect(last.last_activity_at >= last.created_at).toBe(true);
    expect((await wallet('balance/ETH')).available).toBe('51.5');
  });

  test('the network of the options and its confirmations are those of the currency list', async () => {
    const { body } = await rest(bench, 'GET /api/3/public/currency/USDT');
    expect(body.networks.map((network: Json) => [network.network, network.default])).toEqual([
      ['ETH', true],
      ['TRX', false],
    ]);
    expect(body.networks[1]).toMatchObject({
      code: 'USDT',
      protocol: 'TOKEN',
      payout_fee: '1',
      payin_confirmations: 19,
    });
    expect('TJRabPrwbZy45sbavfcjinPJC18kjpRTv8').toMatch(
      new RegExp(body.networks[1].address_regex as string),
    );
  });

  test('a withdrawal that the network fails says why, and its money comes back', async () => {
    const before = await wallet('balance/BTC');
    const { body } = await rest(bench, 'POST /api/3/wallet/crypto/withdraw', {
      key: bench.key('demo'),
      form: { currency: 'BTC', amount: '0.1', address: 'bc1qqqqqqqqqqqqqqqqq' },
    });
    bench.pass(17_000);
    expect(await wallet(`transactions/${body.id}`)).toMatchObject({
      status: 'FAILED',
      native: { error_code: 'INVALID_ADDRESS' },
    });
    expect((await wallet('balance/BTC')).reserved).toBe('0');
    expect(Number((await wallet('balance/BTC')).available)).toBeGreaterThanOrEqual(Number(before.available));
  });

  test('options that name what does not exist are refused when the exchange opens', async () => {
    const deposit = { account: 'demo', currency: 'NOPE', amount: '1' };
    await expect(openBench({ wallet: { deposits: [deposit] } })).rejects.toThrow('NOPE');
    const lock = { account: 'nobody', currency: 'BTC', amount: '1', forMs: 1_000 };
    await expect(openBench({ wallet: { locks: [lock] } })).rejects.toThrow('nobody');
    const airdrop = { account: 'demo', currency: 'NOPE', amount: '1' };
    await expect(openBench({ wallet: { airdrops: [airdrop] } })).rejects.toThrow('NOPE');
    const { id: account } = bench.server.accounts.get('demo');
    expect(() =>
      bench.server.deposit({ account, currency: 'BTC', amount: parseAmount('1'), network: 'TRX' }),
    ).toThrow('no network TRX of BTC');
    expect(() => bench.server.deposit({ account, currency: 'BTC', amount: parseAmount('0') })).toThrow(
      'above zero',
    );
  });
});

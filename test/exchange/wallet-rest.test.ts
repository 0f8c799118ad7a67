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

const wallet = (line: string, ask: Ask = {}, account = 'demo') => {
  const [method, path] = line.split(' ') as [string, string];
  return rest(bench, `${method} /api/3/wallet/${path}`, { key: bench.key(account), ...ask });
};
const post = (path: string, json: object, account = 'demo') => wallet(`POST ${path}`, { json }, account);
const codeOf = (answer: { status: number; body: Json }) => [answer.status, answer.body.error?.code];
const balance = async (currency: string, account = 'demo') =>
  (await wallet(`GET balance/${currency}`, {}, account)).body as { available: string; reserved: string };
const transaction = async (id: string, account = 'demo') =>
  (await wallet(`GET transactions/${id}`, {}, account)).body as Json;
const hour = 3_600_000;
const outside = 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq';

describe('wallet balances', () => {
  test('the list shows every balance that is not zero, the single form leaves the currency out', async () => {
    const { body } = await wallet('GET balance');
    expect(body).toEqual([
      { currency: 'BTC', available: '2', reserved: '0' },
      { currency: 'USDT', available: '1000', reserved: '0' },
      { currency: 'XRP', available: '500', reserved: '0' },
    ]);
    expect(await balance('BTC')).toEqual({ available: '2', reserved: '0' });
    expect(await balance('LTC')).toEqual({ available: '0', reserved: '0' });
    expect(codeOf(await wallet('GET balance/NOPE'))).toEqual([400, 2002]);
  });

  test('a key without the right for payments, or for withdrawals, is refused', async () => {
    const reader = bench.key('demo', 1);
    expect(codeOf(await wallet('GET balance', { key: reader }))).toEqual([403, 1003]);
    const noWithdrawals = bench.key('demo-three');
    const ask = { key: noWithdrawals, json: { currency: 'BTC', amount: '1', address: outside } };
    expect(codeOf(await wallet('POST crypto/withdraw', ask))).toEqual([403, 1003]);
    expect(codeOf(await wallet('PUT crypto/withdraw/x', { key: noWithdrawals }))).toEqual([403, 1003]);
    expect(codeOf(await wallet('DELETE crypto/withdraw/x', { key: noWithdrawals }))).toEqual([403, 1003]);
    expect(codeOf(await wallet('POST internal/withdraw', { key: noWithdrawals, json: {} }))).toEqual([
      403, 1003,
    ]);
    expect((await wallet('GET balance', { key: noWithdrawals })).status).toBe(200);
    expect(codeOf(await rest(bench, 'GET /api/3/wallet/balance'))).toEqual([401, 1002]);
  });
});

describe('addresses', () => {
  test('a currency gets its first address when it is asked for, and a new one when one is made', async () => {
    const first = (await wallet('GET crypto/address?currency=LTC')).body;
    expect(first).toEqual([
      { currency: 'LTC', address: expect.stringMatching(/^ltc1q/), network_code: 'LTC' },
    ]);
    expect((await wallet('GET crypto/address?currency=LTC')).body).toEqual(first);
    const made = (await post('crypto/address', { currency: 'LTC' })).body;
    expect(made.address).not.toBe(first[0].address);
    expect((await wallet('GET crypto/address?currency=LTC')).body).toEqual([made]);
    expect((await wallet('GET crypto/address')).body).toContainEqual(made);
    expect((await wallet('GET crypto/address/recent-deposit?currency=LTC')).body).toEqual([made, first[0]]);
  });

  test('a currency of several networks has addresses on each, and one with an extra identifier shows it', async () => {
    const tron = (await post('crypto/address', { currency: 'USDT', network_code: 'TRX' })).body;
    expect(tron).toMatchObject({ network_code: 'TRX', address: expect.stringMatching(/^T/) });
    const ripple = (await post('crypto/address', { currency: 'XRP' })).body;
    expect(ripple.payment_id).toMatch(/^\d+$/);
    expect(codeOf(await post('crypto/address', { currency: 'NOPE' }))).toEqual([400, 2002]);
    expect(codeOf(await post('crypto/address', { currency: 'BTC', network_code: 'TRX' }))).toEqual([
      400, 10001,
    ]);
    expect(codeOf(await post('crypto/address', {}))).toEqual([400, 10001]);
    expect(codeOf(await wallet('GET crypto/address/recent-deposit'))).toEqual([400, 10001]);
    expect(codeOf(await wallet('GET crypto/address/recent-withdraw?currency=NOPE'))).toEqual([400, 2002]);
  });

  test('an account knows its own addresses from those of others', async () => {
    const own = (await post('crypto/address', { currency: 'ETH' })).body.address as string;
    const isMine = async (address: string, account = 'demo') =>
      (await wallet(`GET crypto/address/check-mine?address=${address}`, {}, account)).body;
    expect(await isMine(own)).toEqual({ result: true });
    expect(await isMine(own.toUpperCase().replace('0X', '0x'))).toEqual({ result: true });
    expect(await isMine(own, 'demo-two')).toEqual({ result: false });
    expect(codeOf(await wallet('GET crypto/address/check-mine'))).toEqual([400, 10001]);
  });

  test('the white list shows the addresses of the options', async () => {
    expect((await wallet('GET crypto/address/white-list')).body).toEqual([
      { address: outside, currency: 'BTC', name: 'cold', network: 'BTC' },
    ]);
    expect((await wallet('GET crypto/address/white-list', {}, 'demo-two')).body).toEqual([]);
  });

  test('an account has only so many addresses', async () => {
    let last;
    for (let i = 0; i < 21; i++) last = await post('crypto/address', { currency: 'BTC' }, 'demo-two');
    expect(codeOf(last as never)).toEqual([400, 20003]);
  });
});

describe('withdrawals', () => {
  const withdraw = (members: object = {}, account = 'demo') =>
    post('crypto/withdraw', { currency: 'BTC', amount: '0.1', address: outside, ...members }, account);

  test('a withdrawal moves from created over pending to success on the clock, and its money leaves', async () => {
    const { body } = await withdraw({ public_comment: 'rent' });
    expect(body).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(await balance('BTC')).toEqual({ available: '1.8997', reserved: '0.1003' });
    const created = await transaction(body.id);
    expect(created).toMatchObject({
      status: 'CREATED',
      type: 'WITHDRAW',
      subtype: 'BLOCKCHAIN',
      native: {
        tx_id: body.id,
        currency: 'BTC',
        amount: '0.1',
        fee: '0.0003',
        address: outside,
        public_comment: 'rent',
        network_code: 'BTC',
      },
    });
    bench.pass(2_000);
    const pending = await transaction(body.id);
    expect(pending).toMatchObject({
      status: 'PENDING',
      native: { hash: expect.stringMatching(/^[0-9a-f]{64}$/), attempt_hashes: [pending.native.hash] },
    });
    expect(pending.native.index).toBeGreaterThan(created.native.index);
    bench.pass(15_000);
    expect(await transaction(body.id)).toMatchObject({ status: 'SUCCESS' });
    expect(await balance('BTC')).toEqual({ available: '1.8997', reserved: '0' });
    const used = (await wallet('GET crypto/address/recent-withdraw?currency=BTC')).body;
    expect(used).toEqual([{ currency: 'BTC', address: outside, network_code: 'BTC' }]);
  });

  test('with include_fee the amount is all that is spent', async () => {
    const before = await balance('BTC');
    const { body } = await withdraw({ amount: '0.01', include_fee: 'true', auto_commit: false });
    expect((await transaction(body.id)).native).toMatchObject({ amount: '0.0097', fee: '0.0003' });
    await wallet(`DELETE crypto/withdraw/${body.id}`);
    expect(await balance('BTC')).toEqual(before);
    expect(codeOf(await withdraw({ amount: '0.0003', include_fee: true }))).toEqual([400, 10001]);
  });

  test('an uncommitted withdrawal waits; commit and roll back are idempotent and exclude each other', async () => {
    const kept = (await withdraw({ auto_commit: false })).body.id as string;
    const dropped = (await withdraw({ auto_commit: false })).body.id as string;
    bench.pass(60_000);
    expect((await transaction(kept)).status).toBe('CREATED');
    for (let i = 0; i < 2; i++) {
      expect((await wallet(`PUT crypto/withdraw/${kept}`)).body).toEqual({ result: true });
      expect((await wallet(`DELETE crypto/withdraw/${dropped}`)).body).toEqual({ result: true });
    }
    expect(codeOf(await wallet(`DELETE crypto/withdraw/${kept}`))).toEqual([400, 20006]);
    expect(codeOf(await wallet(`PUT crypto/withdraw/${dropped}`))).toEqual([400, 20007]);
    bench.pass(20_000);
    expect((await transaction(kept)).status).toBe('SUCCESS');
    expect((await transaction(dropped)).status).toBe('ROLLED_BACK');
    expect((await wallet(`PUT crypto/withdraw/${kept}`)).body).toEqual({ result: true });
    expect(codeOf(await wallet(`DELETE crypto/withdraw/${kept}`))).toEqual([400, 20006]);
  });

  test('what is not committed within the hour is rolled back', async () => {
    const before = await balance('BTC');
    const id = (await withdraw({ auto_commit: false })).body.id as string;
    bench.pass(hour - 1);
    expect((await transaction(id)).status).toBe('CREATED');
    bench.pass(1);
    expect((await transaction(id)).status).toBe('ROLLED_BACK');
    expect(await balance('BTC')).toEqual(before);
    expect(codeOf(await wallet(`PUT crypto/withdraw/${id}`))).toEqual([400, 20007]);
  });

  test('each refusal has its code and changes nothing', async () => {
    const before = (await wallet('GET balance')).body;
    expect(codeOf(await withdraw({ currency: 'NOPE' }))).toEqual([400, 2002]);
    expect(codeOf(await withdraw({ amount: '100' }))).toEqual([400, 20001]);
    expect(codeOf(await withdraw({ address: 'not an address' }))).toEqual([400, 20011]);
    expect(codeOf(await withdraw({ payment_id: '17' }))).toEqual([400, 20011]);
    expect(codeOf(await withdraw({ network_code: 'TRX' }))).toEqual([400, 10001]);
    expect(codeOf(await withdraw({ amount: '0' }))).toEqual([400, 10001]);
    expect(codeOf(await withdraw({ amount: '-1' }))).toEqual([400, 10001]);
    expect(codeOf(await withdraw({ amount: '1e3' }))).toEqual([400, 10001]);
    expect(codeOf(await withdraw({ amount: '0.000000001' }))).toEqual([400, 10001]);
    expect(codeOf(await withdraw({ public_comment: 'x'.repeat(256) }))).toEqual([400, 10001]);
    expect(codeOf(await withdraw({ use_offchain: 'required' }))).toEqual([400, 20014]);
    expect(codeOf(await withdraw({ amount: '0.6', network_code: 'BTC' }))).toEqual([400, 20003]);
    expect(codeOf(await withdraw({ currency: 'EUR' }))).toEqual([400, 20018]);
    expect(codeOf(await wallet('PUT crypto/withdraw/no-such'))).toEqual([400, 20005]);
    expect(codeOf(await wallet('DELETE crypto/withdraw/no-such'))).toEqual([400, 20005]);
    const missing = await post('crypto/withdraw', { currency: 'BTC', amount: '1' });
    expect(missing.body.error.message).toContain('[address]');
    expect((await wallet('GET balance')).body).toEqual(before);
  });

  test('more decimals than the network carries fail the withdrawal later, and the money comes back', async () => {
    const before = await balance('XRP');
    const address = 'rrrrrrrrrrrrrrrrrrrrrhoLvTp';
    const made = await withdraw({ currency: 'XRP', amount: '1.0000001', address, payment_id: '77' });
    bench.pass(20_000);
    expect(await transaction(made.body.id)).toMatchObject({
      status: 'FAILED',
      native: { error_code: 'BAD_PRECISION', payment_id: '77' },
    });
    expect(await balance('XRP')).toEqual(before);
  });

  test('money sent to an address of this exchange arrives there as a deposit, or stays inside on request', async () => {
    const { address } = (await post('crypto/address', { currency: 'ETH' }, 'demo-two')).body;
    bench.server.deposit({
      account: bench.server.accounts.get('demo').id,
      currency: 'ETH',
      amount: (10n * 10n ** 24n) as never,
    });
    bench.pass(200_000);
    const available = { currency: 'ETH', address };
    expect((await post('crypto/check-offchain-available', available)).body).toEqual({ result: true });
    expect((await post('crypto/check-offchain-available', { ...available, currency: 'BTC' })).body).toEqual({
      result: false,
    });
    expect(codeOf(await post('crypto/check-offchain-available', { address, currency: 'NOPE' }))).toEqual([
      400, 2002,
    ]);
    const inside = await withdraw({ currency: 'ETH', amount: '1', address, use_offchain: 'optionaly' });
    const chain = await withdraw({ currency: 'ETH', amount: '2', address });
    bench.pass(20_000);
    expect(await transaction(inside.body.id)).toMatchObject({
      subtype: 'OFFCHAIN',
      status: 'SUCCESS',
      native: { fee: '0', offchain_id: expect.any(String) },
    });
    const hash = (await transaction(chain.body.id)).native.hash as string;
    const deposits = (await wallet('GET transactions?types=DEPOSIT&currencies=ETH', {}, 'demo-two')).body;
    expect(deposits.map((row: Json) => row.subtype)).toEqual(
      expect.arrayContaining(['OFFCHAIN', 'BLOCKCHAIN']),
    );
    expect(deposits.find((row: Json) => row.native.hash === hash)).toBeDefined();
    bench.pass(200_000);
    expect(await balance('ETH', 'demo-two')).toEqual({ available: '3', reserved: '0' });
    expect(await balance('ETH')).toEqual({ available: '6.998', reserved: '0' });
  });
});

describe('fees', () => {
  test('a fee is estimated for one withdrawal and for many', async () => {
    expect((await wallet('GET crypto/fee/estimate?currency=USDT&amount=5')).body).toEqual({ fee: '4' });
    expect((await wallet('GET crypto/fee/estimate?currency=USDT&amount=5&network_code=TRX')).body).toEqual({
      fee: '1',
    });
    const items = [
      { currency: 'BTC', amount: '1' },
      { currency: 'USDT', amount: 2, network_code: 'TRX' },
    ];
    for (const path of ['crypto/fees/estimate', 'crypto/fee/estimate/bulk']) {
      expect((await wallet(`POST ${path}`, { json: items })).body).toEqual([
        { fee: '0.0003', network_fee: '0.0003', amount: '1', currency: 'BTC' },
        { fee: '1', network_fee: '1', amount: '2', currency: 'USDT' },
      ]);
      expect(codeOf(await wallet(`POST ${path}`, { json: [{ currency: 'NOPE', amount: '1' }] }))).toEqual([
        400, 2002,
      ]);
      expect(codeOf(await wallet(`POST ${path}`, { json: [{ currency: 'BTC' }] }))).toEqual([400, 10001]);
      expect(codeOf(await wallet(`POST ${path}`, { json: {} }))).toEqual([400, 10001]);
    }
    expect(codeOf(await wallet('GET crypto/fee/estimate?currency=NOPE&amount=5'))).toEqual([400, 2002]);
    expect(codeOf(await wallet('GET crypto/fee/estimate?currency=BTC'))).toEqual([400, 10001]);
    expect(codeOf(await wallet('GET crypto/fee/estimate?currency=EUR&amount=1'))).toEqual([400, 20018]);
  });

  test('the hash of the fees is the same as long as the fees are', async () => {
    const one = (await wallet('GET crypto/fee/withdraw/hash')).body;
    expect(one).toEqual({ hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect((await wallet('GET crypto/fee/withdraw/hash')).body).toEqual(one);
  });
});

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SubBench } from './support/sub-bench.ts';
import { openSubBench } from './support/sub-bench.ts';
import { rest } from './support/raw-client.ts';

let bench: SubBench;
beforeEach(async () => {
  bench = await openSubBench();
});
afterEach(() => bench.close());

const idOf = (name: string): string => String(bench.ids[name]?.number);
const post = (line: string, form: Record<string, string> = {}) =>
  bench.v2('main', `POST sub-acc/${line}`, form);
const statuses = async () =>
  (await bench.v2('main', 'GET sub-acc')).body.result.map(({ status }: { status: string }) => status);
const failure = (description: string) => ({
  error: { code: 500, message: 'Internal Server Error', description },
});

test('sub-accounts are listed with numbers, wrapped; other accounts have none', async () => {
  expect((await bench.v2('main', 'GET sub-acc', undefined, 2)).body).toEqual({
    result: [
      { id: Number(idOf('one')), email: 'one@example.com', status: 'active' },
      { id: Number(idOf('two')), email: 'two@example.com', status: 'new' },
      { id: Number(idOf('gone')), email: 'gone@example.com', status: 'disable' },
    ],
  });
  expect((await bench.v2('one', 'GET sub-acc')).body).toEqual({ result: [] });
  expect((await rest(bench, 'GET /api/2/sub-acc')).body.error.code).toBe(1001);
});

describe('freezing and activating', () => {
  test('work on several at once', async () => {
    expect((await post('freeze', { ids: `${idOf('one')},${idOf('two')}` })).body).toEqual({ result: true });
    expect(await statuses()).toEqual(['frozen', 'frozen', 'disable']);
    expect((await post('activate', { ids: idOf('one') })).body).toEqual({ result: true });
    expect(await statuses()).toEqual(['active', 'frozen', 'disable']);
    expect((await post('activate', { ids: idOf('gone') })).body).toEqual({ result: false });
  });

  test('fail with 500 and a sentence for unknown and already frozen ones', async () => {
    const unknown = await post('freeze', { ids: `${idOf('one')},99` });
    expect([unknown.status, unknown.body]).toEqual([500, failure('Cannot find sub account 99')]);
    expect((await post('activate', { ids: '99' })).body).toEqual(failure('Cannot find sub account 99'));
    await post('freeze', { ids: idOf('one') });
    const again = await post('freeze', { ids: idOf('one') });
    expect([again.status, again.body]).toEqual([
      500,
      failure(`account ${idOf('one')} already freeze or disabled`),
    ]);
  });

  test('need ids', async () => {
    for (const line of ['freeze', 'activate']) {
      const missing = await post(line);
      expect([missing.status, missing.body]).toEqual([
        400,
        { error: { code: 10001, message: 'Validation error', description: "Param 'ids' required" } },
      ]);
    }
  });
});

describe('transfers', () => {
  const transfer = (form: Record<string, string> = {}, index = 0) =>
    bench.v2(
      'main',
      'POST sub-acc/transfer',
      { subAccountId: idOf('one'), amount: '12.5', currency: 'USDT', type: 'deposit', ...form },
      index,
    );

  test('deposit to the sub-account and withdraw from it', async () => {
    const before = bench.total('USDT');
    expect((await transfer()).body.result).toMatch(/^[0-9a-f-]{36}$/);
    expect((await bench.v2('main', `GET sub-acc/balance/${idOf('one')}`)).body.result.main).toEqual([
      { currency: 'USDT', available: '62.5', reserved: '0' },
    ]);
    expect((await transfer({ type: 'withdraw', amount: '62.5' })).status).toBe(200);
    expect((await bench.v2('main', `GET sub-acc/balance/${idOf('one')}`)).body.result.main).toEqual([]);
    expect(bench.total('USDT')).toBe(before);
  });

  test('fail as documented', async () => {
    expect((await transfer({ subAccountId: '99' })).body).toEqual(failure('Cannot find sub account 99'));
    const out = await transfer({ subAccountId: idOf('gone') });
    expect([out.status, out.body]).toEqual([500, failure('Bad Request')]);
    expect((await transfer({ amount: '1000000' })).body.error.code).toBe(20001);
    expect((await transfer({ currency: 'NOPE' })).body.error.code).toBe(2002);
    const forbidden = await transfer({}, 1);
    expect([forbidden.status, forbidden.body.error.code]).toEqual([403, 1003]);
    for (const name of ['subAccountId', 'amount', 'currency', 'type']) {
      const missing = await transfer({ [name]: '' });
      expect(missing.body.error.code).toBe(10001);
      expect(missing.body.error.description).toBe(`Param '${name}' required`);
    }
    expect((await transfer({ type: 'to_sub_account' })).body.error.description).toContain('[type]');
  });
});

describe('rights', () => {
  const acl = (ids: string, index = 0) =>
    bench.v2('main', `GET sub-acc/acl?subAccountIds=${ids}`, undefined, index);
  const change = (name: string, form: Record<string, string>) =>
    bench.v2('main', `PUT sub-acc/acl/${idOf(name)}`, form);

  test('are shown, and not for frozen or disabled ones', async () => {
    expect((await acl(`${idOf('one')},${idOf('gone')}`)).body).toEqual({
      result: [{ subAccountId: Number(idOf('one')), isPayoutEnabled: false, description: '' }],
    });
    expect((await acl(idOf('gone'))).body).toEqual({ result: [] });
    expect((await acl('99')).body).toEqual(failure('Cannot find sub account 99'));
    expect((await acl('')).body.error.description).toBe("Param 'subAccountIds' required");
    expect((await acl(idOf('one'), 2)).body.error.code).toBe(1003);
  });

  test('change echoes what was asked', async () => {
    const changed = await change('one', { isPayoutEnabled: 'true', description: 'pays' });
    expect(changed.body).toEqual({
      result: [{ subAccountId: Number(idOf('one')), isPayoutEnabled: true, description: 'pays' }],
    });
    expect((await acl(idOf('one'))).body).toEqual(changed.body);
    const v3 = await bench.v3('main', 'GET sub-account/acl');
    expect(v3.body.result[0]).toMatchObject({ withdraw_enabled: true, description: 'pays' });
    const disabled = await change('gone', { isPayoutEnabled: 'true' });
    expect([disabled.status, disabled.body]).toEqual([
      400,
      { error: { code: 10021, message: 'user disabled' } },
    ]);
    expect((await change('one', {})).body.error.description).toBe("Param 'isPayoutEnabled' required");
    expect((await change('foreign', { isPayoutEnabled: 'true' })).status).toBe(500);
  });
});

describe('balances and deposit addresses', () => {
  test('a balance has both lists, in any status', async () => {
    const ask = (name: string, index = 0) =>
      bench.v2('main', `GET sub-acc/balance/${idOf(name)}`, undefined, index);
    expect((await ask('one')).body).toEqual({
      result: {
        main: [{ currency: 'USDT', available: '50', reserved: '0' }],
        trading: [
          { currency: 'USDT', available: '1000', reserved: '0' },
          { currency: 'BTC', available: '1', reserved: '0' },
        ],
      },
    });
    await post('freeze', { ids: idOf('one') });
    expect((await ask('one')).body.result).toEqual({
      main: [
        { currency: 'USDT', available: '1050', reserved: '0' },
        { currency: 'BTC', available: '1', reserved: '0' },
      ],
      trading: [],
    });
    expect((await ask('gone')).body).toEqual({ result: { main: [], trading: [] } });
    expect((await ask('foreign')).body).toEqual(failure(`Cannot find sub account ${idOf('foreign')}`));
    expect((await ask('one', 2)).body.error.code).toBe(1003);
  });

  test('a deposit address is that of the sub-account; a frozen one has none to show', async () => {
    const ask = (name: string, rest: string) =>
      bench.v2('main', `GET sub-acc/deposit-address/${idOf(name)}/${rest}`, undefined, 2);
    const bitcoin = await ask('one', 'BTC');
    expect(bitcoin.body.result).toEqual({
      address: expect.stringMatching(/^bc1q/),
      networkCode: 'BTC',
    });
    expect((await ask('one', 'XRP')).body.result.paymentId).toMatch(/^\d+$/);
    expect((await ask('one', 'USDT?networkCode=TRX')).body.result.networkCode).toBe('TRX');
    expect((await ask('one', 'NOPE')).body.error.code).toBe(2002);
    expect((await ask('one', 'BTC?networkCode=TRX')).body.error.code).toBe(10001);
    expect((await ask('gone', 'BTC')).body.error).toEqual({ code: 10021, message: 'user disabled' });
    expect((await ask('foreign', 'BTC')).status).toBe(500);
  });
});

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newId, openBench, RawSocket, rest } from './support/raw-client.ts';
import type { Json } from './support/raw-client.ts';
import type { SubBench } from './support/sub-bench.ts';
import { openSubBench } from './support/sub-bench.ts';

let bench: SubBench;
beforeEach(async () => {
  bench = await openSubBench();
});
afterEach(() => bench.close());

const idOf = (name: string): string => bench.ids[name]?.hex ?? '';
const code = (answer: { status: number; body: Json }) => [answer.status, answer.body.error?.code];
const balance = async (name: string) =>
  (await bench.v3('main', `GET sub-account/balance/${idOf(name)}`)).body;
const transactions = (account: string) =>
  bench.server.wallet.context.log.all(bench.server.accounts.get(account).id);

describe('the list of sub-accounts', () => {
  test('a super account sees its own, with hexadecimal ids, and any key may ask', async () => {
    const answer = await bench.v3('main', 'GET sub-account', undefined, 2);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual([
      { sub_account_id: idOf('one'), email: 'one@example.com', status: 'active' },
      { sub_account_id: idOf('two'), email: 'two@example.com', status: 'new' },
      { sub_account_id: idOf('gone'), email: 'gone@example.com', status: 'disable' },
    ]);
    for (const { sub_account_id } of answer.body) expect(sub_account_id).toMatch(/^[a-f][0-9a-f]{31}$/);
  });

  test('a sub-account has none, and without a key nothing is reported', async () => {
    expect((await bench.v3('one', 'GET sub-account')).body).toEqual([]);
    expect(code(await rest(bench, 'GET /api/3/sub-account'))).toEqual([401, 1002]);
  });

  test('the default exchange has two sub-accounts of demo, with keys', async () => {
    const plain = await openBench();
    const listed = await rest(plain, 'GET /api/3/sub-account', { key: plain.key('demo') });
    expect(listed.body.map(({ email }: Json) => email)).toEqual([
      'demo-sub-one@example.com',
      'demo-sub-two@example.com',
    ]);
    expect(
      (await rest(plain, 'GET /api/3/spot/balance', { key: plain.key('demo-sub-one') })).body,
    ).toHaveLength(2);
    await plain.close();
  });

  test('a new sub-account becomes active with the first use of its key', async () => {
    await bench.v3('two', 'GET spot/balance');
    expect((await bench.v3('main', 'GET sub-account')).body[1].status).toBe('active');
  });
});

describe('freezing', () => {
  const freeze = (...names: string[]) =>
    bench.v3('main', 'POST sub-account/freeze', { sub_account_ids: names.map(idOf).join(',') });

  test('cancels every order and moves the trading balance into the wallet, to the last digit', async () => {
    const order = { symbol: 'BTCUSDT', side: 'buy', quantity: '0.00003', price: '33333.33' };
    await bench.v3('one', 'POST spot/order', { ...order, client_order_id: newId() });
    const before = bench.total('USDT');
    expect((await freeze('one', 'two')).body).toEqual({ result: true });
    expect(await balance('one')).toEqual({
      result: {
        wallet: [
          { currency: 'USDT', available: '1050', reserved: '0' },
          { currency: 'BTC', available: '1', reserved: '0' },
        ],
      },
    });
    expect((await rest(bench, 'GET /api/3/public/orderbook/BTCUSDT')).body.bid).toEqual([]);
    expect(bench.total('USDT')).toBe(before);
    expect(
      transactions('one')
        .slice(-2)
        .map(({ type, subtype }) => `${type} ${subtype}`),
    ).toEqual(['TRANSFER SPOT_TO_WALLET', 'TRANSFER SPOT_TO_WALLET']);
    const statuses = (await bench.v3('main', 'GET sub-account')).body.map(({ status }: Json) => status);
    expect(statuses).toEqual(['frozen', 'frozen', 'disable']);
  });

  test('refuses reads, orders, withdrawals and logins of the frozen one with 10021, until it is activated', async () => {
    const live = await RawSocket.open(bench, '/api/3/ws/trading');
    await live.login(bench.key('one'));
    await freeze('one');
    expect(code(await bench.v3('one', 'GET spot/balance'))).toEqual([400, 10021]);
    const order = { symbol: 'BTCUSDT', side: 'buy', quantity: '0.001', price: '100' };
    expect(code(await bench.v3('one', 'POST spot/order', order))).toEqual([400, 10021]);
    const away = { currency: 'USDT', amount: '1', address: '0x0000000000000000000000000000000000000000' };
    expect(code(await bench.v3('one', 'POST sub-account/transfer/sub-to-super', away))).toEqual([400, 10021]);
    expect((await bench.v2('one', 'GET trading/balance')).body).toEqual({
      error: { code: 10021, message: 'user disabled' },
    });
    const late = await RawSocket.open(bench, '/api/3/ws/trading');
    expect((await late.login(bench.key('one'))).error.code).toBe(10021);
    expect((await live.ask({ method: 'spot_balances', params: {}, id: 2 })).error.code).toBe(10021);
    expect(
      (await bench.v3('main', 'POST sub-account/activate', { sub_account_ids: idOf('one') })).body,
    ).toEqual({ result: true });
    expect((await bench.v3('one', 'GET spot/balance')).body).toEqual([]);
    expect((await live.ask({ method: 'spot_balances', params: {}, id: 3 })).result).toEqual([]);
    live.close();
    late.close();
  });

  test('is refused as a whole: 21001 unknown, 21003 frozen or disabled, 10001 without ids', async () => {
    const unknown = await bench.v3('main', 'POST sub-account/freeze', {
      sub_account_ids: `${idOf('one')},${idOf('foreign')}`,
    });
    expect(code(unknown)).toEqual([400, 21001]);
    expect(unknown.body.error.message).toBe('Subaccount not found');
    const disabled = await freeze('one', 'gone');
    expect([disabled.status, disabled.body.error]).toEqual([
      400,
      { code: 21003, message: 'Sub account is already frozen or disabled' },
    ]);
    expect((await bench.v3('main', 'GET sub-account')).body[0].status).toBe('active');
    expect((await freeze('one')).status).toBe(200);
    expect(code(await freeze('one'))).toEqual([400, 21003]);
    const none = await bench.v3('main', 'POST sub-account/freeze', {});
    expect(code(none)).toEqual([400, 10001]);
    expect(none.body.error.message).toContain('[sub_account_ids]');
    expect(code(await bench.v3('main', 'POST sub-account/freeze', { sub_account_ids: ' , ' }))).toEqual([
      400, 10001,
    ]);
  });

  test('a JSON body may list the ids, by number as well', async () => {
    const answer = await rest(bench, 'POST /api/3/sub-account/freeze', {
      key: bench.key('main'),
      json: { sub_account_ids: [idOf('one'), String(bench.ids['two']?.number)] },
    });
    expect(answer.body).toEqual({ result: true });
  });

  test('activation leaves a disabled one disabled and says false; an unknown one is 21001', async () => {
    const activate = (ids: string) => bench.v3('main', 'POST sub-account/activate', { sub_account_ids: ids });
    expect((await activate(idOf('gone'))).body).toEqual({ result: false });
    expect((await bench.v3('main', 'GET sub-account')).body[2].status).toBe('disable');
    expect(code(await bench.v3('gone', 'GET spot/balance'))).toEqual([400, 10021]);
    expect(code(await activate('abcdef'))).toEqual([400, 21001]);
    expect(code(await activate(''))).toEqual([400, 10001]);
  });
});

describe('transfers', () => {
  const transfer = (form: Record<string, string>, index = 0) =>
    bench.v3('main', 'POST sub-account/transfer', { sub_account_id: idOf('one'), ...form }, index);
  const toSub = { amount: '10.000001', currency: 'USDT', type: 'to_sub_account' };

  test('move between wallets both ways, and both sides have the transaction', async () => {
    const before = bench.total('USDT');
    const sent = await transfer(toSub);
    expect(sent.status).toBe(200);
    const paid = transactions('main').at(-1);
    const got = transactions('one').at(-1);
    expect(sent.body).toEqual({ result: paid?.native.txId });
    expect([paid, got].map((one) => [one?.type, one?.subtype, one?.status, one?.native.currency])).toEqual([
      ['TRANSFER', 'SUB_ACCOUNT', 'SUCCESS', 'USDT'],
      ['TRANSFER', 'SUB_ACCOUNT', 'SUCCESS', 'USDT'],
    ]);
    expect(paid?.operationId).toBe(got?.operationId);
    const listed = await bench.v3('one', 'GET wallet/transactions?subtypes=SUB_ACCOUNT');
    expect(listed.body).toMatchObject([
      { type: 'TRANSFER', subtype: 'SUB_ACCOUNT', native: { tx_id: got?.native.txId, amount: '10.000001' } },
    ]);
    const types = await Promise.all(
      ['main', 'one'].map(
        async (name) => (await bench.v2(name, 'GET account/transactions?limit=1')).body[0].type,
      ),
    );
    expect(types).toEqual(['withdraw', 'deposit']);
    expect((await balance('one')).result.wallet).toEqual([
      { currency: 'USDT', available: '60.000001', reserved: '0' },
    ]);
    const back = await transfer({ amount: '60.000001', currency: 'USDT', type: 'from_sub_account' });
    expect(back.body).toEqual({ result: transactions('main').at(-1)?.native.txId });
    expect((await balance('one')).result.wallet).toBeUndefined();
    expect(bench.total('USDT')).toBe(before);
  });

  test('the id may be the number that v2 shows, as text or as a JSON number', async () => {
    const byNumber = await rest(bench, 'POST /api/3/sub-account/transfer', {
      key: bench.key('main'),
      json: { ...toSub, amount: 1, sub_account_id: bench.ids['one']?.number },
    });
    expect(byNumber.status).toBe(200);
  });

  test('are refused with the documented codes, and nothing moves', async () => {
    const before = await balance('one');
    expect(code(await transfer({ ...toSub, sub_account_id: idOf('foreign') }))).toEqual([400, 21001]);
    expect(code(await transfer({ ...toSub, sub_account_id: idOf('gone') }))).toEqual([400, 21004]);
    expect(code(await transfer({ ...toSub, currency: 'NOPE' }))).toEqual([400, 2002]);
    expect(code(await transfer({ ...toSub, amount: '1000.000001' }))).toEqual([400, 20001]);
    expect(code(await transfer(toSub, 1))).toEqual([403, 1003]);
    for (const [name, value] of Object.entries({
      amount: '0.0000001',
      currency: '',
      type: 'sideways',
      sub_account_id: '',
    })) {
      const answer = await transfer({ ...toSub, [name]: value });
      expect(code(answer)).toEqual([400, 10001]);
      expect(JSON.stringify(answer.body.error)).toContain(`[${name}]`);
    }
    for (const amount of ['0', '-1', 'abc', '1e3', '']) {
      expect(code(await transfer({ ...toSub, amount }))).toEqual([400, 10001]);
    }
    await bench.v3('main', 'POST sub-account/freeze', { sub_account_ids: idOf('two') });
    expect(code(await transfer({ ...toSub, sub_account_id: idOf('two') }))).toEqual([400, 21004]);
    expect(await balance('one')).toEqual(before);
  });

  test('a sub-account sends to its super account in one step', async () => {
    const what = { amount: '7', currency: 'USDT' };
    const sent = await bench.v3('one', 'POST sub-account/transfer/sub-to-super', what);
    expect(sent.body).toEqual({ result: transactions('one').at(-1)?.native.txId });
    expect((await balance('one')).result.wallet[0].available).toBe('43');
    expect(code(await bench.v3('main', 'POST sub-account/transfer/sub-to-super', what))).toEqual([400, 600]);
    expect(
      code(await bench.v3('one', 'POST sub-account/transfer/sub-to-super', { ...what, amount: '44' })),
    ).toEqual([400, 20001]);
    expect(code(await bench.v3('one', 'POST sub-account/transfer/sub-to-super', {}))).toEqual([400, 10001]);
  });

  test('a sub-account sends to another one of the same super account in one step', async () => {
    const send = (account: string, id: string) =>
      bench.v3(account, 'POST sub-account/transfer/sub-to-sub', {
        sub_account_id: id,
        amount: '3',
        currency: 'USDT',
      });
    expect((await send('one', idOf('two'))).body).toEqual({
      result: transactions('one').at(-1)?.native.txId,
    });
    expect((await balance('two')).result.wallet[0].available).toBe('3');
    expect(code(await send('one', idOf('foreign')))).toEqual([400, 21001]);
    expect(code(await send('one', idOf('gone')))).toEqual([400, 21004]);
    expect(code(await send('one', idOf('one')))).toEqual([400, 10001]);
    expect(code(await send('main', idOf('one')))).toEqual([400, 600]);
  });
});

describe('rights of sub-accounts', () => {
  const acl = (query = '', index = 0) => bench.v3('main', `GET sub-account/acl${query}`, undefined, index);

  test('are listed for those named, or for all that are neither frozen nor disabled', async () => {
    const all = await acl();
    expect(all.body.result.map(({ sub_account_id }: Json) => sub_account_id)).toEqual([
      idOf('one'),
      idOf('two'),
    ]);
    const one = await acl(`?sub_account_ids=${idOf('one')}`);
    expect(one.body).toEqual({
      result: [
        {
          sub_account_id: idOf('one'),
          deposit_address_generation_enabled: true,
          withdraw_enabled: false,
          description: '',
          created_at: '2023-11-14T22:13:20.000Z',
          updated_at: '2023-11-14T22:13:20.000Z',
        },
      ],
    });
    expect(code(await acl(`?sub_account_ids=${idOf('gone')}`))).toEqual([400, 21004]);
    expect(code(await acl(`?sub_account_ids=${idOf('foreign')}`))).toEqual([400, 21001]);
    expect(code(await acl('', 2))).toEqual([403, 1003]);
  });

  test('change as asked, and the wallet of the sub-account keeps to them', async () => {
    const withdraw = () =>
      bench.v3('one', 'POST wallet/internal/withdraw', {
        currency: 'USDT',
        amount: '1',
        by: 'username',
        identifier: 'stranger',
      });
    const newAddress = () => bench.v3('one', 'POST wallet/crypto/address', { currency: 'BTC' });
    expect(code(await withdraw())).toEqual([401, 403]);
    expect((await newAddress()).status).toBe(200);
    bench.pass(120);
    const changed = await bench.v3('main', 'POST sub-account/acl', {
      sub_account_ids: idOf('one'),
      withdraw_enabled: 'true',
      deposit_address_generation_enabled: 'false',
      description: 'pays out',
    });
    expect(changed.body.result[0]).toEqual({
      sub_account_id: idOf('one'),
      deposit_address_generation_enabled: false,
      withdraw_enabled: true,
      description: 'pays out',
      created_at: '2023-11-14T22:13:20.000Z',
      updated_at: '2023-11-14T22:13:20.120Z',
    });
    expect((await withdraw()).status).toBe(200);
    expect(code(await newAddress())).toEqual([401, 403]);
  });

  test('are not changed for unknown, frozen or disabled ones, nor by odd values', async () => {
    const change = (form: Record<string, string>) => bench.v3('main', 'POST sub-account/acl', form);
    expect(code(await change({ sub_account_ids: idOf('gone') }))).toEqual([400, 21004]);
    expect(code(await change({ sub_account_ids: 'ffff' }))).toEqual([400, 21001]);
    expect(code(await change({ withdraw_enabled: 'true' }))).toEqual([400, 10001]);
    expect(code(await change({ sub_account_ids: idOf('one'), withdraw_enabled: 'maybe' }))).toEqual([
      400, 10001,
    ]);
  });
});

describe('balances and addresses of sub-accounts', () => {
  test('a balance names the accounts that have something, in any status', async () => {
    expect(await balance('one')).toEqual({
      result: {
        wallet: [{ currency: 'USDT', available: '50', reserved: '0' }],
        spot: [
          { currency: 'USDT', available: '1000', reserved: '0' },
          { currency: 'BTC', available: '1', reserved: '0' },
        ],
      },
    });
    expect(await balance('gone')).toEqual({ result: {} });
    expect(code(await bench.v3('main', `GET sub-account/balance/${idOf('foreign')}`))).toEqual([400, 21001]);
    expect(code(await bench.v3('main', `GET sub-account/balance/${idOf('one')}`, undefined, 2))).toEqual([
      403, 1003,
    ]);
  });

  test('the deposit address is that of the sub-account itself, by network', async () => {
    const ask = (rest: string) => bench.v3('main', `GET sub-account/crypto/address/${idOf('one')}/${rest}`);
    const bitcoin = await ask('BTC');
    expect(bitcoin.body.result.address).toMatch(/^bc1q/);
    expect(Object.keys(bitcoin.body)).toEqual(['result']);
    const own = await bench.v3('one', 'GET wallet/crypto/address?currency=BTC');
    expect(own.body[0].address).toBe(bitcoin.body.result.address);
    const tron = await ask('USDT?network_code=TRX');
    expect(tron.body.result.address).toMatch(/^T/);
    expect((await ask('XRP')).body.result.payment_id).toMatch(/^\d+$/);
    expect(code(await ask('NOPE'))).toEqual([400, 2002]);
    expect(code(await ask('USDT?network_code=BTC'))).toEqual([400, 10001]);
    expect(code(await bench.v3('main', `GET sub-account/crypto/address/${idOf('foreign')}/BTC`))).toEqual([
      400, 21001,
    ]);
  });
});

test('the limits of the documents count: 20 and 30 calls a second for an account', async () => {
  const limited = await openSubBench({ limits: {} });
  limited.pass(1_000);
  const codes: number[] = [];
  for (let i = 0; i < 51; i++) codes.push((await limited.v3('main', 'GET sub-account')).status);
  expect(codes.slice(0, 50)).toEqual(Array.from({ length: 50 }, () => 200));
  expect(codes[50]).toBe(429);
  await limited.close();
});

describe('options', () => {
  const start = (accounts: never) => openBench({ accounts });

  test('a super account must exist and must not be a sub-account itself', async () => {
    const lost = [{ name: 'a', subAccount: { parent: 'nobody' } }];
    await expect(start(lost as never)).rejects.toThrow('nobody');
    const chain = [
      { name: 'a' },
      { name: 'b', subAccount: { parent: 'a' } },
      { name: 'c', subAccount: { parent: 'b' } },
    ];
    await expect(start(chain as never)).rejects.toThrow('account c');
  });
});

test('a user sees the keys of the account with their rights, and never a secret', async () => {
  const answer = await bench.v3('main', 'GET user/api-keys', undefined, 2);
  expect(answer.body).toEqual([
    { api_key: bench.key('main', 0).apiKey, access_rights: ['R1', 'R2', 'R3', 'R4'] },
    { api_key: bench.key('main', 1).apiKey, access_rights: ['R1', 'R2', 'R3'] },
    { api_key: bench.key('main', 2).apiKey, access_rights: ['R1'] },
  ]);
  expect(JSON.stringify(answer.body)).not.toContain(bench.key('main', 0).secret.reveal());
  expect(code(await rest(bench, 'GET /api/3/user/api-keys'))).toEqual([401, 1002]);
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import { marginSymbol } from './support/margin-symbol.ts';
import type { Answer, Bench, Json } from './support/raw-client.ts';
import { openBench, RawSocket, rest } from './support/raw-client.ts';

let bench: Bench;
let socket: RawSocket;
beforeEach(async () => {
  bench = await openBench({ limits: { enabled: false }, symbols: [marginSymbol] });
  socket = await RawSocket.open(bench, '/api/3/ws/trading');
  await socket.login(bench.key('demo'));
});
afterEach(async () => {
  socket.close();
  await bench.close();
});

const api = (line: string, json?: object, account = 'demo'): Promise<Answer> => {
  const [method, path] = line.split(' ') as [string, string];
  const key = bench.key(account);
  return rest(bench, `${method} /api/3/${path}`, { key, ...(json !== undefined && { json }) });
};
const order = { symbol: 'ETHUSDT', side: 'buy', quantity: '1', price: '100' };
const isolated = { margin_mode: 'isolated', symbol: 'ETHUSDT' };
const cross = { margin_mode: 'cross', currency: 'USDT' };

/** Switches AMR on, on again, and off. */
async function switchAmr(meant: object): Promise<void> {
  for (const amr of [true, true, false])
    expect((await api('PUT margin/margin-settings/amr', { ...meant, amr })).body.amr).toBe(amr);
}
/** What a socket was sent of accounts and positions after AMR was switched. */
async function receivedOf(one: RawSocket): Promise<Json[]> {
  await one.settle();
  return one.received.filter(
    ({ params }) => (params?.report_reason ?? params?.reportReason) === 'amrChanged',
  );
}

test('a change of AMR is a report of the position on isolated margin; setting it again reports nothing', async () => {
  await api('PUT margin/account/isolated/ETHUSDT', { margin_balance: '1000' });
  await api('POST spot/order', { ...order, side: 'sell' }, 'demo-two');
  expect((await api('POST margin/order', order)).body.status).toBe('filled');
  await socket.ask({ method: 'margin_subscribe', params: {}, id: 1 });
  await switchAmr(isolated);
  const received = await receivedOf(socket);
  expect(received.map(({ method, params }) => [method, params.amr])).toEqual([
    ['margin_position', true],
    ['margin_position', false],
  ]);
  expect(received[0].params).toMatchObject({
    symbol: 'ETHUSDT',
    quantity: '1.000',
    margin_mode: 'isolated',
    report_type: 'updated',
  });
});

test.each([
  ['isolated margin without a position', 'PUT margin/account/isolated/ETHUSDT', isolated],
  ['cross margin', 'PUT margin/account/cross/USDT', cross],
])('on %s it is a report of the account', async (_where, opening, meant) => {
  await api(opening, { margin_balance: '1000' });
  await socket.ask({ method: 'margin_subscribe', params: {}, id: 1 });
  await switchAmr(meant);
  expect((await receivedOf(socket)).map(({ method, params }) => [method, params.type, params.amr])).toEqual([
    ['margin_account', meant.margin_mode, true],
    ['margin_account', meant.margin_mode, false],
  ]);
});

test('version 2 has no AMR and hears nothing of it', async () => {
  await api('PUT margin/account/isolated/ETHUSDT', { margin_balance: '1000' });
  const two = await RawSocket.open(bench, '/api/2/ws/trading');
  const { apiKey, secret } = bench.key('demo');
  await two.ask({ method: 'login', params: { algo: 'BASIC', pKey: apiKey, sKey: secret.reveal() }, id: 1 });
  await two.ask({ method: 'marginSubscribe', params: {}, id: 2 });
  await switchAmr(isolated);
  expect(await receivedOf(two)).toEqual([]);
  await api('PUT margin/account/isolated/ETHUSDT', { margin_balance: '900' });
  const changed = await two.until(({ method }) => method === 'marginAccountReport');
  expect(changed.params.reportReason).toBe('marginChanged');
  two.close();
});

test('answers name the mode, the symbol or the currency, and AMR; of automatic management, both switches', async () => {
  await api('PUT margin/account/isolated/ETHUSDT', { margin_balance: '1000' });
  await api('PUT margin/account/cross/USDT', { margin_balance: '1000' });
  const amr = await api('PUT margin/margin-settings/amr', { ...cross, amr: true });
  expect(amr.body).toEqual({ ...cross, symbol: null, amr: true });
  const amm = await api('PUT margin-settings/amm', { ...cross, amm: true });
  expect(amm.body).toEqual({ ...cross, symbol: null, amr: true, amm: true });
  expect((await api('PUT margin-settings/amm', { ...isolated, amm: false })).body).toEqual({
    ...isolated,
    currency: null,
    amr: false,
    amm: false,
  });
});

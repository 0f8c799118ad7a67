import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { marginSymbol } from './support/margin-symbol.ts';
import type { Answer, Bench } from './support/raw-client.ts';
import { newId, openBench, RawSocket, rest } from './support/raw-client.ts';

let bench: Bench;

beforeEach(async () => {
  bench = await openBench({ limits: { enabled: false }, symbols: [marginSymbol] });
});
afterEach(() => bench.close());

const api = (line: string, form?: Record<string, string>, index = 0): Promise<Answer> => {
  const [method, path] = line.split(' ') as [string, string];
  const key = bench.key('demo', index);
  return rest(bench, `${method} /api/2/margin/${path}`, {
    key,
    basic: true,
    ...(form !== undefined && { form }),
  });
};
const codeOf = (answer: Answer) => [answer.status, answer.body.error?.code];
const order = (members: Record<string, string> = {}) => ({
  clientOrderId: newId(),
  symbol: 'ETHUSDT',
  side: 'buy',
  quantity: '0.001',
  price: '7933.30',
  ...members,
});
const they = (members: object) =>
  rest(bench, 'POST /api/3/spot/order', {
    key: bench.key('demo-two'),
    json: { symbol: 'ETHUSDT', quantity: '0.001', price: '7933.30', ...members },
  });
const put = (marginBalance: string) => api('PUT account/ethusdt', { marginBalance });

describe('margin of v2 over REST', () => {
  test('an account, its position and its closing show the published example', async () => {
    expect(codeOf(await api('GET account/ETHUSDT'))).toEqual([400, 20032]);
    expect((await put('1000')).body).toEqual({
      symbol: 'ETHUSDT',
      leverage: '5.00',
      marginBalance: '1000.000000000000',
      marginBalanceOrders: '0',
      marginBalanceRequired: '0',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    await they({ side: 'buy' });
    const sold = await api(
      'POST order',
      order({ side: 'sell', type: 'market', timeInForce: 'FOK', price: '' }),
    );
    expect(sold.body).toMatchObject({ status: 'filled', tradesReport: [{ fee: '0.015866600000' }] });
    const account = (await api('GET account/ETHUSDT')).body;
    expect(account).toMatchObject({
      marginBalance: '999.984133400000',
      marginBalanceRequired: '1.605699920000',
      position: {
        quantity: '-0.001',
        priceEntry: '7933.30',
        priceMarginCall: '887772.25',
        priceLiquidation: '914625.61',
      },
    });
    expect((await api('GET account')).body).toEqual([account]);
    expect((await api('GET position')).body).toEqual([account.position]);
    expect((await api('GET position/ETHUSDT')).body).toEqual(account.position);
    await they({ side: 'sell', price: '7933.30' });
    expect((await api('DELETE position/ETHUSDT')).body).toMatchObject([{ quantity: '0' }]);
    expect(codeOf(await api('GET position/ETHUSDT'))).toEqual([400, 20032]);
    expect((await api('DELETE position')).body).toEqual([]);
    expect((await api('DELETE account/ETHUSDT')).body).toMatchObject({ marginBalance: '0' });
    expect((await api('DELETE account')).body).toEqual([]);
  });

  test('orders are placed under an id, read and canceled', async () => {
    expect(codeOf(await api('POST order', order()))).toEqual([400, 20032]);
    await put('1000');
    const first = order();
    const { clientOrderId, ...rest_ } = order();
    expect((await api('POST order', first)).body).toMatchObject({ status: 'new', cumQuantity: '0' });
    expect((await api(`PUT order/${clientOrderId}`, rest_)).body).toMatchObject({
      clientOrderId,
      status: 'new',
    });
    expect((await api('GET order')).body).toHaveLength(2);
    expect((await api(`GET order/${clientOrderId}`)).body).toMatchObject({ clientOrderId });
    expect((await api('GET account/ETHUSDT')).body.marginBalanceOrders).toBe('3.243133040000');
    expect((await api(`DELETE order/${clientOrderId}`)).body).toMatchObject({ status: 'canceled' });
    expect((await api('DELETE order?symbol=ETHUSDT')).body).toMatchObject([{ status: 'canceled' }]);
    expect(codeOf(await api(`GET order/${clientOrderId}`))).toEqual([400, 20002]);
    expect(codeOf(await api('GET account/NOPE'))).toEqual([400, 2001]);
    expect(codeOf(await api('GET account', undefined, 1))).toEqual([403, 1003]);
  });
});

describe('margin of v2 over the socket', () => {
  test('messages come in the documented order', async () => {
    const socket = await RawSocket.open(bench, '/api/2/ws/trading');
    const { apiKey, secret } = bench.key('demo');
    const ask = (method: string, params: object, id: string) => socket.ask({ method, params, id });
    await ask('login', { algo: 'BASIC', pKey: apiKey, sKey: secret.reveal() }, 'login');
    expect((await ask('marginSubscribe', {}, 'sub')).result).toBe(true);
    await socket.until(({ method }) => method === 'marginAccounts');
    const since = socket.received.length;
    const made = await ask('marginAccountSet', { symbol: 'ETHUSDT', marginBalance: '1000' }, 'set');
    expect(made.result).toMatchObject({ reportType: 'created', reportReason: 'created' });
    await socket.until(({ method }) => method === 'marginAccountReport');
    const one = order();
    socket.say({ method: 'marginOrderNew', params: one, id: 'new' });
    await socket.until(({ method }) => method === 'marginAccountReport');
    expect(socket.received.slice(since).map(({ method, id }) => method ?? id)).toEqual([
      'set',
      'marginAccountReport',
      'marginOrderReport',
      'new',
      'marginAccountReport',
    ]);
    expect((await ask('marginOrdersGet', {}, 'orders')).result).toHaveLength(1);
    const next = newId();
    const replace = {
      clientOrderId: one.clientOrderId,
      requestClientId: next,
      quantity: '0.002',
      price: '7933.30',
    };
    expect((await ask('marginOrderCancelReplace', replace, 'replace')).result).toMatchObject({
      clientOrderId: next,
      reportType: 'replaced',
    });
    await they({ side: 'sell', quantity: '0.002' });
    const trade = await socket.until(
      ({ method, params }) => method === 'marginOrderReport' && params.reportType === 'trade',
    );
    expect(trade.params).toMatchObject({ tradePositionId: 1, tradeQuantity: '0.002' });
    await they({ side: 'buy', quantity: '0.002' });
    const before = socket.received.length;
    const close = await ask('marginPositionClose', { symbol: 'ETHUSDT' }, 'close');
    expect(close.result).toMatchObject({ reportType: 'updated', position: { quantity: '0.002' } });
    const received = socket.received.slice(before).map(({ id, params }) => params?.reportReason ?? id);
    expect(received.indexOf('closed')).toBeGreaterThanOrEqual(0);
    expect(received.indexOf('closed')).toBeLessThan(received.indexOf('close'));
    expect((await ask('marginOrdersCancel', {}, 'cancel')).result).toEqual([]);
    expect((await ask('marginAccountsGet', {}, 'accounts')).result).toHaveLength(1);
    expect((await ask('marginOrderCancel', { clientOrderId: next }, 'gone')).error.code).toBe(20002);
    socket.close();
  });
});

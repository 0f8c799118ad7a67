import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { marginSymbol } from './support/margin-symbol.ts';
import type { Answer, Bench, Json } from './support/raw-client.ts';
import { newId, openBench, RawSocket, rest } from './support/raw-client.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench({ limits: { enabled: false }, symbols: [marginSymbol] });
  await api('PUT margin/account/isolated/ETHUSDT', { margin_balance: '1000' });
});
afterEach(() => bench.close());

const api = (line: string, json?: object, account = 'demo'): Promise<Answer> => {
  const [method, path] = line.split(' ') as [string, string];
  const key = bench.key(account);
  return rest(bench, `${method} /api/3/${path}`, { key, ...(json !== undefined && { json }) });
};
const order = { symbol: 'ETHUSDT', side: 'buy', quantity: '1', price: '100' };
const they = (change: object) => api('POST spot/order', { ...order, ...change }, 'demo-two');
const closing = (change: object = {}) =>
  api('POST margin/order', {
    client_order_id: newId(),
    symbol: 'ETHUSDT',
    side: 'sell',
    type: 'stopMarket',
    stop_price: '90',
    close_position: true,
    ...change,
  });
/** Two ETHUSDT bought on margin at 100. */
async function openPosition(): Promise<void> {
  await they({ side: 'sell', quantity: '2' });
  expect((await api('POST margin/order', { ...order, quantity: '2' })).body.status).toBe('filled');
}
/** A trade at 90, which fires the stop. */
async function fire(): Promise<void> {
  await they({ price: '90' });
  await they({ side: 'sell', price: '90' });
}
/** What is reported of an order: types and states. */
async function watch(): Promise<{ reports(id: string): Promise<string[]>; close(): void }> {
  const socket = await RawSocket.open(bench, '/api/3/ws/trading');
  await socket.login(bench.key('demo'));
  await socket.ask({ method: 'margin_subscribe', params: {}, id: 1 });
  return {
    async reports(id) {
      await socket.settle();
      const own = ({ method, params }: Json) => method === 'margin_order' && params.client_order_id === id;
      return socket.received
        .filter(own)
        .map(({ params }: Json) => `${params.report_type} ${params.quantity}`);
    },
    close: () => socket.close(),
  };
}

describe('an order that closes a position', () => {
  test('is canceled when it finds none at its trigger, placed before there was one or outliving it', async () => {
    const watched = await watch();
    const early = (await closing()).body;
    expect(early).toMatchObject({ status: 'suspended', close_position: true, quantity: '0.001' });
    await openPosition();
    const late = (await closing()).body;
    expect(late).toMatchObject({ status: 'suspended', quantity: '2.000' });
    await they({ quantity: '2', price: '95' });
    await api('POST margin/order', { ...order, side: 'sell', quantity: '2', price: '95' });
    await fire();
    for (const { client_order_id: id, quantity } of [early, late])
      expect(await watched.reports(id)).toEqual([`suspended ${quantity}`, `canceled ${quantity}`]);
    watched.close();
  });

  test('closes what is open at its trigger, also when it was placed before', async () => {
    const watched = await watch();
    const { client_order_id: id } = (await closing()).body;
    await openPosition();
    await they({ quantity: '5', price: '90' });
    await they({ side: 'sell', price: '90' });
    expect(await watched.reports(id)).toEqual(['suspended 0.001', 'new 2.000', 'trade 2.000']);
    expect((await api('GET margin/account/isolated/ETHUSDT')).body.positions).toBeNull();
    watched.close();
  });

  test('is canceled, not expired, when the book cannot close the position', async () => {
    const watched = await watch();
    await openPosition();
    const { client_order_id: id } = (await closing()).body;
    await fire();
    expect(await watched.reports(id)).toEqual(['suspended 2.000', 'new 2.000', 'canceled 2.000']);
    watched.close();
  });

  test.each([
    [{ type: 'takeProfitMarket' }, 20049, 'only a stopMarket order can be bound to close a position'],
    [{ type: 'stopLimit', price: '89' }, 20049, 'found stopLimit'],
    [{ type: 'market', stop_price: null }, 20049, 'found market'],
    [{ quantity: '1' }, 10001, '[quantity]. Parameter must be omitted with close_position'],
  ])('is refused with %j', async (change, code, words) => {
    await openPosition();
    const { status, body } = await closing(change);
    expect([status, body.error.code]).toEqual([400, code]);
    expect(`${body.error.message} ${body.error.description}`).toContain(words);
  });

  test('needs the margin account', async () => {
    await api('PUT margin/account/isolated/ETHUSDT', { margin_balance: '0' });
    expect((await closing()).body.error.code).toBe(20032);
  });
});

describe('closePosition of version 2', () => {
  const params = {
    symbol: 'ETHUSDT',
    side: 'sell',
    type: 'stopMarket',
    stopPrice: '90',
    closePosition: true,
  };
  const two = (line: string, json?: object): Promise<Answer> => {
    const [method, path] = line.split(' ') as [string, string];
    const key = bench.key('demo');
    return rest(bench, `${method} /api/2/${path}`, { key, basic: true, ...(json && { json }) });
  };
  const socket = async (): Promise<RawSocket> => {
    const opened = await RawSocket.open(bench, '/api/2/ws/trading');
    const { apiKey, secret } = bench.key('demo');
    await opened.ask({
      method: 'login',
      params: { algo: 'BASIC', pKey: apiKey, sKey: secret.reveal() },
      id: 1,
    });
    return opened;
  };

  test('places the order on margin, over newOrder as over the methods of margin', async () => {
    await openPosition();
    const trading = await socket();
    const ids = [newId(), newId()];
    for (const [at, method] of ['newOrder', 'marginOrderNew'].entries()) {
      const { result } = await trading.ask({
        method,
        params: { ...params, clientOrderId: ids[at] },
        id: method,
      });
      expect(result).toMatchObject({ reportType: 'suspended', status: 'suspended', quantity: '2.000' });
    }
    const posted = await two('POST order', params);
    const put = await two(`PUT order/${newId()}`, params);
    expect([posted.body.status, put.body.status]).toEqual(['suspended', 'suspended']);
    const active = (await two('GET margin/order')).body.map((row: Json) => row.clientOrderId);
    expect(active).toEqual([...ids, posted.body.clientOrderId, put.body.clientOrderId]);
    expect((await two('GET order')).body).toEqual([]);
    trading.close();
  });

  test('needs the quantity omitted and a stop market order', async () => {
    await openPosition();
    const trading = await socket();
    for (const method of ['newOrder', 'marginOrderNew']) {
      const ask = (change: object) =>
        trading.ask({ method, params: { ...params, clientOrderId: newId(), ...change }, id: newId() });
      expect((await ask({ quantity: '1' })).error).toMatchObject({
        code: 10001,
        description: expect.stringContaining('must be omitted with closePosition'),
      });
      expect((await ask({ type: 'limit', price: '120', stopPrice: null })).error.code).toBe(20049);
    }
    trading.close();
  });
});

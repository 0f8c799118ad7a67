import { afterEach, beforeEach, expect, test } from 'vitest';
import { marginSymbol } from './support/margin-symbol.ts';
import type { Answer, Bench } from './support/raw-client.ts';
import { openBench, RawSocket, rest } from './support/raw-client.ts';

// The exchange starts at 22:13:20 UTC. An id of version 3 is free again a minute after its order ended.

let bench: Bench;
const toMidnight = (3_600 + 46 * 60 + 40) * 1_000;
const id = 'once-a-day';

beforeEach(async () => {
  bench = await openBench({ limits: { enabled: false }, symbols: [marginSymbol] });
  await api('PUT /api/3/margin/account/isolated/ETHUSDT', { margin_balance: '1000' });
});
afterEach(() => bench.close());

const api = (request: string, json?: object): Promise<Answer> =>
  rest(bench, request, { key: bench.key('demo'), basic: true, ...(json !== undefined && { json }) });
const order = { symbol: 'ETHUSDT', side: 'buy', quantity: '0.1', price: '100' };
const codeOf = async (answer: Promise<Answer>) => (await answer).body.error?.code;
let count = 0;
/** A socket of its own each time: none lives over the hours that pass. */
const ask = async (method: string, params: object): Promise<unknown> => {
  const line = await RawSocket.open(bench, '/api/2/ws/trading');
  await line.loginV2(bench.key('demo'));
  const { error } = await line.ask({ method, params, id: 1 });
  line.close();
  return error?.code;
};
const cancel = () => codeOf(api(`DELETE /api/2/order/${id}`));
const onV3 = () => codeOf(api('POST /api/3/spot/order', { ...order, client_order_id: id }));

/** Every way of version 2 to begin an order under an id. */
const ways: readonly [string, (clientOrderId: string) => Promise<unknown>][] = [
  ['newOrder', (clientOrderId) => ask('newOrder', { ...order, clientOrderId })],
  ['marginOrderNew', (clientOrderId) => ask('marginOrderNew', { ...order, clientOrderId })],
  ['POST /order', (clientOrderId) => codeOf(api('POST /api/2/order', { ...order, clientOrderId }))],
  ['PUT /order', (clientOrderId) => codeOf(api(`PUT /api/2/order/${clientOrderId}`, order))],
  [
    'POST /margin/order',
    (clientOrderId) => codeOf(api('POST /api/2/margin/order', { ...order, clientOrderId })),
  ],
  ['PUT /margin/order', (clientOrderId) => codeOf(api(`PUT /api/2/margin/order/${clientOrderId}`, order))],
];
const replacements: typeof ways = [
  ['cancelReplaceOrder', (newId) => replaced('newOrder', (old) => ask('cancelReplaceOrder', to(old, newId)))],
  [
    'marginOrderCancelReplace',
    (newId) => replaced('marginOrderNew', (old) => ask('marginOrderCancelReplace', to(old, newId))),
  ],
  [
    'PATCH /order',
    (newId) => replaced('newOrder', (old) => codeOf(api(`PATCH /api/2/order/${old}`, to(old, newId)))),
  ],
];
const to = (clientOrderId: string, requestClientId: string) => ({
  clientOrderId,
  requestClientId,
  quantity: '0.2',
  price: '100',
});
async function replaced(method: string, change: (old: string) => Promise<unknown>): Promise<unknown> {
  const old = `to-be-replaced-${++count}`;
  expect(await ask(method, { ...order, clientOrderId: old })).toBeUndefined();
  return change(old);
}

test.each([...ways, ...replacements])('%s takes an id once in a trading day', async (_, begin) => {
  expect(await onV3()).toBeUndefined();
  expect(await cancel()).toBeUndefined();
  bench.pass(61_000);
  expect(await begin(id)).toBe(20008);
  expect(await begin('another-one')).toBeUndefined();
  bench.pass(toMidnight - 61_001);
  expect(await begin(id)).toBe(20008);
  bench.pass(1);
  expect(await begin(id)).toBeUndefined();
});

test('version 3 takes it again a minute after the order ended', async () => {
  expect(await ask('newOrder', { ...order, clientOrderId: id })).toBeUndefined();
  expect(await cancel()).toBeUndefined();
  expect(await onV3()).toBe(20008);
  bench.pass(60_000);
  expect(await onV3()).toBeUndefined();
});

test('an id is taken on every day on which its order was active', async () => {
  expect(await ask('newOrder', { ...order, clientOrderId: id })).toBeUndefined();
  bench.pass(toMidnight + 1_000);
  expect(await ask('newOrder', { ...order, clientOrderId: id })).toBe(20008);
  expect(await cancel()).toBeUndefined();
  bench.pass(86_398_000);
  expect(await ask('newOrder', { ...order, clientOrderId: id })).toBe(20008);
  bench.pass(1_000);
  expect(await ask('newOrder', { ...order, clientOrderId: id })).toBeUndefined();
});

import { afterEach, describe, expect, test } from 'vitest';
import { troubledGateway } from '../../src/app/gateway/command.ts';
import type { Trouble, TroubleName } from '../../src/exchange/chaos/index.ts';
import { beginTrouble, troubleNames, troubles } from '../../src/exchange/chaos/index.ts';
import type { Json } from '../exchange/support/raw-client.ts';
import { RawSocket } from '../exchange/support/raw-client.ts';
import type { GatewayStage } from './support/gateway-stage.ts';
import { askAs, openWithMarket } from './support/gateway-stage.ts';
import { venueOrders } from './support/invariants.ts';
import { until } from './support/until.ts';

// Each trouble that a gateway can have, as a program meets it; the venue has each order once, whatever the program was answered.

let on: GatewayStage;
const sockets: RawSocket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.close();
  await on.close();
});

let count = 0;
const newId = (): string => `chaos-order-${String(++count).padStart(4, '0')}`;
const bid = (id = newId()) => ({
  client_order_id: id,
  symbol: 'BTCUSDT',
  side: 'buy',
  price: '62000',
  quantity: '0.01',
});
const place = (order = bid()) => on.ask('grid', 'POST', '/api/3/spot/order', order);
const atVenue = (): number => venueOrders(on.stage).length;
const begin = (name: TroubleName, times = 1) =>
  beginTrouble(name, troubledGateway(on.faults, ['BTCUSDT']), { times });

async function trading(): Promise<RawSocket> {
  const key = on.keys.read().get('grid');
  if (key === undefined) throw new Error('the program has no key');
  const socket = await RawSocket.open({ server: on.gateway }, '/api/3/ws/trading');
  sockets.push(socket);
  await socket.login(key);
  await socket.ask({ method: 'spot_subscribe', params: {}, id: 1 });
  return socket;
}

const reportsOf = (socket: RawSocket, id: string): string[] =>
  socket.received
    .filter(({ method, params }: Json) => method === 'spot_order' && params.client_order_id === id)
    .map(({ params }: Json) => params.report_type);

/** A socket that follows a book, and the last sequence number that it has. */
async function following(symbol: string) {
  const socket = await RawSocket.open({ server: on.gateway }, '/api/3/ws/public');
  sockets.push(socket);
  await socket.ask({ method: 'subscribe', ch: 'orderbook/full', params: { symbols: [symbol] }, id: 1 });
  const sequences = (): number[] =>
    socket.received.filter(({ ch }) => ch).map((frame) => (frame.snapshot ?? frame.update)[symbol].s);
  await until('a snapshot', () => sequences().length > 0);
  return { socket, sequences };
}

/** Somebody else changes the book at the venue. */
async function change(symbol = 'BTCUSDT', price = '60000'): Promise<void> {
  const { exchange } = on.stage;
  const key = exchange.accounts.get('demo-two').keys[0];
  const form = { symbol, side: 'buy', price, quantity: '0.01' };
  const pair = `${key?.apiKey}:${key?.secret.reveal()}`;
  await askAs(exchange.restUrl, pair, { method: 'POST', path: '/api/3/spot/order', form });
}

const seen: Partial<Readonly<Record<TroubleName, () => Promise<void>>>> = {
  async 'frozen-feed'() {
    const followed = await following('BTCUSDT');
    const passedOn = await following('ETHUSDT');
    const before = [followed.sequences().length, passedOn.sequences().length];
    const end = begin('frozen-feed');
    const { view, instruments } = on.stage.daemon.trader;
    const btc = instruments.get('BTCUSDT');
    await change('BTCUSDT', '63100');
    await change('ETHUSDT', '2000');
    // The daemon itself goes on.
    await until('the book of the daemon', () => view.book(btc.id).bestBid === btc.ticks('63100'));
    await passedOn.socket.settle();
    await followed.socket.settle();
    expect([followed.sequences().length, passedOn.sequences().length]).toEqual(before);
    end();
    await change('BTCUSDT', '60001');
    await change('ETHUSDT', '2001');
    await until('the feeds', () => followed.sequences().length > (before[0] ?? 0));
    await until('what is passed on', () => passedOn.sequences().length > (before[1] ?? 0));
  },
  async gap() {
    const { sequences } = await following('BTCUSDT');
    begin('gap');
    const first = sequences().at(-1) ?? 0;
    let turn = 0;
    await until('an update', async () => {
      turn += 1;
      await change('BTCUSDT', String(59_000 + turn));
      return (sequences().at(-1) ?? 0) > first;
    });
    expect(sequences()[1]).toBeGreaterThan(first + 1);
  },
  async 'lost-acknowledgement'() {
    const socket = await trading();
    begin('lost-acknowledgement');
    const order = bid();
    socket.say({ method: 'spot_new_order', params: order, id: 2 });
    await until('the report', () => reportsOf(socket, order.client_order_id).length > 0);
    await socket.settle();
    expect(socket.received.filter(({ id }) => id === 2)).toEqual([]);
    expect(atVenue()).toBe(1);
  },
  async 'lost-replies'() {
    const socket = await trading();
    begin('lost-replies');
    socket.say({ method: 'spot_get_orders', params: {}, id: 2 });
    await socket.ask({ method: 'spot_get_orders', params: {}, id: 3 });
    expect(socket.received.filter(({ id }) => id === 2)).toEqual([]);
  },
  async 'late-replies'() {
    const socket = await trading();
    const order = bid();
    begin('late-replies');
    socket.say({ method: 'spot_new_order', params: order, id: 2 });
    await until('the report', () => reportsOf(socket, order.client_order_id).length > 0);
    const hadReply = socket.received.some(({ id }) => id === 2);
    expect(hadReply).toBe(false);
    await socket.until(({ id }) => id === 2);
  },
  async 'timeout-accepted'() {
    begin('timeout-accepted');
    const order = bid();
    expect((await place(order)).status).toBe(504);
    await until('the order at the venue', () => atVenue() === 1);
    await until('the order as the program finds it', async () => {
      const { body } = await on.ask('grid', 'GET', '/api/3/spot/order');
      return Array.isArray(body) && body[0]?.client_order_id === order.client_order_id;
    });
    // Sent again with its id it is refused: there is one.
    expect((await place(order)).body.error.code).toBe(20_008);
    expect(atVenue()).toBe(1);
  },
  async 'repeated-reports'() {
    const socket = await trading();
    const order = bid();
    await place(order);
    await on.ask('grid', 'DELETE', `/api/3/spot/order/${order.client_order_id}`);
    await until('its end', () => reportsOf(socket, order.client_order_id).includes('canceled'));
    await socket.settle();
    expect(reportsOf(socket, order.client_order_id)).toEqual(['new', 'canceled']);
    begin('repeated-reports', 2);
    const other = { ...bid(), price: '61000' };
    await place(other);
    await on.ask('grid', 'DELETE', `/api/3/spot/order/${other.client_order_id}`);
    await until('its end', () => reportsOf(socket, other.client_order_id).includes('canceled'));
    await socket.settle();
    expect(reportsOf(socket, other.client_order_id)).toEqual(['new', 'new', 'canceled', 'canceled']);
  },
  async 'reordered-reports'() {
    const socket = await trading();
    begin('reordered-reports');
    const order = bid();
    await place(order);
    await on.ask('grid', 'DELETE', `/api/3/spot/order/${order.client_order_id}`);
    await until('both', () => reportsOf(socket, order.client_order_id).length >= 2);
    expect(reportsOf(socket, order.client_order_id).toSorted()).toEqual(['canceled', 'new']);
  },
  async 'rate-limited'() {
    const end = begin('rate-limited', 100);
    expect((await place()).status).toBe(429);
    end();
    expect(atVenue()).toBe(0);
  },
  async unavailable() {
    begin('unavailable');
    expect((await place()).status).toBe(503);
    expect(atVenue()).toBe(0);
  },
  async restart() {
    const socket = await trading();
    await place();
    const end = begin('restart');
    expect((await socket.untilClosed()).code).toBe(1_012);
    expect((await place()).status).toBe(503);
    await expect(RawSocket.open({ server: on.gateway }, '/api/3/ws/trading')).rejects.toThrow('503');
    // The daemon keeps its own connections, and the order lives.
    expect(on.stage.daemon.trader.view.openOrders('grid')).toHaveLength(1);
    end();
    expect((await place({ ...bid(), price: '61000' })).status).toBe(200);
    expect(atVenue()).toBe(2);
  },
};

describe('a program meets', () => {
  for (const name of troubleNames) {
    const { notAtGateway }: Trouble = troubles[name];
    if (notAtGateway !== undefined) continue;
    test(name, async () => {
      on = await openWithMarket([{ name: 'grid', symbols: ['BTCUSDT'] }]);
      const look = seen[name];
      if (look === undefined) throw new Error(`expected a look at ${name}, found none`);
      await look();
    });
  }
});

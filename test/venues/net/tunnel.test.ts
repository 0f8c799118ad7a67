import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { channels } from '../../../src/venues/hitbtc/typed/index.ts';
import { failureOf, Stage } from '../../api/support.ts';
import { ConnectProxy } from '../hitbtc/client/support/connect-proxy.ts';
import { holds } from '../../system/support/holds.ts';

let stage: Stage;
let proxy: ConnectProxy;

beforeEach(async () => {
  stage = await Stage.start({ flow: { enabled: false } });
  proxy = await ConnectProxy.start();
  vi.stubEnv('http_proxy', `http://me:very-secret@${proxy.host}`);
  vi.stubEnv('no_proxy', '');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await stage.close();
  await proxy.close();
});

const venueHost = () => new URL(stage.server.restUrl).host;

test('requests and sockets go through the proxy that the environment names, with its name and password', async () => {
  const client = stage.client();
  const order = { symbol: 'ETHBTC', side: 'buy', quantity: '0.1', price: '0.02' } as const;
  expect(await client.v3.spot.createOrder(order)).toMatchObject({ status: 'new' });
  const market = client.sockets.marketV3();
  let received = 0;
  await market.subscribe(channels.fullBookChannel(), { keys: ['ETHBTC'] }, () => (received += 1));
  await holds(() => expect(received).toBeGreaterThan(0));
  const trading = client.sockets.tradingV3();
  expect(await trading.spot.orders()).toHaveLength(1);
  expect(new Set(proxy.asked)).toEqual(new Set([venueHost()]));
  expect(proxy.asked.length).toBeGreaterThanOrEqual(3);
  const basic = `Basic ${Buffer.from('me:very-secret').toString('base64')}`;
  expect(new Set(proxy.authorizations)).toEqual(new Set([basic]));
});

test('hosts of NO_PROXY are asked directly, and so is everything where the options say so', async () => {
  vi.stubEnv('no_proxy', '127.0.0.1');
  expect(await stage.client().v3.spot.orders()).toEqual([]);
  vi.stubEnv('no_proxy', '');
  const direct = stage.client({ options: { rest: { proxy: false }, socket: { proxy: false } } });
  expect(await direct.v3.spot.orders()).toEqual([]);
  expect(await direct.sockets.tradingV3().spot.orders()).toEqual([]);
  expect(proxy.asked).toEqual([]);
});

test('a request that the proxy refuses never left, and no message holds the password', async () => {
  proxy.refuses = 407;
  const client = stage.client();
  const order = { symbol: 'ETHBTC', side: 'buy', quantity: '0.1', price: '0.02' } as const;
  const refused = await failureOf(client.v3.spot.createOrder(order));
  expect(refused).toMatchObject({ outcome: 'known' });
  expect(JSON.stringify(refused)).not.toContain('very-secret');
  const faults: string[] = [];
  const market = client.sockets.marketV3();
  market.faults$.subscribe((fault) => faults.push(fault));
  market.socket.states$.subscribe((state) => faults.push(JSON.stringify(state)));
  void market.subscribe(channels.fullBookChannel(), { keys: ['ETHBTC'] }, () => {}).catch(() => {});
  await holds(() => expect(proxy.asked.length).toBeGreaterThan(2));
  expect(faults.join()).not.toContain('very-secret');
});

test('a venue with TLS is spoken to in TLS, inside the tunnel', async () => {
  const first: Buffer[] = [];
  const plain = createServer((socket) =>
    socket.once('data', (bytes) => (first.push(bytes as Buffer), socket.destroy())),
  );
  await new Promise<void>((resolve) => {
    plain.listen(0, '127.0.0.1', resolve);
  });
  vi.stubEnv('https_proxy', `http://${proxy.host}`);
  const host = `localhost:${(plain.address() as AddressInfo).port}`;
  const client = stage.client({ baseUrl: `https://${host}`, wsUrl: `wss://${host}` });
  void client.v3.marketData.currencies().catch(() => {});
  void client.sockets
    .marketV3()
    .subscriptions(channels.fullBookChannel())
    .catch(() => {});
  await holds(() => expect(first.length).toBeGreaterThanOrEqual(2));
  // A record of a handshake, and the name of the host in it.
  for (const bytes of first) expect([bytes[0], bytes.includes('localhost')]).toEqual([22, true]);
  expect(new Set(proxy.asked)).toEqual(new Set([host]));
  plain.close();
});

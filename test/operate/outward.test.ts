import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { afterEach, expect, test, vi } from 'vitest';
import { outwardTo } from '../../src/operate/outward.ts';
import { telegramCall } from '../../src/operate/telegram.ts';
import { ConnectProxy } from '../venues/hitbtc/client/support/connect-proxy.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('messages to a service go through the proxy of the environment, unless its host is left out', async () => {
  const proxy = await ConnectProxy.start();
  const service = createServer((_request, response) => response.end('{"ok":true,"result":7}'));
  await new Promise<void>((resolve) => {
    service.listen(0, '127.0.0.1', resolve);
  });
  const host = `127.0.0.1:${(service.address() as AddressInfo).port}`;
  vi.stubEnv('http_proxy', `http://${proxy.host}`);
  expect(await telegramCall(`http://${host}`, 'token')('sendMessage', {})).toBe(7);
  expect(proxy.asked).toEqual([host]);
  vi.stubEnv('no_proxy', '127.0.0.1');
  const direct = await request(`http://${host}`, outwardTo(`http://${host}`));
  await direct.body.dump();
  expect(proxy.asked).toEqual([host]);
  await proxy.close();
  service.closeAllConnections();
  service.close();
});

import { afterEach, beforeEach, expect, test } from 'vitest';
import { BadInput } from '../../src/core/base/errors.ts';
import { Random } from '../../src/core/base/random.ts';
import { ExchangeServer } from '../../src/exchange/server/server.ts';
import type { Bench } from './support/raw-client.ts';
import { openBench, RawSocket, rest } from './support/raw-client.ts';
import { rawHttp } from './support/raw-http.ts';

// What clients written in other languages do, and ours does not.

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

test.each(['h2c', 'TLS/1.0, HTTP/1.1'])(
  'a client that would rather speak %s is answered in what it speaks',
  async (protocol) => {
    const wish = `Connection: Upgrade\r\nUpgrade: ${protocol}\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n`;
    const path = '/api/3/public/symbol/ETHBTC';
    const text = await rawHttp(bench, `GET ${path} HTTP/1.1\r\nHost: x\r\n${wish}\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(text).toContain(JSON.stringify((await rest(bench, `GET ${path}`)).body));
  },
);

test.each([
  ['a whole number beyond doubles', '1700000000000000001'],
  ['a negative one', '-1700000000000000001'],
  ['such a number with space before it', '1700000000000000001', ' \n'],
  ['the same digits as text', '"1700000000000000001"'],
  ['a fraction', '1.5'],
  ['text', '"1,\\"2"'],
])('an id that is %s comes back as it is', async (_, id, space = '') => {
  for (const path of ['/api/3/ws/public', '/api/3/ws/trading', '/api/2/ws']) {
    const socket = await RawSocket.open(bench, path);
    socket.say(`{"method":"nothing of that name","params":{"id":7},"id":${space}${id}}`);
    await socket.until(() => true);
    expect(socket.texts[0]).toContain(`,"id":${id}}`);
    socket.close();
  }
});

test('an id that is no number JSON can write is left out', async () => {
  const socket = await RawSocket.open(bench, '/api/3/ws/public');
  socket.say('{"method":"nothing of that name","id":1e999}');
  expect(await socket.until(() => true)).not.toHaveProperty('id');
  socket.close();
});

test('a port that is taken is reported in one sentence', async () => {
  const port = Number(new URL(bench.server.restUrl).port);
  const second = ExchangeServer.start({
    options: {},
    clock: bench.clock,
    random: new Random(1),
    port,
  });
  await expect(second).rejects.toThrow(BadInput);
  await expect(second).rejects.toThrow(
    `cannot listen on 127.0.0.1 port ${port} (EADDRINUSE): choose another port, or --port 0 for a free one`,
  );
});

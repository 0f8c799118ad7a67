import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Bench } from './support/raw-client.ts';
import { openBench } from './support/raw-client.ts';

let bench: Bench;

beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

const upgrade = 'Host: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n';
const key = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

/** Sends `request`, never ends its own half, and tells whether the exchange lets go of the connection all the same. */
function isLetGo(request: string): Promise<boolean> {
  const { hostname, port } = new URL(bench.server.restUrl);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    socket.write(request);
    socket.resume();
    let writes = 0;
    // Only a connection that is gone on the other side answers what is written to it with a reset.
    const more = setInterval(() => {
      writes += 1;
      bench.pass(10);
      if (writes > 100) socket.destroy();
      else socket.write('x');
    }, 10);
    socket.on('error', () => {});
    socket.on('close', (failed) => {
      clearInterval(more);
      resolve(failed);
    });
  });
}

test.each([
  ['no request', 'GARBAGE\r\n\r\n'],
  ['a socket where there is none', `GET /api/3/ws/nowhere HTTP/1.1\r\n${upgrade}${key}\r\n`],
  ['a socket without a key', `GET /api/3/ws/public HTTP/1.1\r\n${upgrade}\r\n`],
  ['a call that is to close', 'GET /api/3/public/ticker HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
])('whoever is answered for good and stays is let go: %s', async (_, request) => {
  expect(await isLetGo(request)).toBe(true);
});

import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { Operated } from './support.ts';
import { ask, operated, tokens } from './support.ts';

let open: Operated | undefined;
let sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await open?.server.close();
  open = undefined;
});

const many = 1_300;
const authorization = `Authorization: Bearer ${tokens.operate}\r\n`;

/** Connects, and sends `text`. What answers is read. */
async function arrive(server: Operated['server'], text: string): Promise<Socket> {
  const { port } = new URL(server.url);
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
  sockets.push(socket);
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
  socket.resume().write(text);
  return socket;
}

/** Everything that somebody without the token can do with a connection. */
const crowds: Readonly<Record<string, (host: string) => string>> = {
  'asked /health once and are idle': (host) => `GET /health HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
  'never ask': () => '',
  'never end a head': (host) => `GET /api/status HTTP/1.1\r\nHost: ${host}\r\nX-A: b`,
  'never end a body': (host) =>
    `POST /api/acts HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{`,
  'ask for live state': (host) => `GET /api/events HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
  'have wrong tokens': (host) =>
    `GET /api/events HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer wrong-token-of-the-test\r\n\r\n`,
};

describe.each(Object.entries(crowds))('%s', (_, text) => {
  test(`beside ${many} such connections who has the token is served, and a reader of live state stays`, async () => {
    open = await operated();
    const { server, acts } = open;
    const { host } = new URL(server.url);
    const reader = await arrive(server, `GET /api/events HTTP/1.1\r\nHost: ${host}\r\n${authorization}\r\n`);
    await once(reader, 'data');
    const crowd: Promise<Socket>[] = [];
    for (let i = 0; i < many; i++) crowd.push(arrive(server, text(host)));
    expect((await ask(server, '/api/status')).status).toBe(200);
    await Promise.all(crowd);
    expect((await ask(server, '/api/acts', { body: { act: 'halt' } })).status).toBe(200);
    expect((await ask(server, '/health', { token: '' })).status).toBe(200);
    expect(acts).toHaveLength(1);
    expect([reader.destroyed, server.readers]).toEqual([false, 1]);
  });
});

test('with four hundred connections that have the token a newer one closes the one that is idle longest, never a live one', async () => {
  open = await operated();
  const { server } = open;
  const { host } = new URL(server.url);
  const asks = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${authorization}\r\n`;
  const reader = await arrive(server, asks('/api/events'));
  await once(reader, 'data');
  const idle = Array.from({ length: 401 }, () => arrive(server, asks('/api/versions')));
  const [first] = await Promise.all(idle);
  if (first?.destroyed === false) await once(first, 'close');
  expect((await ask(server, '/api/status')).status).toBe(200);
  expect([reader.destroyed, server.readers]).toEqual([false, 1]);
});

test('a connection that is idle is closed within a few seconds', async () => {
  open = await operated();
  const { host } = new URL(open.server.url);
  const socket = await arrive(open.server, `GET /health HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toContain('Keep-Alive: timeout=2');
  await once(socket, 'close');
});

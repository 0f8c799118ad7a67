import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { expect, test } from 'vitest';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import { pieceRows } from '../../../src/venues/net/list-pieces.ts';
import { openNetwork } from '../../../src/venues/net/network.ts';
import { RestTransport } from '../../../src/venues/net/rest-transport.ts';
import { clientOptions } from '../../../src/venues/options.ts';

const rows = Array.from({ length: 30_000 }, (_, at) => ({ id: at, note: 'x'.repeat(80) }));
const body = Buffer.from(JSON.stringify(rows));
const options = clientOptions.parse({}).rest;
const asked = { method: 'GET', path: '/', headers: {}, body: undefined, signal: undefined } as const;

test('a turn of the loop takes no more of a long answer than two chunks', async () => {
  const perTurn: number[] = [];
  const held = { isPaused: false };
  const controller = {
    pause: () => (held.isPaused = true),
    resume: () => (held.isPaused = false),
    abort: () => {},
  } as unknown as Dispatcher.DispatchController;
  const answer = async (handler: Dispatcher.DispatchHandler): Promise<void> => {
    handler.onRequestStart?.(controller, undefined);
    handler.onResponseStart?.(controller, 200, {}, 'OK');
    for (let at = 0; at < body.length; await setImmediate()) {
      const from = at;
      while (!held.isPaused && at < body.length) {
        handler.onResponseData?.(controller, body.subarray(at, at + 65_536));
        at += 65_536;
      }
      perTurn.push(at - from);
    }
    handler.onResponseEnd?.(controller, {});
  };
  const transport = new RestTransport('http://venue.test', new SystemClock(), options, {
    ...openNetwork,
    pool: () => ({
      dispatch: (_request, handler) => {
        void answer(handler);
        return true;
      },
      destroy: () => Promise.resolve(),
    }),
  });
  const { texts } = await transport.send(asked);
  expect(texts).toHaveLength(rows.length / pieceRows);
  expect(Math.max(...perTurn)).toBe(131_072);
});

test('a long answer is whole, though it is held on the way', async () => {
  const server = createServer((_, reply) => reply.end(body)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const transport = new RestTransport(`http://127.0.0.1:${port}`, new SystemClock(), options);
  for (let time = 0; time < 2; time++) {
    const { status, texts } = await transport.send(asked);
    expect(status).toBe(200);
    const read = texts.flatMap((text) => JSON.parse(Buffer.from(text).toString()) as object[]);
    expect(read).toEqual(rows);
  }
  await transport.close();
  server.close();
});

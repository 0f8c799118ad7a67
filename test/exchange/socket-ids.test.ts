import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Bench } from './support/raw-client.ts';
import { openBench, RawSocket } from './support/raw-client.ts';

let bench: Bench;
const sockets: RawSocket[] = [];

beforeEach(async () => {
  bench = await openBench({ limits: { enabled: false } });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.close();
  await bench.close();
});

async function open(path: string): Promise<RawSocket> {
  const socket = await RawSocket.open(bench, path);
  sockets.push(socket);
  return socket;
}

/** What a socket answers to texts, as texts. */
async function answersTo(path: string, ...texts: readonly string[]): Promise<readonly string[]> {
  const socket = await open(path);
  for (const text of texts) socket.say(text);
  await socket.settle();
  return socket.texts.filter((text) => !text.includes('"settle-'));
}

test('a null id is an id: the reply has it', async () => {
  expect(await answersTo('/api/3/ws/public', '{"method":"subscriptions","ch":"trades","id":null}')).toEqual([
    '{"result":{"ch":"trades","subscriptions":[]},"id":null}',
  ]);
  expect(await answersTo('/api/3/ws/trading', '{"method":"spot_balances","id":null}')).toEqual([
    expect.stringMatching(/^\{"jsonrpc":"2\.0","error":\{"code":1002,.*\},"id":null\}$/),
  ]);
  expect(
    await answersTo('/api/2/ws/public', '{"method":"getSymbols","params":{"symbol":"NOPE"},"id":null}'),
  ).toEqual(['{"jsonrpc":"2.0","result":[],"id":null}']);
});

describe('on sockets of version 2', () => {
  test('a request without an id is a notification: it is done and gets no reply', async () => {
    const texts = await answersTo(
      '/api/2/ws',
      '{"method":"subscribeTicker","params":{"symbol":"ETHBTC"}}',
      '{"method":"subscribeTicker","params":{"symbol":"NOPE"}}',
      '{"method":"nothing"}',
      '{"method":"getOrders","params":{}}',
    );
    expect(texts).toEqual([expect.stringMatching(/^\{"jsonrpc":"2\.0","method":"ticker",/)]);
  });

  test('the login is answered all the same, as on those of version 3', async () => {
    const { apiKey, secret } = bench.key('demo');
    const params = { algo: 'BASIC', pKey: apiKey, sKey: secret.reveal() };
    const right = JSON.stringify({ method: 'login', params });
    const wrong = JSON.stringify({ method: 'login', params: { ...params, sKey: 'wrong' } });
    expect(await answersTo('/api/2/ws/trading', wrong, right)).toEqual([
      '{"jsonrpc":"2.0","error":{"code":1002,"message":"Authorization failed"}}',
      '{"jsonrpc":"2.0","result":true}',
    ]);
  });

  test('what is no request at all is worded as an unknown method is', async () => {
    const notFound = '{"jsonrpc":"2.0","error":{"code":404,"message":"Method not found"}';
    expect(await answersTo('/api/2/ws/public', '[]', '7', '{"id":4}', '{"method":"nothing","id":5}')).toEqual(
      [`${notFound}}`, `${notFound}}`, `${notFound},"id":4}`, `${notFound},"id":5}`],
    );
  });
});

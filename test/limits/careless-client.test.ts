import { Agent, request } from 'undici';
import type { Dispatcher } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiKey } from '../../src/exchange/base/accounts.ts';
import type { Bench } from '../exchange/support/raw-client.ts';
import { openBench, RawSocket } from '../exchange/support/raw-client.ts';
import type { DocumentedLimit } from './support/documented.ts';
import { documentedLimits } from './support/documented.ts';

// The clock is virtual and stands still while requests are counted: everything happens within one second.

let bench: Bench;
/** Two addresses of this machine, so that limits of an account can be distinguished from those of an address. */
const addresses = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4'].map(
  (localAddress) => new Agent({ connections: 16, localAddress }),
);
beforeAll(async () => {
  bench = await openBench();
});
afterAll(async () => {
  await Promise.all(addresses.map((agent) => agent.close()));
  await bench.close();
});

test.each(documentedLimits.map((limit) => [limit.name, limit] as const))(
  '%s: as many as the documents say pass within a second, the next is a 429, a second later as many again',
  async (_, limit) => {
    const { ask, scope, passes } = limit;
    const key = bench.key('demo');
    for (let round = 0; round < 2; round++) {
      bench.pass(1_000);
      expect(await refusedOf(ask, scope, { key, count: passes + 5 })).toBe(5);
    }
  },
);

/** How many of `count` askings of one second were refused for their rate. */
function refusedOf(
  ask: DocumentedLimit['ask'],
  scope: DocumentedLimit['scope'],
  { key, count }: { readonly key: ApiKey; readonly count: number },
): Promise<number> {
  if (ask.of === 'rest') return careless(ask.line, scope, { key: ask.signed ? key : undefined, count });
  if (ask.of === 'opening') return carelessOpenings(ask.location, count);
  if (ask.of === 'message') return carelessMessages(ask, count);
  return carelessSocket(ask, key, count);
}

async function carelessOpenings(location: string, count: number): Promise<number> {
  const opened = await Promise.all(
    Array.from({ length: count }, () =>
      RawSocket.open(bench, location).catch((error: unknown) => String(error)),
    ),
  );
  for (const socket of opened) if (typeof socket !== 'string') socket.close();
  return opened.filter((socket) => typeof socket === 'string' && socket.includes('429')).length;
}

/** How many of `count` requests of one second were refused for their rate. */
async function careless(
  line: string,
  scope: DocumentedLimit['scope'],
  { key, count }: { readonly key: ApiKey | undefined; readonly count: number },
): Promise<number> {
  const [method, path] = line.split(' ') as [Dispatcher.HttpMethod, string];
  const headers =
    key === undefined
      ? {}
      : {
          authorization: `Basic ${Buffer.from(`${key.apiKey}:${key.secret.reveal()}`).toString('base64')}`,
        };
  const statuses = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const dispatcher = addresses[scope === 'account' ? index % addresses.length : 0] as Agent;
      const answer = await request(bench.server.restUrl + path, { method, headers, dispatcher });
      await answer.body.dump();
      return answer.statusCode;
    }),
  );
  return statuses.filter((status) => status === 429).length;
}

/** The messages come over many connections: the address is counted. */
async function carelessMessages(
  { location, message }: { readonly location: string; readonly message: object },
  count: number,
): Promise<number> {
  const sockets = await Promise.all(Array.from({ length: 20 }, () => RawSocket.open(bench, location)));
  return refusedAmong(sockets, count, message);
}

/** Every other message goes over a second session from another address: the account is counted, not the session. */
async function carelessSocket(
  { location, method }: { readonly location: string; readonly method: string },
  key: ApiKey,
  count: number,
): Promise<number> {
  const isV2 = location.startsWith('/api/2');
  const from = (localAddress: string) => RawSocket.open(bench, location, { localAddress });
  const sessions = await Promise.all(['127.0.0.1', '127.0.0.2'].map(from));
  for (const session of method === 'login' ? [] : sessions)
    await (isV2 ? session.loginV2(key) : session.login(key));
  bench.pass(1_000);
  return refusedAmong(sessions, count, { method, params: paramsOf(method, key) });
}

/** Says the message `count` times over the sockets in turns, and closes them. */
async function refusedAmong(sockets: readonly RawSocket[], count: number, message: object): Promise<number> {
  const replies = await Promise.all(
    Array.from({ length: count }, async (_, id) => sockets[id % sockets.length]?.ask({ ...message, id })),
  );
  for (const socket of sockets) socket.close();
  return replies.filter((reply) => reply?.error?.code === 429).length;
}

/** Refusals for other reasons count like any request; what is asked need not succeed. */
function paramsOf(method: string, key: ApiKey): object {
  const [apiKey, secret] = [key.apiKey, key.secret.reveal()];
  if (method === 'login')
    return { type: 'BASIC', api_key: apiKey, secret_key: secret, algo: 'BASIC', pKey: apiKey, sKey: secret };
  if (method.endsWith('order'))
    return { symbol: 'ETHBTC', side: 'buy', quantity: '1', price: '0.001', client_order_id: 'x' };
  return {};
}

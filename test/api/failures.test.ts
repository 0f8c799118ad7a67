import { afterEach, beforeEach, describe, expect, expectTypeOf, test } from 'vitest';
import { later, millis } from '../../src/core/base/clock.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import type { CallFailure, GodwitClientOptions } from '../../src/venues/hitbtc/typed/index.ts';
import { attempt, CallFailed, GodwitClient } from '../../src/venues/hitbtc/typed/index.ts';
import { verifyV2, verifyV3 } from '../../src/venues/hitbtc/wire/rest-auth.ts';
import { Secret } from '../../src/core/base/secret.ts';
import { answer, StubHttpServer } from '../venues/hitbtc/client/support/stub-http-server.ts';
import { failureOf } from './support.ts';

const credentials = { apiKey: 'key-0001', secret: 'very-secret' };
const order = { symbol: 'AAABBB', side: 'buy', quantity: '1', price: '2' } as const;

let server: StubHttpServer;
let client: GodwitClient;
/** Stands still while an answer is on its way, however long the machine takes. */
let clock: VirtualClock;

beforeEach(async () => {
  clock = new VirtualClock(new SystemClock().now());
  server = await StubHttpServer.start();
  client = make();
});
afterEach(async () => {
  await client.close();
  await server.close();
});

function make(changes: Partial<GodwitClientOptions> = {}): GodwitClient {
  return new GodwitClient({
    baseUrl: server.url,
    credentials,
    clock,
    options: { rest: { retryMs: 1, timeoutMs: 300 } },
    ...changes,
  });
}

describe('a call that gives no value', () => {
  test.each([
    [400, { error: { code: 20001, message: 'Insufficient funds' } }, 'refused', 20001, 'known'],
    [403, { error: { code: 1003, message: 'Action is forbidden' } }, 'refused', 1003, 'known'],
    [429, { error: { code: 429, message: 'Too many requests' } }, 'limited', 429, 'known'],
    [503, { error: { code: 503, message: 'Service Unavailable' } }, 'unknown', 503, 'unknown'],
    [504, { error: { code: 504, message: 'Gateway Timeout' } }, 'unknown', 504, 'unknown'],
    [500, 'oops', 'unknown', 500, 'unknown'],
    [200, { id: 'not an order' }, 'unreadable', 'UNREADABLE', 'known'],
  ])('with status %i and %j is %s %s, its outcome %s', async (status, body, kind, code, outcome) => {
    server.handler = (_seen, response) => answer(response, status, body);
    expect(await failureOf(client.v3.spot.createOrder(order))).toMatchObject({ kind, code, status, outcome });
    expect(server.seen).toHaveLength(1);
  });

  test('is unknown after silence, and a write was sent once', async () => {
    server.handler = () => clock.advanceTo(later(clock.uptime(), millis(300)));
    expect(await failureOf(client.v3.spot.createOrder(order))).toMatchObject({
      kind: 'unknown',
      status: 0,
      outcome: 'unknown',
    });
    expect(server.seen).toHaveLength(1);
  });

  test('is denied before a byte leaves when a parameter is not as documented, by name', async () => {
    const failure = await failureOf(client.v3.spot.createOrder({ ...order, clientOrderId: 'short' }));
    expect(failure).toMatchObject({ kind: 'denied', code: 'PARAMETER_INVALID', outcome: 'known' });
    expect(failure.message).toContain('[client_order_id]');
    expect(await failureOf(client.v3.marketData.trades({ limit: 1_001 }))).toMatchObject({ kind: 'denied' });
    expect(server.seen).toEqual([]);
  });

  test('is denied without credentials where the documents ask for a right', async () => {
    const stranger = new GodwitClient({ baseUrl: server.url });
    expect(await failureOf(stranger.v3.wallet.balances())).toMatchObject({ code: 'CREDENTIALS_MISSING' });
    await stranger.close();
    expect(server.seen).toEqual([]);
  });

  test('is unsent when it was given up before it left', async () => {
    const signal = AbortSignal.abort();
    expect(await failureOf(client.v3.spot.createOrder(order, { signal }))).toMatchObject({
      kind: 'unsent',
      code: 'UNSENT',
      outcome: 'known',
    });
    expect(server.seen).toEqual([]);
  });

  test('is unknown when it was given up after it left', async () => {
    const given = new AbortController();
    server.handler = () => given.abort();
    const failure = await failureOf(client.v3.spot.createOrder(order, { signal: given.signal }));
    expect(failure).toMatchObject({ kind: 'unknown', outcome: 'unknown' });
  });

  test('rejects with an error whose failure is a union by kind', async () => {
    server.handler = (_seen, response) => answer(response, 429, '');
    const error = await client.v3.spot.createOrder(order).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CallFailed);
    const { failure } = error as CallFailed;
    expect(failure.kind === 'denied' ? (failure.code satisfies string) : failure.code).toBe(429);
    expectTypeOf<Extract<CallFailure, { kind: 'refused' }>['code']>().toEqualTypeOf<number>();
    expectTypeOf<Extract<CallFailure, { outcome: 'unknown' }>['kind']>().toEqualTypeOf<'unknown'>();
  });

  test('as a value carries the answer when there is one', async () => {
    server.handler = (_seen, response) => answer(response, 200, '[]');
    expect(await attempt(client.v3.wallet.balances())).toEqual({ ok: true, value: [] });
  });
});

describe('a read', () => {
  test('is repeated after 503 and 429 until it is answered', async () => {
    await client.close();
    client = make({ clock: new SystemClock(), options: { rest: { retryMs: 1, timeoutMs: 60_000 } } });
    const answers = [503, 429, 200];
    server.handler = (_seen, response) => {
      const status = answers.shift() ?? 200;
      answer(response, status, status === 200 ? '[]' : '');
    };
    expect(await client.v3.spot.orders()).toEqual([]);
    expect(server.seen).toHaveLength(3);
  });
});

describe('a signed call', () => {
  test('is signed so that either version accepts it, query and body as sent', async () => {
    server.handler = (_seen, response) => answer(response, 400, { error: { code: 600, message: 'no' } });
    await failureOf(client.v3.spot.orderHistory({ symbol: ['AAABBB', 'CCCDDD'], from: new Date(0) }));
    await failureOf(client.v3.spot.createOrder(order));
    await failureOf(client.v2.trading.createOrder(order));
    await failureOf(client.v2.history.trades({ symbol: 'AAABBB' }));
    const now = new SystemClock().now();
    const lookup = (apiKey: string) =>
      apiKey === credentials.apiKey ? new Secret(credentials.secret) : undefined;
    const verdicts = server.seen.map(({ method, url, body, headers }) => {
      const [path = '', query = ''] = url.split('?');
      const verify = path.startsWith('/api/2') ? verifyV2 : verifyV3;
      const request = { method, path, query, body };
      return [path, verify({ authorization: headers.authorization, request, lookup, now }).ok];
    });
    expect(verdicts).toEqual([
      ['/api/3/spot/history/order', true],
      ['/api/3/spot/order', true],
      ['/api/2/order', true],
      ['/api/2/history/trades', true],
    ]);
    expect(server.seen[0]?.url).toContain('symbol=AAABBB%2CCCCDDD&from=1970-01-01T00%3A00%3A00.000Z');
    expect(server.seen[1]?.body).toBe('symbol=AAABBB&side=buy&quantity=1&price=2');
  });
});

describe('limits of the documents', () => {
  test('are kept per path: a full one holds its own calls back and no others', async () => {
    server.handler = (_seen, response) => answer(response, 200, '[]');
    await client.close();
    // The clock stands still, so that no window moves on and lets a call out.
    client = make({ budgets: { mode: 'window' } });
    // Sub-accounts have a row of their own per account (20 + 30); per address they count against the rest (20 + 30).
    const given = new AbortController();
    const lists = Array.from({ length: 60 }, () => attempt(client.v3.spot.fees({ signal: given.signal })));
    const orders = await Promise.all(Array.from({ length: 20 }, () => client.v3.spot.orders()));
    expect(orders).toHaveLength(20);
    given.abort();
    const ended = await Promise.all(lists);
    const unsent = ended.filter((done) => !done.ok && done.failure.kind === 'unsent').length;
    expect(unsent).toBe(10);
  });
});

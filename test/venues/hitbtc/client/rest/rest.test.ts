import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Clock, Micros } from '../../../../../src/core/base/clock.ts';
import { later, millis, seconds } from '../../../../../src/core/base/clock.ts';
import { Random } from '../../../../../src/core/base/random.ts';
import { Secret } from '../../../../../src/core/base/secret.ts';
import { SystemClock } from '../../../../../src/core/base/system-clock.ts';
import { VirtualClock } from '../../../../../src/core/base/virtual-clock.ts';
import { clientOptions } from '../../../../../src/venues/options.ts';
import type { ApiCall, RestDeps } from '../../../../../src/venues/hitbtc/client/rest/rest.ts';
import { RestClient } from '../../../../../src/venues/hitbtc/client/rest/rest.ts';
import { verifyV3 } from '../../../../../src/venues/hitbtc/wire/rest-auth.ts';
import type { Seen } from '../support/stub-http-server.ts';
import { answer, StubHttpServer } from '../support/stub-http-server.ts';

const credentials = { apiKey: 'key-0001', secret: new Secret('very-secret') };
const order: ApiCall = { method: 'POST', path: '/spot/order', form: 'symbol=AAABBB&side=buy', signed: true };
const balances: ApiCall = { method: 'GET', path: '/spot/balance', signed: true };

let server: StubHttpServer;
let client: RestClient | undefined;

beforeEach(async () => {
  server = await StubHttpServer.start();
});
afterEach(async () => {
  await client?.close();
  client = undefined;
  await server.close();
});

function build(changes: Partial<RestDeps> = {}, rest: Record<string, number> = {}): RestClient {
  client = new RestClient({
    baseUrl: server.url,
    credentials,
    clock: new SystemClock(),
    random: new Random(1),
    options: clientOptions.parse({ rest: { retryMs: 1, ...rest } }).rest,
    ...changes,
  });
  return client;
}

function verify(seen: Seen, now: Micros) {
  const [path = '', query = ''] = seen.url.split('?');
  return verifyV3({
    authorization: seen.headers.authorization,
    request: { method: seen.method, path, query, body: seen.body },
    lookup: (apiKey) => (apiKey === credentials.apiKey ? credentials.secret : undefined),
    now,
  });
}

/** A clock whose wall time is wrong by `skew`. */
function skewedClock(skew: Micros): Clock {
  const system = new SystemClock();
  return {
    now: () => later(system.now(), skew),
    uptime: () => system.uptime(),
    after: (delay, task) => system.after(delay, task),
  };
}

describe('a REST call', () => {
  test('is signed so that the venue accepts it, query and body included', async () => {
    const rest = build();
    await rest.send(order);
    await rest.send({
      method: 'GET',
      path: '/spot/history/order',
      query: 'client_order_id=gw-1&x=%20',
      signed: true,
    });
    const now = new SystemClock().now();
    expect(server.seen.map((seen) => [seen.url, verify(seen, now).ok])).toEqual([
      ['/api/3/spot/order', true],
      ['/api/3/spot/history/order?client_order_id=gw-1&x=%20', true],
    ]);
    expect(server.seen[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(server.seen[0]?.body).toBe('symbol=AAABBB&side=buy');
  });

  test('carries no credentials on public paths', async () => {
    await build().send({ method: 'GET', path: '/public/symbol', signed: false });
    expect(server.seen[0]?.headers.authorization).toBeUndefined();
  });

  test('keeps its connections', async () => {
    const rest = build();
    for (let i = 0; i < 5; i++) await rest.send(balances);
    expect(server.connections).toBeLessThanOrEqual(2);
  });

  test('answered with JSON keeps its text and every digit', async () => {
    server.handler = (_seen, response) => answer(response, 200, '{"id":90071992547409931}');
    const reply = await build().send(balances);
    expect(reply).toMatchObject({
      status: 200,
      texts: ['{"id":90071992547409931}'],
      body: { id: '90071992547409931' },
    });
    expect(reply.verdict.outcome).toBe('acknowledged');
  });

  test.each([
    [400, { error: { code: 20001, message: 'Insufficient funds', description: 'more' } }, 'refused', 20001],
    [404, { error: 'Not Found', message: 'No static resource' }, 'refused', 404],
    [429, { error: { code: 429, message: 'Too many requests' } }, 'limited', 429],
    [429, 'slow down', 'limited', 429],
    [500, { error: { code: 500, message: 'Internal Server Error' } }, 'unknown', 500],
    [503, '', 'unknown', 503],
    [504, { error: { code: 504, message: 'Gateway Timeout' } }, 'unknown', 504],
    [400, { error: { code: 22008, message: 'Gateway timeout exceeded' } }, 'unknown', 22008],
    [400, '<html>', 'unknown', 400],
    [403, {}, 'unknown', 403],
    [200, '{"cut', 'unknown', 200],
    [200, '', 'unknown', 200],
  ])('with status %i and body %j ends as %s', async (status, body, outcome, code) => {
    server.handler = (_seen, response) => answer(response, status, body);
    const { verdict } = await build().send(order);
    expect([verdict.outcome, verdict.code]).toEqual([outcome, code]);
    expect(server.seen).toHaveLength(1);
  });

  test('never follows a redirect, and no credential goes there', async () => {
    const elsewhere = await StubHttpServer.start();
    server.handler = (_seen, response) =>
      answer(response, 307, {}, { location: `${elsewhere.url}/api/3/spot/order` });
    const reply = await build().send(order);
    expect(reply.verdict).toMatchObject({ outcome: 'unknown', code: 307 });
    expect(elsewhere.seen).toEqual([]);
    await elsewhere.close();
  });

  test('cut by the venue after it arrived is unknown and is not sent again', async () => {
    server.handler = ({ socket }) => socket.destroy();
    const reply = await build().send(order);
    expect(reply).toMatchObject({ status: 0, unsent: false, verdict: { outcome: 'unknown' } });
    expect(server.seen).toHaveLength(1);
  });

  test('on a kept connection that dies under it is not sent again', async () => {
    const rest = build({}, { connections: 1 });
    await rest.send(balances);
    server.handler = ({ socket }) => socket.resetAndDestroy();
    const reply = await rest.send({ method: 'DELETE', path: '/spot/order/gw-test-00001', signed: true });
    expect(reply.verdict.outcome).toBe('unknown');
    expect(server.seen).toHaveLength(2);
  });

  test('without an answer ends at its deadline, by the injected clock', async () => {
    const clock = new VirtualClock(seconds(1_700_000_000));
    server.handler = () => {};
    const rest = build({ clock });
    const pending = rest.send(order);
    await server.until(1);
    clock.advance(millis(4_999));
    expect(rest.inFlight).toBe(1);
    clock.advance(millis(1));
    expect(await pending).toMatchObject({
      status: 0,
      unsent: false,
      verdict: { message: 'no answer within 5000 ms' },
    });
    expect(rest.inFlight).toBe(0);
    expect(clock.pending).toBe(0);
  });

  test('with half an answer ends at its deadline too', async () => {
    const clock = new VirtualClock(seconds(1_700_000_000));
    server.handler = (_seen, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"id":');
    };
    const pending = build({ clock }).send(order);
    await server.until(1);
    clock.advance(seconds(5));
    expect((await pending).verdict.outcome).toBe('unknown');
  });

  test('that waits for a connection beyond its deadline never leaves', async () => {
    const clock = new VirtualClock(seconds(1_700_000_000));
    server.handler = () => {};
    const rest = build({ clock }, { connections: 1 });
    const first = rest.send(order);
    await server.until(1);
    const second = rest.send(order);
    clock.advance(seconds(5));
    expect(await first).toMatchObject({ unsent: false });
    expect(await second).toMatchObject({ unsent: true });
    server.handler = (_seen, response) => answer(response, 200, {});
    expect((await rest.send(balances)).status).toBe(200);
    expect(server.seen).toHaveLength(2);
  });

  test('to an address without a server ends as unsent', async () => {
    const gone = await StubHttpServer.start();
    const { url } = gone;
    await gone.close();
    expect(await build({ baseUrl: url }).send(order)).toMatchObject({ status: 0, unsent: true });
  });

  test('beyond the cap of unanswered ones never leaves', async () => {
    server.handler = () => {};
    const rest = build({}, { inFlightMax: 1 });
    void rest.send(order);
    expect(await rest.send(order)).toMatchObject({
      unsent: true,
      verdict: { message: 'too many requests wait for an answer' },
    });
  });

  test('with an answer longer than allowed is unknown', async () => {
    server.handler = (_seen, response) => answer(response, 200, `"${'x'.repeat(5_000)}"`);
    const reply = await build({}, { bodyBytesMax: 2_000 }).send(order);
    expect(reply.verdict).toMatchObject({
      outcome: 'unknown',
      message: 'the answer is longer than 2000 bytes',
    });
  });

  test('ends when its caller gives up', async () => {
    server.handler = () => {};
    const life = new AbortController();
    const pending = build().send({ ...order, signal: life.signal });
    await server.until(1);
    life.abort();
    expect((await pending).verdict.message).toBe('given up by the caller');
    expect(await build().send({ ...order, signal: life.signal })).toMatchObject({ unsent: true });
  });
});

describe('a read', () => {
  test('is repeated until it is answered, and each repetition passes the gate', async () => {
    let count = 0;
    server.handler = ({ socket }, response) => {
      count += 1;
      if (count === 1) answer(response, 503, '');
      else if (count === 2) socket.destroy();
      else answer(response, 200, []);
    };
    const passed: unknown[] = [];
    const gate = {
      enter: () => Promise.resolve(passed.push('in') > 0),
      leave: (limited: boolean) => void passed.push(limited),
    };
    expect((await build().read(balances, gate)).status).toBe(200);
    expect(passed).toEqual(['in', false, 'in', false]);
  });

  test('is given up after its attempts', async () => {
    server.handler = (_seen, response) => answer(response, 503, '');
    expect((await build().read(balances)).verdict.outcome).toBe('unknown');
    expect(server.seen).toHaveLength(3);
  });

  test('refused is not repeated', async () => {
    server.handler = (_seen, response) =>
      answer(response, 403, { error: { code: 1003, message: 'forbidden' } });
    expect((await build().read(balances)).verdict.outcome).toBe('refused');
    expect(server.seen).toHaveLength(1);
  });

  test('refused for a wrong clock is signed once more with the venue\u2019s time', async () => {
    server.handler = (seen, response) => {
      const now = new SystemClock().now();
      const stamp = new Date(now / 1_000).toISOString();
      if (verify(seen, now).ok) answer(response, 200, []);
      else answer(response, 401, { timestamp: stamp, error: { code: 1002, message: 'failed' } });
    };
    const rest = build({ clock: skewedClock(seconds(-25)) });
    expect((await rest.read(balances)).status).toBe(200);
    expect(server.seen).toHaveLength(2);
    expect(Math.abs(rest.clockOffset.offset - seconds(25))).toBeLessThan(seconds(10));
    expect((await rest.send(order)).status).toBe(200);
    expect(server.seen).toHaveLength(3);
  });

  test('refused although the clock is right is not signed again', async () => {
    server.handler = (_seen, response) => answer(response, 401, { error: { code: 1002, message: 'failed' } });
    await build().read(balances);
    expect(server.seen).toHaveLength(1);
  });
});

describe('credentials', () => {
  test('are refused an unencrypted link, except to this machine', () => {
    expect(() => build({ baseUrl: 'http://venue.example' })).toThrow(/https or wss/);
    expect(() => build({ baseUrl: 'http://127.0.0.1.evil.example' })).toThrow(/https or wss/);
    expect(build({ baseUrl: 'https://venue.example' })).toBeInstanceOf(RestClient);
    expect(build({ baseUrl: 'http://[::1]:1' })).toBeInstanceOf(RestClient);
  });

  test('are never shown as Basic to another machine', () => {
    expect(() => build({ baseUrl: 'https://venue.example', scheme: 'Basic' })).toThrow(/HS256/);
  });

  test('go as Basic to this machine when asked to', async () => {
    await build({ scheme: 'Basic' }).send(balances);
    expect(server.seen[0]?.headers.authorization).toBe(`Basic ${btoa('key-0001:very-secret')}`);
  });

  test('appear in no reply', async () => {
    server.handler = ({ socket }) => socket.destroy();
    expect(JSON.stringify(await build().send(order))).not.toContain('secret');
  });

  test.each(['ftp://x', 'venue.example', 'https://user:pass@venue.example', 'https://venue.example/?a=1'])(
    'and the address %s is refused',
    (baseUrl) => {
      expect(() => build({ baseUrl })).toThrow(/base_url/);
    },
  );
});

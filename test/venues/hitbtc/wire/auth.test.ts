import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Micros } from '../../../../src/core/base/clock.ts';
import { Secret } from '../../../../src/core/base/secret.ts';
import {
  basicHeader,
  signV2,
  signV3,
  verifyV2,
  verifyV3,
} from '../../../../src/venues/hitbtc/wire/rest-auth.ts';
import {
  v2BearerParams,
  v2LoginParams,
  v3LoginParams,
} from '../../../../src/venues/hitbtc/wire/socket-auth.ts';
import { verifyV2Login, verifyV3Login } from '../../../../src/venues/hitbtc/wire/socket-auth.ts';

const secret = new Secret('secretKey');
const credentials = { apiKey: 'apiKey', secret };
const lookup = (apiKey: string) => (apiKey === 'apiKey' ? secret : undefined);
const now = 1_700_000_000_123_456 as Micros;
const get = { method: 'GET', path: '/api/3/spot/history/order', query: 'symbol=AAABBB&limit=5', body: '' };
const post = { method: 'POST', path: '/api/3/spot/order', query: '', body: 'symbol=AAABBB&side=buy' };

function hex(text: string): string {
  return createHmac('sha256', 'secretKey').update(text).digest('hex');
}
function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

describe('v3 REST signatures', () => {
  test.each([
    [get, undefined, 'GET/api/3/spot/history/order?symbol=AAABBB&limit=51700000000123', ''],
    [get, 5000, 'GET/api/3/spot/history/order?symbol=AAABBB&limit=517000000001235000', ':5000'],
    [post, undefined, 'POST/api/3/spot/ordersymbol=AAABBB&side=buy1700000000123', ''],
  ])('sign method, path, query, body, timestamp and window', (request, windowMs, text, tail) => {
    const header = signV3(credentials, request, windowMs === undefined ? { now } : { now, windowMs });
    expect(header).toBe(`HS256 ${base64(`apiKey:${hex(text)}:1700000000123${tail}`)}`);
    expect(verifyV3({ authorization: header, request, lookup, now })).toEqual({
      ok: true,
      apiKey: 'apiKey',
      scheme: 'HS256',
    });
  });

  test('are accepted without the question mark before the query', () => {
    const text = 'GET/api/3/spot/history/ordersymbol=AAABBB&limit=51700000000123';
    const authorization = `HS256 ${base64(`apiKey:${hex(text)}:1700000000123`)}`;
    expect(verifyV3({ authorization, request: get, lookup, now })).toMatchObject({ ok: true });
  });

  test('cover the body as bytes', () => {
    const header = signV3(credentials, { ...post, body: '{"é":1}' }, { now });
    const body = new TextEncoder().encode('{"é":1}');
    expect(verifyV3({ authorization: header, request: { ...post, body }, lookup, now })).toMatchObject({
      ok: true,
    });
  });

  test('hold for ten seconds around their time, or for their window', () => {
    const at = (seconds: number) => (now + seconds * 1_000_000) as Micros;
    const plain = signV3(credentials, get, { now });
    const wide = signV3(credentials, get, { now, windowMs: 60_000 });
    const verdict = (authorization: string, seconds: number) =>
      verifyV3({ authorization, request: get, lookup, now: at(seconds) }).ok;
    expect([verdict(plain, 9), verdict(plain, -9), verdict(plain, 11), verdict(plain, -11)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect([verdict(wide, 59), verdict(wide, 61)]).toEqual([true, false]);
  });

  test.each([
    ['another method', { ...get, method: 'DELETE' }],
    ['another path', { ...get, path: '/api/3/spot/order' }],
    ['another query', { ...get, query: 'symbol=AAABBB&limit=6' }],
    ['a body', { ...get, body: 'x' }],
  ])('do not hold for %s', (_what, request) => {
    const authorization = signV3(credentials, get, { now });
    expect(verifyV3({ authorization, request, lookup, now })).toMatchObject({
      ok: false,
      error: { code: 1002 },
    });
  });
});

test('the v2 REST signature is of method, timestamp in seconds, path, query and body', () => {
  const request = { method: 'GET', path: '/api/2/order', query: 'symbol=AAABBB', body: '' };
  const header = signV2(credentials, request, now);
  expect(header).toBe(
    `HS256 ${base64(`apiKey:1700000000:${hex('GET1700000000/api/2/order?symbol=AAABBB')}`)}`,
  );
  expect(verifyV2({ authorization: header, request, lookup, now })).toMatchObject({
    ok: true,
    apiKey: 'apiKey',
  });
  const late = (now + 12_000_000) as Micros;
  expect(verifyV2({ authorization: header, request, lookup, now: late })).toMatchObject({ ok: false });
  expect(verifyV3({ authorization: header, request, lookup, now })).toMatchObject({ ok: false });
});

describe('headers', () => {
  test('Basic carries key and secret', () => {
    const authorization = basicHeader(credentials);
    expect(authorization).toBe(`Basic ${base64('apiKey:secretKey')}`);
    expect(verifyV3({ authorization, request: get, lookup, now })).toMatchObject({
      ok: true,
      scheme: 'Basic',
    });
    expect(verifyV2({ authorization, request: get, lookup, now })).toMatchObject({
      ok: true,
      scheme: 'Basic',
    });
  });

  test.each([
    [undefined, 1002],
    ['', 1002],
    ['Bearer abc', 1004],
    ['Basic', 1002],
    ['Basic !!!', 1002],
    [`Basic ${base64('apiKey:other')}`, 1002],
    [`Basic ${base64('apiKey')}`, 1002],
    [`Basic ${base64('nobody:')}`, 1002],
    [`HS256 ${base64('apiKey:1:2')}`, 1002],
    [`HS256 ${base64(`apiKey:${'0'.repeat(64)}:1700000000123`)}`, 1002],
    [`HS256 ${base64(`nobody:${'0'.repeat(64)}:1700000000123`)}`, 1002],
    [`HS256 ${base64(`apiKey:${'0'.repeat(64)}:1700000000`)}`, 1002],
    [`HS256 ${base64(`apiKey:${'0'.repeat(64)}:1700000000123:x`)}`, 1002],
    [`HS256 ${base64(`apiKey:${'0'.repeat(63)}:1700000000123`)}`, 1002],
  ])('%s is refused with %d', (authorization, code) => {
    const result = verifyV3({ authorization, request: get, lookup, now });
    expect(result).toMatchObject({ ok: false, error: { code } });
    expect(JSON.stringify(result)).not.toContain('secretKey');
  });

  test('a missing header is 1001 in version 2', () => {
    for (const authorization of [undefined, ''])
      expect(verifyV2({ authorization, request: get, lookup, now })).toMatchObject({ error: { code: 1001 } });
  });
});

describe('socket logins', () => {
  test('v3 signs timestamp and window', () => {
    expect(v3LoginParams(credentials, { now })).toEqual({
      type: 'HS256',
      api_key: 'apiKey',
      timestamp: 1_700_000_000_123,
      signature: hex('1700000000123'),
    });
    const params = v3LoginParams(credentials, { now, windowMs: 10_000 });
    expect(params).toMatchObject({ window: 10_000, signature: hex('170000000012310000') });
    expect(verifyV3Login({ params, lookup, now })).toEqual({ ok: true, apiKey: 'apiKey', scheme: 'HS256' });
    const late = (now + 10_001_000) as Micros;
    expect(verifyV3Login({ params, lookup, now: late })).toMatchObject({ ok: false, error: { code: 1002 } });
  });

  test('v3 compares the type without case', () => {
    const params = { type: 'Basic', api_key: 'apiKey', secret_key: 'secretKey' };
    expect(verifyV3Login({ params, lookup, now })).toMatchObject({ ok: true, scheme: 'Basic' });
    expect(verifyV3Login({ params: { ...params, secret_key: 'no' }, lookup, now })).toMatchObject({
      ok: false,
    });
  });

  test('v2 signs a nonce, which counts once', () => {
    const params = v2LoginParams(credentials, 'N1g287gL8YOwDZr');
    expect(params).toEqual({
      algo: 'HS256',
      pKey: 'apiKey',
      nonce: 'N1g287gL8YOwDZr',
      signature: hex('N1g287gL8YOwDZr'),
    });
    const seen = new Set<string>();
    const isFreshNonce = (_key: string, nonce: string) => !seen.has(nonce) && seen.add(nonce).size > 0;
    expect(verifyV2Login({ params, lookup, now, isFreshNonce })).toMatchObject({ ok: true });
    expect(verifyV2Login({ params, lookup, now, isFreshNonce })).toMatchObject({
      ok: false,
      error: { code: 1002 },
    });
    expect(
      verifyV2Login({ params: { algo: 'BASIC', pKey: 'apiKey', sKey: 'secretKey' }, lookup, now }),
    ).toMatchObject({ ok: true });
    expect(verifyV2Login({ params: { algo: 'RS256', pKey: 'apiKey', jwt: 'x' }, lookup, now })).toMatchObject(
      { error: { code: 1004 } },
    );
  });

  test('v2 takes a JSON Web Token signed with the secret key, while it is valid', () => {
    const token = (claims: object, head: object = { alg: 'HS256', typ: 'JWT' }) => {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const text = `${part(head)}.${part(claims)}`;
      return `${text}.${createHmac('sha256', 'secretKey').update(text).digest('base64url')}`;
    };
    const login = (jwt: unknown, pKey = 'apiKey') =>
      verifyV2Login({ params: { algo: 'bearer', pKey, jwt }, lookup, now });
    const exp = 1_700_000_060;
    const good = token({ sub: 'apiKey', iat: 1_700_000_000, exp });
    expect(v2BearerParams(credentials, now)).toEqual({ algo: 'BEARER', pKey: 'apiKey', jwt: good });
    expect(login(good)).toEqual({ ok: true, apiKey: 'apiKey', scheme: 'Bearer' });
    for (const bad of [
      token({ sub: 'apiKey', exp: 1_700_000_000 }),
      token({ sub: 'apiKey', exp, nbf: 1_700_000_030 }),
      token({ sub: 'another', exp }),
      token({ sub: 'apiKey' }),
      token({ sub: 'apiKey', exp }, { alg: 'none' }),
      `${good.slice(0, -2)}xx`,
      good.slice(0, good.lastIndexOf('.')),
      'x',
      'a.b.c',
      undefined,
    ]) {
      expect(login(bad), String(bad)).toMatchObject({ ok: false, error: { code: 1002 } });
    }
    expect(login(good, 'nobody')).toMatchObject({ error: { code: 1002 } });
  });

  test.each([
    [undefined],
    [null],
    ['x'],
    [{}],
    [{ type: 'HS256' }],
    [{ type: 'HS256', api_key: 'apiKey', timestamp: '1', signature: 'x' }],
  ])('params %j are refused', (params) => {
    expect(verifyV3Login({ params, lookup, now })).toMatchObject({ ok: false });
    expect(verifyV2Login({ params, lookup, now })).toMatchObject({ ok: false });
  });
});

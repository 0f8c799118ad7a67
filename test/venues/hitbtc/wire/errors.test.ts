import { expect, test } from 'vitest';
import type { Micros } from '../../../../src/core/base/clock.ts';
import {
  decodeRestError,
  encodeSocketError,
  errorBody,
  unknownPathBody,
} from '../../../../src/venues/hitbtc/wire/error-bodies.ts';
import { errorTable, findError, httpStatusOf, wireError } from '../../../../src/venues/hitbtc/wire/errors.ts';

const place = {
  time: 1_704_164_645_678_000 as Micros,
  path: '/api/3/public/symbol/X',
  requestId: '46417963-71976848',
};

test('codes ascend and have the documented status', () => {
  const codes = errorTable.map((row) => row.code);
  expect(codes).toEqual([...new Set(codes)].sort((a, b) => a - b));
  expect([1001, 1003, 20001, 429, 500, 2003, 404, 31_337].map(httpStatusOf)).toEqual([
    401, 403, 400, 429, 500, 400, 404, 400,
  ]);
  expect(findError(20002)?.message).toBe('Order not found');
});

test('a v3 REST error has the measured form and decodes to itself', () => {
  const error = wireError(2001, { message: 'No such symbol: X' });
  expect(errorBody(error, place)).toEqual({
    timestamp: '2024-01-02T03:04:05.678Z',
    error: {
      code: 2001,
      message: 'No such symbol: X',
      description: 'Try get /public/symbol, to get list of all available symbols.',
    },
    path: '/api/3/public/symbol/X',
    requestId: '46417963-71976848',
  });
  for (const { code } of errorTable) {
    expect(decodeRestError(errorBody(wireError(code), place), httpStatusOf(code))).toEqual(wireError(code));
  }
});

test('an error on a socket repeats the id as it came, or has none', () => {
  expect(encodeSocketError(wireError(1), undefined, false)).toBe(
    '{"error":{"code":1,"message":"Invalid json","description":"JSON request is corrupted."}}',
  );
  expect(encodeSocketError(wireError(1001), '7', true)).toBe(
    '{"jsonrpc":"2.0","error":{"code":1001,"message":"Authorization required"},"id":"7"}',
  );
});

test.each([
  [{ code: 429, message: 'Too many requests' }, 429, 429, 'Too many requests'],
  [unknownPathBody({ ...place, path: '/api/3/public/x' }), 404, 404, 'Not Found'],
  [undefined, 504, 504, 'Gateway Timeout'],
  ['<html>', 502, 502, 'HTTP 502'],
  [{ error: { code: 20001 } }, 400, 20001, ''],
])('the error of %j with status %d is %d %s', (json, status, code, message) => {
  expect(decodeRestError(json, status)).toMatchObject({ code, message });
});

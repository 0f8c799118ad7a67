import { describe, expect, test } from 'vitest';
import { BadInput } from '../../../../src/core/base/errors.ts';
import { parseFrame, parseLossless } from '../../../../src/venues/hitbtc/wire/json.ts';

describe('parseLossless', () => {
  test('keeps every digit of integers beyond 2^53, as text', () => {
    expect(
      parseLossless('{"id":9223372036854775807,"n":[12345678901234567890,-12345678901234567890]}'),
    ).toEqual({
      id: '9223372036854775807',
      n: ['12345678901234567890', '-12345678901234567890'],
    });
  });

  test('leaves what a double holds exactly as a number', () => {
    expect(parseLossless('[9007199254740991,1700000000123,0.5,1e3,-3,100000000000000000000]')).toEqual([
      9_007_199_254_740_991,
      1_700_000_000_123,
      0.5,
      1000,
      -3,
      '100000000000000000000',
    ]);
  });

  test('keeps decimals that a double would change, as text', () => {
    expect(parseLossless('{"q":12345678901234567.89}')).toEqual({ q: '12345678901234567.89' });
    expect(parseLossless(' 12345678901234567890 ')).toBe('12345678901234567890');
  });

  test('does not touch digits inside texts', () => {
    expect(parseLossless('{"a":"[12345678901234567890"}')).toEqual({ a: '[12345678901234567890' });
  });

  test.each([
    ['{"__proto__":{"polluted":true}}'],
    ['{"a":[{"__pr\\u006fto__":1}]}'],
    ['{"constructor":{"prototype":{"polluted":true}}}'],
  ])('refuses %s, and no prototype changes', (text) => {
    expect(() => parseLossless(text)).toThrow(BadInput);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test('takes the words as values', () => {
    expect(parseLossless('{"a":"__proto__","constructor":"x"}')).toEqual({
      a: '__proto__',
      constructor: 'x',
    });
  });

  test('refuses 200,000 nested arrays in one sentence, and brackets inside texts do not count', () => {
    expect(() => parseLossless('['.repeat(200_000))).toThrow('nested at most 64 deep');
    expect(parseLossless(`["${'['.repeat(500)}\\"${'{'.repeat(500)}"]`)).toHaveLength(1);
  });

  test('refuses a text that is too long, and one that is no JSON', () => {
    expect(() => parseLossless('[1,2]', { length: 4, depth: 8 })).toThrow('at most 4 characters');
    expect(() => parseLossless('{"a":')).toThrow(new BadInput('expected JSON, found "{\\"a\\":"'));
    expect(() => parseLossless('')).toThrow(BadInput);
  });

  test('reads bytes wherever they stand in their buffer', () => {
    const bytes = new TextEncoder().encode('xx{"a":"é"}');
    expect(parseFrame(bytes.subarray(2))).toEqual({ a: 'é' });
  });
});

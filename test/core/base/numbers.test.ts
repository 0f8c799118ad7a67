import { withoutZeros } from '../../../src/core/base/number-text.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatAmount, formatAmountFixed, multiply, parseAmount } from '../../../src/core/base/amount.ts';
import { Decimal } from '../../../src/core/base/decimal.ts';
import { BadInput } from '../../../src/core/base/errors.ts';
import { NumberText } from '../../../src/core/base/number-text.ts';
import { Random } from '../../../src/core/base/random.ts';
import { printDecimal, scanDecimal } from '../../../src/core/base/scan.ts';

describe('scanning a decimal', () => {
  test.each([
    ['0', 0, 0],
    ['12', 2, 1_200],
    ['12.3', 2, 1_230],
    ['12.34', 2, 1_234],
    ['12.3400', 2, 1_234],
    ['0.00000001', 8, 1],
    ['9007199254740991', 0, 9_007_199_254_740_991],
  ])('%s at %i decimals is %i', (text, decimals, expected) => {
    expect(scanDecimal(text, decimals)).toBe(expected);
  });

  test.each([
    '',
    '.',
    '-1',
    '+1',
    '1e5',
    '1.2.3',
    '12.345',
    ' 1',
    '1 ',
    '0x1',
    '9007199254740992',
    'NaN',
    '１',
  ])('%j is refused', (text) => {
    expect(scanDecimal(text, 2)).toBeNaN();
  });

  test('prints what it reads, and agrees with decimal.js', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 45), fc.integer({ min: 0, max: 12 }), (value, decimals) => {
        const text = printDecimal(value, decimals);
        expect(scanDecimal(text, decimals)).toBe(value);
        expect(new Decimal(text).times(new Decimal(10).pow(decimals)).toNumber()).toBe(value);
      }),
    );
  });
});

describe('amounts', () => {
  test('parse and print exactly', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), (raw) => {
        const text = formatAmount(raw as never);
        expect(parseAmount(text)).toBe(raw);
      }),
    );
    fc.assert(
      fc.property(fc.nat(10 ** 9), fc.integer({ min: 0, max: 8 }), (value, used) => {
        expect(parseAmount(printDecimal(value, used))).toBe(BigInt(value) * 10n ** BigInt(24 - used));
      }),
    );
    expect(parseAmount('00000000000000007.25')).toBe(parseAmount('7.25'));
    expect(formatAmount(parseAmount('-12.500'))).toBe('-12.5');
    expect(formatAmountFixed(parseAmount('0.01424082'), 12)).toBe('0.014240820000');
    expect(formatAmountFixed(parseAmount('-0.0000000000001'), 12)).toBe('0.000000000000');
  });

  test('multiply a notional by a rate exactly', () => {
    const notional = parseAmount('5.696328');
    expect(formatAmount(multiply(notional, parseAmount('0.0025')))).toBe('0.01424082');
  });

  test.each(['', '1e5', '--1', '1.', '.5', 'NaN', '1,5'])('%j is refused', (text) => {
    expect(() => parseAmount(text)).toThrow(BadInput);
  });
});

describe('random numbers', () => {
  test('repeat for a seed and differ between forks', () => {
    const draw = (random: Random) => Array.from({ length: 5 }, () => random.uint32());
    expect(draw(new Random(7))).toEqual(draw(new Random(7)));
    expect(draw(new Random(7))).not.toEqual(draw(new Random(8)));
    expect(draw(new Random(7).fork('a'))).not.toEqual(draw(new Random(7).fork('b')));
  });

  test('a fork does not depend on what was drawn before', () => {
    const used = new Random(7);
    used.uint32();
    expect(used.fork('a').uint32()).toBe(new Random(7).fork('a').uint32());
  });

  test('have the moments they should', () => {
    const random = new Random('moments');
    const count = 20_000;
    const mean = (next: () => number) =>
      Array.from({ length: count }, next).reduce((a, b) => a + b, 0) / count;
    expect(mean(() => random.float())).toBeCloseTo(0.5, 1);
    expect(mean(() => random.exponential(3))).toBeCloseTo(3, 0);
    expect(mean(() => random.normal())).toBeCloseTo(0, 1);
    expect(mean(() => random.between(1, 6))).toBeCloseTo(3.5, 1);
  });
});

test('texts of numbers are what `String` says, in any order', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.maxSafeNat(), fc.nat({ max: 5_000 }))), (numbers) => {
      const text = new NumberText();
      for (const number of numbers) expect(text.of(number)).toBe(String(number));
    }),
  );
});

test.each([
  ['1.500', '1.5'],
  ['10.000', '10'],
  ['-0.0500', '-0.05'],
  ['100', '100'],
  ['0.0', '0'],
  ['7.', '7'],
])('%s without the zeros at its end is %s', (text, short) => {
  expect(withoutZeros(text)).toBe(short);
});

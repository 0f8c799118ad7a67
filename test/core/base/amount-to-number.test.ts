import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Amount } from '../../../src/core/base/amount.ts';
import { amountToNumber, billionthsOf, formatAmount, parseAmount } from '../../../src/core/base/amount.ts';

/** How numbers of every size stand: few digits after the point, many, and none at all. */
const amounts = fc
  .tuple(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), fc.integer({ min: 0, max: 30 }))
  .map(([value, digits]) => ((value / 10n ** BigInt(digits)) * 10n ** BigInt(digits % 16)) as Amount);

test('the double of an amount is the one that its text is read as', () => {
  fc.assert(
    fc.property(amounts, (amount) => {
      expect(amountToNumber(amount)).toBe(Number(formatAmount(amount)));
    }),
  );
});

test('an amount between two doubles goes to the nearer, and from the middle to the even one', () => {
  const one = 10n ** 24n;
  fc.assert(
    fc.property(fc.bigInt({ min: 2n ** 52n, max: 2n ** 53n }), fc.constantFrom(-1n, 0n, 1n), (whole, off) => {
      // Beyond 2^53 doubles are two apart: an odd number stands in the middle.
      const amount = ((2n * whole + 1n) * one + off) as Amount;
      expect(amountToNumber(amount)).toBe(Number(formatAmount(amount)));
    }),
  );
});

test('billionths are reported when they are whole and exact', () => {
  expect(billionthsOf(parseAmount('-1.000000001'))).toBe(-1_000_000_001);
  expect(billionthsOf(parseAmount('9007199.254740991'))).toBe(Number.MAX_SAFE_INTEGER);
  expect(billionthsOf(parseAmount('9007199.254740992'))).toBeNaN();
  expect(billionthsOf(parseAmount('0.0000000001'))).toBeNaN();
});

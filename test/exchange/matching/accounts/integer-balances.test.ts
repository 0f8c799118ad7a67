import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Amount } from '../../../../src/core/base/amount.ts';
import {
  amountOf,
  commonUnit,
  unitsOf,
} from '../../../../src/exchange/matching/accounts/integer-balances.ts';

describe('units', () => {
  test('make the amount that bigints make, for every safe integer', () => {
    const safe = fc.maxSafeInteger();
    fc.assert(
      fc.property(safe, fc.bigInt({ min: 1n, max: 10n ** 30n }), (units, unit) => {
        expect(amountOf(units, unit as Amount)).toBe(BigInt(units) * unit);
        if (units !== 0) expect(unitsOf(amountOf(units, unit as Amount), unit as Amount)).toBe(units);
      }),
    );
  });

  test('are not a number where an amount is no whole number of them', () => {
    expect(unitsOf(25n as Amount, 10n as Amount)).toBeNaN();
    expect(unitsOf((2n ** 53n) as Amount, 1n as Amount)).toBeNaN();
  });

  test('are common to amounts of either sign, zeros left out', () => {
    expect(commonUnit(100n as Amount, -25n as Amount, 0n as Amount)).toBe(25n);
    expect(commonUnit(7n as Amount)).toBe(7n);
  });
});

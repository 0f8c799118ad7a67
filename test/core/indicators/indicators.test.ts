import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amountToNumber, formatAmount } from '../../../src/core/base/amount.ts';
import type { Amount } from '../../../src/core/base/amount.ts';
import {
  barValues,
  bollinger,
  ema,
  macd,
  obv,
  priceNumber,
  rsi,
  sma,
  stochastic,
  vwap,
} from '../../../src/core/strategy/index.ts';

describe('an indicator', () => {
  test('is silent until it has seen enough, then answers every value', () => {
    const average = sma(3);
    expect([1, 2, 3, 4].map((price) => average.next(price))).toEqual([undefined, undefined, 2, 3]);
    expect({ value: average.value, needs: average.needs }).toEqual({ value: 3, needs: 3 });
  });

  test('seeds the exponential average with the first value', () => {
    const average = ema(3);
    expect([2, 4, 8].map((price) => average.next(price))).toEqual([undefined, undefined, 5.5]);
  });

  test('answers bands, oscillators and differences with their names', () => {
    const prices = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
    const bands = bollinger(3, 1);
    const cross = macd(2, 4, 3);
    const strength = rsi(3);
    for (const price of prices) {
      bands.next(price);
      cross.next(price);
      strength.next(price);
    }
    expect(bands.value?.middle).toBe(9);
    expect(bands.value?.upper).toBeCloseTo(9 + Math.sqrt(2 / 3), 12);
    expect(cross.value?.histogram).toBeCloseTo((cross.value?.macd ?? 0) - (cross.value?.signal ?? 0), 12);
    expect(strength.value).toBe(100);
  });

  test('of bars reads high, low, close and volume', () => {
    const bar = (close: number, volume: number) => ({
      open: close,
      high: close + 1,
      low: close - 1,
      close,
      volume,
    });
    const volumes = obv();
    expect([bar(10, 5), bar(11, 7), bar(10, 2)].map((one) => volumes.next(one))).toEqual([undefined, 7, 5]);
    const average = vwap();
    average.next(bar(10, 1));
    expect(average.next(bar(16, 2))).toBe(14);
    const place = stochastic(2, 1, 1);
    place.next(bar(10, 1));
    expect(place.next(bar(11, 1))).toEqual({ k: (100 * 2) / 3, d: (100 * 2) / 3 });
  });
});

test('a price becomes the nearest double, as the slow way has it', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), (units) => {
      expect(priceNumber(units as Amount)).toBe(Number(formatAmount(units as Amount)));
    }),
  );
  const few = fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n });
  fc.assert(
    fc.property(few, fc.nat({ max: 18 }), (units, zeros) => {
      const amount = (units * 10n ** BigInt(zeros)) as Amount;
      expect(amountToNumber(amount)).toBe(Number(formatAmount(amount)));
    }),
  );
  for (const edge of [0n, 2n ** 53n, 2n ** 53n - 1n, 1n - 2n ** 53n]) {
    for (const zeros of [12n, 15n]) {
      const amount = (edge * 10n ** zeros) as Amount;
      expect(amountToNumber(amount)).toBe(Number(formatAmount(amount)));
    }
  }
  const amount = (123_450_000n * 10n ** 16n) as Amount;
  const values = barValues({ open: amount, close: amount, max: amount, min: amount, volume: amount });
  expect(values).toEqual({ open: 1.2345, high: 1.2345, low: 1.2345, close: 1.2345, volume: 1.2345 });
});

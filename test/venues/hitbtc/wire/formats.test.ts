import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAmount } from '../../../../src/core/base/amount.ts';
import type { Micros } from '../../../../src/core/base/clock.ts';
import { BadInput } from '../../../../src/core/base/errors.ts';
import {
  feeText,
  microsOfMillis,
  parseTime,
  printTime,
  readTime,
} from '../../../../src/venues/hitbtc/wire/formats.ts';
import { volumeQuoteText, volumeText } from '../../../../src/venues/hitbtc/wire/formats.ts';
import { abcInstruments, time } from './arbitrary.ts';
import { settings } from './seed.ts';

describe('times', () => {
  test('read as Date reads them, and print as Date prints them', () => {
    fc.assert(
      fc.property(time, (micros) => {
        const text = new Date(micros / 1000).toISOString();
        expect(readTime(text)).toBe(micros);
        expect(printTime(micros)).toBe(text);
      }),
      settings,
    );
  });

  test.each([
    ['2024-01-02T03:04:05.678Z', 1_704_164_645_678_000],
    ['2024-01-02T03:04:05.67Z', 1_704_164_645_670_000],
    ['2024-01-02T03:04:05.678901234Z', 1_704_164_645_678_901],
    ['2024-01-02T03:04:05Z', 1_704_164_645_000_000],
    ['2024-01-02T03:04Z', 1_704_164_640_000_000],
    ['2024-01-02T03:04:05.678+00:00', 1_704_164_645_678_000],
    ['2024-01-02', 1_704_153_600_000_000],
    ['2024-02-29T00:00:00.000Z', 1_709_164_800_000_000],
  ])('%s is %d', (text, micros) => {
    expect(readTime(text)).toBe(micros);
    // Again, with the day remembered.
    expect(readTime(text)).toBe(micros);
  });

  test.each([
    '2023-02-29T00:00:00.000Z',
    '2024-01-02T24:00:00.000Z',
    '2024-01-02T03:60:00.000Z',
    '2024-13-02T03:04:05.678Z',
    '2024-01-02T03:04:05.Z',
    '2024-01-02T03:04:05.67xZ',
    '2024-01-02T03:04:05.678+02:00',
    '1900-01-01T00:00:00.000Z',
    '2024-1-2',
    'now',
    '',
  ])('%j is no time', (text) => {
    expect(readTime(text)).toBeNaN();
    expect(() => parseTime(text)).toThrow(BadInput);
  });

  test('a print has three digits behind the second, whatever they are', () => {
    const printed = (millis: number) => printTime((millis * 1000) as Micros).slice(19);
    expect([120, 100, 7, 10, 0].map(printed)).toEqual(['.120Z', '.100Z', '.007Z', '.010Z', '.000Z']);
  });

  test('milliseconds are whole and end in the year 2255', () => {
    expect(microsOfMillis(1_700_000_000_123)).toBe(1_700_000_000_123_000);
    expect(microsOfMillis(9_007_199_254_740)).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER);
    for (const wrong of [9_007_199_254_741, -1, 0.5, Number.NaN]) expect(microsOfMillis(wrong)).toBeNaN();
  });
});

describe('amounts', () => {
  test('fees have 12 decimals, zero has none', () => {
    expect(feeText(parseAmount('0.01424082'))).toBe('0.014240820000');
    expect(feeText(parseAmount('-0.0001'))).toBe('-0.000100000000');
    expect(feeText(parseAmount('0'))).toBe('0');
    expect(feeText(parseAmount('0.0000000000001'))).toBe('0');
  });

  test('volumes have the decimals of the grid, zero has none, and older scales keep all digits', () => {
    const one = abcInstruments.get('AAABBB');
    expect(volumeText(one, parseAmount('12'))).toBe('12.00');
    expect(volumeQuoteText(one, parseAmount('120.12'))).toBe('120.1200');
    expect(volumeText(one, parseAmount('0'))).toBe('0');
    expect(volumeText(one, parseAmount('1.2345'))).toBe('1.2345');
  });
});

import { expect, test } from 'vitest';
import { parseAmount, zero } from '../../src/core/base/amount.ts';
import type { Micros } from '../../src/core/base/clock.ts';
import type { InstrumentId } from '../../src/core/model/instrument.ts';
import { KnownCandles, knownOf } from '../../src/core/model/known-candle.ts';
import type { Candle } from '../../src/core/model/market.ts';
import { whole } from '../../src/sim/fill-models/bars/venue.ts';

function bar(open: string, close: string, min: string, max: string): Candle {
  return {
    instrument: 0 as InstrumentId,
    period: 'M1',
    time: 0 as Micros,
    open: parseAmount(open),
    close: parseAmount(close),
    min: parseAmount(min),
    max: parseAmount(max),
    volume: zero,
    volumeQuote: zero,
  };
}

test('a bar is widened to its open and close, whether its numbers are known or not', () => {
  const known = new KnownCandles();
  const good = known.know(bar('2', '3', '1', '4'));
  expect(whole(good)).toBe(good);
  const fine = known.know(bar('2.00000000001', '3', '1', '4'));
  expect(whole(fine)).toBe(fine);
  for (const [open, close, min, max] of [
    ['5', '3', '1', '5'],
    ['2', '5', '1', '5'],
    ['0.5', '3', '0.5', '4'],
    ['2', '0.5', '0.5', '4'],
  ] as const) {
    const wrong = bar(open, close, '1', '4');
    const wide = bar(open, close, min, max);
    expect(whole(wrong)).toEqual(wide);
    const widened = whole(known.know(wrong));
    expect(widened).toEqual(wide);
    // Its numbers would be those of the bar as it came.
    expect(knownOf(widened)).toBeUndefined();
  }
});

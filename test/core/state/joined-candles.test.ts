import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Amount } from '../../../src/core/base/amount.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import type { InstrumentId } from '../../../src/core/model/instrument.ts';
import type { Candle } from '../../../src/core/model/market.ts';
import { joinsInto } from '../../../src/core/model/candle-period.ts';
import { JoinedCandles } from '../../../src/core/state/joined-candles.ts';

const hour = 3_600_000_000;

function candle(hours: number, prices: readonly number[], unpriced?: Candle['unpriced']): Candle {
  const [open = 0, max = 0, min = 0, close = 0, volume = 0] = prices.map((price) => BigInt(price) as Amount);
  const amounts = { open, close, min, max, volume, volumeQuote: volume } as Omit<
    Candle,
    'instrument' | 'period' | 'time'
  >;
  const time = (hours * hour) as Micros;
  return { instrument: 0 as InstrumentId, period: 'H1', time, ...amounts, unpriced };
}

test('hours become candles of four hours, each with what its hours say, whatever hours are missing', () => {
  const rows = fc.uniqueArray(
    fc.tuple(fc.nat(60), fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 5, maxLength: 5 })),
    {
      selector: ([at]) => at,
      minLength: 1,
    },
  );
  fc.assert(
    fc.property(rows, (given) => {
      const hours = given.toSorted(([a], [b]) => a - b).map(([at, prices]) => candle(at, prices));
      const joined = new JoinedCandles('H4');
      const closed = hours.map((one) => joined.add(one)).filter((one) => one !== undefined);
      const all = [...closed, joined.running()];
      const groups = Map.groupBy(hours, ({ time }) => Math.floor(time / (4 * hour)) * 4 * hour);
      expect(all.map((one) => [one?.time, one?.open, one?.close, one?.max, one?.min, one?.volume])).toEqual(
        [...groups].map(([time, parts]) => [
          time,
          parts[0]?.open,
          parts.at(-1)?.close,
          parts.map(({ max }) => max).reduce((a, b) => (a > b ? a : b)),
          parts.map(({ min }) => min).reduce((a, b) => (a < b ? a : b)),
          parts.map(({ volume }) => volume).reduce((a, b) => (a + b) as Amount),
        ]),
      );
    }),
  );
});

test('a candle that has only begun closes the longer one before it, and leaves no trace where it gives way', () => {
  const joined = new JoinedCandles('H4');
  expect(joined.add(candle(3, [5, 6, 4, 5, 1]))).toBeUndefined();
  expect(joined.add(candle(4, [5, 5, 5, 5, 0], 'begun'))).toMatchObject({ time: 0, close: 5n, volume: 1n });
  expect(joined.running()).toMatchObject({ time: 4 * hour, unpriced: 'begun' });
  expect(joined.add(candle(9, [7, 8, 6, 7, 2]))).toBeUndefined();
  expect(joined.running()).toMatchObject({ time: 8 * hour, open: 7n, unpriced: undefined });
});

test('the last hour may come again with other totals; one of before is left out', () => {
  const joined = new JoinedCandles('H4');
  joined.add(candle(0, [5, 6, 4, 5, 1]));
  joined.add(candle(1, [5, 9, 4, 8, 1]));
  joined.add(candle(1, [5, 7, 4, 6, 3]));
  joined.add(candle(0, [1, 1, 1, 1, 9]));
  expect(joined.running()).toMatchObject({ open: 5n, max: 7n, close: 6n, volume: 4n });
});

test.each([
  ['H1', 'H4', true],
  ['M30', 'D1', true],
  ['D1', 'D7', true],
  ['D1', '1M', true],
  ['D7', '1M', false],
  ['M3', 'M5', false],
  ['H4', 'H1', false],
  ['H1', 'H1', false],
  ['1M', 'D7', false],
] as const)('%s in %s: %s', (short, long, expected) => {
  expect(joinsInto(short, long)).toBe(expected);
});

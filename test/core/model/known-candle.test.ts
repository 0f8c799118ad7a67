import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Amount } from '../../../src/core/base/amount.ts';
import { amountToNumber, parseAmount, zero } from '../../../src/core/base/amount.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { barValues } from '../../../src/core/indicators/bar-values.ts';
import { MarketHash } from '../../../src/core/journal/records/market-hash.ts';
import type { CandlesChanged } from '../../../src/core/model/event.ts';
import type { InstrumentId } from '../../../src/core/model/instrument.ts';
import {
  candlePlaces,
  copyOf,
  isUnchanged,
  KnownCandles,
  knownOf,
  candleUnits,
} from '../../../src/core/model/known-candle.ts';
import type { Candle } from '../../../src/core/model/market.ts';
import { begun, unpricedCandle } from '../../../src/sim/fill-models/bars/notifications.ts';

const amounts = fc.oneof(
  fc.bigInt({ min: 0n, max: 10n ** 16n }).map((value) => (value * 10n ** 15n) as Amount),
  fc.bigInt({ min: 0n, max: 10n ** 36n }).map((value) => value as Amount),
);

const candles: fc.Arbitrary<Candle> = fc
  .tuple(fc.constantFrom('M1', 'M15', 'H4', '1M'), fc.integer({ min: 0, max: 2 ** 51 }), amounts, amounts)
  .chain(([period, time, open, close]) =>
    fc.tuple(amounts, amounts, amounts, amounts).map(([min, max, volume, volumeQuote]): Candle => ({
      instrument: 0 as InstrumentId,
      period: period as Candle['period'],
      time: time as Micros,
      open,
      close,
      min,
      max,
      volume,
      volumeQuote,
    })),
  );

function lanesOf(list: readonly Candle[]): readonly number[] {
  const event: CandlesChanged = {
    kind: 'candles',
    instrument: 0 as InstrumentId,
    snapshot: false,
    candles: list,
    exchangeTime: 7 as Micros,
    receiveTime: 8 as Micros,
  };
  const hash = new MarketHash();
  hash.add(event, 1);
  return [hash.laneA, hash.laneB];
}

test('a known candle equals the plain one, is hashed as it, and has its numbers', () => {
  const known = new KnownCandles();
  fc.assert(
    fc.property(candles, (plain) => {
      const candle = known.know(plain);
      expect(candle).toEqual(plain);
      expect(lanesOf([candle])).toEqual(lanesOf([plain]));
      expect(barValues(candle)).toEqual(barValues(plain));
      expect(barValues(plain).close).toBe(amountToNumber(plain.close));
    }),
  );
});

test('a copy of a known candle has its numbers until it is written to, and leaves the original alone', () => {
  const names = ['open', 'close', 'min', 'max', 'volume', 'volumeQuote'] as const;
  const known = new KnownCandles();
  fc.assert(
    fc.property(candles, fc.constantFrom(...names), amounts, (plain, name, amount) => {
      const candle = known.know(plain);
      const copy = copyOf(candle);
      expect([isUnchanged(copy), isUnchanged(candle)]).toEqual([true, true]);
      expect(copy).toEqual(plain);
      Object.assign(copy, { [name]: amount });
      expect(candle).toEqual(plain);
      expect(isUnchanged(copy)).toBe(amount === plain[name]);
      expect(barValues(copy)).toEqual(barValues({ ...plain, [name]: amount }));
    }),
  );
});

test('what begins with a known candle is what begins with the plain one', () => {
  const known = new KnownCandles();
  fc.assert(
    fc.property(candles, fc.constantFrom('open' as const, 'close' as const), (plain, from) => {
      const time = (plain.time + 1) as Micros;
      const after = (candle: Candle): Candle =>
        from === 'open' ? begun(candle) : unpricedCandle(candle, time, 'begun');
      const next = after(known.know(plain));
      const expected = after(plain);
      expect(knownOf(next)).toBe(next);
      expect(knownOf(expected)).toBeUndefined();
      expect(next).toEqual(expected);
      expect(lanesOf([plain, next])).toEqual(lanesOf([plain, expected]));
      expect(barValues(next)).toEqual(barValues(expected));
    }),
  );
});

test('an amount that is no whole number of billionths, or too many of them, has none', () => {
  const candle = new KnownCandles().know({
    instrument: 0 as InstrumentId,
    period: 'M1',
    time: 0 as Micros,
    open: parseAmount('1.5'),
    close: parseAmount('0.0000000001'),
    min: parseAmount('9007199.254740991'),
    max: parseAmount('9007199.254740992'),
    volume: zero,
    volumeQuote: zero,
  });
  expect(candleUnits(candle, candlePlaces.open)).toBe(1_500_000_000);
  expect(candleUnits(candle, candlePlaces.close)).toBeNaN();
  expect(candleUnits(candle, candlePlaces.min)).toBe(Number.MAX_SAFE_INTEGER);
  expect(candleUnits(candle, candlePlaces.max)).toBeNaN();
  expect(candleUnits(candle, candlePlaces.volume)).toBe(0);
});

test('more candles than one array holds keep their own numbers', () => {
  const known = new KnownCandles();
  const base = { instrument: 0 as InstrumentId, period: 'M1' as const, volume: zero, volumeQuote: zero };
  const all = Array.from({ length: 2_100 }, (_, i) => {
    const price = parseAmount(String(i + 1));
    return known.know({ ...base, time: i as Micros, open: price, close: price, min: price, max: price });
  });
  expect(all.every((candle, i) => candleUnits(candle, candlePlaces.max) === (i + 1) * 1e9)).toBe(true);
});

test('nothing but the candle is reachable from one that a strategy has in hand', () => {
  const known = new KnownCandles();
  const base = { instrument: 0 as InstrumentId, period: 'M1' as const, volume: zero, volumeQuote: zero };
  const [held] = [1, 2].map((i) => {
    const price = parseAmount(String(i));
    return known.know({ ...base, time: i as Micros, open: price, close: price, min: price, max: price });
  });
  const copy = copyOf(held ?? expect.fail('no candle was made'));
  const reached = new Set<unknown>();
  const walk = (value: unknown): void => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return;
    if (reached.has(value) || value === Object.prototype || value === Function.prototype) return;
    reached.add(value);
    for (const key of Reflect.ownKeys(value)) {
      const { value: member, get } = Reflect.getOwnPropertyDescriptor(value, key) ?? {};
      for (const one of [member, get, get?.call(copy)]) walk(one);
    }
    walk(Object.getPrototypeOf(value));
  };
  walk(copy);
  // The candle, its prototype, and its constructor, which shows no member of a candle.
  expect(reached).toEqual(new Set([copy, Object.getPrototypeOf(copy), copy.constructor]));
  expect(Reflect.ownKeys(copy)).toEqual(Object.keys(known.know(copy)));
  expect(Reflect.ownKeys(copy)).toHaveLength(13);
  expect(Reflect.ownKeys(Object.getPrototypeOf(copy) as object)).toEqual(['constructor']);
  expect(new Set(Reflect.ownKeys(copy.constructor))).toEqual(new Set(['length', 'name', 'prototype']));
});

import { describe, expect, test } from 'vitest';
import { zero } from '../../../src/core/base/amount.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import type { InstrumentId, Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { BarSpec, Candle, MarketTrade } from '../../../src/core/model/market.ts';
import { CandleStore } from '../../../src/core/state/candles.ts';

const only = 0 as InstrumentId;
const minute = 60_000_000;

function storeOf(candlesMax: number, candlePeriods: readonly BarSpec[] = []): CandleStore {
  const spec = {
    symbol: 'ABC',
    type: 'spot',
    baseCurrency: 'ABC',
    quoteCurrency: 'USD',
    feeCurrency: 'USD',
    tickSize: '0.1',
    quantityIncrement: '1',
    takeRate: '0',
    makeRate: '0',
    status: 'working',
    marginTrading: false,
  } as const;
  return new CandleStore(new Instruments([spec]), { candlePeriods, candlesMax });
}

function fed(store: CandleStore, minuteNumber: number): void {
  const time = (minuteNumber * minute) as Micros;
  const prices = { open: zero, close: zero, min: zero, max: zero, volume: zero, volumeQuote: zero };
  const candle: Candle = { instrument: only, period: 'M1', time, ...prices };
  const times = { exchangeTime: time, receiveTime: time };
  store.apply({ kind: 'candles', instrument: only, snapshot: false, candles: [candle], ...times });
}

function traded(store: CandleStore, minuteNumber: number): void {
  const time = (minuteNumber * minute) as Micros;
  const trade = { tradeId: String(minuteNumber), price: 10 as Ticks, quantity: 1 as Lots, side: 'buy', time };
  store.addTrades(only, [trade as MarketTrade], 0);
}

function byPlace(store: CandleStore, most: number): readonly (number | undefined)[] {
  return Array.from({ length: most }, (_, back) => store.at(only, 'M1', back)?.time);
}

describe('a candle by its place', () => {
  test('is the one the list has there, whether the feed sent it or trades made it', () => {
    const received = storeOf(4);
    const made = storeOf(4, ['M1']);
    for (let i = 1; i <= 11; i++) {
      fed(received, i);
      traded(made, i);
      for (const store of [received, made]) {
        const list = store.of(only, 'M1').map(({ time }) => time);
        expect(list).toHaveLength(Math.min(i, 4));
        const places: (number | undefined)[] = list.toReversed();
        while (places.length < 6) places.push(undefined);
        expect(byPlace(store, 6)).toEqual(places);
      }
    }
  });

  test('is nothing before the first one, and at places that are none', () => {
    const store = storeOf(4);
    expect(byPlace(store, 2)).toEqual([undefined, undefined]);
    fed(store, 1);
    expect(store.at(only, 'M1', -1)).toBeUndefined();
    expect(store.at(only, 'H1', 0)).toMatchObject({ period: 'H1', time: 0 });
  });

  test('is the running one alone when only one is kept', () => {
    const store = storeOf(1, ['M1']);
    for (let i = 1; i <= 3; i++) traded(store, i);
    expect(store.of(only, 'M1').map(({ time }) => time)).toEqual([3 * minute]);
    expect(byPlace(store, 2)).toEqual([3 * minute, undefined]);
  });
});

test('bars that candles of the feed make are joined from them, though trades have made some already; others are built', () => {
  const store = storeOf(50, ['7m', '90s', 'tick:2']);
  for (let i = 3; i <= 8; i++) traded(store, i);
  expect(store.of(only, '7m').map(({ time, trades }) => [time / minute, trades])).toEqual([
    [0, 4],
    [7, 2],
  ]);
  for (let i = 1; i <= 15; i++) {
    fed(store, i);
    traded(store, i + 8);
  }
  const joined = store.of(only, '7m');
  expect(joined.map(({ time, incomplete }) => [time / minute, incomplete])).toEqual([
    [0, true],
    [7, undefined],
    [14, undefined],
  ]);
  expect(store.of(only, '90s').at(-1)).toMatchObject({ time: 22.5 * minute, trades: 1 });
  expect(store.closedCount(only, 'tick:2')).toBe(10);
});

import { expect, test } from 'vitest';
import type { Micros } from '../../../../src/core/base/clock.ts';
import { Instruments } from '../../../../src/core/model/instrument.ts';
import type { Lots, Ticks } from '../../../../src/core/model/instrument.ts';
import type { MarketTrade } from '../../../../src/core/model/market.ts';
import { Marks } from '../../../../src/research/report/fold/marks.ts';
import { specs } from '../../../core/strategy/scene.ts';

test('without a book the last public trade is the mark, and before the first our own last fill', () => {
  const instruments = new Instruments(specs);
  const instrument = instruments.get('ETHBTC');
  const { id } = instrument;
  const marks = new Marks(instruments);
  const times = { exchangeTime: 1 as Micros, receiveTime: 2 as Micros };
  const printed = (...prices: number[]): void => {
    const trades = prices.map((price): MarketTrade => ({
      tradeId: `${price}`,
      price: price as Ticks,
      quantity: 1 as Lots,
      side: 'buy',
      time: 1 as Micros,
    }));
    marks.observe({ kind: 'trades', instrument: id, snapshot: false, trades, ...times });
  };
  expect(marks.of(id)).toBeUndefined();
  marks.filled(id, 90 as Ticks);
  expect(marks.ticks(id)).toBe(90);
  expect(marks.of(id)).toEqual({ price: instrument.priceAmount(90 as Ticks), source: 'fill' });
  printed(100, 103);
  printed();
  expect(marks.of(id)).toEqual({ price: instrument.priceAmount(103 as Ticks), source: 'trade' });
});

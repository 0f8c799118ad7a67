import fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountToNumber, parseAmount } from '../../../src/core/base/amount.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import type { Instrument, Lots, Ticks } from '../../../src/core/model/instrument.ts';
import { RoundTrips } from '../../../src/research/statistics/round-trips.ts';
import { tradeStatistics } from '../../../src/research/statistics/trades.ts';

const [instrument] = new Instruments([
  {
    symbol: 'ABC',
    type: 'spot',
    baseCurrency: 'ABC',
    quoteCurrency: 'USD',
    feeCurrency: 'USD',
    tickSize: '0.5',
    quantityIncrement: '2',
    takeRate: '0',
    makeRate: '0',
    status: 'working',
    marginTrading: false,
  },
]).all as [Instrument];

function book(trips: RoundTrips, side: 'buy' | 'sell', price: number, quantity: number, at: number): void {
  const fee = parseAmount(String(quantity));
  const time = at as Micros;
  trips.book({ instrument, side, price: price as Ticks, quantity: quantity as Lots, fee, time }, at);
}

test('a position that is built, reduced and turned makes round trips from flat to flat', () => {
  const trips = new RoundTrips();
  book(trips, 'buy', 10, 1, 1);
  book(trips, 'buy', 14, 1, 2);
  book(trips, 'sell', 16, 1, 3);
  book(trips, 'sell', 20, 3, 4);
  book(trips, 'buy', 22, 2, 6);
  // A lot is 2 units and a tick 0.5: prices are 5, 7, 8, 10 and 11.
  expect(trips.closed).toMatchObject([
    { side: 'long', from: 1, to: 4, quantity: 4, entry: 6, exit: 9, gross: 12, fees: 4, net: 8 },
    { side: 'short', from: 4, to: 6, quantity: 4, entry: 10, exit: 11, gross: -4, fees: 4, net: -8 },
  ]);
  expect(trips.openCount).toBe(0);
  const { winRate, profitFactor, payoff, kelly, expectancy, winsInARowMax, spanMax } = tradeStatistics(
    trips.closed,
    1,
  );
  expect(winRate.value).toBe(0.5);
  expect([profitFactor.value, payoff.value, expectancy.value]).toEqual([1, 1, 0]);
  expect(kelly.value).toBe(0);
  expect([winsInARowMax, spanMax.value]).toEqual([1, 3]);
  expect(trips.take().map(({ net }) => net)).toEqual([8, -8]);
  expect(trips.closed).toEqual([]);
});

test('fees in base currency count at the price of their fill', () => {
  const [inBase] = new Instruments([{ ...instrument.spec, feeCurrency: 'ABC' }]).all as [Instrument];
  const trips = new RoundTrips();
  const fill = {
    instrument: inBase,
    quantity: 1 as Lots,
    fee: parseAmount('0.1'),
    time: 1 as Micros,
  };
  trips.book({ ...fill, side: 'buy', price: 10 as Ticks }, 1);
  trips.book({ ...fill, side: 'sell', price: 16 as Ticks }, 1);
  // 0.1 units at 5 and at 8.
  expect(trips.closed).toMatchObject([{ gross: 6, fees: 1.3, net: 4.7 }]);
});

test('whatever is traded, round trips and what is open add up to the cash flow', () => {
  const step = fc.record({
    side: fc.constantFrom('buy' as const, 'sell' as const),
    price: fc.integer({ min: 1, max: 500 }),
    quantity: fc.integer({ min: 1, max: 9 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const trips = new RoundTrips();
      let cash = 0;
      let position = 0;
      const trade = (side: 'buy' | 'sell', price: number, quantity: number, at: number): void => {
        const sign = side === 'buy' ? 1 : -1;
        position += sign * quantity;
        cash -= sign * amountToNumber(instrument.notional(price as Ticks, quantity as Lots)) + quantity;
        book(trips, side, price, quantity, at);
      };
      steps.forEach(({ side, price, quantity }, at) => trade(side, price, quantity, at));
      if (position !== 0) trade(position > 0 ? 'sell' : 'buy', 100, Math.abs(position), steps.length);
      expect(trips.openCount).toBe(0);
      expect(trips.closed.reduce((sum, { net }) => sum + net, 0)).toBeCloseTo(cash, 6);
    }),
  );
});

test('without a loss the profit factor says so', () => {
  const trips = new RoundTrips();
  book(trips, 'buy', 10, 1, 1);
  book(trips, 'sell', 20, 1, 2);
  expect(tradeStatistics(trips.closed, 1).profitFactor).toEqual({
    value: undefined,
    reason: 'nothing was lost',
  });
  expect(tradeStatistics(trips.closed).winRate).toEqual({
    value: undefined,
    reason: 'needs 30 closed trades, has 1',
  });
});

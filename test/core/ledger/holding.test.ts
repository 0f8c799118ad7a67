import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Amount } from '../../../src/core/base/amount.ts';
import { formatAmount, parseAmount } from '../../../src/core/base/amount.ts';
import { Holding } from '../../../src/core/ledger/holding.ts';
import { profitAt, unrealizedAt } from '../../../src/core/ledger/valuation.ts';
import type { Instrument, InstrumentSpec, Lots, Ticks } from '../../../src/core/model/instrument.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import type { Side } from '../../../src/core/model/order.ts';

const spec: InstrumentSpec = {
  symbol: 'ETHBTC',
  type: 'spot',
  baseCurrency: 'ETH',
  quoteCurrency: 'BTC',
  feeCurrency: 'ETH',
  tickSize: '0.000001',
  quantityIncrement: '0.0001',
  takeRate: '0.001',
  makeRate: '0.001',
  status: 'working',
  marginTrading: false,
};

function instrumentWith(fields: Partial<InstrumentSpec> = {}): Instrument {
  return new Instruments([{ ...spec, ...fields }]).all[0] as Instrument;
}

const inBase = instrumentWith();
const fill = (side: Side, lots: number, price: number, fee: string) =>
  ({ side, quantity: lots as Lots, price: price as Ticks, fee: parseAmount(fee) }) as const;
const priceOf = (instrument: Instrument, ticks: number): Amount => instrument.priceAmount(ticks as Ticks);

describe('a fee in base currency', () => {
  test('is taken from what is bought: what is held is what the venue has, cut to the lot where orders are made', () => {
    const holding = new Holding(inBase, 'spot', 'one');
    holding.book(fill('buy', 7_900, 50_010, '0.00079'));
    const position = holding.position();
    expect(formatAmount(position.held)).toBe('0.78921');
    expect(position.quantity).toBe(7_892);
    expect(formatAmount(position.averagePrice as Amount)).toBe('0.05001');
    expect(formatAmount(position.feesInQuote)).toBe('0.0000395079');
  });

  test('goes with what is sold, and what is too little for a lot is still held', () => {
    const holding = new Holding(inBase, 'spot', 'one');
    holding.book(fill('buy', 7_900, 50_010, '0.00079'));
    holding.book(fill('sell', 7_884, 50_020, '0.0007884'));
    const position = holding.position();
    expect(formatAmount(position.held)).toBe('0.0000216');
    expect(position.quantity).toBe(0);
    // Cash flow and what is left at the price of the sale.
    const worth = ((position.held * priceOf(inBase, 50_020)) / 10n ** 24n) as Amount;
    expect(profitAt(position, inBase, priceOf(inBase, 50_020))).toBe(position.cash + worth);
  });

  test('a position that was carried before it was taken off opens with what is left of it, worth as much as before', () => {
    const holding = new Holding(inBase, 'spot', 'one');
    const cash = parseAmount('-0.0395079');
    holding.takePosition({
      instrument: inBase.id,
      strategy: 'one',
      quantity: 7_900,
      cash,
      fees: parseAmount('0.00079'),
      fillCount: 1,
      turnover: parseAmount('0.0395079'),
      realized: parseAmount('0'),
      openCost: parseAmount('0.0395079'),
    });
    const position = holding.position();
    expect([formatAmount(position.held), position.quantity]).toEqual(['0.78921', 7_892]);
    expect(formatAmount(position.averagePrice as Amount)).toBe('0.05001');
    const same = new Holding(inBase, 'spot', 'one');
    same.takePosition(holding.carryPosition());
    expect(same.position()).toEqual(position);
  });

  test('on margin is taken from the margin: the position is what was traded', () => {
    const holding = new Holding(instrumentWith({ feeCurrency: 'BTC' }), 'isolated', 'one');
    holding.book(fill('buy', 7_900, 50_010, '0.00004'));
    expect(holding.position().quantity).toBe(7_900);
  });
});

test('a fee in a third currency is no part of the profit', () => {
  const instrument = instrumentWith({ feeCurrency: 'BNB' });
  const holding = new Holding(instrument, 'spot', 'one');
  holding.book(fill('buy', 10_000, 50_000, '0.01'));
  expect(formatAmount(holding.position().fees)).toBe('0.01');
  expect(profitAt(holding.position(), instrument, priceOf(instrument, 50_000))).toBe(0n);
});

test('a loss that the venue did not take is none', () => {
  const instrument = instrumentWith({ feeCurrency: 'BTC' });
  const holding = new Holding(instrument, 'isolated', 'one');
  holding.book(fill('buy', 10_000, 50_000, '0'));
  holding.book(fill('sell', 10_000, 40_000, '0'));
  holding.forgive(parseAmount('0.004'));
  expect(formatAmount(holding.position().realized)).toBe('-0.006');
  expect(profitAt(holding.position(), instrument, undefined)).toBe(parseAmount('-0.006'));
});

test('whatever the fills and the currency of the fee, profit is cash and what is held, less other fees, to the last digit', () => {
  const one = fc.record({
    side: fc.constantFrom('buy' as const, 'sell' as const),
    lots: fc.integer({ min: 1, max: 5_000 }),
    price: fc.integer({ min: 1, max: 90_000 }),
    fee: fc.integer({ min: -50, max: 500 }),
  });
  const fees = fc.constantFrom('ETH', 'BTC', 'BNB');
  fc.assert(
    fc.property(
      fc.array(one, { maxLength: 40 }),
      fees,
      fc.integer({ min: 1, max: 90_000 }),
      (fills, feeCurrency, mark) => {
        const instrument = instrumentWith({ feeCurrency });
        const holding = new Holding(instrument, 'spot', 'one');
        for (const { side, lots, price, fee } of fills)
          holding.book(fill(side, lots, price, (fee / 1e7).toFixed(7)));
        const position = holding.position();
        const price = priceOf(instrument, mark);
        const worth = unrealizedAt(position, instrument, price) + position.cost;
        const paid = feeCurrency === 'BTC' ? position.fees : 0n;
        expect(profitAt(position, instrument, price)).toBe(position.cash + worth - paid);
        const again = new Holding(instrument, 'spot', 'one');
        again.takePosition(holding.carryPosition());
        expect(again.position()).toEqual(position);
      },
    ),
  );
});

describe('an execution that may be corrected', () => {
  const trade = fc.record({
    side: fc.constantFrom<Side>('buy', 'sell'),
    lots: fc.integer({ min: 1, max: 500 }),
    price: fc.integer({ min: 40_000, max: 60_000 }),
    fee: fc.constantFrom('0', '0.00001', '-0.00002', '0.3'),
  });
  const bookAll = (
    holding: Holding,
    trades: readonly (typeof trade extends fc.Arbitrary<infer T> ? T : never)[],
  ) => {
    trades.forEach(({ side, lots, price, fee }, at) => {
      holding.book(fill(side, lots, price, fee), String(at));
      if (at % 3 === 0) holding.charge(parseAmount('0.001'));
    });
  };

  test.each([
    ['quote', instrumentWith({ feeCurrency: 'BTC' })],
    ['base', inBase],
  ])('leaves books in which it never stood when it is withdrawn (fees in %s)', (_, instrument) => {
    fc.assert(
      fc.property(
        fc.array(trade, { minLength: 1, maxLength: 12 }),
        fc.nat(),
        fc.nat(),
        (trades, nat, confirmed) => {
          const at = nat % trades.length;
          const one = new Holding(instrument, 'spot', 'one');
          bookAll(one, trades);
          for (let i = 0; i < confirmed % (trades.length + 1); i++) if (i !== at) one.confirm(String(i));
          const carried = new Holding(instrument, 'spot', 'one');
          carried.takePosition(one.carryPosition());
          const wanted = new Holding(instrument, 'spot', 'one');
          trades.forEach(({ side, lots, price, fee }, i) => {
            if (i !== at) wanted.book(fill(side, lots, price, fee));
            if (i % 3 === 0) wanted.charge(parseAmount('0.001'));
          });
          const { side, lots, price, fee } = trades[at] as (typeof trades)[number];
          for (const holding of [one, carried]) {
            holding.correct(String(at), fill(side, lots, price, fee), undefined);
            expect(holding.position()).toEqual(wanted.position());
            trades.forEach((_one, i) => holding.confirm(String(i)));
            expect(holding.carryPosition()).toEqual(wanted.carryPosition());
          }
        },
      ),
    );
  });

  test('has the fee that the history tells, and what followed it is booked anew', () => {
    const one = new Holding(inBase, 'spot', 'one');
    one.book(fill('buy', 7_900, 50_010, '0.00079'), 'a');
    one.book(fill('sell', 1_000, 50_020, '0.0001'), 'b');
    one.correct('a', fill('buy', 7_900, 50_010, '0.00079'), fill('buy', 7_900, 50_010, '0.0079'));
    const wanted = new Holding(inBase, 'spot', 'one');
    wanted.book(fill('buy', 7_900, 50_010, '0.0079'));
    wanted.book(fill('sell', 1_000, 50_020, '0.0001'));
    expect(one.position()).toEqual(wanted.position());
  });

  test('that is final is booked the other way round: what is held and the profit in all are exact', () => {
    const one = new Holding(inBase, 'spot', 'one');
    one.book(fill('buy', 1_000, 50_000, '0.0001'));
    one.book(fill('buy', 500, 51_000, '0.00005'));
    one.correct('gone', fill('buy', 500, 51_000, '0.00005'), undefined);
    const wanted = new Holding(inBase, 'spot', 'one');
    wanted.book(fill('buy', 1_000, 50_000, '0.0001'));
    const price = priceOf(inBase, 50_500);
    expect(one.position()).toMatchObject({
      held: wanted.position().held,
      fillCount: 1,
      turnover: wanted.position().turnover,
    });
    const away =
      (profitAt(one.position(), inBase, price) as Amount) -
      (profitAt(wanted.position(), inBase, price) as Amount);
    // The average price is cut to the last of 24 digits.
    expect(away < 10n && away > -10n).toBe(true);
  });
});

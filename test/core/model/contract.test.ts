import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Amount } from '../../../src/core/base/amount.ts';
import { amountToNumber, formatAmount, parseAmount } from '../../../src/core/base/amount.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import type { OwnTrade } from '../../../src/core/model/event.ts';
import type { Instrument, InstrumentSpec, Lots, Ticks } from '../../../src/core/model/instrument.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import type { Side } from '../../../src/core/model/order.ts';
import { SessionHolding } from '../../../src/research/report/fold/holdings.ts';
import { RoundTrips } from '../../../src/research/statistics/round-trips.ts';
import { PerpetualAccount } from '../../../src/sim/perpetual-account.ts';
import { FeeSchedule } from '../../../src/sim/fee-schedule.ts';
import { CandleBuilder } from '../../../src/core/state/candle-builder.ts';
import { Ledger } from '../../../src/core/ledger/ledger.ts';

const spec: InstrumentSpec = {
  symbol: 'BTCUSD_PERP',
  type: 'spot',
  baseCurrency: 'BTCUSD_PERP',
  quoteCurrency: 'BTC',
  feeCurrency: 'BTC',
  tickSize: '0.1',
  quantityIncrement: '1',
  takeRate: '0.0005',
  makeRate: '0.0002',
  status: 'working',
  marginTrading: false,
  contractSize: '100',
  inverse: true,
};
const instruments = new Instruments([spec]);
const contract = instruments.all[0] as Instrument;
const at = (dollars: number) => Math.round(dollars * 10) as Ticks;
const lots = (count: number) => count as Lots;

function own(side: Side, price: number, quantity: number, tradeId: string): OwnTrade {
  return {
    instrument: contract.id,
    side,
    price: at(price),
    quantity: lots(quantity),
    fee: contract.fee(at(price), lots(quantity), contract.takeRate),
    tradeId,
    taker: true,
    time: 1 as Micros,
  } as OwnTrade;
}

/** Books each fill as a strategy's position, as what the report of a session holds, and as a round trip. */
function booked(fills: readonly OwnTrade[]) {
  const store = new Ledger(instruments);
  const holding = new SessionHolding(contract);
  const trips = new RoundTrips();
  for (const fill of fills) {
    store.book(fill, 'one');
    holding.book(fill, fill.side);
    trips.book({ ...fill, instrument: contract }, 0);
  }
  return { position: store.of(contract.id, 'one'), holding, trips: trips.closed };
}

describe('an inverse contract', () => {
  test('is worth its value over its price, in the coin', () => {
    expect(formatAmount(contract.notional(at(50_000), lots(10)))).toBe('0.02');
    expect(formatAmount(contract.contract.worth(at(50_000), lots(10)))).toBe('-0.02');
    expect(formatAmount(contract.contract.worthAt(parseAmount('40000.05'), lots(0)))).toBe('0');
    expect(amountToNumber(contract.contract.worthAt(parseAmount('40000.05'), lots(10)))).toBeCloseTo(
      -1_000 / 40_000.05,
      16,
    );
    expect(formatAmount(contract.fee(at(50_000), lots(10), contract.takeRate))).toBe('0.00001');
    expect(formatAmount(contract.contract.priceAt(parseAmount('-0.02'), lots(10)))).toBe('50000');
    expect(formatAmount(contract.contract.unitsFor(parseAmount('0.02'), parseAmount('50000')))).toBe('10');
    expect(contract.notional(0 as Ticks, lots(10))).toBe(0n);
  });

  test('gains in the coin when it rises, against its harmonic average price', () => {
    const { position, holding, trips } = booked([
      own('buy', 50_000, 10, 'a'),
      own('buy', 40_000, 10, 'b'),
      own('sell', 50_000, 20, 'c'),
    ]);
    // 1000/50000 + 1000/40000 - 2000/50000
    expect(formatAmount(position.realized)).toBe('0.005');
    expect(formatAmount(position.cash)).toBe('0.005');
    expect(formatAmount(position.turnover)).toBe('0.085');
    expect(formatAmount(holding.position.realized)).toBe('0.005');
    expect(trips).toHaveLength(1);
    expect(trips[0]).toMatchObject({ side: 'long', gross: 0.005, exit: 50_000 });
    expect(trips[0]?.entry).toBeCloseTo(2_000 / 0.045, 8);
    expect(trips[0]?.share).toBeCloseTo((0.005 - 0.085 * 0.0005) / 0.045, 12);
  });

  test('gains for who is short when it falls, and a turn begins at its own price', () => {
    const { position, holding } = booked([own('sell', 50_000, 10, 'a'), own('buy', 40_000, 30, 'b')]);
    expect(formatAmount(position.realized)).toBe('0.005');
    expect(formatAmount(holding.position.realized)).toBe('0.005');
    expect(position.quantity).toBe(20);
    expect(formatAmount(position.averagePrice as Amount)).toBe('40000');
  });

  test('any fills: equity is what every contract gained from its price to the last, less fees', () => {
    const fill = fc.record({
      side: fc.constantFrom('buy' as const, 'sell' as const),
      price: fc.integer({ min: 10_000, max: 90_000 }),
      quantity: fc.integer({ min: 1, max: 500 }),
    });
    fc.assert(
      fc.property(
        fc.array(fill, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 10_000, max: 90_000 }),
        (fills, mark) => {
          const made = fills.map(({ side, price, quantity }, i) => own(side, price, quantity, String(i)));
          const { position, holding } = booked(made);
          const gained = fills.reduce((sum, { side, price, quantity }) => {
            const each = 100 * quantity * (1 / price - 1 / mark);
            return sum + (side === 'buy' ? each : -each) - ((100 * quantity) / price) * 0.0005;
          }, 0);
          expect(amountToNumber(holding.profit(parseAmount(String(mark))))).toBeCloseTo(gained, 11);
          const open = contract.contract.worthAt(parseAmount(String(mark)), lots(position.quantity));
          const held = position.quantity === 0 ? 0 : amountToNumber(open) + amountToNumber(position.cash);
          if (position.quantity !== 0) expect(held - amountToNumber(position.fees)).toBeCloseTo(gained, 11);
        },
      ),
    );
  });

  test('the account may hold leverage times its equity in contracts', () => {
    const wallet = { currency: 'BTC', available: parseAmount('0.02'), reserved: 0n as Amount };
    const account = new PerpetualAccount(instruments, [wallet], () => 3);
    const fees = new FeeSchedule(contract, []);
    const claim = { instrument: contract, side: 'buy' as const, price: at(50_000), fees };
    account.mark(contract, contract.priceAmount(at(50_000)));
    const need = (quantity: number) => account.need({ ...claim, lots: lots(quantity) });
    expect(account.reserve(contract, 'buy', need(31))).toBe(false);
    expect(account.reserve(contract, 'buy', need(30))).toBe(true);
    account.release(contract, 'buy', need(30));
    const powers = account.balances().map(({ currency, buyingPower }) => [currency, buyingPower]);
    expect(powers).toEqual([
      ['BTC', parseAmount('0.06')],
      ['BTCUSD_PERP', parseAmount('30')],
    ]);
    expect(account.balances()[0]?.available).toBe(parseAmount('0.02'));
    // At 40000 the ten bought at 50000 have lost 0.005 of the 0.02: room for 0.045, of which they take 0.025.
    account.book({ instrument: contract, side: 'buy', price: at(50_000), lots: lots(10), fee: 0n as Amount });
    account.mark(contract, contract.priceAmount(at(40_000)));
    expect(account.need({ ...claim, lots: lots(8) })).toBe(need(8));
    expect(account.balances()[0]?.buyingPower).toBe(parseAmount('0.02'));
  });

  test('candles give the volume in the coin', () => {
    const builder = new CandleBuilder(contract, 'M1');
    const trade = { price: at(50_000), quantity: lots(10), time: 1 as Micros, side: 'buy' as const };
    builder.add({ ...trade, id: '1' } as never);
    builder.add({ ...trade, id: '2', price: at(40_000) } as never);
    expect(formatAmount(builder.running()?.volumeQuote as Amount)).toBe('0.045');
  });
});

describe('a linear contract', () => {
  const { contractSize: _size, inverse: _inverse, ...plain } = spec;
  const [es] = new Instruments([{ ...plain, contractSize: '50' }]).all as [Instrument];

  test('is worth so many times its price', () => {
    expect(formatAmount(es.notional(at(5_000), lots(3)))).toBe('750000');
    expect(formatAmount(es.contract.worth(at(5_000), lots(3)))).toBe('750000');
    expect(formatAmount(es.contract.worthAt(parseAmount('5000.05'), lots(3)))).toBe('750007.5');
    expect(es.contract.worthNear(5_000.05, 3)).toBeCloseTo(750_007.5, 9);
    expect(formatAmount(es.contract.priceAt(parseAmount('750000'), lots(3)))).toBe('5000');
    expect(es.contract.priceNear(750_000, 3)).toBe(5_000);
    expect(formatAmount(es.contract.unitsFor(parseAmount('750000'), parseAmount('5000')))).toBe('3');
    expect(formatAmount(es.quantityAmount(lots(3)))).toBe('3');
  });

  test('refuses more decimals than amounts have', () => {
    expect(() => new Instruments([{ ...plain, contractSize: `0.${'0'.repeat(23)}1` }])).toThrow(
      /times contract size 0\.0{23}1 has more than 24 decimals/,
    );
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAmount } from '../../../../src/core/base/amount.ts';
import type { Amount } from '../../../../src/core/base/amount.ts';
import type { Micros } from '../../../../src/core/base/clock.ts';
import { Instruments } from '../../../../src/core/model/instrument.ts';
import type { InstrumentId, Ticks } from '../../../../src/core/model/instrument.ts';
import { KnownCandles } from '../../../../src/core/model/known-candle.ts';
import { Account, UserOrders } from '../../../../src/exchange/matching/state/accounts.ts';
import { defaultMatchingOptions } from '../../../../src/exchange/matching/state/options.ts';
import { OrderRecords } from '../../../../src/exchange/matching/state/live.ts';
import { ourAccount } from '../../../../src/sim/product-accounts.ts';
import { WaitingOrders } from '../../../../src/sim/fill-models/bars/orders.ts';
import { BarMarket } from '../../../../src/sim/fill-models/bars/market.ts';

function marketOf(tickSize: string): BarMarket {
  const spec = {
    symbol: 'ABC',
    type: 'spot',
    baseCurrency: 'ABC',
    quoteCurrency: 'USD',
    feeCurrency: 'USD',
    tickSize,
    quantityIncrement: '1',
    takeRate: '0',
    makeRate: '0',
    status: 'working',
    marginTrading: false,
  } as const;
  const instrument = new Instruments([spec]).get('ABC');
  const records = new OrderRecords();
  const account = new Account(ourAccount, new UserOrders(defaultMatchingOptions, records), records);
  return new BarMarket(instrument, new WaitingOrders(account, instrument.id, false));
}

test('every price of the grid comes to its ticks, up to the largest', () => {
  const sizes = fc.constantFrom('0.01', '0.000001', '0.5', '25', '0.125');
  const many = fc.oneof(
    fc.integer({ min: 1, max: 10_000_000 }),
    fc.integer({ min: Number.MAX_SAFE_INTEGER - 1_000_000, max: Number.MAX_SAFE_INTEGER }),
  );
  fc.assert(
    fc.property(sizes, many, (size, ticks) => {
      const market = marketOf(size);
      market.moveTo(market.instrument.priceAmount(ticks as Ticks));
      expect(market.ticks).toBe(ticks);
    }),
  );
});

test('a price off the grid, zero and less are refused with the tick size', () => {
  for (const price of ['0.015', '100000000000.000000000000001', '-0.01', '0.0000000001']) {
    const market = marketOf('0.01');
    expect(() => market.moveTo(parseAmount(price))).toThrow('on a tick size of 0.01');
  }
  const nearly = (BigInt(Number.MAX_SAFE_INTEGER) * 10n ** 22n + 1n) as Amount;
  expect(() => marketOf('0.01').moveTo(nearly)).toThrow('on a tick size of 0.01');
});

test('open and close of a bar come to their ticks whether its numbers are known or not', () => {
  const sizes = fc.constantFrom('0.01', '0.000001', '0.5', '25', '0.125', '0.00000000001');
  const many = fc.oneof(
    fc.integer({ min: 1, max: 10_000_000 }),
    fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  );
  fc.assert(
    fc.property(sizes, many, many, (size, open, close) => {
      const market = marketOf(size);
      const { plain, known } = barOf(
        market.instrument.priceAmount(open as Ticks),
        market.instrument.priceAmount(close as Ticks),
      );
      for (const bar of [plain, known]) {
        market.moveToBar(bar, 'open');
        expect([market.ticks, market.price]).toEqual([open, bar.open]);
        market.moveToBar(bar, 'close');
        expect([market.ticks, market.price]).toEqual([close, bar.close]);
      }
    }),
  );
});

test('a bar off the grid is refused whether its numbers are known or not', () => {
  for (const price of ['0.015', '0', '100000000000.000000000000001', '0.0000000001']) {
    const { plain, known } = barOf(parseAmount(price), parseAmount(price));
    for (const bar of [plain, known])
      expect(() => marketOf('0.01').moveToBar(bar, 'close')).toThrow('on a tick size of 0.01');
  }
});

function barOf(open: Amount, close: Amount) {
  const plain = {
    instrument: 0 as InstrumentId,
    period: 'M1' as const,
    time: 0 as Micros,
    open,
    close,
    min: open,
    max: close,
    volume: 0n as Amount,
    volumeQuote: 0n as Amount,
  };
  return { plain, known: new KnownCandles().know(plain) };
}

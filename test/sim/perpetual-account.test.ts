import { describe, expect, test } from 'vitest';
import { formatAmount, parseAmount, zero } from '../../src/core/base/amount.ts';
import { micros } from '../../src/core/base/clock.ts';
import type { BookSnapshot } from '../../src/core/model/event.ts';
import type { Instrument, InstrumentId, Lots, Ticks } from '../../src/core/model/instrument.ts';
import { Instruments } from '../../src/core/model/instrument.ts';
import type { Balance } from '../../src/core/model/market.ts';
import type { ClientOrderId, OrderRequest, Side } from '../../src/core/model/order.ts';
import { FeeSchedule } from '../../src/sim/fee-schedule.ts';
import { simOptions } from '../../src/sim/options.ts';
import { PerpetualAccount } from '../../src/sim/perpetual-account.ts';
import { openQueueEngine } from '../../src/sim/fill-models/queue/engine.ts';
import { riskAverse } from '../../src/sim/fill-models/queue/position.ts';
import { spotSpec } from '../support/markets.ts';

const instruments = new Instruments([
  spotSpec('ONEUSD', { baseCurrency: 'ONE', quoteCurrency: 'USD' }),
  spotSpec('TWOUSD', { baseCurrency: 'TWO', quoteCurrency: 'USD' }),
]);
const [one, two] = instruments.all as readonly [Instrument, Instrument];
const lots = (count: number): Lots => count as Lots;
const at = (price: number): Ticks => price as Ticks;

function account(funds: string): PerpetualAccount {
  return new PerpetualAccount(
    instruments,
    [{ currency: 'USD', available: parseAmount(funds), reserved: zero }],
    () => 2,
  );
}

function book(account: PerpetualAccount, instrument: Instrument, position: number, price: number): void {
  const side: Side = position > 0 ? 'buy' : 'sell';
  account.book({ instrument, side, price: at(price), lots: lots(Math.abs(position)), fee: zero });
}

function powerText({ buyingPower }: Balance): string {
  return typeof buyingPower === 'bigint' ? formatAmount(buyingPower) : String(buyingPower);
}

function received(account: PerpetualAccount): Record<string, string> {
  return Object.fromEntries(account.balances().map((one) => [one.currency, powerText(one)]));
}

describe('two perpetuals that share a currency', () => {
  test('the buying power of the one that has most is reported, so that controls deny neither', () => {
    const both = account('1000');
    book(both, one, -5, 100);
    book(both, two, 40, 50);
    // 2000 each: 2500 for buys of the one that is short, nothing for the one that is full.
    expect(received(both)).toEqual({ USD: '2500', ONE: '15', TWO: '80' });
    expect(both.balances().map(({ currency, available }) => [currency, formatAmount(available)])).toEqual([
      ['USD', '1000'],
      ['ONE', '0'],
      ['TWO', '0'],
    ]);
    expect(both.reserve(two, 'buy', parseAmount('50'))).toBe(false);
    expect(both.reserve(one, 'buy', parseAmount('2500'))).toBe(true);
  });

  test('a position may be closed when nothing is left of the account', () => {
    const empty = account('100');
    book(empty, one, -2, 100);
    empty.mark(one, one.priceAmount(at(200)));
    expect(empty.reserve(one, 'sell', parseAmount('200'))).toBe(false);
    expect(empty.reserve(one, 'buy', parseAmount('600'))).toBe(false);
    expect(empty.reserve(one, 'buy', parseAmount('400'))).toBe(true);
  });

  test('positions are worth the middle of the book, half a tick included', () => {
    const between = account('100');
    book(between, one, 3, 100);
    between.mark(one, parseAmount('100.5'));
    // 1.5 is gained: twice 101.5, and the 301.5 that are held.
    expect(between.reserve(one, 'sell', parseAmount('504.6'))).toBe(false);
    expect(between.reserve(one, 'sell', parseAmount('504.5'))).toBe(true);
  });

  test('an order of one is judged by what the other is worth now', () => {
    const engine = openQueueEngine(
      {
        instruments,
        options: simOptions.parse({}),
        balances: [],
        now: micros(0),
        tradesFrom: 1,
        happened: () => {},
      },
      {
        account: account('1000'),
        ruleOf: () => riskAverse,
        fees: instruments.all.map((instrument) => new FeeSchedule(instrument, [])),
        partial: true,
        impact: false,
      },
    );
    engine.data(snapshot(one, 100), micros(0));
    engine.data(snapshot(two, 50), micros(0));
    const buy = (instrument: Instrument, quantity: number, price: number) =>
      engine
        .execute(
          { kind: 'newOrder', commandId: 1, strategy: 'test', request: request(instrument, quantity, price) },
          micros(1),
        )
        .map(({ kind }) => kind);
    expect(buy(two, 20, 51)).toContain('report');
    // The twenty bought at 51 are worth 400 now: 380 are left, which bear 760.
    engine.data(snapshot(two, 20), micros(2));
    expect(buy(one, 9, 90)).toContain('refused');
    expect(buy(one, 8, 90)).toContain('report');
  });
});

function snapshot({ id }: Instrument, price: number): BookSnapshot {
  const levels = Float64Array.from([0, price - 1, 1_000, 1, price + 1, 1_000]);
  const times = { exchangeTime: micros(0), receiveTime: micros(0) };
  return {
    kind: 'bookSnapshot',
    instrument: id,
    sequence: 1,
    levels,
    start: 0,
    end: levels.length,
    ...times,
  };
}

function request({ id }: Instrument, quantity: number, price: number): OrderRequest {
  return {
    clientOrderId: `order-${id}-${quantity}` as ClientOrderId,
    instrument: id as InstrumentId,
    side: 'buy',
    type: 'limit',
    timeInForce: 'GTC',
    quantity: lots(quantity),
    price: at(price),
    stopPrice: undefined,
    expireTime: undefined,
    postOnly: false,
  };
}

import { describe, expect, test } from 'vitest';
import { formatAmount, parseAmount, zero } from '../../src/core/base/amount.ts';
import { micros } from '../../src/core/base/clock.ts';
import type { Outcome } from '../../src/exchange/matching/accounts/outcome.ts';
import { Instruments } from '../../src/core/model/instrument.ts';
import type { InstrumentId, Lots, Ticks } from '../../src/core/model/instrument.ts';
import type { ContingencyType } from '../../src/core/model/order-list.ts';
import type { ClientOrderId, OrderRequest } from '../../src/core/model/order.ts';
import type { OpenEngine } from '../../src/sim/engine.ts';
import { FeeSchedule } from '../../src/sim/fee-schedule.ts';
import { simOptions } from '../../src/sim/options.ts';
import { openQueueEngine } from '../../src/sim/fill-models/queue/engine.ts';
import { riskAverse } from '../../src/sim/fill-models/queue/position.ts';
import { ShadowEngine } from '../../src/sim/fill-models/fifo/shadow-engine.ts';
import { SpotAccount } from '../../src/sim/account.ts';
import { spotSpec } from '../support/markets.ts';
import { instrument, SimHarness } from '../support/sim-harness.ts';

const queue: OpenEngine = (setup) =>
  openQueueEngine(setup, {
    account: new SpotAccount(setup.balances),
    ruleOf: () => riskAverse,
    fees: setup.instruments.all.map((one) => new FeeSchedule(one, [])),
    partial: true,
    impact: false,
  });
const engines: readonly (readonly [name: string, open: OpenEngine])[] = [
  ['shadow', (setup) => new ShadowEngine(setup)],
  ['queue', queue],
];

/** Bids 99 x 9 and 98 x 9, asks 101 x 9 and 102 x 9; without fees. */
function market(openEngine: OpenEngine, funds = '1000'): SimHarness {
  const harness = new SimHarness({ openEngine, funds, spec: { makeRate: '0', takeRate: '0' } });
  harness.book([[99, 9], [98, 9]], [[101, 9], [102, 9]], 'bookSnapshot'); // prettier-ignore
  return harness;
}

function list(
  harness: SimHarness,
  contingency: ContingencyType,
  ...orders: (Partial<Omit<OrderRequest, 'price' | 'stopPrice'>> & { price?: number; stopPrice?: number })[]
): void {
  const ids = orders.map((_, i) => `listed-${i}` as ClientOrderId);
  harness.send({
    kind: 'newOrderList',
    commandId: 70,
    strategy: 'test',
    contingency,
    requests: orders.map((order, i): OrderRequest => ({
      instrument,
      side: 'sell',
      type: 'limit',
      timeInForce: 'GTC',
      quantity: 4 as Lots,
      expireTime: undefined,
      postOnly: false,
      list: { contingency, orders: ids },
      ...order,
      clientOrderId: ids[i] as ClientOrderId,
      price: order.price as Ticks | undefined,
      stopPrice: order.stopPrice as Ticks | undefined,
    })),
  });
}

/** What is reserved of a currency, as last reported. */
function reserved(harness: SimHarness, currency: string): string | undefined {
  const received = harness.only('balances').flatMap(({ balances }) => balances);
  const last = received.filter((balance) => balance.currency === currency).at(-1);
  return last === undefined ? undefined : formatAmount(last.reserved);
}

describe.each(engines)('stop and take-profit orders (%s)', (_name, open) => {
  test.each([
    ['buy', 'stopMarket', 103, 101],
    ['sell', 'takeProfitMarket', 103, 99],
    ['sell', 'stopMarket', 97, 99],
    ['buy', 'takeProfitMarket', 97, 101],
  ] as const)(
    'a %s %s fires when the last price is at %i, and takes what stands there',
    (side, type, stopPrice, at) => {
      const harness = market(open);
      harness.order('waits', side, { type, stopPrice, quantity: 1, timeInForce: 'FOK' });
      expect(harness.received()).toEqual(['waits suspended']);
      harness.trade('buy', 1, 100);
      expect(harness.received()).toEqual([]);
      if (stopPrice > 100) harness.trade('buy', 1, 104);
      else harness.trade('sell', 1, 96);
      expect(harness.received()).toEqual(['waits new', `waits trade 1@${at} filled`]);
    },
  );

  test('with a limit it rests where it cannot be executed, and fills there', () => {
    const harness = market(open);
    harness.order('waits', 'sell', { type: 'takeProfitLimit', stopPrice: 103, price: 105, quantity: 2 });
    harness.trade('buy', 1, 103);
    harness.trade('buy', 2, 105);
    expect(harness.received()).toEqual(['waits suspended', 'waits new', 'waits trade 2@105 filled']);
  });

  test('it fires at once when the price is there already; a cancelled one never does', () => {
    const harness = market(open);
    harness.trade('buy', 1, 103);
    harness.order('there', 'buy', { type: 'stopMarket', stopPrice: 103, quantity: 1, timeInForce: 'FOK' });
    expect(harness.received()).toEqual(['there suspended', 'there new', 'there trade 1@101 filled']);
    // Our own execution at 101 is the last price now.
    harness.order('gone', 'buy', { type: 'stopMarket', stopPrice: 103, quantity: 1, timeInForce: 'FOK' });
    harness.cancel('gone');
    harness.trade('buy', 1, 104);
    expect(harness.received()).toEqual(['gone suspended', 'gone canceled']);
  });

  test('several fire the nearest first, then the oldest', () => {
    const harness = market(open);
    for (const [id, stopPrice] of [
      ['far', 104],
      ['near', 102],
      ['late', 102],
    ] as const)
      harness.order(id, 'buy', { type: 'stopMarket', stopPrice, quantity: 1, timeInForce: 'IOC' });
    harness.received();
    harness.trade('buy', 1, 110);
    expect(harness.received().filter((line) => line.includes('trade'))).toEqual([
      'near trade 1@101 filled',
      'late trade 1@101 filled',
      'far trade 1@101 filled',
    ]);
  });

  test('a buy holds its stop price while it waits, and is canceled when it cannot pay once it fires', () => {
    const harness = market(open, '1000');
    harness.order('waits', 'buy', { type: 'stopMarket', stopPrice: 105, quantity: 9, timeInForce: 'IOC' });
    expect(reserved(harness, 'BBB')).toBe('945');
    harness.book([], [[101, 0], [102, 0], [200, 9]]); // prettier-ignore
    harness.received();
    harness.trade('buy', 1, 105);
    expect(reserved(harness, 'BBB')).toBe('0');
    expect(harness.received()).toEqual(['waits canceled']);
  });

  test('it expires in its time, and can be replaced while it waits', () => {
    const harness = market(open);
    const stop = { type: 'stopLimit', stopPrice: 97, price: 90, quantity: 2 } as const;
    harness.order('expires', 'sell', { ...stop, timeInForce: 'GTD', expireTime: 500 });
    harness.order('replaced', 'sell', stop);
    harness.send({
      kind: 'replaceOrder',
      commandId: 9,
      strategy: 'test',
      clientOrderId: 'replaced' as ClientOrderId,
      newClientOrderId: 'next-one' as ClientOrderId,
      instrument,
      side: 'sell',
      quantity: 2 as Lots,
      price: undefined,
      stopPrice: 95 as Ticks,
    });
    harness.clock.advanceTo(micros(500));
    expect(harness.received()).toEqual([
      'expires suspended',
      'replaced suspended',
      'next-one replaced',
      'expires expired',
    ]);
    harness.trade('sell', 1, 96);
    expect(harness.received()).toEqual([]);
    harness.trade('sell', 1, 95);
    expect(harness.received()).toEqual(['next-one new', 'next-one trade 2@99 filled']);
  });
});

describe.each(engines)('lists of orders (%s)', (_name, open) => {
  test('one cancels other: both hold once what one needs; the first execution ends the other', () => {
    const harness = market(open, '5');
    list(harness, 'oneCancelOther', { price: 105 }, { type: 'stopLimit', stopPrice: 97, price: 90 });
    expect(reserved(harness, 'AAA')).toBe('4');
    expect(harness.received()).toEqual(['listed-0 new', 'listed-1 suspended']);
    harness.trade('buy', 1, 105);
    expect(reserved(harness, 'AAA')).toBe('3');
    expect(harness.received()).toEqual(['listed-0 trade 1@105', 'listed-1 canceled']);
    harness.trade('buy', 9, 105);
    expect(reserved(harness, 'AAA')).toBe('0');
  });

  test('one cancels other: its stop fires, takes, and ends the limit', () => {
    const harness = market(open);
    list(harness, 'oneCancelOther', { price: 105 }, { type: 'stopLimit', stopPrice: 97, price: 90 });
    harness.received();
    harness.trade('sell', 1, 97);
    expect(reserved(harness, 'AAA')).toBe('0');
    expect(harness.received()).toEqual(['listed-1 new', 'listed-1 trade 4@99 filled', 'listed-0 canceled']);
  });

  test('one cancels other: one taker never executes both', () => {
    const harness = market(open);
    list(harness, 'oneCancelOther', { price: 105 }, { price: 105 });
    harness.received();
    harness.trade('buy', 50, 106);
    expect(harness.received()).toEqual(['listed-0 trade 4@105 filled', 'listed-1 canceled']);
  });

  test('one triggers other: what waits holds nothing, wakes when the first is filled, whole', () => {
    const harness = market(open);
    list(harness, 'oneTriggerOther', { side: 'buy', price: 97 }, { price: 103 });
    expect(harness.received().sort()).toEqual(['listed-0 new', 'listed-1 suspended']);
    expect(reserved(harness, 'AAA')).toBeUndefined();
    harness.trade('sell', 1, 96);
    expect(harness.received()).toEqual(['listed-0 trade 1@97']);
    harness.trade('sell', 3, 96);
    expect(harness.received()).toEqual(['listed-0 trade 3@97 filled', 'listed-1 new']);
    harness.trade('buy', 4, 103);
    expect(harness.received()).toEqual(['listed-1 trade 4@103 filled']);
  });

  test('one triggers other: all end with the first; none of them can be replaced meanwhile', () => {
    const harness = market(open);
    list(harness, 'oneTriggerOther', { side: 'buy', price: 97 }, { price: 103 });
    harness.received();
    harness.send({
      kind: 'replaceOrder',
      commandId: 9,
      strategy: 'test',
      clientOrderId: 'listed-0' as ClientOrderId,
      newClientOrderId: 'next-one' as ClientOrderId,
      instrument,
      side: 'buy',
      quantity: 5 as Lots,
      price: 96 as Ticks,
      stopPrice: undefined,
    });
    expect(harness.received()).toHaveLength(1);
    harness.cancel('listed-0');
    expect(reserved(harness, 'BBB')).toBe('0');
    expect(harness.received()).toEqual(['listed-0 canceled', 'listed-1 canceled']);
  });

  test('a list whose orders the account does not bear is refused whole', () => {
    const harness = market(open, '3');
    list(harness, 'oneCancelOther', { price: 105 }, { type: 'stopLimit', stopPrice: 97, price: 90 });
    expect(harness.received()).toEqual(['listed-0 orderRejected 20001', 'listed-1 orderRejected 20001']);
    expect(reserved(harness, 'AAA')).toBeUndefined();
  });
});

describe.each(engines)('all or none (%s)', (_name, open) => {
  const second = 1 as InstrumentId;

  /** Buys 4 at 10 in two markets, of which the second offers `lots`. */
  function both(lots: number): string[] {
    const instruments = new Instruments([spotSpec('AAABBB'), spotSpec('CCCBBB', { baseCurrency: 'CCC' })]);
    const engine = open({
      instruments,
      options: simOptions.parse({ windowTicks: 1_024 }),
      balances: [{ currency: 'BBB', available: parseAmount('1000'), reserved: zero }],
      now: micros(0),
      tradesFrom: 1,
      happened: () => {},
    });
    for (const [at, size] of [
      [instrument, 4],
      [second, lots],
    ] as const)
      engine.data(
        {
          kind: 'bookSnapshot',
          instrument: at,
          sequence: 1,
          levels: Float64Array.from([1, 10, size]),
          start: 0,
          end: 3,
          exchangeTime: micros(0),
          receiveTime: micros(0),
        },
        micros(0),
      );
    const ids = ['first-01', 'second-1'] as unknown as readonly ClientOrderId[];
    const outcomes = engine.execute(
      {
        kind: 'newOrderList',
        commandId: 1,
        strategy: 'test',
        contingency: 'allOrNone',
        requests: [instrument, second].map((at, i) => ({
          clientOrderId: ids[i] as ClientOrderId,
          instrument: at,
          side: 'buy',
          type: 'limit',
          timeInForce: 'FOK',
          quantity: 4 as Lots,
          price: 10 as Ticks,
          stopPrice: undefined,
          expireTime: undefined,
          postOnly: false,
        })),
      },
      micros(1),
    );
    return outcomes.flatMap((one: Outcome) =>
      one.kind === 'report' ? [`${one.order.clientOrderId} ${one.reportType}`] : [],
    );
  }

  test('executes in both markets, or in none', () => {
    expect(both(4)).toEqual(['first-01 new', 'second-1 new', 'first-01 trade', 'second-1 trade']);
    expect(both(3)).toEqual(['first-01 new', 'second-1 new', 'first-01 expired', 'second-1 expired']);
  });
});

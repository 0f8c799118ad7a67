import { describe, expect, test } from 'vitest';
import { formatAmount, parseAmount } from '../../src/core/base/amount.ts';
import type { InstrumentSpec } from '../../src/core/model/instrument.ts';
import type { ClientOrderId } from '../../src/core/model/order.ts';
import type { OpenEngine } from '../../src/sim/engine.ts';
import type { FeeTier } from '../../src/sim/fee-schedule.ts';
import { FeeSchedule } from '../../src/sim/fee-schedule.ts';
import { PerpetualAccount } from '../../src/sim/perpetual-account.ts';
import { openQueueEngine } from '../../src/sim/fill-models/queue/engine.ts';
import { riskAverse } from '../../src/sim/fill-models/queue/position.ts';
import { SpotAccount } from '../../src/sim/account.ts';
import { instrument, SimHarness } from '../support/sim-harness.ts';

interface Setting {
  readonly partial?: boolean;
  readonly impact?: boolean;
  readonly perpetual?: boolean;
  readonly leverage?: number;
  readonly tiers?: readonly FeeTier[];
  readonly funds?: string;
  readonly spec?: Partial<InstrumentSpec>;
}

function harness(setting: Setting = {}): SimHarness {
  const { partial = true, impact = false, perpetual = false, leverage, tiers = [], funds, spec } = setting;
  const openEngine: OpenEngine = (setup) =>
    openQueueEngine(setup, {
      account: perpetual
        ? new PerpetualAccount(setup.instruments, setup.balances, () => leverage)
        : new SpotAccount(setup.balances),
      ruleOf: () => riskAverse,
      fees: setup.instruments.all.map((one) => new FeeSchedule(one, tiers)),
      partial,
      impact,
    });
  return new SimHarness({
    openEngine,
    ...(funds === undefined ? {} : { funds }),
    ...(spec === undefined ? {} : { spec }),
  });
}

/** A buy of 4 at 100 behind 10, best ask 102. */
function queued(setting: Setting = {}): SimHarness {
  const one = harness(setting);
  one.book([[100, 10]], [[102, 5]], 'bookSnapshot');
  one.order('mine', 'buy', { price: 100, quantity: 4 });
  expect(one.received()).toEqual(['mine new']);
  return one;
}

describe('a resting order with an estimated place fills', () => {
  test('when trades at its price have used up what stood ahead, in parts', () => {
    const one = queued();
    one.trade('sell', 10, 100);
    expect(one.received()).toEqual([]);
    one.trade('sell', 3, 100);
    expect(one.received()).toEqual(['mine trade 3@100']);
    one.trade('sell', 3, 100);
    expect(one.received()).toEqual(['mine trade 1@100 filled']);
  });

  test('whole, when fills in parts are off and its place becomes negative', () => {
    const one = queued({ partial: false });
    one.trade('sell', 10, 100);
    expect(one.received()).toEqual([]);
    one.trade('sell', 1, 100);
    expect(one.received()).toEqual(['mine trade 4@100 filled']);
  });

  test('sooner, when the level shrank below what was ahead; a level that grows grows behind', () => {
    const one = queued();
    one.book([[100, 2]], []);
    one.book([[100, 50]], []);
    one.trade('sell', 3, 100);
    expect(one.received()).toEqual(['mine trade 1@100']);
  });

  test('when a trade prints through its price: with parts no more than was traded', () => {
    const one = queued();
    one.trade('sell', 1, 99);
    expect(one.received()).toEqual(['mine trade 1@100']);
    const whole = queued({ partial: false });
    whole.trade('sell', 1, 99);
    expect(whole.received()).toEqual(['mine trade 4@100 filled']);
  });

  test('when the other side quotes at its price, at its own price and as maker', () => {
    const one = queued({ partial: false, spec: { makeRate: '0.001', takeRate: '0.01' } });
    one.book([], [[99, 1]]);
    expect(one.only('orderReport')[0]?.fill).toMatchObject({ price: 100, quantity: 4, taker: false });
    expect(formatAmount(one.only('orderReport')[0]?.fill?.fee ?? (0n as never))).toBe('0.4');
  });

  test('never by trades of its own side, or at prices it does not reach', () => {
    const one = queued();
    one.trade('buy', 50, 100);
    one.trade('sell', 50, 101);
    expect(one.received()).toEqual([]);
  });

  test('a sell is the mirror of a buy', () => {
    const one = harness();
    one.book([[98, 5]], [[100, 10]], 'bookSnapshot');
    one.order('mine', 'sell', { price: 100, quantity: 4 });
    one.received();
    one.trade('buy', 11, 100);
    expect(one.received()).toEqual(['mine trade 1@100']);
    one.book([[100, 2]], []);
    expect(one.received()).toEqual(['mine trade 2@100']);
    one.trade('buy', 9, 101);
    expect(one.received()).toEqual(['mine trade 1@100 filled']);
  });

  test('two of ours at one price share what passes, oldest first', () => {
    const one = queued();
    one.order('later', 'buy', { price: 100, quantity: 4 });
    one.received();
    one.trade('sell', 16, 100);
    expect(one.received()).toEqual(['mine trade 4@100 filled', 'later trade 2@100']);
  });
});

describe('an order that takes', () => {
  test('fills whole at the best price when fills in parts are off, whatever stands there', () => {
    const one = harness({ partial: false });
    one.book([[100, 1]], [[102, 1]], 'bookSnapshot');
    one.order('market', 'sell', { type: 'market', timeInForce: 'IOC', quantity: 7 });
    one.order('limit', 'buy', { price: 105, quantity: 7 });
    expect(one.received()).toEqual([
      'market new',
      'market trade 7@100 filled',
      'limit new',
      'limit trade 7@102 filled',
    ]);
  });

  test('walks the recorded depth otherwise; what is left of a limit order rests, of a market order expires', () => {
    const one = harness();
    one.book([[100, 1]], [[102, 1], [103, 2], [104, 9]], 'bookSnapshot'); // prettier-ignore
    one.order('limit', 'buy', { price: 103, quantity: 5 });
    one.order('market', 'sell', { type: 'market', timeInForce: 'IOC', quantity: 3 });
    expect(one.received()).toEqual([
      'limit new',
      'limit trade 1@102',
      'limit trade 2@103',
      'market new',
      'market trade 1@100',
      'market expired',
    ]);
  });

  test('takes again what it took, unless depth is consumed until the recording restores it', () => {
    const ioc = { price: 102, quantity: 2, timeInForce: 'IOC' } as const;
    const free = harness();
    const dear = harness({ impact: true });
    for (const one of [free, dear]) {
      one.book([[100, 1]], [[102, 2]], 'bookSnapshot');
      one.order('first', 'buy', ioc);
      one.received();
      one.order('second', 'buy', ioc);
    }
    expect(free.received()).toEqual(['second new', 'second trade 2@102 filled']);
    expect(dear.received()).toEqual(['second new', 'second expired']);
    dear.book([], [[102, 1]]);
    dear.order('third', 'buy', ioc);
    expect(dear.received()).toEqual(['third new', 'third trade 1@102', 'third expired']);
  });

  test('expires when it is post-only, or fill-or-kill without enough', () => {
    const one = harness();
    one.book([[100, 1]], [[102, 1]], 'bookSnapshot');
    one.order('post', 'buy', { price: 102, quantity: 1, postOnly: true });
    one.order('fok', 'buy', { price: 102, quantity: 2, timeInForce: 'FOK' });
    expect(one.received()).toEqual(['post expired', 'fok new', 'fok expired']);
  });
});

describe('commands', () => {
  test('are refused with the documented codes', () => {
    const one = harness({ funds: '1000' });
    one.book([[100, 5]], [[102, 5]], 'bookSnapshot');
    one.order('poor', 'buy', { price: 100, quantity: 11 });
    one.order('stop', 'buy', { type: 'stopMarket', stopPrice: 105, quantity: 1 });
    one.order('zero', 'buy', { price: 100, quantity: 0 });
    one.order('mine', 'buy', { price: 100, quantity: 1 });
    one.order('mine', 'buy', { price: 100, quantity: 1 });
    one.cancel('gone');
    one.cancel('mine');
    expect(one.received()).toEqual([
      'poor orderRejected 20001',
      'stop suspended',
      'zero orderRejected 2012',
      'mine new',
      'mine orderRejected 20008',
      'gone cancelRejected 20002',
      'mine canceled',
    ]);
  });

  test('a replacement queues behind everything and keeps what was executed', () => {
    const one = queued();
    one.trade('sell', 11, 100);
    one.received();
    one.send({
      kind: 'replaceOrder',
      commandId: 9,
      strategy: 'test',
      clientOrderId: 'mine' as ClientOrderId,
      newClientOrderId: 'next' as ClientOrderId,
      instrument,
      side: 'buy',
      quantity: 6 as never,
      price: 101 as never,
      stopPrice: undefined,
    });
    expect(one.only('orderReport')[0]).toMatchObject({
      reportType: 'replaced',
      order: { cumulative: 1, originalClientOrderId: 'mine', state: 'partiallyFilled' },
    });
    one.received();
    one.trade('sell', 9, 100);
    expect(one.received()).toEqual(['next trade 5@101 filled']);
  });

  test('GTD orders end at their time, and give back what was kept for them', () => {
    const one = harness({ funds: '1000' });
    one.book([[100, 5]], [[102, 5]], 'bookSnapshot');
    one.order('mine', 'buy', { price: 100, quantity: 10, timeInForce: 'GTD', expireTime: 500 });
    expect(one.only('balances').at(-1)?.balances).toEqual([
      { currency: 'BBB', available: 0n, reserved: parseAmount('1000') },
    ]);
    one.received();
    one.clock.advanceTo(500 as never);
    expect(one.only('balances').at(-1)?.balances[0]?.available).toBe(parseAmount('1000'));
    expect(one.received()).toEqual(['mine expired']);
  });
});

describe('money', () => {
  test('a spot account ends with exactly what it paid and got, fees in quote currency', () => {
    const one = harness({ funds: '1000', spec: { makeRate: '-0.001', takeRate: '0.002' } });
    one.book([[100, 5]], [[102, 5]], 'bookSnapshot');
    one.order('buys', 'buy', { price: 102, quantity: 4 });
    one.order('sells', 'sell', { price: 110, quantity: 4 });
    one.trade('buy', 9, 111);
    const balances = new Map(
      one.only('balances').flatMap(({ balances: all }) => all.map((each) => [each.currency, each] as const)),
    );
    expect(formatAmount(balances.get('AAA')?.available ?? (1n as never))).toBe('1000');
    // 1000 - 408 - 0.816 + 440 + 0.44
    expect(formatAmount(balances.get('BBB')?.available ?? (1n as never))).toBe('1031.624');
  });

  test('a perpetual account goes short without owning anything', () => {
    const one = harness({ perpetual: true, funds: '0' });
    one.book([[100, 5]], [[102, 5]], 'bookSnapshot');
    one.order('mine', 'sell', { price: 100, quantity: 3 });
    expect(one.received()).toEqual(['mine new', 'mine trade 3@100 filled']);
  });

  test('with a leverage, orders beyond it are refused, closing ones are not', () => {
    const one = harness({ perpetual: true, funds: '100', leverage: 3 });
    one.book([[100, 9]], [[101, 9]], 'bookSnapshot');
    one.order('large', 'sell', { price: 100, quantity: 4 });
    one.order('fits', 'sell', { price: 100, quantity: 3 });
    one.order('more', 'sell', { price: 100, quantity: 1 });
    one.order('closes', 'buy', { price: 100, quantity: 3 });
    expect(one.received()).toEqual([
      'large orderRejected 20001',
      'fits new',
      'fits trade 3@100 filled',
      'more orderRejected 20001',
      'closes new',
    ]);
  });

  test('fees follow the tier of the volume traded so far', () => {
    const tier = (volume: string, rate: string) => ({
      volume: parseAmount(volume),
      makeRate: parseAmount(rate),
      takeRate: parseAmount(rate),
    });
    const one = harness({ spec: { takeRate: '0.01' }, tiers: [tier('200', '0.001'), tier('400', '-0.001')] });
    one.book([], [[100, 50]], 'bookSnapshot');
    for (const id of ['a', 'b', 'c', 'd', 'e'])
      one.order(id, 'buy', { price: 100, quantity: 1, timeInForce: 'IOC' });
    const fees = one
      .only('orderReport')
      .flatMap(({ fill }) => (fill === undefined ? [] : [formatAmount(fill.fee)]));
    expect(fees).toEqual(['1', '1', '0.1', '0.1', '-0.1']);
  });
});

import { describe, expect, test } from 'vitest';
import { formatAmount } from '../../src/core/base/amount.ts';
import { micros } from '../../src/core/base/clock.ts';
import type { ClientOrderId } from '../../src/core/model/order.ts';
import { instrument, SimHarness } from '../support/sim-harness.ts';

describe('the simulated venue answers as the venue would', () => {
  test('refusals carry the documented codes', () => {
    const harness = new SimHarness({ funds: '1000' });
    harness.order('poor', 'buy', { price: 100, quantity: 11 });
    harness.order('mine', 'buy', { price: 100, quantity: 1 });
    harness.order('mine', 'buy', { price: 100, quantity: 1 });
    harness.order('zero', 'buy', { price: 100, quantity: 0 });
    harness.order('gtc', 'buy', { type: 'market', quantity: 1 });
    harness.cancel('gone');
    expect(harness.only('commandSettled').map(({ outcome, lane }) => `${lane} ${outcome}`)).toEqual([
      'new refused',
      'new acknowledged',
      'new refused',
      'new refused',
      'new refused',
      'cancel refused',
    ]);
    expect(harness.received()).toEqual([
      'poor orderRejected 20001',
      'mine new',
      'mine orderRejected 20008',
      'zero orderRejected 2012',
      'gtc orderRejected 20048',
      'gone cancelRejected 20002',
    ]);
  });

  test('a replacement that cannot be placed cancels the old order and rejects the new one', () => {
    const harness = new SimHarness({ funds: '1000' });
    harness.order('old', 'buy', { price: 100, quantity: 5 });
    harness.received();
    const ids = { clientOrderId: 'old' as ClientOrderId, newClientOrderId: 'new' as ClientOrderId };
    harness.send({
      kind: 'replaceOrder',
      commandId: 77,
      strategy: 'test',
      ...ids,
      instrument,
      side: 'buy',
      quantity: 11 as never,
      price: 100 as never,
      stopPrice: undefined,
    });
    expect(harness.only('orderRejected')[0]).toMatchObject({
      clientOrderId: 'new',
      originalClientOrderId: 'old',
    });
    expect(harness.received()).toEqual(['old canceled', 'new orderRejected 20001']);
  });

  test('GTD and Day orders expire by themselves at their time', () => {
    const harness = new SimHarness();
    harness.order('mine', 'buy', { price: 100, quantity: 1, timeInForce: 'GTD', expireTime: 5_000 });
    harness.order('later', 'buy', { price: 100, quantity: 1, timeInForce: 'GTD', expireTime: 6_000 });
    harness.received();
    harness.clock.advanceTo(micros(5_500));
    expect(harness.only('orderReport').map(({ exchangeTime }) => exchangeTime)).toEqual([5_000]);
    expect(harness.received()).toEqual(['mine expired']);
    harness.clock.advanceTo(micros(7_000));
    expect(harness.received()).toEqual(['later expired']);
    expect(harness.clock.pending).toBe(0);
  });

  test("reads tell active orders, balances, an order's history and own trades as they are at the venue", () => {
    const harness = new SimHarness({ spec: { takeRate: '0.002', makeRate: '0.001' } });
    harness.book([[100, 5]], [[101, 4]]);
    harness.order('taken', 'buy', { price: 101, quantity: 3 });
    harness.order('rests', 'buy', { price: 99, quantity: 2 });
    harness.noted.length = 0;
    harness.read({ of: 'activeOrders' });
    harness.read({ of: 'balances' });
    harness.read({ of: 'orderHistory', clientOrderId: 'taken' as ClientOrderId });
    harness.read({ of: 'tradeHistory', since: micros(0) });
    harness.read({ of: 'tradeHistory', since: micros(1) });
    const [active, balances, history, trades, none] = harness.only('readAnswered');
    expect(active?.orders.map(({ clientOrderId, state }) => [clientOrderId, state])).toEqual([
      ['rests', 'new'],
    ]);
    expect(
      balances?.balances.map(({ currency, available, reserved }) => [
        currency,
        formatAmount(available),
        formatAmount(reserved),
      ]),
    ).toEqual([
      ['AAA', '1000003', '0'],
      ['BBB', '999497.998', '198.396'],
    ]);
    expect(history?.orders).toMatchObject([{ clientOrderId: 'taken', state: 'filled', cumulative: 3 }]);
    expect(trades?.fills).toMatchObject([
      { clientOrderId: 'taken', side: 'buy', price: 101, quantity: 3, taker: true },
    ]);
    expect(none?.fills).toEqual([]);
  });
});

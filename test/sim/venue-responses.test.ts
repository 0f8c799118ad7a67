import { describe, expect, test } from 'vitest';
import { formatAmount } from '../../src/core/base/amount.ts';
import { micros } from '../../src/core/base/clock.ts';
import type { ClientOrderId } from '../../src/core/model/order.ts';
import { instrument, SimDesk } from '../support/sim-desk.ts';

describe('the simulated venue answers as the venue would', () => {
  test('refusals carry the documented codes', () => {
    const desk = new SimDesk({ funds: '1000' });
    desk.order('poor', 'buy', { price: 100, quantity: 11 });
    desk.order('mine', 'buy', { price: 100, quantity: 1 });
    desk.order('mine', 'buy', { price: 100, quantity: 1 });
    desk.order('zero', 'buy', { price: 100, quantity: 0 });
    desk.order('gtc', 'buy', { type: 'market', quantity: 1 });
    desk.cancel('gone');
    expect(desk.only('commandSettled').map(({ outcome, lane }) => `${lane} ${outcome}`)).toEqual([
      'new refused',
      'new acknowledged',
      'new refused',
      'new refused',
      'new refused',
      'cancel refused',
    ]);
    expect(desk.heard()).toEqual([
      'poor orderRejected 20001',
      'mine new',
      'mine orderRejected 20008',
      'zero orderRejected 2012',
      'gtc orderRejected 20048',
      'gone cancelRejected 20002',
    ]);
  });

  test('a replacement that cannot be placed cancels the old order and rejects the new one', () => {
    const desk = new SimDesk({ funds: '1000' });
    desk.order('old', 'buy', { price: 100, quantity: 5 });
    desk.heard();
    const ids = { clientOrderId: 'old' as ClientOrderId, newClientOrderId: 'new' as ClientOrderId };
    desk.send({
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
    expect(desk.only('orderRejected')[0]).toMatchObject({
      clientOrderId: 'new',
      originalClientOrderId: 'old',
    });
    expect(desk.heard()).toEqual(['old canceled', 'new orderRejected 20001']);
  });

  test('GTD and Day orders expire by themselves at their time', () => {
    const desk = new SimDesk();
    desk.order('mine', 'buy', { price: 100, quantity: 1, timeInForce: 'GTD', expireTime: 5_000 });
    desk.order('later', 'buy', { price: 100, quantity: 1, timeInForce: 'GTD', expireTime: 6_000 });
    desk.heard();
    desk.clock.advanceTo(micros(5_500));
    expect(desk.only('orderReport').map(({ exchangeTime }) => exchangeTime)).toEqual([5_000]);
    expect(desk.heard()).toEqual(['mine expired']);
    desk.clock.advanceTo(micros(7_000));
    expect(desk.heard()).toEqual(['later expired']);
    expect(desk.clock.pending).toBe(0);
  });

  test("reads tell active orders, balances, an order's history and own trades as they are at the venue", () => {
    const desk = new SimDesk({ spec: { takeRate: '0.002', makeRate: '0.001' } });
    desk.book([[100, 5]], [[101, 4]]);
    desk.order('taken', 'buy', { price: 101, quantity: 3 });
    desk.order('rests', 'buy', { price: 99, quantity: 2 });
    desk.told.length = 0;
    desk.read({ of: 'activeOrders' });
    desk.read({ of: 'balances' });
    desk.read({ of: 'orderHistory', clientOrderId: 'taken' as ClientOrderId });
    desk.read({ of: 'tradeHistory', since: micros(0) });
    desk.read({ of: 'tradeHistory', since: micros(1) });
    const [active, balances, history, trades, none] = desk.only('readAnswered');
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

import { parseAmount } from '../../../src/core/base/amount.ts';
import { describe, expect, test } from 'vitest';
import type { VenueOrder } from '../../../src/core/model/order.ts';
import { defineStrategy, z } from '../../../src/core/strategy/index.ts';
import { Rig } from './support/rig.ts';

/** Buys so many lots at 99 on every trade at 100, and says when it is paused. */
const buyerOf = (quantity: number) =>
  defineStrategy({
    name: 'buyer',
    params: z.strictObject({}),
    feeds: () => [{ symbol: 'AAABBB', book: true, trades: true }],
    create: ({ orders, log }) => ({
      onTrade: (trade) => {
        if (trade.price === 100) orders.place({ symbol: 'AAABBB', side: 'buy', quantity, price: 99 });
      },
      onOutage: (outage) => {
        if (outage.of === 'pause') log.info(`${outage.paused ? 'paused' : 'goes on'}: ${outage.why}`);
      },
    }),
  });

const buyer = buyerOf(3);

type Id = VenueOrder['clientOrderId'];

function buy(rig: Rig): Id {
  rig.wait(2_000);
  rig.trade(100);
  return rig.all('orderPending').at(-1)?.command.request.clientOrderId as Id;
}

const closing = (rig: Rig) => {
  const requests = rig.all('orderPending').map(({ command }) => command.request);
  return requests.filter(({ clientOrderId }) => clientOrderId.includes('-op-'));
};

describe('an operator', () => {
  test('is recorded before what he asked for, with name and reason', () => {
    const rig = new Rig({ strategies: [buyer] }).ready();
    rig.trader.act({ act: 'halt' }, 'ann', 'a strange market');
    expect(rig.kinds('operatorActed', 'modeChanged')).toEqual(['operatorActed', 'modeChanged']);
    expect(rig.all('operatorActed')[0]).toMatchObject({
      act: { act: 'halt' },
      who: 'ann',
      why: 'a strange market',
    });
    expect(rig.all('modeChanged')[0]).toMatchObject({
      mode: 'halted',
      why: 'a strange market, by ann',
      latched: true,
    });
    rig.trader.act({ act: 'clear' }, 'bob', '');
    expect(rig.trader.view.mode).toBe('active');
  });

  test('halts by a kill file with or without what only reduces, and an act of a sentinel is recorded alone', () => {
    const rig = new Rig({ strategies: [buyer] }).ready();
    const result = { at: 7, canceled: 1, orders: ['gw-1-buyer-00001'], kept: 0, unresolved: [] };
    rig.trader.act({ act: 'sentinel', ...result }, 'sentinel', 'the daemon is gone');
    expect(rig.all('operatorActed')).toMatchObject([{ act: result, why: 'the daemon is gone' }]);
    expect(rig.all('modeChanged')).toEqual([]);
    rig.trader.act({ act: 'kill', cancel: 'raising' }, 'kill file', 'it is there');
    rig.trader.act({ act: 'kill', cancel: 'all' }, 'kill file', 'it is there');
    const [raising, all] = rig.all('modeChanged');
    expect(raising).toMatchObject({ mode: 'halted', latched: true, keepsExits: true });
    expect(all).toMatchObject({ mode: 'halted', latched: true });
    expect(all).not.toHaveProperty('keepsExits');
  });

  test('pauses a strategy, which is notified, and lets it go on', () => {
    const rig = new Rig({ strategies: [buyer] }).ready();
    rig.trader.act({ act: 'pause', strategy: 'buyer' }, 'ann', 'lunch');
    const before = rig.all('orderPending').length;
    buy(rig);
    expect(rig.all('orderPending')).toHaveLength(before);
    rig.trader.act({ act: 'resume', strategy: undefined }, 'ann', 'back');
    buy(rig);
    expect(rig.all('orderPending')).toHaveLength(before + 1);
    expect(rig.all('strategyNoted').map(({ text }) => text)).toEqual(['paused: lunch', 'goes on: back']);
  });

  test('flattens: live orders go first, then what is held is sold within one percent, again until nothing is left', () => {
    const rig = new Rig({ strategies: [buyer] }).ready();
    const filled = buy(rig);
    rig.report(filled, 'filled', 3);
    const resting = buy(rig);
    rig.report(resting, 'new');
    rig.trader.act({ act: 'flatten', strategy: undefined }, 'ann', '');
    expect(rig.all('cancelPending').map(({ command }) => command.clientOrderId)).toEqual([resting]);
    rig.wait(500);
    expect(closing(rig)).toEqual([]);
    rig.report(resting, 'canceled');
    rig.wait(200);
    const [first] = closing(rig);
    expect(first).toMatchObject({ side: 'sell', quantity: 3, price: 98, timeInForce: 'IOC' });
    rig.report(first?.clientOrderId ?? '', 'expired', 2);
    rig.wait(1_200);
    const [, second] = closing(rig);
    expect(second).toMatchObject({ side: 'sell', quantity: 1 });
    rig.report(second?.clientOrderId ?? '', 'filled', 1);
    rig.wait(5_000);
    expect(closing(rig)).toHaveLength(2);
    expect(rig.trader.view.position(0 as never, 'buyer').quantity).toBe(0);
    expect(rig.trader.view.paused('buyer')).toBe('by ann');
  });

  test('flattens what an order buys that its cancel comes too late for, though nothing was held before', () => {
    const rig = new Rig({ strategies: [buyer] }).ready();
    const resting = buy(rig);
    rig.report(resting, 'new');
    rig.trader.act({ act: 'flatten', strategy: 'buyer' }, 'ann', '');
    rig.wait(1_000);
    rig.report(resting, 'filled', 3);
    rig.wait(1_000);
    expect(closing(rig)).toMatchObject([{ side: 'sell', quantity: 3 }]);
  });

  test('flattens what a strategy holds that was stopped, and no order of its own leaves', () => {
    const rig = new Rig({ strategies: [buyer] }).ready();
    rig.report(buy(rig), 'filled', 3);
    rig.trader.act({ act: 'stopStrategy', strategy: 'buyer' }, 'ann', '');
    rig.wait(100);
    expect(rig.trader.view.stopped('buyer')).toBeDefined();
    rig.trader.act({ act: 'flatten', strategy: 'buyer' }, 'ann', '');
    rig.wait(1_000);
    expect(rig.all('orderDenied')).toEqual([]);
    expect(closing(rig)).toMatchObject([{ side: 'sell', quantity: 3 }]);
    rig.report(closing(rig)[0]?.clientOrderId ?? '', 'filled', 3);
    rig.wait(5_000);
    expect(rig.trader.view.position(0 as never, 'buyer').quantity).toBe(0);
    expect(rig.all('orderPending')).toHaveLength(2);
  });

  test('flattens what a margin account holds by an order of that account that only reduces', () => {
    const rig = new Rig({ strategies: [buyer] }).ready();
    const id = buy(rig);
    const margin = { mode: 'isolated', reduceOnly: false, closePosition: false, auto: false } as const;
    const fill = {
      tradeId: 'own-1',
      price: 99 as never,
      quantity: 3 as never,
      fee: 0n as never,
      taker: false,
      time: rig.clock.now(),
    };
    const order = { ...rig.venueOrder(id, 'filled', 3), margin };
    rig.subject.next({ kind: 'orderReport', reportType: 'trade', order, fill, ...rig.times });
    rig.trader.act({ act: 'flatten', strategy: 'buyer' }, 'ann', '');
    rig.wait(1_000);
    const intents = rig.all('intent').map(({ intent }) => intent);
    expect(intents.at(-1)).toMatchObject({
      action: 'place',
      strategy: 'buyer',
      request: { side: 'sell', quantity: 3, margin: { ...margin, reduceOnly: true } },
    });
  });

  test('an order of a flatten that the controls deny is tried with half the quantity', () => {
    const rig = new Rig({ strategies: [buyerOf(2)], quantityMax: '2' }).ready();
    for (let i = 0; i < 2; i++) rig.report(buy(rig), 'filled', 2);
    rig.trader.act({ act: 'flatten', strategy: 'buyer' }, 'ann', '');
    rig.wait(2_000);
    expect(closing(rig).map(({ quantity }) => quantity)).toEqual([2]);
    const denied = rig.all('orderDenied').filter(({ denial }) => denial.code === 'QUANTITY_MAX');
    expect(denied).toHaveLength(1);
  });

  test('flattens no more than the balance has, though more was bought by the books', () => {
    const rig = new Rig({ strategies: [buyer] }).ready();
    rig.report(buy(rig), 'filled', 3);
    const balance = { currency: 'AAA', available: parseAmount('2.5'), reserved: parseAmount('0') };
    rig.subject.next({ kind: 'balances', complete: false, balances: [balance], ...rig.times });
    rig.trader.act({ act: 'flatten', strategy: undefined }, 'ann', '');
    rig.wait(1_000);
    expect(closing(rig)).toMatchObject([{ side: 'sell', quantity: 2 }]);
  });

  test('flattens what is known, the smaller of books and balance, when no read is answered within 1.5 s', () => {
    const rig = new Rig({ strategies: [buyer] }).ready();
    rig.report(buy(rig), 'filled', 3);
    const balance = { currency: 'AAA', available: parseAmount('2.5'), reserved: parseAmount('0') };
    rig.subject.next({ kind: 'balances', complete: false, balances: [balance], ...rig.times });
    rig.isDeaf = true;
    rig.trader.act({ act: 'flatten', strategy: undefined }, 'ann', '');
    rig.wait(1_400);
    expect(closing(rig)).toEqual([]);
    rig.wait(300);
    expect(closing(rig)).toMatchObject([{ side: 'sell', quantity: 2 }]);
  });

  test.each([50, 6_000])(
    'flattens nothing of an execution that the account read then does not show, reported %i ms before',
    (ms) => {
      const rig = new Rig({ strategies: [buyer] }).ready();
      rig.report(buy(rig), 'filled', 3);
      rig.trades.length = 0;
      rig.wait(ms);
      rig.trader.act({ act: 'flatten', strategy: undefined }, 'ann', '');
      rig.wait(20_000);
      expect(rig.trader.view.differences.all).toMatchObject([{ kind: 'execution', strategy: 'buyer' }]);
      rig.wait(180_000);
      expect(rig.trader.view.position(0 as never, 'buyer').quantity).toBe(0);
      expect(closing(rig)).toEqual([]);
    },
  );

  test('flattens what a history that lags shows as soon as it does', () => {
    const rig = new Rig({ strategies: [buyer] }).ready();
    rig.report(buy(rig), 'filled', 3);
    const late = rig.trades.splice(0);
    rig.trader.act({ act: 'flatten', strategy: undefined }, 'ann', '');
    rig.wait(3_000);
    expect(closing(rig)).toEqual([]);
    rig.trades.push(...late);
    rig.wait(2_000);
    expect(closing(rig)).toMatchObject([{ side: 'sell', quantity: 3 }]);
  });
});

import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import type { VenueOrder } from '../../../src/core/model/order.ts';
import type { StampedEvent } from '../../../src/core/model/stamped-event.ts';
import { State } from '../../../src/core/state/state.ts';
import { defineStrategy, z } from '../../../src/core/strategy/index.ts';
import { oneMarket } from '../../support/markets.ts';
import { Rig, instrument } from './support/rig.ts';

/** Buys three lots at 99 on every trade at 100, and says what it holds when it starts. */
const buyer = defineStrategy({
  name: 'buyer',
  params: z.strictObject({}),
  feeds: () => [{ symbol: 'AAABBB', book: true, trades: true }],
  create: ({ orders, position, log }) => ({
    onStart: () => log.info(`starts with ${position('AAABBB').quantity} lots, ${orders.openCount()} orders`),
    onTrade: (trade) => {
      if (trade.price === 100) orders.place({ symbol: 'AAABBB', side: 'buy', quantity: 3, price: 99 });
    },
  }),
});

function buy(rig: Rig): VenueOrder['clientOrderId'] {
  rig.wait(2_000);
  rig.trade(100);
  return rig.all('orderPending').at(-1)?.command.request.clientOrderId as VenueOrder['clientOrderId'];
}

/** A run that bought two of three lots, has another order resting and a third without an answer. */
function firstRun(): {
  readonly rig: Rig;
  readonly partly: string;
  readonly silent: VenueOrder['clientOrderId'];
} {
  const rig = new Rig({ strategies: [buyer] }).ready();
  const partly = buy(rig);
  rig.report(partly, 'partiallyFilled', 2);
  rig.report(buy(rig), 'new');
  return { rig, partly, silent: buy(rig) };
}

/** Keeps `count` records that change nothing. */
function chatter(rig: Rig, count: number): void {
  for (let i = 0; i < count; i++)
    rig.subject.next({
      kind: 'bookStale',
      instrument,
      reason: 'silent',
      expected: 0,
      found: 0,
      ...rig.times,
    });
}

describe('the carried state', () => {
  test('is all that a trader keeps of what earlier runs recorded', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const next = new Rig({ strategies: [buyer], after: firstRun().rig, run: 'r2' });
    const received = new WeakRef(next.history);
    (next as { history: readonly StampedEvent[] }).history = [];
    // What a reference was made for stays until the turn is over.
    await setImmediate();
    collect();
    expect(next.trader.view.openCount()).toBe(3);
    expect(received.deref()).toBeUndefined();
  });

  test('is recorded right after the start of a run, when there was one before', () => {
    const { rig } = firstRun();
    expect(rig.all('stateCarried')).toEqual([]);
    const next = new Rig({ strategies: [buyer], after: rig, run: 'r2' });
    next.trader.start('sim');
    expect(next.seen.slice(0, 2).map(({ event }) => event.kind)).toEqual(['runStarted', 'stateCarried']);
    expect(next.all('stateCarried')[0]?.state.orders.live).toHaveLength(3);
    expect(next.all('stateCarried')[0]?.state.mode.mode).toBe('active');
  });

  test('is not recorded in a backtest, whose journal no later run continues', () => {
    const { rig } = firstRun();
    const next = new Rig({ after: rig, run: 'r2', stateOptions: { carryEvery: 1_000 } });
    next.trader.start('backtest');
    chatter(next, 2_000);
    next.wait(60_000);
    expect(next.all('stateCarried')).toEqual([]);
  });

  test('is recorded anew after so many records, as soon as nothing comes for a moment', () => {
    const rig = new Rig({ strategies: [buyer], stateOptions: { carryEvery: 1_000 } }).ready();
    chatter(rig, 900);
    rig.wait(1_000);
    expect(rig.all('stateCarried')).toEqual([]);
    chatter(rig, 200);
    for (let i = 0; i < 50; i++) {
      rig.wait(10);
      rig.trade(50);
    }
    expect(rig.all('stateCarried')).toEqual([]);
    rig.wait(40);
    expect(rig.all('stateCarried')).toHaveLength(1);
    rig.wait(60_000);
    expect(rig.all('stateCarried')).toHaveLength(1);
    chatter(rig, 1_000);
    rig.wait(1_000);
    expect(rig.all('stateCarried')).toHaveLength(2);
  });

  test('is recorded in the end even when it is never quiet', () => {
    const rig = new Rig({ stateOptions: { carryEvery: 1_000 } }).ready();
    chatter(rig, 1_000);
    for (let i = 0; i < 1_000; i++) {
      rig.wait(10);
      rig.trade(50);
    }
    expect(rig.all('stateCarried')).toHaveLength(1);
  });

  test('is all that the next run needs of the journal', () => {
    const rig = new Rig({ strategies: [buyer], stateOptions: { carryEvery: 1_000 } }).ready();
    const early = buy(rig);
    rig.report(early, 'partiallyFilled', 2);
    chatter(rig, 1_000);
    rig.wait(1_000);
    const late = buy(rig);
    rig.report(late, 'filled', 3);
    expect(rig.all('stateCarried')).toHaveLength(1);
    const whole = new State({ instruments: oneMarket() });
    for (const { event } of rig.journal.events) whole.fold(event);
    const { view } = new Rig({ strategies: [buyer], after: rig, run: 'r2' }).trader;
    expect(view.openOrders()).toStrictEqual(whole.openOrders());
    expect(view.positions()).toStrictEqual(whole.positions());
    expect(view.balances()).toStrictEqual(whole.balances());
    expect(view.order(early as VenueOrder['clientOrderId'])).toStrictEqual(
      whole.order(early as VenueOrder['clientOrderId']),
    );
    expect(view.netPosition(instrument)).toBe(5);
  });

  test('lets orders of two runs ago become unknown, be read, and be cancelled where they live', () => {
    const { rig, silent, partly } = firstRun();
    const second = new Rig({ strategies: [buyer], after: rig, run: 'r2' });
    // The second run dies before the venue answers anything.
    second.trader.start('sim');
    let alive: readonly VenueOrder[] = [];
    const third = new Rig({ strategies: [buyer], after: second, run: 'r3', alive: () => alive });
    expect(third.trader.view.order(silent)?.state).toBe('pending');
    alive = [third.venueOrder(silent, 'new'), third.venueOrder(partly, 'partiallyFilled', 2)];
    third.ready();
    third.wait(10);
    expect(third.all('orderUnknown')).toMatchObject([{ clientOrderId: silent }]);
    expect(third.sent).toContainEqual(
      expect.objectContaining({ kind: 'read', what: { of: 'orderHistory', clientOrderId: silent } }),
    );
    expect(third.trader.view.unknownCount()).toBe(0);
    for (const clientOrderId of [silent, partly]) {
      expect(third.sent).toContainEqual(expect.objectContaining({ kind: 'cancelOrder', clientOrderId }));
    }
    expect(third.sent.filter(({ kind }) => kind === 'newOrder')).toEqual([]);
    expect(third.all('strategyNoted')).toMatchObject([{ text: 'starts with 2 lots, 3 orders' }]);
  });

  test('keeps a latched halt and lets go of what stopped a strategy', () => {
    const { rig } = firstRun();
    rig.trader.halt('a risk breach');
    rig.trader.stop('the test is over');
    const second = new Rig({ strategies: [buyer], after: rig, run: 'r2' });
    second.trader.start('sim');
    const third = new Rig({ strategies: [buyer], after: second, run: 'r3' });
    third.trader.start('sim');
    expect(third.trader.view.mode).toBe('halted');
    expect(third.trader.view.modeWhy).toBe('a risk breach');
    expect(third.trader.view.stopped('buyer')).toBeUndefined();
  });
});

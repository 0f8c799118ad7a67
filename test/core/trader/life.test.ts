import { describe, expect, test } from 'vitest';
import type { VenueOrder } from '../../../src/core/model/order.ts';
import { defineStrategy, z } from '../../../src/core/strategy/index.ts';
import { Rig, instrument } from './support/rig.ts';

/** Buys one lot at 99 on every trade at 100. */
const buyer = defineStrategy({
  name: 'buyer',
  params: z.strictObject({}),
  feeds: () => [{ symbol: 'AAABBB', book: true, trades: true }],
  create: ({ orders }) => ({
    onTrade: (trade) => {
      if (trade.price === 100) orders.place({ symbol: 'AAABBB', side: 'buy', quantity: 3, price: 99 });
    },
  }),
});

const lastId = (rig: Rig): string => rig.all('orderPending').at(-1)?.command.request.clientOrderId ?? '';

describe('the start', () => {
  test('notifies the run first, and starts strategies only when the account is reconciled', () => {
    const rig = new Rig({ strategies: [buyer] });
    rig.trader.start('sim');
    rig.book(99, 101);
    rig.trade(100);
    expect(rig.trader.started).toBe(false);
    rig.subject.next({ kind: 'sessionUp', session: 'trading', ...rig.times });
    rig.wait(10);
    expect(rig.trader.started).toBe(true);
    expect(rig.seen[0]?.event).toMatchObject({ kind: 'runStarted', run: 'r1', mode: 'sim' });
    expect(rig.all('intent')).toEqual([]);
    expect(rig.sent.map(({ kind }) => kind)).toEqual(['read', 'read', 'read']);
  });
});

describe('the stop', () => {
  test('ends strategies, cancels own orders, and is quiet once they are gone', () => {
    const rig = new Rig({ strategies: [buyer] }).ready();
    rig.trade(100);
    const id = lastId(rig);
    rig.report(id, 'new');
    rig.trader.stop('the test is over');
    expect(rig.trader.quiet).toBe(false);
    expect(rig.all('strategyStopped')).toMatchObject([{ strategy: 'buyer', why: 'unloaded' }]);
    expect(rig.sent.at(-1)).toMatchObject({ kind: 'cancelOrder', clientOrderId: id });
    rig.trade(100);
    expect(rig.all('intent')).toHaveLength(1);
    rig.report(id, 'canceled');
    expect(rig.trader.view.openCount()).toBe(0);
  });

  test('after a latched halt leaves it latched: the next run trades only when an operator has cleared it', () => {
    const rig = new Rig({ strategies: [buyer] }).ready();
    rig.trader.halt('a risk breach');
    rig.trader.stop('the test is over');
    const next = new Rig({ strategies: [buyer], after: rig, run: 'r2' }).ready();
    expect(next.trader.view.mode).toBe('halted');
    expect(next.trader.view.modeWhy).toBe('a risk breach');
    next.trade(100);
    expect(next.all('orderPending')).toEqual([]);
    const cleared = new Rig({ strategies: [buyer], after: next, run: 'r3', clearHalt: true }).ready();
    cleared.trade(100);
    expect(cleared.trader.view.mode).toBe('active');
    expect(cleared.all('orderPending')).toHaveLength(1);
  });

  test('by itself leaves the next run free to trade', () => {
    const rig = new Rig({ strategies: [buyer] }).ready();
    rig.trader.stop('the test is over');
    const next = new Rig({ strategies: [buyer], after: rig, run: 'r2' }).ready();
    next.trade(100);
    expect(next.all('orderPending')).toHaveLength(1);
  });
});

describe('recovery from the journal', () => {
  /** A run that bought two of three lots, has another order resting, and a third without an answer. */
  function firstRun(): { rig: Rig; filled: string; resting: string; silent: string } {
    const rig = new Rig({ strategies: [buyer] }).ready();
    const next = (): string => {
      rig.wait(2_000);
      rig.trade(100);
      return lastId(rig);
    };
    const filled = next();
    rig.report(filled, 'partiallyFilled', 2);
    const resting = next();
    rig.report(resting, 'new');
    const silent = next();
    return { rig, filled, resting, silent };
  }

  test('rebuilds orders and positions, and goes on with the next sequence', () => {
    const { rig, filled, resting } = firstRun();
    const next = new Rig({ strategies: [buyer], after: rig, run: 'r2' });
    expect(next.trader.view.position(instrument, 'buyer').quantity).toBe(2);
    expect(next.trader.view.netPosition(instrument)).toBe(2);
    expect(next.trader.view.order(filled as VenueOrder['clientOrderId'])?.state).toBe('partiallyFilled');
    expect(next.trader.view.order(resting as VenueOrder['clientOrderId'])?.state).toBe('new');
    next.trader.start('sim');
    expect(next.seen[0]?.sequence).toBe((rig.journal.events.at(-1)?.sequence ?? 0) + 1);
  });

  test('makes a pending order of the dead run unknown and reads it, and never sends it again', () => {
    const { rig, silent } = firstRun();
    let alive: readonly VenueOrder[] = [];
    const next = new Rig({ strategies: [buyer], after: rig, run: 'r2', alive: () => alive });
    alive = [next.venueOrder(silent, 'new')];
    next.ready();
    expect(next.all('orderUnknown')).toMatchObject([{ clientOrderId: silent }]);
    expect(next.sent).toContainEqual(
      expect.objectContaining({ kind: 'read', what: { of: 'orderHistory', clientOrderId: silent } }),
    );
    expect(next.trader.view.unknownCount()).toBe(0);
    expect(next.sent.filter(({ kind }) => kind === 'newOrder')).toEqual([]);
    next.wait(10);
    expect(next.sent).toContainEqual(expect.objectContaining({ kind: 'cancelOrder', clientOrderId: silent }));
  });

  test('gives the next run ids that no earlier run has used', () => {
    const { rig } = firstRun();
    const next = new Rig({ strategies: [buyer], after: rig, run: 'r2' }).ready();
    next.wait(2_000);
    next.trade(100);
    const used = rig.all('orderPending').map(({ command }) => command.request.clientOrderId);
    expect(used).not.toContain(lastId(next));
    expect(lastId(next)).toMatch(/^gw-r2-t0-/);
  });
});

import { describe, expect, test, vi } from 'vitest';
import type { StrategyHandlers } from '../../../src/core/strategy/handlers.ts';
import type { StrategyContext } from '../../../src/core/strategy/context.ts';
import { defineStrategy, z } from '../../../src/core/strategy/index.ts';
import { ThreadHost } from '../../../src/core/strategy/thread-host.ts';
import { Rig, instrument } from './support/rig.ts';

type Context = StrategyContext<Record<string, never>>;

/** A strategy made of handlers. */
function strategy(name: string, create: (context: Context) => StrategyHandlers) {
  const params = z.strictObject({});
  return defineStrategy({
    name,
    params,
    feeds: () => [{ symbol: 'AAABBB', book: true, trades: true }],
    create: (context) => create(context as unknown as Context),
  });
}

describe('one step', () => {
  test('records the fact in state and journal before a strategy sees it', () => {
    const received: string[] = [];
    const watcher = strategy('watcher', () => ({ onBook: () => void received.push('strategy') }));
    const rig = new Rig({ strategies: [watcher] }).ready();
    received.length = 0;
    rig.journal.onAppend = (event) => {
      received.push(`journal ${event.kind}, best bid ${rig.trader.view.book(instrument).bestBid}`);
    };
    rig.book(98, 101);
    expect(received).toEqual(['journal bookSnapshot, best bid 98', 'strategy']);
  });

  test('records the verdict, lets the order go, and notifies the strategy last', () => {
    const received: string[] = [];
    const placer = strategy('placer', ({ orders }) => ({
      onTrade: () => void orders.place({ symbol: 'AAABBB', side: 'buy', quantity: 1, price: 99 }),
      onOrder: (order) => void received.push(`strategy ${order.state}`),
    }));
    const rig = new Rig({ strategies: [placer] }).ready();
    rig.journal.onAppend = (event) => received.push(`journal ${event.kind}`);
    rig.onSend = (command) => received.push(`sent ${command.kind}`);
    rig.trade(100);
    expect(received).toEqual([
      'journal trades',
      'journal intent',
      'journal orderPending',
      'sent newOrder',
      'strategy pending',
    ]);
  });

  test('notifies the hosts of strategies of everything in the order of the journal, so that a replica in a worker is alike', () => {
    const placer = strategy('placer', ({ orders }) => ({
      onTrade: () => {
        orders.place({ symbol: 'AAABBB', side: 'buy', quantity: 1, price: 99 });
        orders.place({ symbol: 'AAABBB', side: 'buy', quantity: 1, price: 99 });
      },
    }));
    const notify = vi.spyOn(ThreadHost.prototype, 'notify');
    const notifyMarketData = vi.spyOn(ThreadHost.prototype, 'notifyMarketData');
    const rig = new Rig({ strategies: [placer] }).ready();
    notify.mockClear();
    notifyMarketData.mockClear();
    const written: string[] = [];
    rig.journal.onAppend = (event) => written.push(event.kind);
    rig.trade(100);
    const received = [notify, notifyMarketData]
      .flatMap(({ mock }) =>
        mock.calls.map(([{ kind }], i) => ({ kind, order: mock.invocationCallOrder[i] ?? 0 })),
      )
      .toSorted((a, b) => a.order - b.order)
      .map(({ kind }) => kind);
    notify.mockRestore();
    notifyMarketData.mockRestore();
    expect(received).toEqual(written);
    expect(received).toContain('orderPending');
    expect(received).toContain('orderDenied');
  });

  test('counts a verdict before the next intent of the same handler is judged', () => {
    const twice = strategy('twice', ({ orders }) => ({
      onTrade: () => {
        orders.place({ symbol: 'AAABBB', side: 'buy', quantity: 1, price: 99 });
        orders.place({ symbol: 'AAABBB', side: 'buy', quantity: 1, price: 99 });
      },
    }));
    const rig = new Rig({ strategies: [twice] }).ready();
    rig.trade(100);
    expect(rig.all('orderPending')).toHaveLength(1);
    expect(rig.all('orderDenied')).toMatchObject([{ denial: { code: 'DUPLICATE_ORDER' } }]);
  });

  test('lets an event published inside a step wait its turn, so that every host sees the same order', () => {
    const seen: string[][] = [[], []];
    const first = strategy('first', ({ orders }) => ({
      onTrade: () => {
        seen[0]?.push('trade');
        orders.place({ symbol: 'AAABBB', side: 'buy', quantity: 1, price: 99 });
      },
      onOrder: (order) => void seen[0]?.push(order.state),
    }));
    const second = strategy('second', () => ({ onTrade: () => void seen[1]?.push('trade') }));
    const rig = new Rig({ strategies: [first, second] }).ready();
    rig.onSend = () => seen[1]?.push('sent');
    rig.trade(100);
    expect(seen).toEqual([
      ['trade', 'pending'],
      ['trade', 'sent'],
    ]);
    const sequences = rig.seen.map(({ sequence }) => sequence);
    expect(sequences).toEqual(sequences.map((_, index) => index + 1));
  });
});

describe('a broken step', () => {
  const resting = strategy('resting', ({ orders }) => ({
    onTrade: (trade) => {
      if (trade.price === 100) orders.place({ symbol: 'AAABBB', side: 'buy', quantity: 1, price: 99 });
    },
  }));

  test('halts trading for good and cancels the own orders, while reads and reports go on', () => {
    const rig = new Rig({ strategies: [resting] }).ready();
    rig.trade(100);
    const id = rig.all('orderPending')[0]?.command.request.clientOrderId ?? '';
    rig.report(id, 'new');
    rig.journal.onAppend = (event) => {
      if (event.kind === 'bookSnapshot') throw new Error('the journal broke a promise');
    };
    rig.book(98, 102);
    expect(rig.all('modeChanged')).toMatchObject([{ mode: 'halted', latched: true }]);
    expect(rig.trader.view.modeWhy).toContain('the journal broke a promise');
    expect(rig.sent.at(-1)).toMatchObject({ kind: 'cancelOrder', clientOrderId: id });
    rig.journal.onAppend = () => {};
    rig.report(id, 'canceled');
    expect(rig.trader.quiet).toBe(false);
    rig.subject.next({
      kind: 'commandSettled',
      commandId: rig.sent.at(-1)?.commandId ?? 0,
      lane: 'cancel',
      outcome: 'acknowledged',
      clientOrderId: undefined,
      ...rig.times,
    });
    const open = rig.sent.filter(({ kind }) => kind === 'newOrder');
    for (const { commandId } of open) {
      rig.subject.next({
        kind: 'commandSettled',
        commandId,
        lane: 'new',
        outcome: 'acknowledged',
        clientOrderId: undefined,
        ...rig.times,
      });
    }
    // What was reported is no proof: the venue's own list has the last word.
    expect(rig.trader.quiet).toBe(false);
    rig.wait(600);
    expect(rig.trader.quiet).toBe(true);
  });

  test('refuses what strategies want afterwards', () => {
    const rig = new Rig({ strategies: [resting] }).ready();
    rig.trader.halt('an operator said so');
    rig.trade(100);
    expect(rig.all('orderDenied')).toMatchObject([{ denial: { code: 'MODE_HALTED' } }]);
    expect(rig.sent.filter(({ kind }) => kind === 'newOrder')).toEqual([]);
  });
});

describe('a strategy that throws', () => {
  test('is stopped, has its orders cancelled, and harms no other', () => {
    const delivered: number[] = [];
    const villain = strategy('villain', ({ orders }) => ({
      onTrade: (trade) => {
        if (trade.price === 103) throw new Error('a bad day');
        orders.place({ symbol: 'AAABBB', side: 'buy', quantity: 1, price: 99 });
      },
    }));
    const bystander = strategy('bystander', () => ({ onTrade: (trade) => void delivered.push(trade.price) }));
    const rig = new Rig({ strategies: [villain, bystander] }).ready();
    rig.trade(100);
    const id = rig.all('orderPending')[0]?.command.request.clientOrderId ?? '';
    rig.report(id, 'new');
    rig.trade(103);
    rig.trade(100);
    expect(delivered).toEqual([100, 103, 100]);
    expect(rig.all('strategyStopped')).toMatchObject([{ strategy: 'villain' }]);
    expect(rig.all('strategyStopped')[0]?.why).toContain('a bad day');
    expect(rig.sent.at(-1)).toMatchObject({ kind: 'cancelOrder', clientOrderId: id });
    expect(rig.all('orderPending')).toHaveLength(1);
    expect(rig.trader.view.mode).toBe('active');
  });

  test('is known by the event it was notified of, not by what it had asked for before it threw', () => {
    const villain = strategy('villain', ({ orders }) => ({
      onTrade: () => {
        orders.place({ symbol: 'AAABBB', side: 'buy', quantity: 1, price: 99 });
        throw new Error('a bad day');
      },
    }));
    const rig = new Rig({ strategies: [villain] }).ready();
    rig.trade(100);
    const from = rig.seen.findLastIndex(({ event }) => event.kind === 'trades');
    const kinds = rig.seen.slice(from, from + 4).map(({ event }) => event.kind);
    expect(kinds).toEqual(['trades', 'intent', 'orderPending', 'strategyStopped']);
    const trade = rig.seen[from];
    expect(rig.trader.stoppedAt('villain')).toEqual(trade);
    expect(rig.trader.stoppedAt('nobody')).toBeUndefined();
  });

  test('from a verdict is known by that verdict', () => {
    const villain = strategy('villain', ({ orders }) => ({
      onTrade: () => void orders.place({ symbol: 'AAABBB', side: 'buy', quantity: 1, price: 99 }),
      onOrder: () => {
        throw new Error('a bad day');
      },
    }));
    const rig = new Rig({ strategies: [villain] }).ready();
    rig.trade(100);
    const pending = rig.seen.find(({ event }) => event.kind === 'orderPending');
    expect(pending).toBeDefined();
    expect(rig.trader.stoppedAt('villain')).toEqual(pending);
  });
});

import { describe, expect, test } from 'vitest';
import { micros } from '../../src/core/base/clock.ts';
import { Random } from '../../src/core/base/random.ts';
import type { Event } from '../../src/core/model/event.ts';
import { openShadowEngine } from '../../src/sim/fill-models/fifo/shadow-engine.ts';
import { constantLatency } from './constant-latency.ts';
import { simOptions } from '../../src/sim/options.ts';
import { SimVenue } from '../../src/sim/venue.ts';
import { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import { oneMarket } from '../support/markets.ts';
import { SimHarness } from '../support/sim-harness.ts';

/** 10 ms to the engine, 3 ms back. */
const slow = { latency: constantLatency(micros(10_000), micros(3_000)) };

function kinds(harness: SimHarness): string[] {
  return harness.noted.map(({ at, event }) => `${at} ${event.kind}`);
}

describe('the simulated venue', () => {
  test('reports at the start that both sessions are up and what the account has, not inside subscribe', () => {
    const clock = new VirtualClock(micros(5));
    const venue = new SimVenue({
      openEngine: openShadowEngine,
      clock,
      instruments: oneMarket(),
      options: simOptions.parse({}),
      random: new Random(1),
      balances: [{ currency: 'BBB', available: 7n as never, reserved: 1n as never }],
    });
    const received: Event[] = [];
    venue.events.subscribe((event) => received.push(event));
    expect(received).toEqual([]);
    clock.advanceTo(micros(5));
    const times = { exchangeTime: 5, receiveTime: 5 };
    expect(received).toEqual([
      { kind: 'sessionUp', session: 'market', ...times },
      { kind: 'sessionUp', session: 'trading', ...times },
      {
        kind: 'balances',
        complete: true,
        balances: [{ currency: 'BBB', available: 8n, reserved: 0n }],
        ...times,
      },
    ]);
  });

  test('a command meets the market as it is when it arrives, and we hear of it later', () => {
    const harness = new SimHarness(slow);
    harness.book([[100, 5]], [[101, 4]]);
    harness.order('mine', 'buy', { price: 101, quantity: 3, timeInForce: 'IOC' });
    harness.clock.advanceTo(micros(9_999));
    harness.book([], [[101, 1]]);
    harness.noted.length = 0;
    harness.clock.advanceTo(micros(20_000));
    expect(kinds(harness)).toEqual([
      '13000 orderReport',
      '13000 orderReport',
      '13000 orderReport',
      '13000 balances',
      '13000 commandSettled',
    ]);
    expect(
      harness
        .only('orderReport')
        .every((event) => event.exchangeTime === 10_000 && event.receiveTime === 13_000),
    ).toBe(true);
    expect(harness.received()).toEqual(['mine new', 'mine trade 1@101', 'mine expired']);
  });

  test('market data are delivered at their receive time, in order of it, never before they happened', () => {
    const harness = new SimHarness();
    harness.clock.advanceTo(micros(1_000));
    harness.book([[100, 1]], [], 'bookUpdate', 500);
    harness.trade('buy', 1, 101, 200);
    harness.book([[100, 2]], [], 'bookUpdate', -400);
    expect(kinds(harness)).toEqual(['1000 bookUpdate']);
    harness.clock.advanceTo(micros(2_000));
    expect(kinds(harness)).toEqual(['1000 bookUpdate', '1200 trades', '1500 bookUpdate']);
  });

  test('a fill by a recorded trade is reported with the report latency', () => {
    const harness = new SimHarness(slow);
    harness.book([[99, 5]], [[101, 4]]);
    harness.order('mine', 'buy', { price: 100, quantity: 3 });
    harness.clock.advanceTo(micros(50_000));
    harness.noted.length = 0;
    harness.trade('sell', 2, 100);
    harness.clock.advanceTo(micros(60_000));
    expect(kinds(harness)).toEqual(['50000 trades', '53000 orderReport', '53000 balances']);
    const [report] = harness.only('orderReport');
    expect(report).toMatchObject({ reportType: 'trade', order: { state: 'partiallyFilled', cumulative: 2 } });
    expect(report?.fill).toMatchObject({ price: 100, quantity: 2, taker: false, time: 50_000 });
  });

  test("commands and reports keep their order whatever each one's latency", () => {
    const entries = [9_000, 1_000];
    const reports = [8_000, 100];
    const latency = { entry: () => micros(entries.shift() ?? 0), report: () => micros(reports.shift() ?? 0) };
    const harness = new SimHarness({ latency });
    harness.order('first', 'buy', { price: 100, quantity: 1 });
    harness.order('second', 'buy', { price: 100, quantity: 1 });
    harness.clock.advanceTo(micros(30_000));
    expect(
      harness.only('orderReport').map((e) => [e.order.clientOrderId, e.exchangeTime, e.receiveTime]),
    ).toEqual([
      ['first', 9_000, 17_000],
      ['second', 9_000, 17_000],
    ]);
  });

  test('nothing comes of a command inside send, even without any latency', () => {
    const harness = new SimHarness();
    harness.venue.send({ kind: 'read', commandId: 1, what: { of: 'balances' } });
    expect(harness.noted).toEqual([]);
    harness.settle();
    expect(kinds(harness)).toEqual(['0 readAnswered', '0 commandSettled']);
  });

  test('live market data are delivered as they are accepted, whatever their receive time says', () => {
    const harness = new SimHarness({ marketData: 'live' });
    harness.book([[100, 1]], [], 'bookUpdate', 5_000);
    expect(kinds(harness)).toEqual(['0 bookUpdate']);
  });

  test('what a listener sends while it is called joins the queue', () => {
    const harness = new SimHarness();
    harness.venue.events.subscribe((event) => {
      if (event.kind === 'bookUpdate')
        harness.venue.send({ kind: 'read', commandId: 5, what: { of: 'balances' } });
    });
    harness.book([[100, 1]], []);
    expect(kinds(harness)).toEqual(['0 bookUpdate', '0 readAnswered', '0 commandSettled']);
  });

  test('after close nothing is delivered and no timer is left', async () => {
    const harness = new SimHarness(slow);
    harness.order('mine', 'buy', { price: 100, quantity: 1, timeInForce: 'GTD', expireTime: 60_000_000 });
    harness.clock.advanceTo(micros(11_000));
    await harness.venue.close();
    harness.venue.send({ kind: 'read', commandId: 1, what: { of: 'balances' } });
    harness.clock.advanceTo(micros(90_000_000));
    expect(harness.noted).toEqual([]);
    expect(harness.clock.pending).toBe(0);
  });
});

describe('the same seed', () => {
  test('gives the same events with random latencies, another seed gives others', () => {
    const run = (seed: string): string => {
      const clock = new VirtualClock(micros(0));
      const way = { kind: 'exponential', base: 1_000, tailMean: 4_000, max: 50_000 };
      const venue = new SimVenue({
        openEngine: openShadowEngine,
        clock,
        instruments: oneMarket(),
        options: simOptions.parse({
          entryLatency: way,
          reportLatency: { kind: 'uniform', low: 10, high: 900 },
        }),
        random: new Random(seed),
        balances: [{ currency: 'BBB', available: (10n ** 30n) as never, reserved: 0n as never }],
      });
      const lines: string[] = [];
      venue.events.subscribe((event) => lines.push(`${clock.now()} ${event.kind}`));
      for (let i = 0; i < 50; i++) {
        venue.send({ kind: 'read', commandId: i, what: { of: 'activeOrders' } });
        clock.advance(micros(3_000));
      }
      clock.drain(micros(10_000_000));
      return lines.join('\n');
    };
    expect(run('a')).toBe(run('a'));
    expect(run('a')).not.toBe(run('b'));
  });
});

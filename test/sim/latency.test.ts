import { describe, expect, test } from 'vitest';
import { micros } from '../../src/core/base/clock.ts';
import { Random } from '../../src/core/base/random.ts';
import { interpolatedWay, measuredWay } from '../../src/sim/latency.ts';
import { constantLatency } from './constant-latency.ts';
import { SimHarness } from '../support/sim-harness.ts';

describe('latency', () => {
  test('measured latencies are drawn from what was measured, the same for the same seed', () => {
    const draw = () => {
      const way = measuredWay([5, 7, 11], new Random('dice'));
      return Array.from({ length: 50 }, () => way(micros(0)));
    };
    expect(new Set(draw())).toEqual(new Set([5, 7, 11]));
    expect(draw()).toEqual(draw());
  });

  test('interpolated latencies lie on a straight line between two measurements', () => {
    const way = interpolatedWay([1_000, 2_000, 4_000], [100, 300, 100]);
    expect([0, 1_000, 1_500, 2_000, 3_000, 4_000, 9_000].map((now) => way(micros(now)))).toEqual([
      100, 100, 200, 300, 200, 100, 100,
    ]);
  });

  test('a drawn feed latency replaces the recorded receive time, and facts keep their order', () => {
    const delays = [50, 10];
    const harness = new SimHarness({ feed: () => micros(delays.shift() ?? 0) });
    harness.book([[100, 1]], [], 'bookSnapshot', 7_000);
    harness.book([[100, 2]], []);
    harness.clock.advanceTo(micros(100));
    expect(harness.noted.map(({ at, event }) => [at, event.receiveTime])).toEqual([
      [50, 50],
      [50, 50],
    ]);
  });

  test('a fact and a command of one moment: the fact comes first', () => {
    const harness = new SimHarness({ latency: constantLatency(micros(10), micros(0)) });
    harness.book([[100, 5]], [[102, 5]], 'bookSnapshot');
    harness.order('mine', 'buy', { price: 102, quantity: 1, timeInForce: 'IOC' });
    harness.clock.advanceTo(micros(9));
    const levels = Float64Array.from([1, 102, 0, 1, 101, 5]);
    const times = { exchangeTime: micros(10), receiveTime: micros(10) };
    harness.venue.accept({
      kind: 'bookUpdate',
      instrument: 0 as never,
      sequence: 2,
      levels,
      start: 0,
      end: 6,
      ...times,
    });
    harness.clock.advanceTo(micros(10));
    expect(harness.only('orderReport').find(({ fill }) => fill !== undefined)?.fill?.price).toBe(101);
  });
});

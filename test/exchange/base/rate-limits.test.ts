import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Micros } from '../../../src/core/base/clock.ts';
import { millis, seconds } from '../../../src/core/base/clock.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import { SlidingWindow, RateLimiter } from '../../../src/exchange/base/rate-limits.ts';

const start = seconds(1_700_000_000);

describe('a sliding window', () => {
  test('admits rate plus burst at once and not one more within the second', () => {
    const clock = new VirtualClock(start);
    const throttle = new RateLimiter(clock, true);
    const limit = { rate: 20, burst: 30 };
    const admitted = Array.from({ length: 51 }, () => throttle.admit('a', 'all', limit));
    expect(admitted.filter(Boolean)).toHaveLength(50);
    expect(admitted[50]).toBe(false);
    clock.advance(millis(999));
    expect(throttle.admit('a', 'all', limit)).toBe(false);
    clock.advance(millis(1));
    expect(throttle.admit('a', 'all', limit)).toBe(true);
  });

  test('never admits more than its capacity in any window, and always the next one when fewer were admitted', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.array(fc.integer({ min: 0, max: 400_000 }), { minLength: 1, maxLength: 200 }),
        (capacity, gaps) => {
          const window = new SlidingWindow(capacity);
          const admitted: number[] = [];
          let now = 0;
          for (const gap of gaps) {
            now += gap;
            const within = admitted.filter((time) => time > now - 1_000_000).length;
            const passed = window.admit(now as Micros);
            expect(passed).toBe(within < capacity);
            if (passed) admitted.push(now);
          }
        },
      ),
    );
  });

  test('keeps identities and rows of the table apart', () => {
    const throttle = new RateLimiter(new VirtualClock(start), true);
    const limit = { rate: 1, burst: 0 };
    expect(throttle.admit('a', 'x', limit)).toBe(true);
    expect(throttle.admit('b', 'x', limit)).toBe(true);
    expect(throttle.admit('a', 'y', limit)).toBe(true);
    expect(throttle.admit('a', 'x', limit)).toBe(false);
  });

  test('admits everything when switched off', () => {
    const throttle = new RateLimiter(new VirtualClock(start), false);
    const limit = { rate: 1, burst: 0 };
    expect([1, 2, 3].map(() => throttle.admit('a', 'x', limit))).toEqual([true, true, true]);
  });
});

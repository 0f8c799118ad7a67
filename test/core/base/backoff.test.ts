import { describe, expect, test } from 'vitest';
import { micros, millis, seconds } from '../../../src/core/base/clock.ts';
import { Random } from '../../../src/core/base/random.ts';
import { Backoff } from '../../../src/core/base/backoff.ts';

describe('back-off', () => {
  test('doubles with jitter up to its ceiling and begins anew after success', () => {
    const backoff = new Backoff({ firstMs: 100, maxMs: 400, perMinute: 60 }, new Random(1));
    for (const ceiling of [100, 200, 400, 400]) {
      const wait = backoff.pause(micros(0));
      expect(wait).toBeLessThanOrEqual(millis(ceiling));
      expect(wait).toBeGreaterThanOrEqual(millis(ceiling / 2));
    }
    backoff.reset();
    expect(backoff.pause(micros(0))).toBeLessThanOrEqual(millis(100));
  });

  test('never allows more than so many attempts in any minute, whatever succeeds', () => {
    const backoff = new Backoff({ firstMs: 1, maxMs: 1, perMinute: 10 }, new Random(2));
    const attempts: number[] = [];
    for (let now = 0, i = 0; i < 100; i++) {
      now += backoff.pause(micros(now));
      attempts.push(now);
      backoff.reset();
    }
    for (let i = 10; i < attempts.length; i++) {
      expect((attempts[i] as number) - (attempts[i - 10] as number)).toBeGreaterThanOrEqual(seconds(60));
    }
  });
});

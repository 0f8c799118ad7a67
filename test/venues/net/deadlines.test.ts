import { describe, expect, test } from 'vitest';
import { millis, seconds } from '../../../src/core/base/clock.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import { Deadlines } from '../../../src/venues/net/deadlines.ts';

describe('deadlines', () => {
  test('expire in order, each once, and not when stopped', () => {
    const clock = new VirtualClock(seconds(1));
    const late: number[] = [];
    const deadlines = new Deadlines<number>(clock, millis(100), (key) => late.push(key));
    deadlines.start(1);
    clock.advance(millis(40));
    deadlines.start(2);
    deadlines.start(3);
    expect(deadlines.stop(2)).toBe(true);
    expect(deadlines.stop(2)).toBe(false);
    clock.advance(millis(60));
    expect(late).toEqual([1]);
    clock.advance(millis(40));
    expect(late).toEqual([1, 3]);
    expect(clock.pending).toBe(0);
  });

  test('started by an expiry count from then on', () => {
    const clock = new VirtualClock(seconds(1));
    const late: number[] = [];
    const deadlines = new Deadlines<number>(clock, millis(100), (key) => {
      late.push(key);
      if (key < 3) deadlines.start(key + 1);
    });
    deadlines.start(1);
    clock.advance(millis(300));
    expect(late).toEqual([1, 2, 3]);
    deadlines.start(9);
    deadlines.clear();
    expect(clock.pending).toBe(0);
  });
});

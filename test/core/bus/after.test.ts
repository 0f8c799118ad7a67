import { expect, test } from 'vitest';
import { seconds } from '../../../src/core/base/clock.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import { after } from '../../../src/core/bus/after.ts';

test('after emits 0 at its time on the given clock and completes', () => {
  const clock = new VirtualClock(0 as Micros);
  const seen: string[] = [];
  after(clock, seconds(3)).subscribe({
    next: (value) => seen.push(`${value} at ${clock.now()}`),
    complete: () => seen.push('done'),
  });
  clock.advance(seconds(2));
  expect(seen).toEqual([]);
  clock.advance(seconds(2));
  expect(seen).toEqual(['0 at 3000000', 'done']);
});

test('after leaves no timer behind when it is unsubscribed', () => {
  const clock = new VirtualClock(0 as Micros);
  const subscription = after(clock, seconds(3)).subscribe();
  subscription.unsubscribe();
  expect(clock.pending).toBe(0);
});

import { expect, test } from 'vitest';
import { seconds } from '../../../src/core/base/clock.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import { pause } from '../../../src/core/base/pause.ts';

test('a pause ends early when its signal is aborted, and leaves no timer', async () => {
  const clock = new VirtualClock(seconds(1));
  const life = new AbortController();
  const waiting = pause(clock, seconds(5), life.signal);
  life.abort();
  await waiting;
  await pause(clock, seconds(5), life.signal);
  expect(clock.pending).toBe(0);
});

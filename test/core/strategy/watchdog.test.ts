import { expect, test } from 'vitest';
import type { Micros } from '../../../src/core/base/clock.ts';
import { millis } from '../../../src/core/base/clock.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import { Watchdog } from '../../../src/core/strategy/watchdog.ts';

function watch() {
  const clock = new VirtualClock(0 as Micros);
  const seen = { asked: 0, silentAt: undefined as Micros | undefined };
  const dog = new Watchdog({
    clock,
    timeout: millis(2_000),
    ask: () => void (seen.asked += 1),
    onSilence: () => void (seen.silentAt = clock.now()),
  });
  return { clock, seen, dog };
}

test('silence is reported once, at most a quarter of the timeout late', () => {
  const { clock, seen } = watch();
  clock.advance(millis(60_000));
  expect(seen.silentAt).toBe(millis(2_500));
  expect(clock.pending).toBe(0);
});

test('a sign of life within the timeout keeps it quiet', () => {
  const { clock, seen, dog } = watch();
  for (let i = 0; i < 20; i++) {
    clock.advance(millis(1_900));
    dog.alive();
  }
  expect(seen.silentAt).toBeUndefined();
  expect(seen.asked).toBeGreaterThan(20);
  dog.close();
  expect(clock.pending).toBe(0);
});

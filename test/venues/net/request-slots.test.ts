import { expect, test } from 'vitest';
import type { Micros } from '../../../src/core/base/clock.ts';
import { micros, seconds } from '../../../src/core/base/clock.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import { takeRequestSlot } from '../../../src/venues/net/request-slots.ts';

test('a turn that does not come within its time is given up, so that what it holds is free again', async () => {
  const clock = new VirtualClock(micros(1_000_000));
  const none = { takeCall: () => -1, waitCall: () => 50_000 as Micros };
  const taken = takeRequestSlot(none, 'restDefault', clock, new AbortController().signal, seconds(5));
  for (let step = 0; step < 200; step++) {
    clock.advanceTo(micros(1_000_000 + step * 50_000));
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
  }
  expect(await taken).toBe(-1);
});

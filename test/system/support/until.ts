import { SystemClock } from '../../../src/core/base/system-clock.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { millis, seconds } from '../../../src/core/base/clock.ts';

const clock = new SystemClock();

/** No wait fails because the machine is busy; only one that is in vain lasts as long. */
export const waitMax = seconds(120);

/** Polls until `condition` gives something, or throws with `what` after the limit. */
export async function until<Found>(
  what: string,
  condition: () => Found | undefined | false | Promise<Found | undefined | false>,
  limit: Micros = waitMax,
  every: Micros = millis(5),
): Promise<Found> {
  const end = clock.uptime() + limit;
  for (;;) {
    const found = await condition();
    if (found !== undefined && found !== false) return found;
    if (clock.uptime() > end) throw new Error(`waited ${limit / 1_000_000} s in vain for: ${what}`);
    await new Promise<void>((resolve) => {
      clock.after(every, resolve);
    });
  }
}

import { SystemClock } from '../../../src/core/base/system-clock.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { millis, seconds } from '../../../src/core/base/clock.ts';

const clock = new SystemClock();

/** No wait fails because the machine is busy; only one that is in vain lasts as long. */
export const waitMax = seconds(120);

/** Looks at most this far apart, however long one has waited. */
const pauseMax = millis(200);

/**
 * Polls until `condition` gives something, or throws with `what` after the limit. A wait leaves the machine to what is waited for: looks take
 * at most a quarter of the time, and come the further apart the longer they were in vain, so that what comes is seen 2 % later at most.
 */
export async function until<Found>(
  what: string,
  condition: () => Found | undefined | false | Promise<Found | undefined | false>,
  limit: Micros = waitMax,
  every: Micros = millis(5),
): Promise<Found> {
  const start = clock.uptime();
  const end = start + limit;
  for (;;) {
    const begin = clock.uptime();
    const found = await condition();
    if (found !== undefined && found !== false) return found;
    const now = clock.uptime();
    const pause = Math.max(
      every,
      Math.min(pauseMax, Math.max(3 * (now - begin), (now - start) / 50)),
    ) as Micros;
    if (now > end) throw new Error(`waited ${limit / 1_000_000} s in vain for: ${what}`);
    await new Promise<void>((resolve) => {
      clock.after(pause, resolve);
    });
  }
}

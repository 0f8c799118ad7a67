import type { Clock, Micros } from '../../core/base/clock.ts';

/** Resolves `delay` from now. */
export function pause(clock: Clock, delay: Micros): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delay, resolve);
  });
}

import type { Clock, Micros } from './clock.ts';

/** Resolves `delay` from now by `clock`, or at once when `signal` is or gets aborted. Never rejects. */
export function pause(clock: Clock, delay: Micros, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve();
      return;
    }
    const end = (): void => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(delay, end);
    signal?.addEventListener('abort', end);
  });
}

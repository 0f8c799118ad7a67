import type { Cancel } from '../base/clock.ts';

/** What ended a run: a signal, or its own end. */
export type StopCause = 'SIGINT' | 'SIGTERM' | 'ended';

/**
 * Calls `stop` on the first SIGINT or SIGTERM and `now` on the second, which should tell what may be live and
 * leave. Returns a function that lets go of the signals.
 */
export function onStopSignal(stop: (cause: StopCause) => void, now: (cause: StopCause) => void): Cancel {
  let first = true;
  const handle = (cause: StopCause): void => {
    if (first) {
      first = false;
      stop(cause);
    } else {
      now(cause);
    }
  };
  const interrupt = (): void => handle('SIGINT');
  const terminate = (): void => handle('SIGTERM');
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', terminate);
  return () => {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', terminate);
  };
}

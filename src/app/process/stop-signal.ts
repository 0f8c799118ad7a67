import type { EventEmitter } from 'node:events';
import type { Cancel, Clock } from '../../base/clock.ts';
import { millis } from '../../base/clock.ts';
import { SystemClock } from '../../base/system-clock.ts';

/** What ended a run: a signal, or its own end. */
export type StopCause = 'SIGINT' | 'SIGTERM' | 'ended';

/**
 * Signals so soon after the first are the same stop: a service manager, or a terminal, tells every process of a group, and
 * launchers pass on what they are told.
 */
const sameStop = millis(500);

/**
 * Calls `stop` on the first SIGINT or SIGTERM and `now` on a second one, not of the same stop, which should tell what may be
 * live and leave. Returns a function that lets go of the signals.
 */
export function onStopSignal(
  stop: (cause: StopCause) => void,
  now: (cause: StopCause) => void,
  signals: Pick<EventEmitter, 'on' | 'off'> = process,
  clock: Clock = new SystemClock(),
): Cancel {
  let first: number | undefined;
  const handle = (cause: StopCause): void => {
    const time = clock.uptime();
    if (first === undefined) {
      first = time;
      stop(cause);
    } else if (time - first >= sameStop) now(cause);
  };
  const interrupt = (): void => handle('SIGINT');
  const terminate = (): void => handle('SIGTERM');
  signals.on('SIGINT', interrupt);
  signals.on('SIGTERM', terminate);
  return () => {
    signals.off('SIGINT', interrupt);
    signals.off('SIGTERM', terminate);
  };
}

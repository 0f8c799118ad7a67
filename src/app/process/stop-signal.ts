import type { EventEmitter } from 'node:events';
import type { Cancel, Clock } from '../../base/clock.ts';
import { unreachable } from '../../base/assert.ts';
import { millis } from '../../base/clock.ts';
import { SystemClock } from '../../base/system-clock.ts';
import { exitCodes } from './exit-codes.ts';

/** A signal that asks for the end: SIGHUP comes when the terminal is closed. */
type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** What ended a run: a signal, or its own end. */
export type StopCause = StopSignal | 'ended';

/**
 * Signals so soon after the first are the same stop: a service manager, or a terminal, tells every process of a group, and
 * launchers pass on what they are told.
 */
const sameStop = millis(500);

/**
 * Calls `stop` on the first SIGINT, SIGTERM or SIGHUP and `now` on a second one, not of the same stop, which should tell what may be
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
  const heard = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => {
    const hear = (): void => handle(signal);
    signals.on(signal, hear);
    return { signal, hear };
  });
  return () => {
    for (const { signal, hear } of heard) signals.off(signal, hear);
  };
}

/** The exit code of a process that ended so. */
export function exitCodeOfStop(cause: StopCause): number {
  switch (cause) {
    case 'SIGINT':
      return exitCodes.interrupted;
    case 'SIGTERM':
      return exitCodes.terminated;
    case 'SIGHUP':
      return exitCodes.hungUp;
    case 'ended':
      return exitCodes.done;
    default:
      return unreachable(cause);
  }
}

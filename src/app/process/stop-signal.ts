import type { EventEmitter } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import type { Cancel, Clock } from '../../core/base/clock.ts';
import { unreachable } from '../../core/base/assert.ts';
import { millis } from '../../core/base/clock.ts';
import { SystemClock } from '../../core/base/system-clock.ts';
import { exitCodes } from './exit-codes.ts';
import { handed } from './handed.ts';

/** A signal that asks for the end: SIGHUP comes when the terminal is closed. */
type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** What ended a run: a signal, the end of what had started the process, its operator, a heap that is nearly full, or its own end. */
export type StopCause = StopSignal | 'orphaned' | 'asked' | 'memory' | 'ended';

/**
 * Signals within this time of the first are the same stop: a service manager or a terminal signals every process of a group,
 * and launchers pass signals on.
 */
const sameStop = millis(500);

/**
 * Calls `stop` on the first SIGINT, SIGTERM or SIGHUP and `now` on a second one, not of the same stop, which should print what may be
 * live and exit. The end of the channel to what started the process is such a first request too, but never an impatient one:
 * a stop often ends the launcher before the run. Under nohup SIGHUP is none. Where it means something else, `hangUp` is called
 * for it. Returns a function that lets go of the signals.
 */
export function onStopSignal(
  stop: (cause: StopCause) => void,
  now: (cause: StopCause) => void,
  signals: Pick<EventEmitter, 'on' | 'off'> = process,
  clock: Clock = new SystemClock(),
  hangUp?: () => void,
): Cancel {
  let first: number | undefined;
  const handle = (cause: StopCause): void => {
    const time = clock.uptime();
    if (first === undefined) {
      first = time;
      stop(cause);
    } else if (time - first >= sameStop) now(cause);
  };
  const asked: readonly StopSignal[] = handed.hangUpIgnored
    ? ['SIGINT', 'SIGTERM']
    : ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const heard = asked.map((signal) => ({
    signal: signal as string,
    hear: signal === 'SIGHUP' && hangUp !== undefined ? hangUp : (): void => handle(signal),
  }));
  const orphaned = (): void => {
    if (first === undefined) handle('orphaned');
  };
  heard.push({ signal: 'disconnect', hear: orphaned });
  for (const { signal, hear } of heard) signals.on(signal, hear);
  return () => {
    for (const { signal, hear } of heard) signals.off(signal, hear);
  };
}

/**
 * Whether this process belongs to a terminal, of which SIGHUP says that it was closed. To be asked at the start: one that was
 * closed cannot be opened.
 */
export function hasTerminal(): boolean {
  if (process.platform === 'win32') return true;
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}

/** The exit code of a process that ended so. */
export function exitCodeOfStop(cause: StopCause): number {
  switch (cause) {
    case 'SIGINT':
      return exitCodes.interrupted;
    case 'SIGTERM':
      return exitCodes.terminated;
    case 'SIGHUP':
    case 'orphaned':
      return exitCodes.hungUp;
    case 'memory':
      return exitCodes.memoryFull;
    case 'asked':
    case 'ended':
      return exitCodes.done;
    default:
      return unreachable(cause);
  }
}

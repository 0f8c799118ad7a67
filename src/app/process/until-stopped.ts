import type { Cancel, Clock } from '../../core/base/clock.ts';
import { millis } from '../../core/base/clock.ts';
import type { StopCause } from './stop-signal.ts';
import { exitProcess } from './exit.ts';
import { exitCodeOfStop, onStopSignal } from './stop-signal.ts';

export interface UntilSetting {
  readonly clock: Clock;
  /** Ends by itself after so long. */
  readonly forMs: number | undefined;
  /** Hands out a way to end before. */
  readonly early?: (stop: () => void) => void;
  /** A second signal: print the orders that may be live; then the process ends at once. */
  readonly onSecond?: () => void;
  /** SIGHUP: a request to stop when left out. */
  readonly onHangUp?: (() => void) | undefined;
}

/** Resolves on the first signal, when the time is up, or when ended early. */
export function untilStopped({ clock, forMs, early, onSecond, onHangUp }: UntilSetting): Promise<StopCause> {
  return new Promise((resolve) => {
    let cancelTimer: Cancel = () => {};
    const end = (cause: StopCause): void => {
      cancelTimer();
      resolve(cause);
    };
    if (forMs !== undefined) cancelTimer = clock.after(millis(forMs), () => end('ended'));
    early?.(() => end('ended'));
    const leave = (cause: StopCause): void => {
      onSecond?.();
      exitProcess(exitCodeOfStop(cause));
    };
    onStopSignal(end, leave, process, clock, onHangUp);
  });
}

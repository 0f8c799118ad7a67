import { z } from 'zod';
import type { Cancel, Clock, Micros } from '../core/base/clock.ts';
import { microsPerSecond, seconds } from '../core/base/clock.ts';

/** A time of day in UTC, such as "00:05". */
export const timeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'expected a time of day such as "00:05"');

const day = 86_400 * microsPerSecond;
/** A clock that steps is noticed after this time. */
const lookEvery = seconds(30);

export interface DailySchedule {
  readonly clock: Clock;
  /** As `timeOfDay`. */
  readonly at: string;
  /** The time that was due when it was done last; that of today, or of yesterday, when left out: then nothing is made up for. */
  readonly done?: Micros | undefined;
}

/**
 * Calls `task` once a day with the time that was due. A time that passed while nobody looked is made up for once, however many days
 * were missed. A clock that is set back repeats nothing. Returns what ends it.
 */
export function daily({ clock, at, done }: DailySchedule, task: (due: Micros) => void): Cancel {
  let last = done ?? dueBefore(at, clock.now());
  let cancel: Cancel = () => {};
  const wait = (): void => {
    const now = clock.now();
    const next = dueBefore(at, now) + day - now;
    cancel = clock.after(Math.min(next, lookEvery) as Micros, look);
  };
  const look = (): void => {
    wait();
    const now = clock.now();
    const due = dueBefore(at, now);
    // What was done lies more than a day ahead: the clock was wrong then, or is now.
    if (last > now + day) last = due;
    if (due <= last) return;
    last = due;
    task(due);
  };
  wait();
  return () => cancel();
}

/** The last time of the day at or before `now`. */
function dueBefore(at: string, now: Micros): Micros {
  const [hour = 0, minute = 0] = at.split(':').map(Number);
  const time = (hour * 3_600 + minute * 60) * microsPerSecond;
  const since = (now - time) % day;
  return (now - (since < 0 ? since + day : since)) as Micros;
}

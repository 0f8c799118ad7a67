import type { Brand } from './brand.ts';

/** Whole microseconds: a point in time since the epoch, or a duration. Safe integers reach the year 2255. */
export type Micros = Brand<number, 'micros'>;

export const microsPerMilli = 1_000;
export const microsPerSecond = 1_000_000;

/** Undoes what it was returned for. Calling it twice, or too late, does nothing. */
export type Cancel = () => void;

/** Things that become due one after another: a virtual clock asks for them, so that they need no timers. */
export interface DueQueue {
  /** When the first is due, by `uptime`; Infinity when nothing waits. */
  readonly nextTime: number;
  /** Hands over what is due now, which may put more in. */
  handOver(): void;
}

/** Injected time: only `core/base/system-clock.ts` reads an ambient clock. */
export interface Clock {
  /** Wall time since the epoch. May step; never subtract two readings. */
  now(): Micros;
  /** Monotonic time from an arbitrary start. */
  uptime(): Micros;
  /** Runs `task` once, `delay` from now by `uptime`, however long. Ties run in call order. */
  after(delay: Micros, task: () => void): Cancel;
  /** Asks `queue` from now on whenever time moves. At equal times timers come first. Real clocks cannot. */
  attach?(queue: DueQueue): Cancel;
}

/** `count` milliseconds as `Micros`. */
export function millis(count: number): Micros {
  return (count * microsPerMilli) as Micros;
}

/** `count` seconds as `Micros`. */
export function seconds(count: number): Micros {
  return (count * microsPerSecond) as Micros;
}

/** `count` microseconds as `Micros`. */
export function micros(count: number): Micros {
  return count as Micros;
}

/** A wall time as ISO 8601 in UTC, to the millisecond. */
export function timeText(time: number): string {
  return new Date(Math.floor(time / microsPerMilli)).toISOString();
}

/** Whether a time is more than a day later than `now`: the bar of today ends later than now. */
export function isStillToCome(time: number, now: number): boolean {
  return time > now + 86_400 * microsPerSecond;
}

/** `time` plus `delay`. */
export function later(time: Micros, delay: Micros): Micros {
  return (time + delay) as Micros;
}

import type { Micros } from '../base/clock.ts';

/** Both times of an event, wall time: when the venue says it happened, and when it reached us. */
export interface EventTimes {
  readonly exchangeTime: Micros;
  readonly receiveTime: Micros;
}

/** Times of an event that this process makes itself. */
export function timesAt(now: Micros): EventTimes {
  return { exchangeTime: now, receiveTime: now };
}

import type { Micros } from '../../../../src/core/base/clock.ts';
import { microsPerSecond } from '../../../../src/core/base/clock.ts';

/** Enforces a limit as a venue might: by the literal sliding window, or by a leaky bucket. */
export interface Referee {
  /** Whether a request that arrives at `time` passes. Refused requests do not count. */
  admit(time: Micros): boolean;
}

/** At most rate + burst requests in any window (one second unless set), both ends included. */
export function windowReferee(rate: number, burst: number, window: number = microsPerSecond): Referee {
  const size = rate + burst;
  const times = new Float64Array(size).fill(Number.NEGATIVE_INFINITY);
  let next = 0;
  return {
    admit(time) {
      if (time - (times[next] as number) < window) return false;
      times[next] = time;
      next = (next + 1) % size;
      return true;
    },
  };
}

/** `rate` requests a second leak from a bucket that holds `burst`. */
export function bucketReferee(rate: number, burst: number): Referee {
  let level = 0;
  let at = 0;
  return {
    admit(time) {
      level = Math.max(0, level - ((time - at) * rate) / microsPerSecond);
      at = time;
      if (level + 1 > burst) return false;
      level += 1;
      return true;
    },
  };
}

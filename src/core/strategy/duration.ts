import type { Micros } from '../base/clock.ts';
import { later as laterBy, micros as microsOf, microsPerMilli, microsPerSecond } from '../base/clock.ts';
import { BadInput } from '../base/errors.ts';

/**
 * A length of time that carries its unit, made by `millis`, `seconds`, `minutes` or `hours`. Only such a value sets a timer:
 * a number would not say what it counts.
 */
export class Duration {
  readonly #micros: Micros;

  constructor(micros: number) {
    if (!Number.isFinite(micros)) throw new BadInput(`expected a length of time, found ${micros}`);
    this.#micros = microsOf(Math.round(micros));
    Object.freeze(this);
  }

  /** Whole microseconds, to compare with differences of times. */
  get micros(): Micros {
    return this.#micros;
  }

  /** For code without types, which may add it to a time or compare it with a difference of times. */
  valueOf(): number {
    return this.#micros;
  }

  toString(): string {
    return `${this.#micros / microsPerMilli} ms`;
  }

  static is(value: unknown): value is Duration {
    return typeof value === 'object' && value !== null && #micros in value;
  }
}

export function microsLong(count: number): Duration {
  return new Duration(count);
}

/** `count` milliseconds; a fraction counts to the microsecond. */
export function millisLong(count: number): Duration {
  return new Duration(count * microsPerMilli);
}

export function secondsLong(count: number): Duration {
  return new Duration(count * microsPerSecond);
}

export function minutes(count: number): Duration {
  return new Duration(count * 60 * microsPerSecond);
}

export function hours(count: number): Duration {
  return new Duration(count * 3_600 * microsPerSecond);
}

/** `time` plus `duration`: a time, for instance an `expireTime`. */
export function timeAfter(time: Micros, duration: Duration): Micros {
  return laterBy(time, microsOf(duration.valueOf()));
}

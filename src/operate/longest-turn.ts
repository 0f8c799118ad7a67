import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Clock } from '../core/base/clock.ts';
import { seconds } from '../core/base/clock.ts';

/** Milliseconds between two looks at the loop: a turn is known as exactly. */
const resolution = 2;
const nanosPerSecond = 1e9;
/** Time after which a turn may be forgotten. */
const keptFor = seconds(60);

/** Longest turn of the event loop in the last minute at least, pauses of the collector included. */
export class LongestTurn {
  readonly #clock: Clock;
  readonly #delay = monitorEventLoopDelay({ resolution });
  /** The longest one of the time before, in seconds. */
  #before = 0;
  #since = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = clock.uptime();
    this.#delay.enable();
  }

  /** Seconds. */
  value(): number {
    // A look that comes when it should, shows the time between two of them.
    const longest = Math.max(0, this.#delay.max / nanosPerSecond - resolution / 1_000);
    const value = Math.max(longest, this.#before);
    if (this.#clock.uptime() - this.#since < keptFor) return value;
    this.#before = longest;
    this.#since = this.#clock.uptime();
    this.#delay.reset();
    return value;
  }

  close(): void {
    this.#delay.disable();
  }
}

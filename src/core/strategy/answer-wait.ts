import type { Clock, Micros } from '../base/clock.ts';
import { micros, microsPerMilli } from '../base/clock.ts';
import type { Event } from '../model/event.ts';

/** Time that the thread that trades stands still for a strategy at most. */
const waitMax = micros(100);
/** Waits that are left out after one in vain, at most: twice as many after each. */
const leftOutMax = 4_096;

/** Whether an event comes from outside the trader, so that a strategy may have waited for it. */
export function mayBeAnswered({ kind }: Event): boolean {
  switch (kind) {
    case 'bookUpdate':
    case 'bookSnapshot':
    case 'trades':
    case 'ticker':
    case 'candles':
    case 'contractInfo':
    case 'seriesRow':
    case 'orderReport':
    case 'strategyTimer':
      return true;
    default:
      return false;
  }
}

/**
 * Waits for the answer of a worker at the end of the turn that brought it an event: a strategy answers within microseconds,
 * and to wake the event loop for its answer would take longer than that. One that does not answer in time is read by the event loop, and
 * is waited for less and less often.
 */
export class AnswerWait {
  readonly #clock: Clock;
  readonly #hear: (ms: number) => boolean;
  readonly #isAnswered: () => boolean;
  #isExpected = false;
  #since = 0 as Micros;
  #leaveOut = 0;
  #leftOut = 0;

  constructor(setting: { clock: Clock; hear: (ms: number) => boolean; isAnswered: () => boolean }) {
    this.#clock = setting.clock;
    this.#hear = setting.hear;
    this.#isAnswered = setting.isAnswered;
  }

  /** Waits when the present turn is over, and all that it brings others has been handed over. */
  expect(): void {
    if (this.#isExpected) return;
    if (this.#leftOut < this.#leaveOut) {
      this.#leftOut += 1;
      return;
    }
    this.#isExpected = true;
    this.#since = this.#clock.uptime();
    queueMicrotask(() => this.#wait());
  }

  #wait(): void {
    this.#isExpected = false;
    const end = this.#since + waitMax;
    while (!this.#isAnswered()) {
      const left = end - this.#clock.uptime();
      if (left <= 0 || !this.#hear(left / microsPerMilli)) {
        this.#leaveOut = Math.min(leftOutMax, this.#leaveOut * 2 + 1);
        this.#leftOut = 0;
        return;
      }
    }
    this.#leaveOut = 0;
  }
}

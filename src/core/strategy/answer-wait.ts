import type { Clock, Micros } from '../base/clock.ts';
import { micros } from '../base/clock.ts';
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

export interface AnswerWaitDeps {
  readonly clock: Clock;
  /** Stands still for at most so long until the worker has said something. Returns whether it has. */
  readonly wait: (time: Micros) => boolean;
  /** Takes what the worker has said. */
  readonly take: () => void;
  readonly isAnswered: () => boolean;
}

/**
 * Waits for the answer of a worker at the end of the turn that brought it an event: a strategy answers within microseconds,
 * and to wake the event loop for its answer would take longer than that. One that does not answer in time is read by the event loop, and
 * is waited for less and less often.
 */
export class AnswerWait {
  readonly #deps: AnswerWaitDeps;
  #isExpected = false;
  /** Time that it has stood still for the answer that is expected. */
  #waited = 0 as Micros;
  #leaveOut = 0;
  #leftOut = 0;

  constructor(deps: AnswerWaitDeps) {
    this.#deps = deps;
  }

  /** Waits when the present turn is over, and all that it brings others has been handed over. */
  expect(): void {
    if (this.#isExpected) return;
    if (this.#leftOut < this.#leaveOut) {
      this.#leftOut += 1;
      return;
    }
    this.#isExpected = true;
    this.#waited = micros(0);
    queueMicrotask(() => this.#wait());
  }

  #wait(): void {
    if (this.#deps.isAnswered()) this.#leaveOut = 0;
    else if (this.#waitForMore()) {
      // What it said may be an order, which leaves at the end of the turn: the wait for more begins after that.
      process.nextTick(() => this.#wait());
      return;
    } else {
      this.#leaveOut = Math.min(leftOutMax, this.#leaveOut * 2 + 1);
      this.#leftOut = 0;
    }
    this.#isExpected = false;
  }

  /** Waits for what the worker says next, and takes it. */
  #waitForMore(): boolean {
    const { clock, wait, take } = this.#deps;
    const left = (waitMax - this.#waited) as Micros;
    if (left <= 0) return false;
    const begun = clock.uptime();
    const came = wait(left);
    this.#waited = (this.#waited + clock.uptime() - begun) as Micros;
    take();
    return came;
  }
}

import type { Cancel, Clock, Micros } from '../../../core/base/clock.ts';
import { microsPerSecond } from '../../../core/base/clock.ts';

/** Runs `task` at a time, before anything that happens then; the answer cancels it. */
export type RunAt = (time: Micros, task: () => void) => Cancel;

/** `RunAt` of a clock that moves with the events, as those of backtests and of live cores do. */
export function runAtOf(clock: Clock): RunAt {
  return (time, task) => clock.after(Math.max(0, time - clock.now()) as Micros, task);
}

/**
 * When samples are due: at the end of each second in which something happened, silent seconds have none. With a clock that
 * runs tasks they are taken then, of how things stood until the next event, however late that comes; without one by the
 * first event behind that end, when it has counted already.
 */
export class SecondEnds {
  readonly #at: RunAt | undefined;
  readonly #sample: (time: Micros) => void;
  #end = Number.POSITIVE_INFINITY;
  #callOff: Cancel | undefined;
  /** From this time on `passed` must be called with an event. */
  due = Number.POSITIVE_INFINITY;

  constructor(sample: (time: Micros) => void, at: RunAt | undefined) {
    this.#sample = sample;
    this.#at = at;
  }

  /** Something happened, in the first second or in one behind that of the last such thing. */
  passed(time: Micros): void {
    const end = this.#end as Micros;
    this.#end = (Math.floor(time / microsPerSecond) + 1) * microsPerSecond;
    if (this.#at === undefined) {
      if (end !== Number.POSITIVE_INFINITY) this.#sample(end);
      this.due = this.#end;
      return;
    }
    this.due = Number.POSITIVE_INFINITY;
    const next = this.#end as Micros;
    this.#callOff = this.#at(next, () => {
      this.due = next;
      this.#sample(next);
    });
  }

  /** No more samples are due. */
  close(): void {
    this.#callOff?.();
    this.due = Number.POSITIVE_INFINITY;
  }
}

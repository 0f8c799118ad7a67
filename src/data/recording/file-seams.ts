import { timeText } from '../../core/base/clock.ts';
import type { Event } from '../../core/model/event.ts';
import { FilesOverlap } from './one-file-a-feed.ts';

/** Clocks are shifted by file, and a message is never told before the exchange sent it. */
const toleranceMicros = 1_000_000;

/** Watches that files follow one another, where they are read one behind the other. */
export class FileSeams {
  readonly #paths: readonly string[];
  /** Of the file that is read; -1 before the first. */
  #file = -1;
  #shift = 0;
  /** The latest arrival so far, by the clock of the recorder. */
  #last = Number.NEGATIVE_INFINITY;
  #isNew = false;

  constructor(paths: readonly string[]) {
    this.#paths = paths;
  }

  /** The next file begins, whose arrivals were shifted by so much. */
  startFile(shiftNanos = 0): void {
    this.#file += 1;
    this.#shift = shiftNanos / 1_000;
    this.#isNew = true;
  }

  /** Throws `FilesOverlap` when the first event of a file came before the last of the one ahead of it. */
  hear({ receiveTime }: Event): void {
    const arrival = receiveTime - this.#shift;
    if (this.#isNew && arrival < this.#last - toleranceMicros) {
      throw new FilesOverlap(
        `${this.#paths[this.#file]}: expected a file that follows ${this.#paths[this.#file - 1]}, which ends at ${timeText(this.#last)}, found one that begins at ${timeText(arrival)}; give files in the order of time, and no two of the same time`,
      );
    }
    this.#isNew = false;
    if (arrival > this.#last) this.#last = arrival;
  }
}

/** So many messages are handled before the event loop turns: what others wait for is never further away. */
const sliceMax = 32;
/** More than a worker may send without an answer, its notes and timers included. */
const waitingMax = 50_000;

/**
 * Messages of a worker, handled in order and in slices between which the event loop turns. A worker that sends little is heard at
 * once; one that floods keeps the loop no longer than a slice takes.
 */
export class Inbox {
  readonly #handle: (message: unknown) => void;
  #waiting: unknown[] = [];
  #next = 0;
  #left = sliceMax;
  #isTurning = false;

  constructor(handle: (message: unknown) => void) {
    this.#handle = handle;
  }

  /** Handles `message` now, or after those that wait. False when too many do. */
  post(message: unknown): boolean {
    if (this.#waiting.length - this.#next >= waitingMax) return false;
    this.#waiting.push(message);
    this.#drain();
    return true;
  }

  /** Handles all that wait: nothing more comes. */
  endMail(): void {
    this.#left = Number.POSITIVE_INFINITY;
    this.#drain();
  }

  #drain(): void {
    while (this.#next < this.#waiting.length && this.#left > 0) {
      const message = this.#waiting[this.#next];
      this.#waiting[this.#next] = undefined;
      this.#next += 1;
      this.#left -= 1;
      this.#handle(message);
    }
    if (this.#next === this.#waiting.length) {
      this.#waiting = [];
      this.#next = 0;
    }
    if (this.#left > 0 || this.#isTurning) return;
    this.#isTurning = true;
    setImmediate(() => {
      this.#isTurning = false;
      this.#left = sliceMax;
      this.#drain();
    });
  }
}

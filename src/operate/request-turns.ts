/** Requests that are answered in one turn of the loop. */
export const turnRequestsMax = 8;

/**
 * Spreads requests that came together over turns of the loop, in the order in which they came. Readers of the page ask at the same moments, and
 * a turn that answered all of them would keep frames of the venue waiting.
 */
export class RequestTurns {
  /** `setImmediate`: runs a task once in the next turn. */
  readonly #later: (task: () => void) => void;
  #waiting: (() => void)[] = [];
  #admitted = 0;
  #isBegun = false;

  constructor(later: (task: () => void) => void = setImmediate) {
    this.#later = later;
  }

  /** Has a request answered now, or behind those that wait. */
  admit(answer: () => void): void {
    if (!this.#isBegun) {
      this.#isBegun = true;
      this.#later(() => this.#turn());
    }
    if (this.#admitted >= turnRequestsMax) {
      this.#waiting.push(answer);
      return;
    }
    this.#admitted += 1;
    answer();
  }

  #turn(): void {
    const [admitted, left] = [this.#waiting.slice(0, turnRequestsMax), this.#waiting.slice(turnRequestsMax)];
    this.#waiting = left;
    this.#admitted = admitted.length;
    this.#isBegun = admitted.length > 0;
    if (this.#isBegun) this.#later(() => this.#turn());
    for (const answer of admitted) answer();
  }
}

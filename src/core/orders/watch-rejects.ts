/** The last outcomes of one strategy: a ring of whether each was a rejection, and how many were. */
class Outcomes {
  readonly #rejected: Uint8Array;
  #next = 0;
  #seen = 0;
  rejections = 0;

  constructor(size: number) {
    this.#rejected = new Uint8Array(size);
  }

  /** Whether as many as the ring holds were added. */
  get isFull(): boolean {
    return this.#seen === this.#rejected.length;
  }

  add(rejected: boolean): void {
    const now = rejected ? 1 : 0;
    this.rejections += now - (this.#rejected[this.#next] as number);
    this.#rejected[this.#next] = now;
    this.#next = this.#next + 1 === this.#rejected.length ? 0 : this.#next + 1;
    if (!this.isFull) this.#seen += 1;
  }
}

/**
 * The last outcomes of each strategy's orders at the venue. `add` returns why the strategy is to be stopped once
 * more than the allowed share of them are rejections. Source: faults, section 6 (17).
 */
export class RejectWatch {
  readonly #of: number;
  readonly #percentMax: number;
  readonly #outcomes = new Map<string, Outcomes>();

  constructor(options: { readonly of: number; readonly percentMax: number }) {
    this.#of = options.of;
    this.#percentMax = options.percentMax;
  }

  add(strategy: string, rejected: boolean): string | undefined {
    let outcomes = this.#outcomes.get(strategy);
    if (outcomes === undefined) {
      outcomes = new Outcomes(this.#of);
      this.#outcomes.set(strategy, outcomes);
    }
    outcomes.add(rejected);
    const { isFull, rejections } = outcomes;
    if (!isFull || rejections * 100 <= this.#of * this.#percentMax) return undefined;
    return `the venue rejected ${rejections} of its last ${this.#of} orders`;
  }
}

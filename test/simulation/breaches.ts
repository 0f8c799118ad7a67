/** A broken invariant. Source: faults, section 2. */
export interface Breach {
  /** `I1` to `I24`, or `throw` when the simulated code threw. */
  readonly invariant: string;
  readonly why: string;
  /** Milliseconds since the beginning. */
  readonly atMs: number;
}

/** What was broken, the first ones kept. */
export class Breaches {
  readonly #now: () => number;
  readonly #list: Breach[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  get list(): readonly Breach[] {
    return this.#list;
  }

  add(invariant: string, why: string): void {
    if (this.#list.length < 20) this.#list.push({ invariant, why, atMs: this.#now() });
  }
}

/**
 * The last outcomes of each strategy's orders at the venue. `add` returns why the strategy is to be stopped once
 * more than the allowed share of them are rejections. Source: faults, section 6 (17).
 */
export class RejectWatch {
  readonly #of: number;
  readonly #percentMax: number;
  readonly #outcomes = new Map<string, boolean[]>();

  constructor(options: { readonly of: number; readonly percentMax: number }) {
    this.#of = options.of;
    this.#percentMax = options.percentMax;
  }

  add(strategy: string, rejected: boolean): string | undefined {
    let outcomes = this.#outcomes.get(strategy);
    if (outcomes === undefined) {
      outcomes = [];
      this.#outcomes.set(strategy, outcomes);
    }
    outcomes.push(rejected);
    if (outcomes.length > this.#of) outcomes.shift();
    if (outcomes.length < this.#of) return undefined;
    const count = outcomes.filter(Boolean).length;
    if (count * 100 <= this.#of * this.#percentMax) return undefined;
    return `the venue rejected ${count} of its last ${this.#of} orders`;
  }
}

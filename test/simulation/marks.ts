/** What happened at least once: faults that took effect, and branches worth seeing. */
export class Marks {
  readonly #counts = new Map<string, number>();

  hit(name: string): void {
    this.add(name, 1);
  }

  add(name: string, count: number): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + count);
  }

  get names(): readonly string[] {
    return [...this.#counts.keys()];
  }

  count(name: string): number {
    return this.#counts.get(name) ?? 0;
  }
}

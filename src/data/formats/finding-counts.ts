/** Findings that should be known, counted by their sentence. The sentences are few: they are part of the code. */
export class FindingCounts {
  readonly #counts = new Map<string, number>();

  count(what: string, by = 1): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + by);
  }

  clear(): void {
    this.#counts.clear();
  }

  of(what: string): number {
    return this.#counts.get(what) ?? 0;
  }

  /** "3 sequence gaps", in the order of their first appearance. */
  sentences(): readonly string[] {
    return [...this.#counts].map(([what, count]) => `${count} ${what}`);
  }
}

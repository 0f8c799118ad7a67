const headsMax = 16;

interface Head {
  readonly text: string;
  /** The longest id with this head, and of those the last in alphabetical order. */
  highest: string;
}

/**
 * Knows ids that cannot have been used: those of one maker only ever grow, so one above all that were seen is new.
 * That spares a look into a table of all orders, which is too large for the caches. Heads are what ids have up to
 * their last `-`; a few are kept, those of our own makers. Fast twin of that table: row `reaction`, 1.05 times as fast.
 */
export class IdHeads {
  readonly #heads: Head[] = [];

  /** Whether `id` is certainly none of those that were seen. False proves nothing. */
  isNew(id: string): boolean {
    for (const { text, highest } of this.#heads) {
      if (id.startsWith(text)) return isHigher(id, highest);
    }
    return false;
  }

  /** `id` is in use from now on. Every id must pass here, or `isNew` is wrong. */
  saw(id: string): void {
    for (const head of this.#heads) {
      if (id.startsWith(head.text) && isHigher(id, head.highest)) head.highest = id;
    }
  }

  /** `id` is one of our own, `known` are all in use: from now on its head is kept. */
  own(id: string, known: Iterable<string>): void {
    for (const { text } of this.#heads) if (id.startsWith(text)) return;
    if (this.#heads.length >= headsMax) return;
    const head = { text: id.slice(0, id.lastIndexOf('-') + 1), highest: id };
    for (const other of known) {
      if (other.startsWith(head.text) && isHigher(other, head.highest)) head.highest = other;
    }
    this.#heads.push(head);
  }
}

function isHigher(id: string, than: string): boolean {
  return id.length === than.length ? id > than : id.length > than.length;
}

import type { FileEnds } from '../../core/model/frame-format.ts';

/** Times of one clock are printed rounded: a file that follows another may seem to begin this much before its end. */
const toleranceMicros = 10_000;

/** Files that follow one another in time. */
export interface FileChain {
  /** Their numbers. */
  readonly files: readonly number[];
  /** For each of them, the symbols whose book goes on from the files before it. */
  readonly continued: readonly ReadonlySet<string>[];
}

/**
 * Which files follow one another, and which lie side by side. Of several chains that a file may follow, it follows the one
 * whose books it goes on with. Files without market data are in none.
 */
export function chainsOf(files: readonly FileEnds[]): readonly FileChain[] {
  const chains: Chain[] = [];
  const inTime = [...files.entries()]
    .filter(([, { first }]) => Number.isFinite(first))
    .toSorted(([, one], [, other]) => one.first - other.first);
  for (const [index, file] of inTime) {
    let best: Chain | undefined;
    let continued: ReadonlySet<string> = new Set();
    for (const chain of chains) {
      if (chain.last > file.first + toleranceMicros) continue;
      const found = chain.continuedIn(file);
      if (best !== undefined && found.size <= continued.size) continue;
      best = chain;
      continued = found;
    }
    if (best === undefined) {
      best = new Chain();
      chains.push(best);
    }
    best.add(index, file, continued);
  }
  return chains;
}

class Chain implements FileChain {
  readonly files: number[] = [];
  readonly continued: ReadonlySet<string>[] = [];
  /** The last sequence of each book. */
  readonly #books = new Map<string, number>();
  #last = Number.NEGATIVE_INFINITY;

  /** When its last market frame was received. */
  get last(): number {
    return this.#last;
  }

  add(index: number, { last, books }: FileEnds, continued: ReadonlySet<string>): void {
    this.files.push(index);
    this.continued.push(continued);
    this.#last = last;
    for (const [symbol, book] of books) this.#books.set(symbol, book.last);
  }

  /**
   * The symbols whose book goes on without a gap: with the whole book that was known, or with the next update or one that
   * came already. Where that holds for all books that have events and updates are among them, it is the same socket, and those
   * that are silent go on too.
   */
  continuedIn({ books }: FileEnds): ReadonlySet<string> {
    const continued = new Set<string>();
    let hasUpdate = false;
    for (const [symbol, { first, isWhole }] of books) {
      const last = this.#books.get(symbol);
      if (last === undefined || (isWhole ? first !== last : first > last + 1)) continue;
      continued.add(symbol);
      hasUpdate ||= !isWhole;
    }
    return hasUpdate && continued.size === books.size ? new Set(this.#books.keys()) : continued;
  }
}

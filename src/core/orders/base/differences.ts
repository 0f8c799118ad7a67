import type { Clock, Micros } from '../../base/clock.ts';
import type { Difference, DifferenceKind } from '../../model/difference.ts';
import type { StateView } from '../../state/index.ts';
import type { Outbox } from './outbox.ts';

/** A difference as a complete read shows it. `since`: when it began, where that is known; when it was first seen otherwise. */
export type SeenDifference = Omit<Difference, 'since' | 'reads'> & {
  readonly since?: Micros;
  /** It was shown before, and ended: it is no news again. */
  readonly wasShown?: boolean;
};

interface DifferenceDeps {
  readonly view: StateView;
  readonly outbox: Outbox;
  readonly clock: Clock;
}

/** Opens, counts and ends the rows of differences: the only one that writes them. Complete reads are its only source. */
export class Differences {
  readonly #parts: DifferenceDeps;

  constructor(parts: DifferenceDeps) {
    this.#parts = parts;
  }

  /** A complete read shows a difference. Returns how many in a row have shown it; 0 where there is no room for a row. */
  seen({ wasShown = false, ...found }: SeenDifference): number {
    const { view, outbox, clock } = this.#parts;
    if (!view.differences.takes(found.key)) return 0;
    const known = view.differences.find(found.key);
    const reads = (known?.reads ?? (wasShown ? 1 : 0)) + 1;
    outbox.differenceFound({ ...found, since: known?.since ?? found.since ?? clock.now(), reads });
    return reads;
  }

  /** Ends a row, if there is one. */
  endRow(key: string, why: string): void {
    const { view, outbox } = this.#parts;
    if (view.differences.find(key) !== undefined) outbox.differenceEnded(key, why);
  }

  /** Ends the rows of a kind that `holds` does not keep. */
  endOthers(kind: DifferenceKind, holds: (row: Difference) => boolean, why: string): void {
    const { view, outbox } = this.#parts;
    for (const row of view.differences.all)
      if (row.kind === kind && !holds(row)) outbox.differenceEnded(row.key, why);
  }

  /** Whether rows of a kind are open. */
  has(kind: DifferenceKind): boolean {
    return this.#parts.view.differences.all.some((row) => row.kind === kind);
  }
}

import type { InstrumentId, Instruments } from '../../core/model/instrument.ts';

/** Book updates that had no book to change, by instrument: of a recording that begins without a snapshot. */
export class OrphanUpdates {
  readonly #counts: number[] = [];

  /** An update came, and there has been no whole book. */
  count(instrument: InstrumentId): void {
    this.#counts[instrument] = (this.#counts[instrument] ?? 0) + 1;
  }

  /** A whole book came: what was before it is no loss, the recording only begins there. */
  join(instrument: InstrumentId): void {
    this.#counts[instrument] = 0;
  }

  /** One for each instrument that never had a book. */
  sentences(instruments: Instruments): readonly string[] {
    return instruments.all.flatMap(({ id, symbol }) => {
      const count = this.#counts[id] ?? 0;
      return count === 0
        ? []
        : `${symbol}: ${count} ${orphanWords}; give the file that has it as well, first`;
    });
  }
}

const orphanWords = 'book updates were left out, because no whole book came before them';

/** Whether a finding is one of these. */
export function tellsOrphans(finding: string): boolean {
  return finding.includes(orphanWords);
}

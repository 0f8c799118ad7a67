import type { BookUpdate } from '../../core/model/event.ts';
import type { InstrumentId, Instruments } from '../../core/model/instrument.ts';

/** How many differences are remembered: a depth reply is minutes late only when something else is wrong. */
const diffsMax = 4_096;

/** The last differences of one book, so that a snapshot that is older than they are can be joined with them. */
export class DiffMemory {
  readonly #events: (BookUpdate | undefined)[] = [];
  readonly #previous: number[] = [];
  /** Where the next one goes once the memory is full: the oldest is forgotten. */
  #next = 0;

  keep(event: BookUpdate, previous: number): void {
    this.#events[this.#next] = event;
    this.#previous[this.#next] = previous;
    this.#next = (this.#next + 1) % diffsMax;
  }

  /** Passes on all that are remembered, oldest first, each with the update id it follows. */
  replay(deliver: (event: BookUpdate, previous: number) => void): void {
    const count = this.#events.length;
    const oldest = count < diffsMax ? 0 : this.#next;
    for (let i = 0; i < count; i++) {
      const at = (oldest + i) % count;
      deliver(this.#events[at] as BookUpdate, this.#previous[at] as number);
    }
  }
}

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
export function isOrphanNote(finding: string): boolean {
  return finding.includes(orphanWords);
}

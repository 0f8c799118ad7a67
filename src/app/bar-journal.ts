import { MemoryJournal } from '../journal/memory-journal.ts';
import type { KeptEvent } from '../journal/record.ts';
import { isKept } from '../journal/record.ts';
import type { Event } from '../model/event.ts';

/**
 * The journal of a bar run, which also shows what it keeps: a bar is two events of the market, and who only follows
 * orders need not be asked about them.
 */
export class BarJournal extends MemoryJournal {
  readonly #kept: (event: KeptEvent) => void;

  /** `kept` must not throw, and is called inside a step. */
  constructor(kept: (event: KeptEvent) => void) {
    super();
    this.#kept = kept;
  }

  override append(event: Event, sequence: number): void {
    super.append(event, sequence);
    if (isKept(event)) this.#kept(event);
  }
}

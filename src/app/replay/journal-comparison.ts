import { encodeEvent, isKept } from '../../core/journal/index.ts';
import type { RemovedRecords } from '../../core/journal/index.ts';
import type { StampedEvent } from '../../core/model/stamped-event.ts';
import type { JournalSession } from '../run/journal-session.ts';

/** The first difference between a replay and the journal of the run. */
export interface Departure {
  readonly sequence: number;
  readonly journal: string;
  readonly replay: string;
}

/** Follows a replay along the session that it repeats, event by event, until they differ or one of them ends. */
export class JournalComparison {
  readonly #session: JournalSession;
  readonly #records: Iterator<StampedEvent, void>;
  #next: StampedEvent | undefined;
  #departure: Departure | undefined;
  #alike = 0;

  constructor(session: JournalSession) {
    this.#session = session;
    this.#records = session.records();
    this.#step();
  }

  /** Kept events that were the same. */
  get alike(): number {
    return this.#alike;
  }

  /** The first difference; `undefined` while there is none. */
  get departure(): Departure | undefined {
    return this.#departure;
  }

  /** Records before the run that the journal no longer holds. */
  get removed(): RemovedRecords | undefined {
    return this.#session.removed;
  }

  /** Whether the session goes on behind the last event of the replay: the recording ended earlier. */
  get more(): boolean {
    return this.#next !== undefined;
  }

  observe({ event, sequence }: StampedEvent): void {
    if (this.#departure !== undefined || this.#next === undefined || !isKept(event)) return;
    const journal = shown(this.#next);
    const replay = shown({ event, sequence });
    if (journal === replay) {
      this.#alike += 1;
      this.#step();
    } else {
      this.#departure = { sequence: Math.min(sequence, this.#next.sequence), journal, replay };
    }
  }

  #step(): void {
    const found = this.#records.next();
    this.#next = found.done === true ? undefined : found.value;
  }
}

function shown({ event, sequence }: StampedEvent): string {
  return isKept(event) ? `${sequence} ${encodeEvent(event)}` : `${sequence} ${event.kind}`;
}

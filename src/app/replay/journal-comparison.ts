import { BadInput } from '../../core/base/errors.ts';
import { encodeEvent } from '../../core/journal/records/canonical.ts';
import { isKept } from '../../core/journal/records/journal.ts';
import type { RemovedRecords } from '../../core/journal/segments/tables.ts';
import { readJournal } from '../../core/journal/replay.ts';
import type { StampedEvent } from '../../core/model/stamped-event.ts';

/** The first difference between a replay and the journal of the run. */
export interface Departure {
  readonly sequence: number;
  readonly journal: string;
  readonly replay: string;
}

/**
 * What a journal held before the run `run` began in it, from the last carried state on: all that the run was given.
 * Throws `BadInput` when the journal does not hold the beginning of the run, or no longer.
 */
export function historyBefore(directory: string, run: string): readonly StampedEvent[] {
  let history: StampedEvent[] = [];
  let removed: RemovedRecords | undefined;
  for (const stamped of readJournal(directory, {
    anyGrid: true,
    onRemoved: (records) => (removed = records),
  })) {
    const { event } = stamped;
    if (event.kind === 'runStarted' && event.run === run) return history;
    if (event.kind === 'stateCarried') history = [];
    history.push(stamped);
  }
  const why = removed === undefined ? '' : `: ${removed.why}`;
  throw new BadInput(
    `expected the beginning of the run ${run} in the journal ${directory}, found none${why}`,
  );
}

/** Follows a replay along the journal of the run, event by event, until they differ or one of them ends. */
export class JournalComparison {
  readonly #journal: Iterator<StampedEvent, void>;
  #next: StampedEvent | undefined;
  #departure: Departure | undefined;
  #removed: RemovedRecords | undefined;
  #alike = 0;

  constructor(directory: string, run: string) {
    this.#journal = readJournal(directory, {
      anyGrid: true,
      onRemoved: (records) => (this.#removed = records),
    });
    do this.#step();
    while (
      this.#next !== undefined &&
      !(this.#next.event.kind === 'runStarted' && this.#next.event.run === run)
    );
  }

  /** Kept events that were the same. */
  get alike(): number {
    return this.#alike;
  }

  /** The first difference; `undefined` while there is none. */
  get departure(): Departure | undefined {
    return this.#departure;
  }

  /** What the journal no longer holds of before the run. */
  get removed(): RemovedRecords | undefined {
    return this.#removed;
  }

  /** Whether the journal goes on behind the last event of the replay: the recording ended earlier. */
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
    const found = this.#journal.next();
    this.#next = found.done === true ? undefined : found.value;
  }
}

function shown({ event, sequence }: StampedEvent): string {
  return isKept(event) ? `${sequence} ${encodeEvent(event)}` : `${sequence} ${event.kind}`;
}

import type { BookUpdate } from '../../core/model/event.ts';

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

  /** Tells all that are remembered, oldest first, each with the update id it follows. */
  replay(tell: (event: BookUpdate, previous: number) => void): void {
    const count = this.#events.length;
    const oldest = count < diffsMax ? 0 : this.#next;
    for (let i = 0; i < count; i++) {
      const at = (oldest + i) % count;
      tell(this.#events[at] as BookUpdate, this.#previous[at] as number);
    }
  }
}

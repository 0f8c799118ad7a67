import type { Micros } from '../base/clock.ts';
import type { Command } from '../model/command.ts';

/** A command that waits for its record to be durable, its inputs fresh and its lane in budget. */
export interface Waiting {
  readonly command: Command;
  /** By `uptime`. */
  readonly deadline: Micros;
  durable: boolean;
}

/** A first-in first-out queue of one lane: a growing array with a moving head, compacted now and then. */
export class LaneQueue {
  #items: Waiting[] = [];
  #head = 0;

  get size(): number {
    return this.#items.length - this.#head;
  }

  push(waiting: Waiting): void {
    this.#items.push(waiting);
  }

  peek(): Waiting | undefined {
    return this.#items[this.#head];
  }

  shift(): void {
    this.#head += 1;
    if (this.#head > 1_024 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    if (this.#head === this.#items.length) {
      this.#items.length = 0;
      this.#head = 0;
    }
  }
}

import type { Micros } from '../base/clock.ts';
import type { Command } from '../model/command.ts';

/** A command that waits for its record to be durable, its inputs fresh and its lane in budget. */
export interface Waiting {
  readonly command: Command;
  /** Deadline, by `uptime`. */
  readonly deadline: Micros;
  /** Time by `uptime` since which its record is durable, or it was admitted where none is needed. */
  readyAt: Micros | undefined;
}

/** How commands waited that were ready to leave: for budget, or for those before them. Microseconds. */
export interface LaneWaits {
  readonly count: number;
  readonly total: number;
  readonly longest: number;
}

/** A first-in first-out queue of one lane: a growing array with a moving head, compacted now and then. */
export class LaneQueue {
  #items: Waiting[] = [];
  #head = 0;
  #count = 0;
  #total = 0;
  #longest = 0;

  /** Waits of all that have left the queue, whatever became of them. */
  get waits(): LaneWaits {
    return { count: this.#count, total: this.#total, longest: this.#longest };
  }

  get size(): number {
    return this.#items.length - this.#head;
  }

  push(waiting: Waiting): void {
    this.#items.push(waiting);
  }

  /** Takes out the single order or replacement with this id, wherever it waits; `undefined` when none does. */
  takeOut(clientOrderId: string): Waiting | undefined {
    if (this.size === 0) return undefined;
    const at = this.#items.findIndex(
      ({ command }, place) => place >= this.#head && isFor(command, clientOrderId),
    );
    return at < 0 ? undefined : this.#items.splice(at, 1)[0];
  }

  peek(): Waiting | undefined {
    return this.#items[this.#head];
  }

  /** Takes the first one off; `now` by `uptime`. */
  shift(now: Micros): void {
    const since = this.#items[this.#head]?.readyAt ?? now;
    if (now > since) {
      this.#count += 1;
      this.#total += now - since;
      this.#longest = Math.max(this.#longest, now - since);
    }
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

export function joinWaits(all: readonly LaneWaits[]): LaneWaits {
  return {
    count: all.reduce((sum, { count }) => sum + count, 0),
    total: all.reduce((sum, { total }) => sum + total, 0),
    longest: Math.max(0, ...all.map(({ longest }) => longest)),
  };
}

/** Whether a command places an order of that id; a list is placed whole. */
function isFor(command: Command, clientOrderId: string): boolean {
  if (command.kind === 'newOrder') return command.request.clientOrderId === clientOrderId;
  if (command.kind === 'replaceOrder') return command.newClientOrderId === clientOrderId;
  return (
    command.kind === 'newOrderList' &&
    command.requests.some((request) => request.clientOrderId === clientOrderId)
  );
}

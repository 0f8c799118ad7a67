import type { BookSide, orderActions } from '../../core/model/order-changes.ts';

/** One order and what of it a change is about. */
export interface WrittenChange {
  /** From `number`, or 0 for an order that never showed. */
  readonly order: number;
  readonly side: BookSide;
  /** In ticks. */
  readonly price: number;
  readonly lots: number;
}

/** More orders than any file holds. */
const ordersPerFile = 2 ** 32;

/** The number of the first order of the file in that place: orders of several files must not be mistaken. */
export function firstOrderOf(file: number): number {
  return file * ordersPerFile + 1;
}

/** Collects what happens to single orders until its event is published. */
export class OrderWriter {
  #changes: number[] = [];
  #next = 0;

  /** Orders are numbered from `first` on. */
  constructor(first: number) {
    this.#next = first;
  }

  /** A number for an order met for the first time. */
  number(): number {
    return this.#next++;
  }

  write(action: (typeof orderActions)[keyof typeof orderActions], change: WrittenChange): void {
    if (change.lots <= 0) return;
    this.#changes.push(action, change.order, change.side, change.price, change.lots);
  }

  /** Forgets the changes collected: a whole book comes instead. */
  restart(): void {
    this.#changes = [];
  }

  /** The changes collected since the last call, in flat fives. */
  take(): Float64Array {
    const changes = Float64Array.from(this.#changes);
    this.#changes = [];
    return changes;
  }
}

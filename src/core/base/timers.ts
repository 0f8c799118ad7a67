import type { Micros } from './clock.ts';

/** One task due at one time. `order` breaks ties: equal times run in call order. */
export interface Timer {
  readonly time: Micros;
  readonly order: number;
  readonly task: () => void;
  cancelled: boolean;
}

/** A binary heap of timers, earliest first. Cancelled timers are dropped when they surface. */
export class Timers {
  readonly #heap: Timer[] = [];
  #order = 0;
  #cancelled = 0;
  #notBefore = Number.POSITIVE_INFINITY;

  /** How many timers wait. */
  get size(): number {
    return this.#heap.length - this.#cancelled;
  }

  /** No timer is due before this time: in most cases one comparison shows that nothing is due. */
  get notBefore(): number {
    return this.#notBefore;
  }

  add(time: Micros, task: () => void): Timer {
    const timer: Timer = { time, order: this.#order++, task, cancelled: false };
    if (time < this.#notBefore) this.#notBefore = time;
    this.#push(timer);
    return timer;
  }

  cancel(timer: Timer): void {
    if (timer.cancelled) return;
    timer.cancelled = true;
    this.#cancelled += 1;
    if (this.#cancelled > 64 && this.#cancelled * 2 > this.#heap.length) this.#sweep();
  }

  /** The time of the earliest timer, or `undefined` when none waits. */
  nextTime(): Micros | undefined {
    this.#dropCancelled();
    return this.#heap[0]?.time;
  }

  /** Removes and returns the earliest timer due at or before `time`. */
  takeDue(time: Micros): Timer | undefined {
    this.#dropCancelled();
    const first = this.#heap[0];
    if (first === undefined || first.time > time) {
      this.#notBefore = first === undefined ? Number.POSITIVE_INFINITY : first.time;
      return undefined;
    }
    this.#pop();
    this.#notBefore = first.time;
    // A fired timer counts as cancelled, so that its cancel function does nothing.
    first.cancelled = true;
    return first;
  }

  #push(timer: Timer): void {
    this.#heap.push(timer);
    this.#rise(this.#heap.length - 1);
  }

  #dropCancelled(): void {
    while (this.#heap[0]?.cancelled === true) {
      this.#pop();
      this.#cancelled -= 1;
    }
  }

  #sweep(): void {
    const live = this.#heap.filter((timer) => !timer.cancelled);
    this.#heap.length = 0;
    this.#cancelled = 0;
    for (const timer of live) this.#push(timer);
  }

  #pop(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    this.#sink();
  }

  #rise(index: number): void {
    const heap = this.#heap;
    let at = index;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!before(heap[at] as Timer, heap[parent] as Timer)) return;
      [heap[at], heap[parent]] = [heap[parent] as Timer, heap[at] as Timer];
      at = parent;
    }
  }

  #sink(): void {
    const heap = this.#heap;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const right = left + 1;
      let least = at;
      if (left < heap.length && before(heap[left] as Timer, heap[least] as Timer)) least = left;
      if (right < heap.length && before(heap[right] as Timer, heap[least] as Timer)) least = right;
      if (least === at) return;
      [heap[at], heap[least]] = [heap[least] as Timer, heap[at] as Timer];
      at = least;
    }
  }
}

function before(a: Timer, b: Timer): boolean {
  return a.time < b.time || (a.time === b.time && a.order < b.order);
}

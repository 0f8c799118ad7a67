import type { Cancel, Clock, DueQueue, Micros } from '../core/base/clock.ts';
import { TimedRing } from './timed-ring.ts';

/**
 * Things on their way to a place and time. Each is handed over once it is due, in order of time and then of `put`;
 * what a handover puts in waits its turn. A clock that asks queues is left to ask; with others, one timer at most.
 */
export class DelayLine<Item> implements DueQueue {
  readonly #clock: Clock;
  readonly #pending: TimedRing<Item>;
  readonly #handOver: (item: Item) => void;
  #handing = false;
  #closed = false;
  readonly #detach: Cancel | undefined;
  #timerTime = Number.POSITIVE_INFINITY;
  #cancelTimer: Cancel | undefined = undefined;

  constructor(clock: Clock, pendingMax: number, handOver: (item: Item) => void) {
    this.#clock = clock;
    this.#pending = new TimedRing(pendingMax);
    this.#handOver = handOver;
    this.#detach = clock.attach?.(this);
  }

  get nextTime(): number {
    return this.#pending.nextTime;
  }

  /** Puts a thing on its way, due at `time` of the clock's uptime. Never hands over inside this call. */
  put(time: number, item: Item): void {
    this.#pending.push(time, item);
    if (!this.#handing && time < this.#timerTime) this.#arm();
  }

  /** As `put`, and hands over at once what is due, this among it. Equal times go by `order`, and then by call. */
  pass(time: number, item: Item, order = 0): void {
    this.#pending.push(time, item, order);
    if (this.#handing) return;
    if (this.#pending.nextTime <= this.#clock.uptime()) this.handOver();
    else if (time < this.#timerTime) this.#arm();
  }

  /** Nothing is handed over any more. */
  close(): void {
    this.#closed = true;
    this.#detach?.();
    this.#cancelTimer?.();
  }

  handOver(): void {
    this.#handing = true;
    try {
      const now = this.#clock.uptime();
      for (let item = this.#pending.takeDue(now); item !== undefined; item = this.#pending.takeDue(now)) {
        this.#handOver(item);
        if (this.#closed) return;
      }
    } finally {
      this.#handing = false;
    }
    if (this.#detach === undefined && this.#pending.nextTime !== this.#timerTime) this.#arm();
  }

  #arm(): void {
    if (this.#closed || this.#detach !== undefined) return;
    const next = this.#pending.nextTime;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#timerTime = next;
    if (next === Number.POSITIVE_INFINITY) return;
    const delay = Math.max(0, next - this.#clock.uptime()) as Micros;
    this.#cancelTimer = this.#clock.after(delay, () => {
      this.#timerTime = Number.POSITIVE_INFINITY;
      this.#cancelTimer = undefined;
      this.handOver();
    });
  }
}

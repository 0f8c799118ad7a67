import type { Clock, Micros } from '../../src/core/base/clock.ts';
import { micros } from '../../src/core/base/clock.ts';
import { encodeEvent, lanesText, isKept } from '../../src/core/journal/records/records.ts';
import type { LooseRecord, Journal } from '../../src/core/journal/records/records.ts';
import { RunDigest } from '../../src/core/journal/records/run-digest.ts';
import type { Event, MarketData } from '../../src/core/model/event.ts';
import type { CounterRandom } from '../../src/app/virtual/counter-random.ts';
import type { SimDisk } from './sim-disk.ts';

/** How the disk behaves now; faults change it. Microseconds. */
export interface DiskWeather {
  syncMean: number;
  /** Every sync takes at least this long. */
  syncMin: number;
}

interface Waiting {
  readonly group: number;
  readonly task: () => void;
}

/** The journal of one simulated process: groups, syncs that take their time, and tasks that wait for them. */
export class SimJournal implements Journal {
  readonly #clock: Clock;
  readonly #disk: SimDisk;
  readonly #random: CounterRandom;
  readonly #weather: DiskWeather;
  readonly #digest = new RunDigest();
  #pending: LooseRecord[] = [];
  /** The number that what is pending will have as a group, and the last one synced. */
  #group = 1;
  #durable = 0;
  #syncing = false;
  #waiting: Waiting[] = [];
  #failure: Error | undefined;
  readonly #onFailure: ((error: Error) => void)[] = [];
  readonly #onWaiting: ((why: string | undefined) => void)[] = [];
  #isFull = false;
  /** It had no room, and what waited is not all on it yet. */
  #freed = false;

  constructor(parts: { clock: Clock; disk: SimDisk; random: CounterRandom; weather: DiskWeather }) {
    this.#clock = parts.clock;
    this.#disk = parts.disk;
    this.#random = parts.random;
    this.#weather = parts.weather;
  }

  appendMarketData(data: MarketData, sequence: number): void {
    this.#digest.market.add(data, sequence);
  }

  append(event: Event, sequence: number): void {
    const { market } = this.#digest;
    if (!isKept(event)) {
      this.appendMarketData(event, sequence);
      return;
    }
    const { count, laneA, laneB } = market;
    this.#digest.addKept(event, sequence);
    if (this.#failure !== undefined) return;
    const text = encodeEvent(event);
    const marketHash = lanesText(laneA, laneB);
    this.#pending.push({ sequence, kind: event.kind, text, marketCount: count, marketHash });
    this.#sync();
  }

  whenDurable(task: () => void): void {
    if (this.#failure !== undefined) return;
    const group = this.#pending.length > 0 ? this.#group : this.#group - 1;
    if (group === this.#durable) task();
    else this.#waiting.push({ group, task });
  }

  onFailure(task: (error: Error) => void): void {
    if (this.#failure === undefined) this.#onFailure.push(task);
    else task(this.#failure);
  }

  digest(): string {
    return this.#digest.hex();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  onWaiting(task: (why: string | undefined) => void): void {
    this.#onWaiting.push(task);
  }

  get nextTry(): Micros | undefined {
    return this.#isFull ? micros(this.#clock.now() + 1_000_000) : undefined;
  }

  /** The disk has no room: syncs wait. A group that is on its way is done. */
  fill(why: string): void {
    if (this.#failure !== undefined || this.#isFull) return;
    this.#isFull = true;
    for (const task of this.#onWaiting) task(why);
  }

  /** The disk has room again. */
  empty(): void {
    if (!this.#isFull) return;
    this.#isFull = false;
    this.#freed = true;
    if (this.#pending.length > 0) this.#sync();
    else if (!this.#syncing) this.#endWait();
  }

  /** The disk refuses from here on. */
  fail(why: string): void {
    if (this.#failure !== undefined) return;
    const error = new Error(why);
    this.#failure = error;
    this.#waiting = [];
    this.#pending = [];
    for (const task of this.#onFailure.splice(0)) task(error);
  }

  /** The process is gone: nothing that waits here is done any more, whatever the disk does. */
  abandon(): void {
    this.#failure ??= new Error('the process is gone');
    this.#isFull = false;
    this.#waiting = [];
    this.#pending = [];
    this.#onFailure.length = 0;
    this.#onWaiting.length = 0;
  }

  /** One sync at a time; what comes meanwhile is the next group. */
  #sync(): void {
    if (this.#syncing || this.#isFull) return;
    this.#syncing = true;
    this.#clock.after(micros(1), () => {
      this.#disk.begin(this.#pending);
      this.#pending = [];
      this.#group += 1;
      const { syncMin, syncMean } = this.#weather;
      const delay = micros(Math.ceil(syncMin + this.#random.exponential(syncMean)));
      this.#clock.after(delay, () => this.#synced());
    });
  }

  #synced(): void {
    if (this.#failure !== undefined) return;
    this.#disk.commit();
    this.#durable += 1;
    this.#syncing = false;
    if (this.#pending.length > 0) this.#sync();
    const ready = this.#waiting.filter(({ group }) => group <= this.#durable);
    this.#waiting = this.#waiting.filter(({ group }) => group > this.#durable);
    for (const { task } of ready) task();
    if (this.#freed && !this.#isFull && this.#pending.length === 0) this.#endWait();
  }

  #endWait(): void {
    this.#freed = false;
    for (const task of this.#onWaiting) task(undefined);
  }
}

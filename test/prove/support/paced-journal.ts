import type { Clock, Micros } from '../../../src/core/base/clock.ts';
import { micros } from '../../../src/core/base/clock.ts';
import type { Journal } from '../../../src/core/journal/index.ts';
import { DiskJournal } from '../../../src/core/journal/index.ts';
import type { DiskJournalDeps } from '../../../src/core/journal/disk.ts';
import type { Event, MarketData } from '../../../src/core/model/event.ts';

/** How long a sync takes by the virtual clock. */
const sync = micros(1_000);

/** The journal on a real disk in virtual time: what it says of durability, it says after a fixed time, and the real disk is waited for in between. */
export class PacedJournal implements Journal {
  readonly #clock: Clock;
  readonly #disk: DiskJournal;

  constructor(clock: Clock, setup: Omit<DiskJournalDeps, 'clock'>) {
    this.#clock = clock;
    this.#disk = new DiskJournal(setup);
  }

  append(event: Event, sequence: number): void {
    this.#disk.append(event, sequence);
  }

  appendMarketData(data: MarketData, sequence: number): void {
    this.#disk.appendMarketData(data, sequence);
  }

  whenDurable(task: () => void): void {
    this.#clock.after(sync, task);
  }

  onFailure(task: (error: Error) => void): void {
    this.#disk.onFailure(task);
  }

  onWaiting(task: (why: string | undefined) => void): void {
    this.#disk.onWaiting(task);
  }

  get nextTry(): Micros | undefined {
    return this.#disk.nextTry;
  }

  digest(): string {
    return this.#disk.digest();
  }

  close(): Promise<void> {
    return this.#disk.close();
  }

  /** Resolves once everything appended so far is on the disk. */
  onDisk(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#disk.onFailure(reject);
      this.#disk.whenDurable(resolve);
    });
  }
}

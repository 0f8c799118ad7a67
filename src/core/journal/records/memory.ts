import type { Event, MarketData } from '../../model/event.ts';
import type { StampedEvent } from '../../model/stamped-event.ts';
import type { Journal, KeptEvent } from './journal.ts';
import { isKept } from './journal.ts';
import { RunDigest } from './run-digest.ts';

export interface MemoryJournalOptions {
  /** How many kept events to hold for `events`: 0 (the digest alone) unless asked. */
  readonly keepMax?: number;
  /** Shown every event that is kept whole, and no market data; inside a step, so it must not throw. */
  readonly kept?: (event: KeptEvent, sequence: number) => void;
}

/** The journal of a backtest: everything is durable at once, and the digest says what happened. */
export class MemoryJournal implements Journal {
  readonly #digest = new RunDigest();
  readonly #keepMax: number;
  readonly #kept: ((event: KeptEvent, sequence: number) => void) | undefined;
  readonly #events: StampedEvent[] = [];
  #dropped = 0;

  constructor({ keepMax = 0, kept }: MemoryJournalOptions = {}) {
    this.#keepMax = keepMax;
    this.#kept = kept;
  }

  append(event: Event, sequence: number): void {
    if (!isKept(event)) {
      this.appendMarketData(event, sequence);
      return;
    }
    this.#digest.addKept(event, sequence);
    this.#kept?.(event, sequence);
    if (this.#keepMax === 0) return;
    if (this.#events.length < this.#keepMax) this.#events.push({ sequence, event });
    else this.#dropped += 1;
  }

  appendMarketData(data: MarketData, sequence: number): void {
    this.#digest.market.add(data, sequence);
  }

  whenDurable(task: () => void): void {
    task();
  }

  onFailure(): void {
    // Memory does not fail.
  }

  digest(): string {
    return this.#digest.hex();
  }

  /** The first `keepMax` kept events, oldest first: what `readJournal` yields of a journal on disk. */
  get events(): readonly StampedEvent[] {
    return this.#events;
  }

  /** How many kept events were dropped. A report must say so. */
  get dropped(): number {
    return this.#dropped;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

import type { RingDeps } from './ring.ts';
import { RingReader } from './ring.ts';
import type { ToWorker } from './worker-messages.ts';

/** Messages that are handled before the event loop turns. */
const sliceMax = 256;
/** Wait in the thread, in ms: at first, and where nothing else wants the event loop. */
const waitMs = { first: 1, alone: 250 } as const;

export interface InboxTaker {
  take(message: ToWorker): void;
  /** Called after messages of which `count` were events. */
  handled(count: number): void;
  /** Called when nothing has come for a while. */
  idle(): void;
}

/**
 * Messages from the host of a worker, handled in order. Between them the thread itself waits, which takes a third of the time that
 * waking an event loop takes; the loop turns after every slice, and has the thread for itself as soon as anything else uses it.
 */
export class WorkerInbox {
  readonly #reader: RingReader;
  // Bound at the start: code that is loaded later could replace it.
  readonly #resources = process.getActiveResourcesInfo.bind(process);
  #taker: InboxTaker | undefined;
  #isTurning = false;

  constructor(parts: RingDeps) {
    this.#reader = new RingReader(parts, { woken: () => this.#turn(), flooded: () => {} });
  }

  /** Begins to hand over messages. */
  open(taker: InboxTaker): void {
    this.#taker = taker;
    this.#turn();
  }

  #turn(): void {
    if (this.#taker === undefined || this.#isTurning) return;
    const reader = this.#reader;
    if (reader.isEmpty && !reader.wait(waitMs.first)) {
      this.#taker.idle();
      const isAlone = this.#isAlone();
      if (isAlone) reader.wait(waitMs.alone);
      else if (reader.sleep()) return;
    }
    let count = 0;
    for (let left = sliceMax; left > 0 && !reader.isEmpty; left--) {
      const message = reader.take() as ToWorker;
      if (message.type === 'event') count += 1;
      this.#taker.take(message);
    }
    this.#taker.handled(count);
    this.#isTurning = true;
    setImmediate(() => {
      this.#isTurning = false;
      this.#turn();
    });
  }

  /** Whether nothing but the port to the host keeps the event loop alive, and nothing waits to be printed. */
  #isAlone(): boolean {
    const others = this.#resources().filter((kind) => kind !== 'Immediate');
    return others.length <= 1 && process.stdout.writableLength === 0 && process.stderr.writableLength === 0;
  }
}

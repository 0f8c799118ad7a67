import { Worker } from 'node:worker_threads';
import type { Clock } from '../../core/base/clock.ts';
import { seconds } from '../../core/base/clock.ts';
import { BadInput, NotFound } from '../../core/base/errors.ts';
import { moduleUrl } from '../../core/base/module-url.ts';
import type { Explained } from '../../operate/index.ts';
import { loadedModules } from '../venue/load.ts';

/** Where an order is looked for: in a run directory, and in the first of the folders that exists. */
export interface OrderPlaces {
  readonly directory: string;
  readonly folders: readonly string[];
}

/** What the thread is given. */
export interface OrderTask extends OrderPlaces {
  readonly id: string;
  /** Files of venues whose recordings are read, as `venuesVariable` lists them. */
  readonly venues: string;
}

/** From the thread. `part`: what stands when the rest takes too long. After `whole` and `absent` nothing follows. */
export type FromOrderThread =
  | { readonly found: 'part' | 'whole'; readonly explained: Explained }
  | { readonly found: 'absent'; readonly why: string };

/** An open read keeps the journal's log of writes from being emptied, so it ends. */
const limit = seconds(10);
const waitingMax = 4;
const memoryMaxMib = 256;

/** Explains orders of the journal that a trader is writing: one at a time, in a thread, for trading waits for none of them. */
export class OrderExplainer {
  readonly #places: OrderPlaces;
  readonly #clock: Clock;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(places: OrderPlaces, clock: Clock) {
    this.#places = places;
    this.#clock = clock;
  }

  /** Rejects with `NotFound` when the journal names no such order, with `BadInput` when there are too many or it takes too long. */
  async explain(id: string): Promise<Explained> {
    if (this.#waiting >= waitingMax)
      throw new BadInput(`${waitingMax} orders are being explained: ask again in a moment`);
    this.#waiting += 1;
    const made = this.#last.then(() => this.#inThread(id));
    this.#last = made.catch(() => {});
    try {
      return await made;
    } finally {
      this.#waiting -= 1;
    }
  }

  async #inThread(id: string): Promise<Explained> {
    const made = Promise.withResolvers<Explained>();
    let part: Explained | undefined;
    const worker = new Worker(moduleUrl(new URL('./order-thread.ts', import.meta.url)), {
      workerData: { ...this.#places, id, venues: loadedModules() } satisfies OrderTask,
      resourceLimits: { maxOldGenerationSizeMb: memoryMaxMib },
    });
    worker.unref();
    const end = (why: string): void => {
      if (part === undefined) made.reject(new BadInput(`the journal was not read: ${why}`));
      else made.resolve({ ...part, notes: [...part.notes, `not everything was read: ${why}`] });
    };
    worker.on('message', (message: FromOrderThread) => {
      if (message.found === 'absent') made.reject(new NotFound(message.why));
      else if (message.found === 'whole') made.resolve(message.explained);
      else part = message.explained;
    });
    worker.on('error', (error: unknown) => end(error instanceof Error ? error.message : String(error)));
    worker.on('exit', () => end('the thread ended'));
    const cancel = this.#clock.after(limit, () => end('ten seconds are over; godwit explain takes its time'));
    try {
      return await made.promise;
    } finally {
      cancel();
      void worker.terminate();
    }
  }
}

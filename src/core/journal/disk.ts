import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import type { Cancel, Clock, Micros } from '../base/clock.ts';
import { millis, seconds } from '../base/clock.ts';
import { moduleUrl } from '../base/module-url.ts';
import type { SlicedWork } from '../base/slices.ts';
import { runInSlices, sliceRows } from '../base/slices.ts';
import type { Event, MarketData, StateCarried } from '../model/event.ts';
import type { StampedEvent } from '../model/stamped-event.ts';
import type { RemovedRecords, JournalCut, JournalLoss } from './segments/index.ts';
import { encodeEvent, encodeInPieces, lanesText, isKept } from './records/index.ts';
import type { LooseRecord, Journal, KeptEvent, RunDigest } from './records/index.ts';
import { JournalFailed, lockDirectory, placeSyncedMark } from './segments/index.ts';
import { journalDefaults } from './options.ts';
import type { JournalOptions } from './options.ts';
import { startDirectory } from './start-directory.ts';
import type { FromWriter, ToWriter, WriterTask } from './start-directory.ts';
import { keepLoss, leaveFailureMark, removeFailureMark } from './failure-mark.ts';

export interface DiskJournalDeps {
  /** The run directory: made (0700) when absent, and locked against other processes. */
  readonly directory: string;
  /** Meaning of the record's numbers, such as the specs of the instruments as JSON. Another one is refused. */
  readonly header?: string;
  /**
   * Called with every event already kept from the last `stateCarried` on, or with all when there is none, oldest
   * first. The chain is verified over all of the last segment, and that the older ones lead to it.
   */
  readonly onEvent?: (stamped: StampedEvent) => void;
  readonly options?: Partial<JournalOptions>;
  /**
   * Measures how long records wait for the disk, lets those for which nobody waits wait for others, and tries a full disk again. Without
   * it they go at the end of their turn, and a full disk fails the journal.
   */
  readonly clock?: Clock | undefined;
}

/** How many records are handed to the writer at once. */
const groupMax = 512;
/** Time between two tries of a full disk. */
const retryEvery = seconds(1);
/**
 * Time that a record for which nobody waits stays for one for which somebody does. The event that a strategy answers, and its answer, then
 * share a sync: the order would have to wait for that of the event first, as the disk does one after the other.
 */
const quietTime = millis(2);

/** When records were on disk last, and how long they had waited for it. */
export interface JournalSync {
  readonly at: Micros;
  readonly took: Micros;
}

/** Market data before a record: how many there were, and their hash. */
interface MarketPlace {
  readonly count: number;
  readonly hash: string;
}

interface Waiting {
  readonly group: number;
  readonly task: () => void;
}

/**
 * The journal on disk: SQLite in a run directory, a new file behind a carried state once one is large enough, written
 * in groups by a thread of its own, so that a slow disk never blocks the loop. `whenDurable` hands over at once all that was appended, and two
 * milliseconds after a record it goes by itself.
 */
export class DiskJournal implements Journal {
  /** Sequence of the last record found at the start, 0 for a new journal: where the bus goes on. */
  readonly tail: number;
  /** Records that the start had to leave out at the end, if any. The trader should not trade on before a look at it. */
  readonly cut: JournalCut | undefined;
  /** Records of earlier times that the journal no longer holds, if any. */
  readonly removed: RemovedRecords | undefined;
  /** Records that were on the disk and are there no more, if any. `failureMark` keeps that until a later run has kept it. */
  readonly loss: JournalLoss | undefined;
  /** Why it cannot be told whether there are any. */
  readonly unchecked: string | undefined;
  readonly #directory: string;
  readonly #lock: DatabaseSync;
  readonly #worker: Worker;
  readonly #digest: RunDigest;
  readonly #outstandingMax: number;
  #records: LooseRecord[] = [];
  /** Work on a carried state. */
  #carrying: SlicedWork | undefined;
  /** True while the first of the records is a carried state whose text is not complete: none of them goes to the writer. */
  #isTextOpen = false;
  #cancelSlices: Cancel = ignore;
  /** The number that the records gathered now will have as a group. */
  #group = 1;
  #groupDurable = 0;
  #outstanding = 0;
  #sizes = new Map<number, number>();
  readonly #clock: Clock | undefined;
  /** When each group was handed to the writer. */
  readonly #handed = new Map<number, Micros>();
  #synced: JournalSync | undefined;
  #waiting: Waiting[] = [];
  #cancelFlush: Cancel | undefined;
  #failure: Error | undefined;
  /** Next try, while the disk has no room. */
  #retry: { readonly at: Micros; readonly cancel: Cancel } | undefined;
  readonly #onWaiting: ((why: string | undefined) => void)[] = [];
  #onFailure: ((error: Error) => void)[] = [];
  #closing: PromiseWithResolvers<void> | undefined;

  /**
   * Opens or creates the journal in a directory. Throws `JournalLocked`, `JournalForeign` (version or header) or
   * `JournalDamaged`; each says in one sentence what was found.
   */
  constructor(setup: DiskJournalDeps) {
    const options = { ...journalDefaults, ...setup.options };
    this.#directory = setup.directory;
    this.#clock = setup.clock;
    this.#outstandingMax = options.outstandingMax;
    this.#lock = lockDirectory(setup.directory);
    try {
      const start = startDirectory(setup.directory, setup.header ?? '', setup.onEvent ?? ignore);
      this.tail = start.tail;
      this.cut = start.cut;
      this.removed = start.removed;
      this.loss = start.loss;
      this.unchecked = start.unchecked;
      if (start.loss !== undefined) keepLoss(setup.directory, start.loss);
      // Only now: a mark of records that are gone would name them again once others stand in their place.
      placeSyncedMark(setup.directory, start.task.last);
      this.#digest = start.digest;
      this.#worker = this.#startWorker({ ...start.task, limits: options });
    } catch (error) {
      this.#lock.close();
      throw error;
    }
  }

  /** How many records wait for the disk. */
  get outstanding(): number {
    return this.#outstanding;
  }

  /** The last sync; `undefined` before the first one, and without a clock. */
  get synced(): JournalSync | undefined {
    return this.#synced;
  }

  append(event: Event, sequence: number): void {
    if (!isKept(event)) {
      this.appendMarketData(event, sequence);
      return;
    }
    const { count, laneA, laneB } = this.#digest.market;
    const market = { count, hash: lanesText(laneA, laneB) };
    if (event.kind === 'stateCarried') {
      this.#carry(event, sequence, market);
      return;
    }
    this.#digest.addKept(event, sequence);
    if (this.#failure === undefined) this.#gather(encodeEvent(event), event, sequence, market);
  }

  appendMarketData(data: MarketData, sequence: number): void {
    this.#digest.market.add(data, sequence);
  }

  whenDurable(task: () => void): void {
    if (this.#failure !== undefined) return;
    this.#flush();
    const group = this.#records.length > 0 ? this.#group : this.#group - 1;
    if (group === this.#groupDurable) task();
    else this.#waiting.push({ group, task });
  }

  onFailure(task: (error: Error) => void): void {
    if (this.#failure === undefined) this.#onFailure.push(task);
    else task(this.#failure);
  }

  onWaiting(task: (why: string | undefined) => void): void {
    this.#onWaiting.push(task);
  }

  get nextTry(): Micros | undefined {
    return this.#retry?.at;
  }

  digest(): string {
    return this.#digest.hex();
  }

  close(): Promise<void> {
    if (this.#closing !== undefined) return this.#closing.promise;
    this.#finishCarrying();
    this.#flush();
    this.#retry?.cancel();
    this.#closing = Promise.withResolvers<void>();
    if (this.#failure === undefined) this.#post({ type: 'close' });
    else this.#release();
    return this.#closing.promise;
  }

  /** Appends a carried state, whose rows become text and are hashed a slice a turn. */
  #carry(event: StateCarried, sequence: number, market: MarketPlace): void {
    this.#finishCarrying();
    // Records before it need not wait for its text.
    this.#flush();
    const digest = this.#digest.addInSlices(event, sequence);
    // What is appended from now on is hashed behind it.
    digest.next();
    if (this.#failure === undefined) this.#gather('', event, sequence, market);
    this.#carrying = this.#carryInSlices(event, digest);
    if (this.#clock === undefined) this.#finishCarrying();
    else this.#cancelSlices = runInSlices(this.#carrying, this.#clock);
  }

  *#carryInSlices(event: StateCarried, digest: SlicedWork): SlicedWork {
    let last: string | undefined;
    let isLong = false;
    this.#isTextOpen = true;
    const { live, closed } = event.state.orders;
    if (live.length + closed.length > sliceRows) {
      // The turn that carries a long state has copied it already.
      isLong = true;
      yield;
    }
    for (const text of encodeInPieces(event)) {
      if (this.#failure !== undefined) break;
      if (last !== undefined) {
        isLong = true;
        this.#post({ type: 'text', text: last });
        yield;
      }
      last = text;
    }
    this.#isTextOpen = false;
    const [record] = this.#records;
    if (record !== undefined && last !== undefined) this.#records[0] = { ...record, text: last };
    if (isLong) this.#flush();
    yield* digest;
  }

  /** Does at once what is left of a carried state. */
  #finishCarrying(): void {
    this.#cancelSlices();
    while (this.#carrying?.next().done === false);
    this.#carrying = undefined;
  }

  #gather(text: string, { kind }: KeptEvent, sequence: number, market: MarketPlace): void {
    if (this.#outstanding >= this.#outstandingMax) {
      this.#fail(new JournalFailed(`the disk fell behind: ${this.#outstanding} records wait for it`));
      return;
    }
    this.#records.push({
      sequence,
      kind,
      text,
      marketCount: market.count,
      marketHash: market.hash,
    });
    this.#outstanding += 1;
    if (this.#records.length >= groupMax) this.#flush();
    else this.#cancelFlush ??= this.#flushLater();
  }

  #flushLater(): Cancel {
    const flush = (): void => this.#flush();
    if (this.#clock !== undefined) return this.#clock.after(quietTime, flush);
    queueMicrotask(flush);
    return ignore;
  }

  #flush(): void {
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    if (this.#records.length === 0 || this.#isTextOpen || this.#failure !== undefined) return;
    const group = this.#group;
    this.#group += 1;
    this.#sizes.set(group, this.#records.length);
    if (this.#clock !== undefined) this.#handed.set(group, this.#clock.uptime());
    this.#post({ type: 'group', group, records: this.#records });
    this.#records = [];
  }

  #post(message: ToWriter): void {
    // A thread has no origin to name.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    this.#worker.postMessage(message);
  }

  #startWorker(task: WriterTask): Worker {
    const worker = new Worker(moduleUrl(new URL('./disk-writer.ts', import.meta.url)), { workerData: task });
    worker.on('message', (message: FromWriter) => this.#receive(message));
    worker.on('error', (error) => this.#fail(new JournalFailed(describe(error), { cause: error })));
    worker.on('exit', () => this.#exited());
    return worker;
  }

  #receive(message: FromWriter): void {
    if (message.type === 'durable') this.#durable(message.group);
    else if (message.type === 'full') this.#full(message.why);
    else this.#release();
  }

  /** Waits for room on the disk: what is not on it stays in the writer, in order, and is tried again. */
  #full(why: string): void {
    if (this.#failure !== undefined || this.#closing !== undefined) return;
    if (this.#clock === undefined) {
      this.#fail(new JournalFailed(`the journal cannot be written: ${why}`));
      return;
    }
    const isFirst = this.#retry === undefined;
    const cancel = this.#clock.after(retryEvery, () => this.#post({ type: 'again' }));
    this.#retry = { at: (this.#clock.now() + retryEvery) as Micros, cancel };
    if (!isFirst) return;
    const reason = `the disk has no room for the journal: ${why}`;
    // Were this process killed now, the next one would not know what is not on the disk.
    leaveFailureMark(this.#directory, reason);
    for (const task of this.#onWaiting) task(reason);
  }

  /** Ends the wait for room: all that waited is on the disk. */
  #hadRoom(): void {
    if (this.#retry === undefined) return;
    this.#retry.cancel();
    this.#retry = undefined;
    removeFailureMark(this.#directory);
    for (const task of this.#onWaiting) task(undefined);
  }

  #durable(group: number): void {
    if (this.#failure !== undefined) return;
    this.#measure(group);
    for (let done = this.#groupDurable + 1; done <= group; done++) {
      this.#outstanding -= this.#sizes.get(done) ?? 0;
      this.#sizes.delete(done);
      this.#handed.delete(done);
    }
    this.#groupDurable = group;
    const waiting = this.#waiting;
    let ready = 0;
    while (ready < waiting.length && (waiting[ready] as Waiting).group <= group) ready += 1;
    this.#waiting = waiting.slice(ready);
    for (let i = 0; i < ready; i++) (waiting[i] as Waiting).task();
    this.#hadRoom();
  }

  /** Measures a sync; of its groups the first has waited longest. */
  #measure(group: number): void {
    const handed = this.#handed.get(Math.min(this.#groupDurable + 1, group));
    if (this.#clock === undefined || handed === undefined) return;
    this.#synced = { at: this.#clock.now(), took: (this.#clock.uptime() - handed) as Micros };
  }

  #exited(): void {
    if (this.#closing === undefined) this.#fail(new JournalFailed('the writer of the journal ended'));
    else this.#release();
  }

  #fail(error: Error): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    leaveFailureMark(this.#directory, error.message);
    this.#waiting = [];
    this.#records = [];
    this.#retry?.cancel();
    this.#retry = undefined;
    const tasks = this.#onFailure;
    this.#onFailure = [];
    for (const task of tasks) task(error);
    if (this.#closing !== undefined) this.#release();
  }

  #release(): void {
    if (this.#lock.isOpen) this.#lock.close();
    void this.#worker.terminate().then(() => this.#closing?.resolve());
  }
}

function describe(error: unknown): string {
  return `the journal cannot be written: ${error instanceof Error ? error.message : String(error)}`;
}

function ignore(): void {}

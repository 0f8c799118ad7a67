import type { MessagePort } from 'node:worker_threads';
import { receiveMessageOnPort } from 'node:worker_threads';
import { BadInput } from '../base/errors.ts';
import { WordReader, WordWriter } from './plain-words.ts';

/** Memory of a ring, and the port for what does not fit in it. One thread writes, one reads. */
export interface RingDeps {
  readonly memory: SharedArrayBuffer;
  readonly port: MessagePort;
}

/** Places of the control words. Counts of words written and read never go back. */
const control = { written: 0, read: 1, reader: 2, writer: 3, length: 4 } as const;
/** States of the reader: a writer wakes one that sleeps. */
const reads = { awake: 0, inLoop: 1, waiting: 2 } as const;
const controlBytes = 64;
/** Mark in place of the length of a record that comes by the port. */
const byPort = -1;
/** Message of the port that only wakes. */
const wake = null;
/** A reader that stays awake for nothing, because the writer gets no processor meanwhile, is better asleep; it tries again each so many waits. */
const awake = { creditMax: 8, cost: 2, triedEach: 32 } as const;
/** A longer record goes by the port. */
const recordWordsMax = 8_192;
/** Messages by the port that wait to be read: one more has no space. */
const mailMax = 64;

/** Time at which a reader that sleeps is woken, which takes longer than to hand over a message: `now`, or by the next call, unless it stands still and waits. */
export type Wakes = 'now' | 'next';

/** Memory for a ring of so many words of eight bytes, a power of two. */
export function ringMemory(words: number): SharedArrayBuffer {
  return new SharedArrayBuffer(controlBytes + words * Float64Array.BYTES_PER_ELEMENT);
}

class Ring {
  readonly control: Int32Array;
  readonly words: Float64Array;
  readonly mask: number;

  constructor(memory: SharedArrayBuffer) {
    this.control = new Int32Array(memory, 0, control.length);
    this.words = new Float64Array(memory, controlBytes);
    this.mask = this.words.length - 1;
  }

  /** Words of the longest record: several fit at once. */
  get recordMax(): number {
    return Math.min(this.words.length >> 2, recordWordsMax);
  }
}

/** Writing end of a ring. */
export class RingWriter {
  readonly #ring: Ring;
  readonly #records: WordWriter;
  // Bound at the start: code that is loaded later must not find the port.
  readonly #send: (message: unknown, transfer: []) => void;
  /** Places of the records that name a message of the port. */
  readonly #mailAt: number[] = [];
  #written = 0;

  constructor({ memory, port }: RingDeps) {
    this.#ring = new Ring(memory);
    this.#records = new WordWriter(this.#ring.recordMax);
    this.#send = port.postMessage.bind(port);
  }

  /** Hands over `message`. False when there is no space: nothing was handed over. Throws what cannot be posted. */
  post(message: unknown, wakes: Wakes = 'now'): boolean {
    const record = this.#records.write(message);
    const length = record?.length ?? 0;
    const { words, mask, control: at } = this.#ring;
    const read = Atomics.load(at, control.read);
    while (this.#mailAt.length > 0 && ((read - (this.#mailAt[0] as number)) | 0) > 0) this.#mailAt.shift();
    const space = words.length - ((this.#written - read) | 0);
    if (space < length + 1 || this.#mailAt.length === mailMax) {
      this.#records.takeBack();
      return false;
    }
    if (record === undefined) {
      this.#send(message, []);
      this.#mailAt.push(this.#written);
    }
    words[this.#written & mask] = record === undefined ? byPort : length;
    const from = (this.#written + 1) & mask;
    const first = Math.min(length, words.length - from);
    if (record !== undefined) {
      words.set(first === length ? record : record.subarray(0, first), from);
      if (first < length) words.set(record.subarray(first), 0);
      this.#records.commit();
    }
    this.#written = (this.#written + length + 1) | 0;
    Atomics.store(at, control.written, this.#written);
    if (wakes === 'now') this.wakeReader();
    else if (Atomics.load(at, control.reader) === reads.waiting) Atomics.notify(at, control.written);
    return true;
  }

  /** Hands over `message` as soon as there is space, and stands still until then. */
  postWaiting(message: unknown, wakes: Wakes = 'now'): void {
    const { control: at } = this.#ring;
    while (!this.post(message, wakes)) {
      Atomics.store(at, control.writer, 1);
      const read = Atomics.load(at, control.read);
      if (this.post(message, wakes)) break;
      this.wakeReader();
      Atomics.wait(at, control.read, read);
    }
    Atomics.store(at, control.writer, 0);
  }

  /** Wakes the reader, where it sleeps, for all that was handed over. */
  wakeReader(): void {
    const { control: at } = this.#ring;
    const reader = Atomics.load(at, control.reader);
    if (reader === reads.awake) return;
    if (reader === reads.waiting) Atomics.notify(at, control.written);
    else if (Atomics.compareExchange(at, control.reader, reads.inLoop, reads.awake) === reads.inLoop)
      this.#send(wake, []);
  }
}

/** Reading end of a ring. Trusts neither the counts nor the records: the writer may be the code of others. */
export class RingReader {
  readonly #ring: Ring;
  readonly #records: WordReader;
  readonly #port: MessagePort;
  /** Messages that came by the port before their records were read. */
  readonly #mail: unknown[] = [];
  /** Earned by staying awake: one wait in vain takes two of it. */
  #credit: number = awake.creditMax;
  #fellAsleep = 0;
  #read = 0;

  /** `woken` is called from the event loop; `flooded` when the port brings what no record names. */
  constructor(
    { memory, port }: RingDeps,
    { woken, flooded }: { readonly woken: () => void; readonly flooded: () => void },
  ) {
    this.#ring = new Ring(memory);
    this.#records = new WordReader(this.#ring.recordMax);
    this.#port = port;
    port.on('message', (message: unknown) => {
      if (message === wake) woken();
      else if (this.#mail.length < mailMax) this.#mail.push(message);
      else flooded();
    });
  }

  /** Whether nothing waits. */
  get isEmpty(): boolean {
    return Atomics.load(this.#ring.control, control.written) === this.#read;
  }

  /** Takes the next message, which must be there. Throws `BadInput` when what is there is none. */
  take(): unknown {
    const { words, mask, control: at, recordMax } = this.#ring;
    const there = (Atomics.load(at, control.written) - this.#read) | 0;
    const length = words[this.#read & mask] as number;
    if (length === byPort) {
      this.#advance(1);
      return this.#nextMail();
    }
    if (!(Number.isInteger(length) && length > 0 && length <= recordMax && length < there))
      throw new BadInput('a record has no length');
    const { space } = this.#records;
    const from = (this.#read + 1) & mask;
    const first = Math.min(length, words.length - from);
    space.set(words.subarray(from, from + first), 0);
    if (first < length) space.set(words.subarray(0, length - first), first);
    this.#advance(length + 1);
    return this.#records.read(length);
  }

  /** Sleeps at most `ms` milliseconds, in this thread, until a message is there. Returns whether one is. */
  wait(ms: number): boolean {
    const { control: at } = this.#ring;
    Atomics.store(at, control.reader, reads.waiting);
    Atomics.wait(at, control.written, this.#read, ms);
    Atomics.store(at, control.reader, reads.awake);
    return !this.isEmpty;
  }

  /** Stays awake until a message is there, while `isTime`, and as long as this has paid lately. Returns whether one is. */
  waitAwake(isTime: () => boolean): boolean {
    // Nobody has to wake one that looks by itself.
    Atomics.store(this.#ring.control, control.reader, reads.awake);
    if (this.#credit === 0 && ++this.#fellAsleep < awake.triedEach) return !this.isEmpty;
    this.#fellAsleep = 0;
    while (this.isEmpty && isTime());
    const came = !this.isEmpty;
    this.#credit = Math.max(0, Math.min(awake.creditMax, this.#credit + (came ? 1 : -awake.cost)));
    return came;
  }

  /** Lets the writer wake the event loop for the next message. False when one is there already. */
  sleep(): boolean {
    const { control: at } = this.#ring;
    Atomics.store(at, control.reader, reads.inLoop);
    if (this.isEmpty) return true;
    Atomics.store(at, control.reader, reads.awake);
    return false;
  }

  #nextMail(): unknown {
    while (this.#mail.length === 0) {
      const came = receiveMessageOnPort(this.#port);
      if (came === undefined) throw new BadInput('a message was announced and did not come');
      if (came.message !== wake) return came.message as unknown;
    }
    return this.#mail.shift();
  }

  #advance(words: number): void {
    const { control: at } = this.#ring;
    this.#read = (this.#read + words) | 0;
    Atomics.store(at, control.read, this.#read);
    if (Atomics.load(at, control.writer) === 1) Atomics.notify(at, control.read);
  }
}

import { createHash } from 'node:crypto';
import type { Event } from '../model/event.ts';
import { valuesOf } from './layout.ts';
import { MarketHash } from './market-hash.ts';
import { isKept } from './record.ts';
import type { KeptEvent } from './record.ts';

const roomSize = 64 * 1_024;
/** No single value is written without this much room; texts look after themselves. */
const spare = 1_024;
/** So many units of a text are written at once. */
const piece = 4 * 1_024;
const depthMax = 24;
/** So many kept events wait at most to be hashed, in one go with all of them in the caches. */
const waitingMax = 128;
/** What is noted of each that waits: its sequence, and the market's count and lanes when it came. */
const notes = 4;

/**
 * The digest of a run: SHA-256 over every kept event in a canonical binary form, each with its sequence and the
 * market hash so far, and over the market hash at the end. Same events, same digest, in any process and for any
 * journal. It costs under a microsecond a kept event, because nothing becomes text, and not in the turn that brings
 * the event: events never change, so they are hashed once the turn is over.
 *
 * It begins anew with every `stateCarried`, which tells what all before it came to: so a journal that is opened
 * again, and reads only from there on, has the digest it would have had without the break.
 */
export class RunDigest {
  readonly market = new MarketHash();
  #hash = createHash('sha256');
  readonly #room = new DataView(new ArrayBuffer(roomSize));
  readonly #bytes = new Uint8Array(this.#room.buffer);
  #used = 0;
  /** By depth: the values of the object being written, as `valuesOf` gives them. */
  readonly #values: unknown[][] = Array.from({ length: depthMax }, () => []);
  readonly #events: (KeptEvent | undefined)[] = Array.from({ length: waitingMax });
  readonly #notes = new Float64Array(waitingMax * notes);
  #waiting = 0;
  #settlesSoon = false;
  readonly #settleSoon = (): void => {
    this.#settlesSoon = false;
    this.#settle();
  };

  add(event: Event, sequence: number): void {
    if (isKept(event)) this.addKept(event, sequence);
    else this.market.add(event, sequence);
  }

  addKept(event: KeptEvent, sequence: number): void {
    const { count, laneA, laneB } = this.market;
    const at = this.#waiting * notes;
    this.#notes[at] = sequence;
    this.#notes[at + 1] = count;
    this.#notes[at + 2] = laneA;
    this.#notes[at + 3] = laneB;
    this.#events[this.#waiting] = event;
    this.#waiting += 1;
    if (this.#waiting === waitingMax) this.#settle();
    if (this.#settlesSoon) return;
    this.#settlesSoon = true;
    queueMicrotask(this.#settleSoon);
  }

  /** The digest so far, as hexadecimal. More events may follow. */
  hex(): string {
    this.#settle();
    const { count, laneA, laneB } = this.market;
    this.#market(count, laneA, laneB);
    const used = this.#used;
    // What this call wrote belongs to this answer alone.
    this.#used -= marketBytes;
    return this.#hash.copy().update(this.#bytes.subarray(0, used)).digest('hex');
  }

  #settle(): void {
    for (let i = 0; i < this.#waiting; i++) {
      const event = this.#events[i] as KeptEvent;
      this.#events[i] = undefined;
      if (event.kind === 'stateCarried') {
        this.#hash = createHash('sha256');
        this.#used = 0;
      }
      const at = i * notes;
      this.#number(this.#notes[at] as number);
      this.#market(
        this.#notes[at + 1] as number,
        this.#notes[at + 2] as number,
        this.#notes[at + 3] as number,
      );
      this.#fields(event, 0);
    }
    this.#waiting = 0;
  }

  #market(count: number, laneA: number, laneB: number): void {
    if (this.#used + spare > roomSize) this.#flush();
    this.#number(count);
    this.#word(laneA);
    this.#word(laneB);
  }

  #fields(value: object, depth: number): void {
    const values = this.#values[depth] as unknown[];
    const { places, hash } = valuesOf(value as Readonly<Record<string, unknown>>, values);
    this.#tag(tags.fields);
    this.#word(hash);
    for (let i = 0; i < places.length; i++) this.#value(values[places[i] as number], depth + 1);
  }

  #value(value: unknown, depth: number): void {
    if (this.#used + spare > roomSize) this.#flush();
    // One question at a time is answered without a call; a switch over the type is not.
    if (typeof value === 'number') return this.#number(value);
    if (typeof value === 'string') return this.#text(value, tags.text);
    if (typeof value === 'boolean') return this.#tag(value ? tags.true : tags.false);
    if (typeof value === 'bigint') return this.#text(value.toString(16), tags.bigint);
    if (typeof value !== 'object' || value === null || depth >= depthMax) return this.#tag(tags.nothing);
    return Array.isArray(value) ? this.#list(value, depth) : this.#fields(value, depth);
  }

  #list(list: readonly unknown[], depth: number): void {
    this.#tag(tags.list);
    this.#word(list.length);
    for (let i = 0; i < list.length; i++) this.#value(list[i], depth + 1);
  }

  #number(value: number): void {
    this.#tag(tags.number);
    // One NaN of many, so that the bits are the same everywhere.
    this.#room.setFloat64(this.#used, Number.isNaN(value) ? Number.NaN : value, true);
    this.#used += 8;
  }

  /** Nearly every text is short and of ASCII: a byte a unit. */
  #text(text: string, tag: number): void {
    if (text.length <= piece && this.#ascii(text, tag + tags.ascii)) return;
    this.#tag(tag);
    this.#word(text.length);
    // Nearly every text fits into one piece, so that nothing is asked between its units.
    for (let from = 0; from < text.length; from += piece) {
      const to = Math.min(text.length, from + piece);
      if (this.#used + 2 * (to - from) > roomSize) this.#flush();
      this.#units(text, from, to);
    }
    if (this.#used + spare > roomSize) this.#flush();
  }

  /** Writes a text that is all ASCII; returns false, and nothing is written, when it is not. */
  #ascii(text: string, tag: number): boolean {
    const { length } = text;
    if (this.#used + length + 5 + spare > roomSize) this.#flush();
    const bytes = this.#bytes;
    const from = this.#used + 5;
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i);
      if (unit > 0x7f) return false;
      bytes[from + i] = unit;
    }
    this.#tag(tag);
    this.#word(length);
    this.#used = from + length;
    return true;
  }

  #units(text: string, from: number, to: number): void {
    const room = this.#room;
    let used = this.#used;
    for (let i = from; i < to; i++) {
      room.setUint16(used, text.charCodeAt(i), true);
      used += 2;
    }
    this.#used = used;
  }

  #word(value: number): void {
    this.#room.setUint32(this.#used, value, true);
    this.#used += 4;
  }

  #tag(tag: number): void {
    this.#bytes[this.#used] = tag;
    this.#used += 1;
  }

  #flush(): void {
    this.#hash.update(this.#bytes.subarray(0, this.#used));
    this.#used = 0;
  }
}

/** A text of ASCII has its tag, and `ascii` added. */
const tags = {
  nothing: 0,
  number: 1,
  text: 2,
  true: 3,
  false: 4,
  bigint: 5,
  list: 6,
  fields: 7,
  ascii: 8,
} as const;
/** What `#market` writes: a tagged number and two words. */
const marketBytes = 9 + 4 + 4;

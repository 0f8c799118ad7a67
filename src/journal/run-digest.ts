import { createHash } from 'node:crypto';
import type { Event } from '../model/event.ts';
import { layoutOf } from './layout.ts';
import { MarketHash } from './market-hash.ts';
import { isKept } from './record.ts';
import type { KeptEvent } from './record.ts';

const roomSize = 64 * 1_024;
/** No single value is written without this much room; texts look after themselves. */
const spare = 1_024;
const depthMax = 24;

/**
 * The digest of a run: SHA-256 over every kept event in a canonical binary form, each with its sequence and the
 * market hash so far, and over the market hash at the end. Same events, same digest, in any process and for any
 * journal. It costs under a microsecond a kept event, because nothing becomes text.
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

  add(event: Event, sequence: number): void {
    if (isKept(event)) this.addKept(event, sequence);
    else this.market.add(event, sequence);
  }

  addKept(event: KeptEvent, sequence: number): void {
    if (event.kind === 'stateCarried') {
      this.#hash = createHash('sha256');
      this.#used = 0;
    }
    this.#number(sequence);
    this.#market();
    this.#fields(event, 0);
  }

  /** The digest so far, as hexadecimal. More events may follow. */
  hex(): string {
    this.#market();
    const used = this.#used;
    // What this call wrote belongs to this answer alone.
    this.#used -= marketBytes;
    return this.#hash.copy().update(this.#bytes.subarray(0, used)).digest('hex');
  }

  #market(): void {
    if (this.#used + spare > roomSize) this.#flush();
    this.#number(this.market.count);
    this.#word(this.market.laneA);
    this.#word(this.market.laneB);
  }

  #fields(value: object, depth: number): void {
    const fields = value as Readonly<Record<string, unknown>>;
    const { keys, hash } = layoutOf(fields);
    this.#tag(tags.fields);
    this.#word(hash);
    for (let i = 0; i < keys.length; i++) this.#value(fields[keys[i] as string], depth + 1);
  }

  #value(value: unknown, depth: number): void {
    if (this.#used + spare > roomSize) this.#flush();
    switch (typeof value) {
      case 'number':
        return this.#number(value);
      case 'string':
        return this.#text(value, tags.text);
      case 'boolean':
        return this.#tag(value ? tags.true : tags.false);
      case 'bigint':
        return this.#text(value.toString(16), tags.bigint);
      case 'object':
        if (value === null || depth >= depthMax) return this.#tag(tags.nothing);
        return Array.isArray(value) ? this.#list(value, depth) : this.#fields(value, depth);
      default:
        return this.#tag(tags.nothing);
    }
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

  #text(text: string, tag: number): void {
    this.#tag(tag);
    this.#word(text.length);
    const bytes = this.#bytes;
    let used = this.#used;
    for (let i = 0; i < text.length; i++) {
      if (used + 2 > roomSize) {
        this.#used = used;
        this.#flush();
        used = 0;
      }
      const unit = text.charCodeAt(i);
      bytes[used] = unit;
      bytes[used + 1] = unit >> 8;
      used += 2;
    }
    this.#used = used;
    if (used + spare > roomSize) this.#flush();
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

const tags = { nothing: 0, number: 1, text: 2, true: 3, false: 4, bigint: 5, list: 6, fields: 7 } as const;
/** What `#market` writes: a tagged number and two words. */
const marketBytes = 9 + 4 + 4;

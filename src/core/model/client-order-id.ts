import { assert } from '../base/assert.ts';
import type { ClientOrderId } from './order.ts';

const shape = /^[A-Za-z0-9_-]{8,32}$/;
const owned = /^([A-Za-z0-9]{1,6})-([A-Za-z0-9]{1,10})-([A-Za-z0-9]{1,8})-([0-9a-z]{1,11})$/;
const counterWidth = 5;
/** Each start of a strategy within a run has numbers of its own. */
const countersPerStart = 36 ** counterWidth;
const lengthMax = 32;
const codeOfZero = 48;
const codeOfA = 97;

/** Whether `text` may serve as a client order id: 8 to 32 of `A-Za-z0-9_-`. Source: API v3, "Spot trading". */
export function isClientOrderId(text: string): text is ClientOrderId {
  return shape.test(text);
}

/** The parts of an id of ours: its maker, the run and the number. */
export interface IdOwner {
  readonly prefix: string;
  /** Base 36 of the start second of the run. */
  readonly run: string;
  /** Short name of the strategy. */
  readonly tag: string;
  readonly counter: number;
}

/**
 * Makes ids that never repeat and carry their owner: `gw-m8x2k1-mm-0000a` (prefix, run, strategy, counter in
 * base 36). One maker per strategy and run; the run (its start second) keeps ids of different runs apart.
 */
export class ClientOrderIds {
  readonly #head: string;
  /** Letters of the id made last. */
  readonly #codes: number[];
  #counter = 0;
  /** The next id, made when there was time. */
  #ready: ClientOrderId | undefined;
  #preparesSoon = false;
  readonly #prepare = (): void => {
    this.#preparesSoon = false;
    this.#ready ??= this.#make();
  };

  /**
   * `prefix`: 1 to 6, `run`: 1 to 10, `strategyTag`: 1 to 8 letters or digits. The id is then at most 32
   * characters long while fewer than 36^5 ids have been made. Fails (a bug) on other arguments.
   */
  constructor(prefix: string, run: string, strategyTag: string) {
    this.#head = `${prefix}-${run}-${strategyTag}-`;
    this.#codes = Array.from(idOf(this.#head, 0), (letter) => letter.charCodeAt(0));
    assert(
      ownerOf(`${this.#head}0`) !== undefined,
      'an id needs a prefix, run and tag of 1 to 6, 10 and 8 letters or digits',
    );
  }

  /** The next id: 8 to 32 characters, unique within this maker. */
  next(): ClientOrderId {
    const id = this.#ready ?? this.#make();
    this.#ready = undefined;
    return id;
  }

  /** Makes the next id ahead of its use, once the present turn is over, off the critical path. */
  prepareSoon(): void {
    if (this.#preparesSoon) return;
    this.#preparesSoon = true;
    queueMicrotask(this.#prepare);
  }

  /** Leaves out the numbers that `starts` earlier starts of the strategy in this run may have used. */
  skipStarts(starts: number): void {
    this.#counter = Math.max(this.#counter, starts * countersPerStart);
  }

  #make(): ClientOrderId {
    this.#counter += 1;
    // A text put together stays a rope until it is read; this one is read many times.
    const codes = this.#codes;
    let rest = this.#counter;
    for (let at = codes.length - 1; at >= this.#head.length; at--) {
      const digit = rest % 36;
      codes[at] = digit < 10 ? codeOfZero + digit : codeOfA + digit - 10;
      rest = (rest - digit) / 36;
    }
    return rest === 0 ? (String.fromCharCode(...codes) as ClientOrderId) : this.#makeLonger();
  }

  /** Makes an id whose counter has outgrown its width. Its letters are those of the head, which was checked, and of a number to the base 36. */
  #makeLonger(): ClientOrderId {
    const text = idOf(this.#head, this.#counter);
    assert(text.length <= lengthMax, 'a client order id grew beyond 32 characters');
    return text as ClientOrderId;
  }
}

/** The first id that begins with `head`: what a venue must take of a strategy. */
export function firstClientOrderId(head: string): string {
  return idOf(head, 1);
}

function idOf(head: string, counter: number): string {
  return head + counter.toString(36).padStart(counterWidth, '0');
}

/** The owner written into an id, or `undefined` when the id is not of this form (it is not ours). */
export function ownerOf(id: string): IdOwner | undefined {
  const match = owned.exec(id);
  if (match === null) return undefined;
  const [, prefix = '', run = '', tag = '', counter = ''] = match;
  const count = Number.parseInt(counter, 36);
  return Number.isSafeInteger(count) ? { prefix, run, tag, counter: count } : undefined;
}

/** Head of an id of ours: all before its counter, up to the last `-`; `undefined` of other ids, and of a counter that outgrew its width. */
export function idHeadOf(id: string): string | undefined {
  const head = id.slice(0, -counterWidth);
  return head.endsWith('-') && counterOf(id, head) >= 0 && ownerOf(id) !== undefined ? head : undefined;
}

/** The counter of an id that begins with `head` and has nothing else; -1 of any other. No two ids have one head and counter. */
export function counterOf(id: string, head: string): number {
  const from = head.length;
  if (id.length !== from + counterWidth || !id.startsWith(head)) return -1;
  let counter = 0;
  for (let i = from; i < id.length; i++) {
    const code = id.charCodeAt(i);
    const digit = code < codeOfA ? code - codeOfZero : code - codeOfA + 10;
    if (digit < 0 || digit > 35 || (code < codeOfA && digit > 9)) return -1;
    counter = counter * 36 + digit;
  }
  return counter;
}

/**
 * A tag of 1 to 8 letters or digits for a strategy name: its letters and digits, cut. Names that fall together
 * must be given tags by hand; the loader checks that tags differ.
 */
export function strategyTag(name: string): string {
  const letters = name.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 8);
  return letters === '' ? 's' : letters;
}

import { BadInput } from '../base/errors.ts';

/** Kinds of values; the kind stands in front of each value. */
const tag = {
  undefined: 0,
  null: 1,
  false: 2,
  true: 3,
  number: 4,
  bigint: 5,
  text: 6,
  knownText: 7,
  newText: 8,
  list: 9,
  numbers: 10,
  object: 11,
  newObject: 12,
} as const;

/** Length of texts that are written once, then by number: kinds, sides and states. Longer ones differ every time. */
const knownLengthMax = 14;
const knownTextsMax = 512;
const shapesMax = 1_024;
const stepsMax = 8_192;
const keysMax = 256;
const depthMax = 32;
const charactersAWord = 4;
const bigintMax = 2n ** 63n;

/** Views of one piece of memory: numbers, characters and big integers stand in words of eight bytes. */
class Words {
  readonly numbers: Float64Array;
  readonly characters: Uint16Array;
  readonly bigints: BigInt64Array;
  readonly bytes: Buffer;

  constructor(length: number) {
    const memory = new ArrayBuffer(length * Float64Array.BYTES_PER_ELEMENT);
    this.numbers = new Float64Array(memory);
    this.characters = new Uint16Array(memory);
    this.bigints = new BigInt64Array(memory);
    this.bytes = Buffer.from(memory);
  }
}

/** Keys of an object in their order. */
interface Shape {
  readonly keys: readonly string[];
  readonly next: Map<string, Shape>;
  /** -1 before it has been written. */
  number: number;
}

/**
 * Writes plain data as words: numbers, texts, big integers of 64 bits, lists, `Float64Array` and objects without a class. Keys of
 * objects and short texts are written once; a reader reads every record that was committed, in order.
 */
export class WordWriter {
  readonly #words: Words;
  readonly #root: Shape = { keys: [], next: new Map(), number: -1 };
  readonly #texts = new Map<string, number>();
  #shapes = 0;
  #steps = 0;
  #length = 0;
  readonly #newShapes: Shape[] = [];
  readonly #newTexts: string[] = [];

  /** `wordsMax`: length of the longest record, in words of eight bytes. */
  constructor(wordsMax: number) {
    this.#words = new Words(wordsMax);
  }

  /** Writes `value`; the words, valid until the next call. `undefined` when it is too long or no plain data. */
  write(value: unknown): Float64Array | undefined {
    this.#length = 0;
    if (this.#value(value, 0)) return this.#words.numbers.subarray(0, this.#length);
    this.takeBack();
    return undefined;
  }

  /** Keeps what the record names for the first time: it goes to the reader. */
  commit(): void {
    this.#newShapes.length = 0;
    this.#newTexts.length = 0;
  }

  /** Forgets what the record names for the first time: it does not go to the reader. */
  takeBack(): void {
    for (const shape of this.#newShapes.splice(0)) {
      shape.number = -1;
      this.#shapes -= 1;
    }
    for (const text of this.#newTexts.splice(0)) this.#texts.delete(text);
  }

  #value(value: unknown, depth: number): boolean {
    switch (typeof value) {
      case 'number':
        return this.#put(tag.number) && this.#put(value);
      case 'string':
        return this.#text(value);
      case 'boolean':
        return this.#put(value ? tag.true : tag.false);
      case 'undefined':
        return this.#put(tag.undefined);
      case 'bigint':
        if (value >= bigintMax || value < -bigintMax || !this.#put(tag.bigint) || !this.#put(0)) return false;
        this.#words.bigints[this.#length - 1] = value;
        return true;
      case 'object':
        if (value === null) return this.#put(tag.null);
        return depth < depthMax && this.#object(value as Record<string, unknown>, depth + 1);
      default:
        return false;
    }
  }

  #put(number: number): boolean {
    if (this.#length >= this.#words.numbers.length) return false;
    this.#words.numbers[this.#length++] = number;
    return true;
  }

  #text(text: string): boolean {
    if (text.length > knownLengthMax) return this.#put(tag.text) && this.#characters(text);
    const known = this.#texts.get(text);
    if (known !== undefined) return this.#put(tag.knownText) && this.#put(known);
    if (this.#texts.size >= knownTextsMax) return this.#put(tag.text) && this.#characters(text);
    this.#texts.set(text, this.#texts.size);
    this.#newTexts.push(text);
    return this.#put(tag.newText) && this.#characters(text);
  }

  #characters(text: string): boolean {
    const words = Math.ceil(text.length / charactersAWord);
    if (this.#length + 1 + words > this.#words.numbers.length) return false;
    this.#words.numbers[this.#length++] = text.length;
    const { characters } = this.#words;
    const from = this.#length * charactersAWord;
    for (let i = 0; i < text.length; i++) characters[from + i] = text.charCodeAt(i);
    this.#length += words;
    return true;
  }

  #object(value: Record<string, unknown>, depth: number): boolean {
    if (Array.isArray(value)) return this.#list(value, depth);
    if (value instanceof Float64Array) return this.#numbers(value);
    const kind: unknown = Object.getPrototypeOf(value);
    if (kind !== Object.prototype && kind !== null) return false;
    let shape = this.#root;
    for (const key in value) {
      const next = shape.next.get(key) ?? this.#step(shape, key);
      if (next === undefined) return false;
      shape = next;
    }
    if (!this.#shape(shape)) return false;
    for (const key of shape.keys) if (!this.#value(value[key], depth)) return false;
    return true;
  }

  #step({ keys, next }: Shape, key: string): Shape | undefined {
    if (this.#steps >= stepsMax || keys.length >= keysMax || key === '__proto__') return undefined;
    this.#steps += 1;
    const step = { keys: [...keys, key], next: new Map(), number: -1 };
    next.set(key, step);
    return step;
  }

  #shape(shape: Shape): boolean {
    if (shape.number >= 0) return this.#put(tag.object) && this.#put(shape.number);
    const { keys } = shape;
    if (this.#shapes >= shapesMax) return false;
    shape.number = this.#shapes++;
    this.#newShapes.push(shape);
    return this.#put(tag.newObject) && this.#put(keys.length) && keys.every((key) => this.#characters(key));
  }

  #list(values: readonly unknown[], depth: number): boolean {
    if (!this.#put(tag.list) || !this.#put(values.length)) return false;
    for (const value of values) if (!this.#value(value, depth)) return false;
    return true;
  }

  #numbers(values: Float64Array): boolean {
    if (this.#length + 2 + values.length > this.#words.numbers.length) return false;
    this.#words.numbers[this.#length++] = tag.numbers;
    this.#words.numbers[this.#length++] = values.length;
    this.#words.numbers.set(values, this.#length);
    this.#length += values.length;
    return true;
  }
}

/** Reads what a `WordWriter` has written, and trusts nothing in it: the writer may be the code of others. */
export class WordReader {
  readonly #words: Words;
  readonly #shapes: (readonly string[])[] = [];
  readonly #texts: string[] = [];
  #at = 0;
  #end = 0;

  constructor(wordsMax: number) {
    this.#words = new Words(wordsMax);
  }

  /** Space for the words of the next record. */
  get space(): Float64Array {
    return this.#words.numbers;
  }

  /** Reads the record of so many words in `space`. Throws `BadInput` where it is none. */
  read(length: number): unknown {
    this.#at = 0;
    this.#end = length;
    const value = this.#value(0);
    if (this.#at !== length) throw new BadInput('expected one value in a record, found more');
    return value;
  }

  #next(): number {
    if (this.#at >= this.#end) throw new BadInput('a record ends too early');
    return this.#words.numbers[this.#at++] as number;
  }

  /** A count of things that take at least `words` words each. */
  #count(words: number): number {
    const count = this.#next();
    if (!(Number.isInteger(count) && count >= 0 && Math.ceil(count * words) <= this.#end - this.#at))
      throw new BadInput('a record counts more than it has');
    return count;
  }

  #value(depth: number): unknown {
    if (depth > depthMax) throw new BadInput('a record is too deep');
    switch (this.#next()) {
      case tag.undefined:
        return undefined;
      case tag.null:
        return null;
      case tag.false:
        return false;
      case tag.true:
        return true;
      case tag.number:
        return this.#next();
      case tag.bigint:
        this.#next();
        return this.#words.bigints[this.#at - 1];
      case tag.text:
        return this.#characters();
      case tag.knownText:
        return known(this.#texts, this.#next());
      case tag.newText:
        return this.#newText();
      case tag.list:
        return this.#list(depth + 1);
      case tag.numbers:
        return this.#numbers();
      case tag.object:
        return this.#object(known(this.#shapes, this.#next()), depth + 1);
      case tag.newObject:
        return this.#object(this.#newShape(), depth + 1);
      default:
        throw new BadInput('a record has a value of no kind');
    }
  }

  #characters(): string {
    const length = this.#count(1 / charactersAWord);
    const from = this.#at * Float64Array.BYTES_PER_ELEMENT;
    this.#at += Math.ceil(length / charactersAWord);
    return this.#words.bytes.toString('utf16le', from, from + length * Uint16Array.BYTES_PER_ELEMENT);
  }

  #newText(): string {
    const text = keyOf(this.#characters());
    if (this.#texts.length >= knownTextsMax) throw new BadInput('a record names too many texts');
    this.#texts.push(text);
    return text;
  }

  #newShape(): readonly string[] {
    const keys = Array.from({ length: this.#count(1) }, () => keyOf(this.#characters()));
    if (this.#shapes.length >= shapesMax || keys.length > keysMax || keys.includes('__proto__'))
      throw new BadInput('a record names too many keys, or wrong ones');
    this.#shapes.push(keys);
    return keys;
  }

  #list(depth: number): unknown[] {
    const count = this.#count(1);
    const values: unknown[] = [];
    for (let i = 0; i < count; i++) values.push(this.#value(depth));
    return values;
  }

  #numbers(): Float64Array {
    const count = this.#count(1);
    this.#at += count;
    return this.#words.numbers.slice(this.#at - count, this.#at);
  }

  #object(keys: readonly string[], depth: number): object {
    const value: Record<string, unknown> = {};
    for (let i = 0; i < keys.length; i++) value[keys[i] as string] = this.#value(depth);
    return value;
  }
}

/** Text or keys of a number. */
function known<Named>(named: readonly Named[], number: number): Named {
  const one = named[number];
  if (one === undefined) throw new BadInput('a record names a number that there is not');
  return one;
}

/** Text as the engine keeps names of keys, which compare by address. */
function keyOf(text: string): string {
  const key: Record<string, true> = {};
  key[text] = true;
  return Object.keys(key)[0] ?? text;
}

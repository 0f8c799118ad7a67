import { expect, test } from 'vitest';
import { Random } from '../../../src/core/base/random.ts';
import { WordReader, WordWriter } from '../../../src/core/strategy/plain-words.ts';

const wordsMax = 256;

function pair(): { writer: WordWriter; read: (words: Float64Array) => unknown } {
  const reader = new WordReader(wordsMax);
  const read = (words: Float64Array): unknown => {
    reader.space.set(words);
    return reader.read(words.length);
  };
  return { writer: new WordWriter(wordsMax), read };
}

const values: readonly unknown[] = [
  { kind: 'bookUpdate', instrument: 0, levels: new Float64Array([0, 5, 7]), start: 0, end: 3 },
  { kind: 'bookUpdate', instrument: 1, levels: new Float64Array(), start: 0, end: 0 },
  { side: 'buy', price: undefined, margin: null, postOnly: false, reduceOnly: true },
  { free: 12_345_678_901_234_567n, debt: -(2n ** 63n) },
  ['a text of more than a few characters, ž and 💶', '', 'short', 'short'],
  { nested: [{ a: 1 }, { a: 2 }, { b: { c: [[], {}] } }] },
  -0,
  Number.NaN,
  Number.MAX_SAFE_INTEGER,
];

test('what is written is read, the same again and again', () => {
  const { writer, read } = pair();
  for (let turn = 0; turn < 3; turn++) {
    for (const value of values) {
      const words = writer.write(value);
      expect(words).toBeDefined();
      writer.commit();
      const found = read(words as Float64Array);
      expect(found).toStrictEqual(value);
      if (typeof value === 'object')
        expect(Object.keys(found as object)).toEqual(Object.keys(value as object));
    }
  }
});

test('keys and short texts are written once, and again where the record was taken back', () => {
  const { writer, read } = pair();
  const value = { kind: 'ticker', session: 'market' };
  const first = writer.write(value)?.length ?? 0;
  writer.takeBack();
  const again = writer.write(value) as Float64Array;
  expect(again).toHaveLength(first);
  writer.commit();
  expect(read(again)).toEqual(value);
  const third = writer.write(value) as Float64Array;
  expect(third.length).toBeLessThan(first);
  expect(read(third)).toEqual(value);
});

test('what is too long or no plain data is not written, and spoils nothing', () => {
  const { writer, read } = pair();
  const round: unknown[] = [];
  round.push(round);
  const others = [
    new Map(),
    new Date(0),
    () => 1,
    Symbol('s'),
    2n ** 63n,
    round,
    new Float64Array(wordsMax),
    { fresh: 'word', long: 'x'.repeat(4 * wordsMax) },
    Object.fromEntries([['__proto__', 1]]),
  ];
  for (const other of others) expect(writer.write(other)).toBeUndefined();
  const value = { fresh: 'word' };
  const words = writer.write(value) as Float64Array;
  expect(read(words)).toEqual(value);
});

test('keys without end are no plain data some time', () => {
  const { writer } = pair();
  let written = 0;
  while (writer.write({ [`key${written}`]: 1 }) !== undefined) {
    writer.commit();
    written += 1;
  }
  expect(written).toBe(1_024);
});

test('records that others have spoiled are refused or read, and do nothing else', () => {
  const random = new Random(7);
  const { writer } = pair();
  const record = (writer.write(values[5]) as Float64Array).slice();
  let refused = 0;
  for (let turn = 0; turn < 5_000; turn++) {
    const reader = new WordReader(wordsMax);
    const spoiled = record.slice();
    const odd = [random.between(-3, 300), Number.NaN, Number.POSITIVE_INFINITY, 0.5];
    spoiled[random.between(0, spoiled.length - 1)] = odd[random.between(0, 3)] as number;
    reader.space.set(spoiled);
    try {
      reader.read(spoiled.length);
    } catch (error) {
      expect((error as Error).name).toBe('BadInput');
      refused += 1;
    }
  }
  expect(refused).toBeGreaterThan(1_000);
});

test('a record cannot reach the prototype of all objects', () => {
  const { writer, read } = pair();
  const given = { aaaaaaaaa: { polluted: true } };
  const words = (writer.write(given) as Float64Array).slice();
  const characters = new Uint16Array(words.buffer);
  const at = Buffer.from(words.buffer).indexOf(Buffer.from('aaaaaaaaa', 'utf16le')) / 2;
  for (let i = 0; i < 9; i++) characters[at + i] = '__proto__'.charCodeAt(i);
  expect(() => read(words)).toThrow('wrong ones');
});

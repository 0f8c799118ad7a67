import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/base/random.ts';
import { DiskJournal } from '../../../src/core/journal/disk.ts';
import { GodwitError } from '../../../src/core/base/errors.ts';
import { readJournal } from '../../../src/core/journal/replay.ts';
import type { JournalCut } from '../../../src/core/journal/segments/file.ts';
import { filled, pending } from './support/events.ts';

const seed = 20_260_901;
const count = 120;
let root: string;
let images = 0;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'godwit-crash-'));
  const directory = join(root, 'run');
  const journal = new DiskJournal({ directory });
  for (let sequence = 1; sequence <= count; sequence++) {
    journal.append(sequence % 2 === 0 ? pending(sequence) : filled(sequence), sequence);
    await new Promise<void>((resolve) => journal.whenDurable(resolve));
  }
  // The image of a running journal: tables as they are, everything since the last checkpoint in the log.
  mkdirSync(join(root, 'live'));
  for (const name of ['journal.sqlite', 'journal.sqlite-wal'])
    copyFileSync(join(directory, name), join(root, 'live', name));
  await journal.close();
  // The image of a closed one: everything in the tables.
  mkdirSync(join(root, 'closed'));
  copyFileSync(join(directory, 'journal.sqlite'), join(root, 'closed', 'journal.sqlite'));
});

afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

interface Outcome {
  readonly sequences: readonly number[];
  readonly cut: JournalCut | undefined;
  readonly damage: GodwitError | undefined;
}

/** A copy of an image with one file changed. */
function damaged(image: 'live' | 'closed', name: string, change: (bytes: Buffer) => Buffer): string {
  images += 1;
  const directory = join(root, `image-${images}`);
  mkdirSync(directory);
  for (const file of ['journal.sqlite', 'journal.sqlite-wal']) {
    const from = join(root, image, file);
    if (!existsSync(from)) continue;
    const bytes = readFileSync(from);
    writeFileSync(join(directory, file), file === name ? change(bytes) : bytes);
  }
  return directory;
}

function read(directory: string): Outcome {
  const sequences: number[] = [];
  let cut: JournalCut | undefined;
  try {
    for (const { sequence } of readJournal(directory, { onCut: (found) => (cut = found) }))
      sequences.push(sequence);
    return { sequences, cut, damage: undefined };
  } catch (error) {
    if (!(error instanceof GodwitError)) throw error;
    return { sequences, cut, damage: error };
  }
}

/** Whatever happened, only a prefix of what was written may come out. */
function expectPrefix({ sequences }: Outcome): void {
  expect(sequences).toEqual(sequences.map((_, index) => index + 1));
  expect(sequences.length).toBeLessThanOrEqual(count);
}

describe(`crash images (seed ${seed})`, () => {
  test('the untouched images hold every acknowledged record', () => {
    for (const image of ['live', 'closed'] as const) {
      const outcome = read(damaged(image, '', (bytes) => bytes));
      expect(outcome).toMatchObject({ cut: undefined, damage: undefined });
      expect(outcome.sequences).toHaveLength(count);
    }
  });

  test('a log cut at any offset yields a prefix, never an error, and a new start goes on from it', async () => {
    const size = readFileSync(join(root, 'live', 'journal.sqlite-wal')).length;
    const random = new Random(seed).fork('cut');
    const lengths: number[] = [];
    for (let i = 0; i < 60; i++) {
      const offset = random.between(0, size);
      const directory = damaged('live', 'journal.sqlite-wal', (bytes) => bytes.subarray(0, offset));
      if (offset < 100_000 && !tablesExist(directory)) continue;
      const outcome = read(directory);
      expectPrefix(outcome);
      expect(outcome.damage).toBeUndefined();
      lengths.push(outcome.sequences.length);
      if (i % 20 === 0) await expectStartAfter(directory, outcome.sequences.length);
    }
    expect(new Set(lengths).size).toBeGreaterThan(10);
  });

  test('a log whose tail is zero or noise yields a prefix', () => {
    const size = readFileSync(join(root, 'live', 'journal.sqlite-wal')).length;
    const random = new Random(seed).fork('tail');
    for (let i = 0; i < 40; i++) {
      const from = random.between(size >> 1, size - 1);
      const fill = i % 2 === 0 ? 0 : random.between(1, 255);
      const outcome = read(damaged('live', 'journal.sqlite-wal', (bytes) => bytes.fill(fill, from)));
      expectPrefix(outcome);
      expect(outcome.damage).toBeUndefined();
    }
  });

  test('a flipped bit anywhere in the log yields a prefix', () => {
    const size = readFileSync(join(root, 'live', 'journal.sqlite-wal')).length;
    const random = new Random(seed).fork('log flip');
    for (let i = 0; i < 40; i++) {
      const at = random.between(size >> 1, size - 1);
      expectPrefix(read(damaged('live', 'journal.sqlite-wal', flip(at, random.between(0, 7)))));
    }
  });

  test('a flipped bit in the tables is an error or harms no record; it never changes or drops one', () => {
    const size = readFileSync(join(root, 'closed', 'journal.sqlite')).length;
    const random = new Random(seed).fork('flip');
    let errors = 0;
    for (let i = 0; i < 150; i++) {
      const at = random.between(100, size - 1);
      const outcome = read(damaged('closed', 'journal.sqlite', flip(at, random.between(0, 7))));
      expectPrefix(outcome);
      if (outcome.damage !== undefined) errors += 1;
      else if (outcome.cut === undefined) expect(outcome.sequences).toHaveLength(count);
      else expect(outcome.sequences.length).toBe(outcome.cut.after);
    }
    expect(errors).toBeGreaterThan(50);
  });

  test('changed text in the middle is an error that names the sequence, and nothing starts on it', () => {
    const directory = damaged('closed', '', (bytes) => bytes);
    const database = new DatabaseSync(join(directory, 'journal.sqlite'));
    database.exec(`UPDATE records SET text = replace(text, 'maker', 'taker') WHERE sequence = 60`);
    database.close();
    const outcome = read(directory);
    expect(outcome.damage?.message).toContain('the record after sequence 59');
    expect(() => new DiskJournal({ directory })).toThrow('the record after sequence 59');
  });

  test('a missing record in the middle is an error, a missing end is reported as cut', () => {
    const middle = damaged('closed', '', (bytes) => bytes);
    const end = damaged('closed', '', (bytes) => bytes);
    remove(middle, 'sequence = 60');
    remove(end, 'sequence > 100');
    expect(read(middle).damage?.message).toContain('the record after sequence 59');
    expect(read(end)).toMatchObject({
      damage: undefined,
      cut: { after: 100, why: /should end with sequence 120/ },
    });
    expect(read(end).sequences).toHaveLength(100);
  });

  test('a broken last record is cut, reported, and removed by the next start', async () => {
    const directory = damaged('closed', '', (bytes) => bytes);
    const database = new DatabaseSync(join(directory, 'journal.sqlite'));
    database.exec(`UPDATE records SET kind = 'x' WHERE sequence = ${count}`);
    database.close();
    expect(read(directory).cut).toMatchObject({
      after: count - 1,
      why: 'its content does not match its hash',
    });
    const journal = new DiskJournal({ directory });
    expect(journal.cut?.after).toBe(count - 1);
    await journal.close();
    await expectStartAfter(directory, count - 1);
  });

  test('a file that is no journal is refused with a sentence', () => {
    const directory = damaged('closed', 'journal.sqlite', (bytes) => bytes.fill(7));
    expect(() => [...readJournal(directory)]).toThrow(/journal .* cannot be read/);
    expect(() => [...readJournal(join(directory, 'absent'))]).toThrow('found no file');
  });
});

function flip(at: number, bit: number): (bytes: Buffer) => Buffer {
  return (bytes) => {
    bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
    return bytes;
  };
}

function remove(directory: string, where: string): void {
  const database = new DatabaseSync(join(directory, 'journal.sqlite'));
  database.exec(`DELETE FROM records WHERE ${where}`);
  database.close();
}

/** Whether the tables were made before the cut: a crash before that is a journal that never was. */
function tablesExist(directory: string): boolean {
  const database = new DatabaseSync(join(directory, 'journal.sqlite'), { readOnly: true });
  const found = database.prepare(`SELECT name FROM sqlite_schema WHERE name = 'records'`).get() !== undefined;
  database.close();
  return found;
}

async function expectStartAfter(directory: string, length: number): Promise<void> {
  const journal = new DiskJournal({ directory });
  expect(journal.tail).toBe(length);
  journal.append(pending(999), length + 1);
  await journal.close();
  expect(read(directory)).toMatchObject({ cut: undefined, damage: undefined });
  expect(read(directory).sequences).toHaveLength(length + 1);
}

import { spawn } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { firstSegment } from '../../../src/core/journal/segments/tables.ts';
import { DiskJournal } from '../../../src/core/journal/disk.ts';
import { createSegment } from '../../../src/core/journal/segments/file.ts';
import type { JournalOptions } from '../../../src/core/journal/options.ts';
import { readHeader, readJournal } from '../../../src/core/journal/replay.ts';
import type { RemovedRecords } from '../../../src/core/journal/segments/tables.ts';
import { startDirectory } from '../../../src/core/journal/start-directory.ts';
import type { Event } from '../../../src/core/model/event.ts';
import type { StampedEvent } from '../../../src/core/model/stamped-event.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import { State } from '../../../src/core/state/state.ts';
import { spotSpec } from '../../support/markets.ts';
import { at, carried, mixed, noted, pending, request } from './support/events.ts';

const root = mkdtempSync(join(tmpdir(), 'godwit-segments-'));
let count = 0;

afterAll(() => rmSync(root, { recursive: true, force: true }));

function fresh(): string {
  count += 1;
  return join(root, `run-${count}`);
}

/** A line of 18 kB, or a carried state after every nine of them: a mebibyte is seven such rounds. */
function eventAt(sequence: number): Event {
  return sequence % 10 === 0 ? { ...carried(3), ...at(sequence * 1_000_000) } : noted(sequence, 18_000);
}

interface Opened {
  readonly journal: DiskJournal;
  readonly printed: readonly StampedEvent[];
}

function open(directory: string, options: Partial<JournalOptions> = {}): Opened {
  const printed: StampedEvent[] = [];
  const journal = new DiskJournal({
    directory,
    header: 'instruments',
    options: { segmentMib: 1, ...options },
    onEvent: (stamped) => printed.push(stamped),
  });
  return { journal, printed };
}

/** Goes on with the journal of a directory up to a sequence. */
async function write(directory: string, to: number, options: Partial<JournalOptions> = {}): Promise<string> {
  const { journal } = open(directory, options);
  for (let sequence = journal.tail + 1; sequence <= to; sequence++) {
    journal.append(eventAt(sequence), sequence);
    if (sequence % 5 === 0) await new Promise<void>((resolve) => journal.whenDurable(resolve));
  }
  const digest = journal.digest();
  await journal.close();
  return digest;
}

function segments(directory: string): readonly string[] {
  return readdirSync(directory)
    .filter((name) => name !== 'journal.lock' && name !== 'journal.synced')
    .toSorted();
}

interface Read {
  readonly sequences: readonly number[];
  readonly removed: RemovedRecords | undefined;
}

/** Everything a journal holds, proved by its chain on the way; it must be without a gap. */
function read(path: string): Read {
  let removed: RemovedRecords | undefined;
  const found = [...readJournal(path, { onRemoved: (printed) => (removed = printed) })];
  const sequences = found.map(({ sequence }) => sequence);
  expect(sequences).toEqual(sequences.map((_, index) => (sequences[0] ?? 0) + index));
  expect(sequences[0] ?? 1).toBe((removed?.upTo ?? 0) + 1);
  return { sequences, removed };
}

function change(directory: string, name: string, sql: string): void {
  const database = new DatabaseSync(join(directory, name));
  database.exec(sql);
  database.close();
}

const three = ['journal-000002.sqlite', 'journal-000003.sqlite', 'journal.sqlite'];

describe('a journal of several segments', () => {
  let written: string;
  let digest: string;
  beforeAll(async () => {
    written = fresh();
    digest = await write(written, 175);
  });
  const copy = (): string => {
    const directory = fresh();
    cpSync(written, directory, { recursive: true });
    return directory;
  };

  test('begins each one with a carried state once the one before is large enough', () => {
    expect(segments(written)).toEqual(three);
    expect(read(written)).toMatchObject({ sequences: { length: 175 }, removed: undefined });
    const kinds = (name: string): readonly unknown[] => {
      const database = new DatabaseSync(join(written, name), { readOnly: true });
      const rows = database.prepare('SELECT sequence, kind FROM records ORDER BY sequence LIMIT 1').all();
      database.close();
      return rows.map((row) => ({ ...row }));
    };
    expect(kinds('journal-000002.sqlite')).toEqual([{ sequence: 70, kind: 'stateCarried' }]);
    expect(kinds('journal-000003.sqlite')).toEqual([{ sequence: 140, kind: 'stateCarried' }]);
    expect(statSync(join(written, 'journal-000003.sqlite')).mode & 0o777).toBe(0o600);
    expect(readHeader(written)).toBe('instruments');
  });

  test('goes on after a restart where it ended, read from the last carried state on', async () => {
    const directory = copy();
    const { journal, printed } = open(directory);
    expect(journal.tail).toBe(175);
    expect(journal.digest()).toBe(digest);
    expect(printed[0]).toStrictEqual({ sequence: 170, event: eventAt(170) });
    expect(printed).toHaveLength(6);
    await journal.close();
    await write(directory, 300);
    expect(segments(directory)).toHaveLength(5);
    expect(read(directory).sequences).toHaveLength(300);
  });

  test('is named by its directory or by any of its files; a file of another name stands for itself', () => {
    for (const name of three) expect(read(join(written, name)).sequences).toHaveLength(175);
    const alone = join(fresh(), 'saved.db');
    mkdirSync(join(alone, '..'));
    copyFileSync(join(written, 'journal-000003.sqlite'), alone);
    const { sequences, removed } = read(alone);
    expect(sequences).toHaveLength(36);
    expect(removed?.why).toBe(
      `records up to sequence 139 were removed from the journal ${alone} (journal.keepDays, journal.sizeMaxMib)`,
    );
    expect(() => [...readJournal(join(written, 'absent'))]).toThrow('found no file');
  });

  test.each([
    ['journal-000002.sqlite', 'journal-000002.sqlite is missing between its files'],
    ['journal-000003.sqlite', 'it goes on in'],
  ])('without %s is damaged: nothing reads it and nothing starts on it', (name, sentence) => {
    const directory = copy();
    rmSync(join(directory, name));
    expect(() => read(directory)).toThrow(sentence);
    expect(() => open(directory)).toThrow(sentence);
  });

  test('of which one was put in the place of another is damaged', () => {
    const directory = copy();
    renameSync(join(directory, 'journal-000002.sqlite'), join(directory, 'aside'));
    renameSync(join(directory, 'journal-000003.sqlite'), join(directory, 'journal-000002.sqlite'));
    renameSync(join(directory, 'aside'), join(directory, 'journal-000003.sqlite'));
    expect(() => read(directory)).toThrow('says that it is its file number 3');
    expect(() => open(directory)).toThrow('says that it is its file number 2');
  });

  test.each([
    ["UPDATE about SET header = 'other'", 'other instruments'],
    ['UPDATE about SET begun = begun - 1', 'cannot be trusted'],
    ["UPDATE records SET text = replace(text, 'maker', 'taker') WHERE sequence = 140", 'cannot be trusted'],
    ['DELETE FROM records', 'cannot be trusted'],
    ['UPDATE about SET after_sequence = 138', 'the next file follows 138'],
    // Larger than a number of JavaScript can be.
    ['UPDATE about SET begun = 10707199254741895', 'journal-000003.sqlite cannot be read'],
    ['UPDATE records SET market_count = 10707199254741895 WHERE sequence = 140', 'cannot be trusted'],
  ])('whose last one was changed (%s) is damaged', (sql, sentence) => {
    const directory = copy();
    change(directory, 'journal-000003.sqlite', sql);
    expect(() => open(directory)).toThrow(sentence);
  });

  test('of which an older one has another header than its records were written under is damaged, not of another grid', () => {
    const directory = copy();
    change(directory, 'journal-000002.sqlite', "UPDATE about SET header = header || 'x'");
    expect(() => read(directory)).toThrow('journal-000002.sqlite do not follow its header');
  });

  test('of which an older one lost its end is damaged: a torn tail is the end of the last alone', () => {
    const directory = copy();
    change(directory, 'journal-000002.sqlite', 'DELETE FROM records WHERE sequence > 130');
    expect(() => read(directory)).toThrow('the record after sequence 130 cannot be trusted');
    change(directory, 'journal-000002.sqlite', 'UPDATE tail SET sequence = 130');
    expect(() => open(directory)).toThrow('ends with sequence 130, and the next file follows 139');
  });
});

test('a journal is read as a whole prefix of itself while segments begin', async () => {
  const directory = fresh();
  const { journal } = open(directory);
  let seen = 0;
  for (let sequence = 1; sequence <= 300; sequence++) {
    journal.append(eventAt(sequence), sequence);
    // The writer commits in its own thread while this one reads.
    const durable = new Promise<void>((resolve) => journal.whenDurable(resolve));
    if (sequence % 20 === 0) await durable;
    if (sequence % 4 !== 0) continue;
    await new Promise((resolve) => setImmediate(resolve));
    const found = read(directory).sequences.length;
    expect(found).toBeGreaterThanOrEqual(seen);
    seen = found;
  }
  await journal.close();
  expect(read(directory).sequences).toHaveLength(300);
  expect(segments(directory).length).toBeGreaterThan(3);
});

test('a reader that has the file of a new segment open holds nothing up', async () => {
  const directory = fresh();
  mkdirSync(directory);
  createSegment(directory, firstSegment('instruments'), []);
  const reader = new DatabaseSync(join(directory, 'journal.sqlite'), { readOnly: true });
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM records').get();
  const { journal } = open(directory);
  journal.append(noted(1, 10), 1);
  await new Promise<void>((resolve) => journal.whenDurable(resolve));
  reader.close();
  await journal.close();
  expect(read(directory).sequences).toEqual([1]);
});

describe('segments are removed', () => {
  test('the oldest first, to keep the size of all; readers and restarts go on with the rest and say so', async () => {
    const directory = fresh();
    await write(directory, 700, { sizeMaxMib: 4 });
    const names = segments(directory);
    expect(names.length).toBeLessThanOrEqual(4);
    expect(names).toContain('journal-000010.sqlite');
    const bytes = names.reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
    expect(bytes).toBeLessThanOrEqual(4 * 1_048_576);
    const { sequences, removed } = read(directory);
    expect(sequences.at(-1)).toBe(700);
    expect(removed).toEqual({
      upTo: 489,
      why: `records up to sequence 489 were removed from the journal ${directory} (journal.keepDays, journal.sizeMaxMib)`,
    });
    const { journal, printed } = open(directory);
    expect([journal.tail, printed.map(({ sequence }) => sequence)]).toEqual([700, [700]]);
    await journal.close();
  });

  test('when they ended too long ago, by the time of the carried states', async () => {
    const directory = fresh();
    // A record a second: a segment is seventy seconds.
    await write(directory, 500, { keepDays: 150 / 86_400 });
    expect(read(directory).removed?.upTo).toBe(279);
    await write(directory, 560, { keepDays: 1 });
    expect(read(directory).removed?.upTo).toBe(279);
  });

  test('also where one segment may be larger than all together: it ends earlier', async () => {
    const directory = fresh();
    await write(directory, 400, { segmentMib: 64, sizeMaxMib: 4 });
    expect(read(directory).removed?.upTo).toBeGreaterThan(100);
  });

  test('never the one that is written: alone above the limit it fails the journal', async () => {
    const directory = fresh();
    await write(directory, 80);
    const { journal } = open(directory, { segmentMib: 50, sizeMaxMib: 2 });
    const failed = new Promise<Error>((resolve) => journal.onFailure(resolve));
    for (let sequence = 81; sequence <= 280; sequence++) {
      journal.append(noted(sequence, 18_000), sequence);
      await Promise.race([new Promise<void>((resolve) => journal.whenDurable(resolve)), failed]);
    }
    expect((await failed).message).toContain('journal.sizeMaxMib allows 2 MiB');
    await journal.close();
    expect(segments(directory).filter((name) => name.endsWith('.sqlite'))).not.toContain('journal.sqlite');
  });
});

test('what a restart must know outlives the segments it was recorded in: unknown orders, graves, a latched halt', async () => {
  const instruments = new Instruments(['AAABBB', 'CCCBBB', 'DDDBBB'].map((symbol) => spotSpec(symbol)));
  const directory = fresh();
  const { journal } = open(directory, { sizeMaxMib: 2 });
  const state = new State({ instruments });
  let sequence = 0;
  const tell = async (event: Event): Promise<void> => {
    sequence += 1;
    state.fold(event);
    journal.append(event, sequence);
    if (sequence % 5 === 0) await new Promise<void>((resolve) => journal.whenDurable(resolve));
  };
  for (const one of [3, 6]) {
    await tell(pending(one));
    const { clientOrderId } = request(one);
    await tell({ kind: 'orderUnknown', ...at(10), clientOrderId, why: 'no answer' });
  }
  await tell({ kind: 'orderProvenAbsent', ...at(11), clientOrderId: request(6).clientOrderId });
  await tell({ kind: 'modeChanged', ...at(12), mode: 'halted', why: 'a breach', latched: true });
  for (let round = 0; round < 250; round++) {
    if (round % 10 === 9) await tell({ kind: 'stateCarried', ...at(1_000), state: state.carry() });
    else await tell(noted(round, 18_000));
  }
  await journal.close();
  expect(segments(directory)[0]).not.toBe('journal.sqlite');
  const { journal: again, printed } = open(directory);
  await again.close();
  const next = new State({ instruments });
  for (const { event } of printed) next.fold(event);
  expect(next.carry()).toEqual(state.carry());
  expect([next.mode, next.carry().mode.latched]).toEqual(['halted', true]);
  expect(next.openOrders().map((order) => [order.clientOrderId, order.state])).toEqual([
    [request(3).clientOrderId, 'unknown'],
  ]);
  expect(next.carry().orders.buried.map(({ order }) => order.clientOrderId)).toEqual([
    request(6).clientOrderId,
  ]);
});

describe('a journal of one file, as it was before there were segments', () => {
  async function old(): Promise<string> {
    const directory = fresh();
    const journal = new DiskJournal({ directory, header: 'instruments' });
    mixed(60).forEach((event, index) => journal.append(event, index + 1));
    await journal.close();
    const columns = ['number', 'begun', 'after_sequence', 'after_hash', 'sealed'];
    change(
      directory,
      'journal.sqlite',
      `${columns.map((name) => `ALTER TABLE about DROP COLUMN ${name};`).join('')} UPDATE about SET version = 1`,
    );
    return directory;
  }

  test('is read as it is, and left so', async () => {
    const directory = await old();
    const before = readFileSync(join(directory, 'journal.sqlite'));
    expect([...readJournal(directory)].at(-1)?.sequence).toBeGreaterThan(30);
    expect(readHeader(directory)).toBe('instruments');
    expect(readFileSync(join(directory, 'journal.sqlite')).equals(before)).toBe(true);
  });

  test('becomes the first segment when a run goes on with it, which no older program then takes', async () => {
    const directory = await old();
    const tail = [...readJournal(directory)].at(-1)?.sequence ?? 0;
    const { journal } = open(directory);
    expect(journal.tail).toBe(tail);
    await journal.close();
    const database = new DatabaseSync(join(directory, 'journal.sqlite'), { readOnly: true });
    expect(database.prepare('SELECT version FROM about').get()?.['version']).toBe(3);
    database.close();
    await write(directory, tail + 200);
    expect(segments(directory)).toEqual(three);
  });
});

describe('a process that is killed while a segment begins or is removed', () => {
  interface Step {
    readonly call: string;
    readonly first: string;
    readonly acknowledged: number;
  }

  const images = join(root, 'images');
  let steps: readonly { readonly step: Step; readonly image: string }[];

  beforeAll(async () => {
    const directory = fresh();
    mkdirSync(directory);
    mkdirSync(images);
    const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
    const child = spawn(
      process.execPath,
      ['--import', here('support/image-steps.ts'), here('support/rotator.ts'), directory],
      {
        env: { ...process.env, IMAGE_FROM: directory, IMAGE_TO: images, IMAGE_SEGMENTS: '2,4' },
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    await new Promise((resolve) => child.on('close', resolve));
    steps = readdirSync(images)
      .toSorted()
      .map((name) => join(images, name))
      .map((image) => ({ image, step: JSON.parse(readFileSync(join(image, 'step.json'), 'utf8')) as Step }));
  });

  /** Whatever is left, it is a journal with every acknowledged record, and the next run goes on from a carried state. */
  function expectWhole(directory: string, { acknowledged }: Step): void {
    const before = read(directory);
    expect(before.sequences.at(-1)).toBeGreaterThanOrEqual(acknowledged);
    const printed: StampedEvent[] = [];
    const { tail, cut } = startDirectory(directory, '', (stamped) => printed.push(stamped));
    expect(cut).toBeUndefined();
    expect(tail).toBe(before.sequences.at(-1));
    expect(printed[0]?.event.kind).toBe('stateCarried');
    expect(read(directory)).toEqual(before);
    expect(readdirSync(directory).filter((name) => /unfinished|-wal|-shm/.test(name))).toEqual([]);
    rmSync(directory, { recursive: true });
  }

  function copy(image: string): string {
    const directory = fresh();
    cpSync(image, directory, { recursive: true });
    return directory;
  }

  const namesIn = (image: string): readonly string[] =>
    readdirSync(image).filter((name) => name.startsWith('journal'));

  test('has lost nothing that was acknowledged, at any step', () => {
    const calls = new Set(steps.map(({ step }) => step.call));
    const expected =
      'rmSync openSync closeSync chmodSync exec prepare run close renameSync fsyncSync acknowledged';
    expect(calls).toEqual(new Set(expected.split(' ')));
    for (const { image, step } of steps) expectWhole(copy(image), step);
  });

  test('has lost nothing when names that no sync had kept yet are lost with the power', () => {
    let lost = 0;
    let synced = 0;
    steps.forEach(({ step, image }, index) => {
      // Where a segment begins or is removed, what came before it is long synced.
      if (step.call === 'rmSync' && /\.(?:sqlite|unfinished)$/.test(step.first)) synced = index;
      if (step.call !== 'fsyncSync') return;
      const now = namesIn(image);
      const states = new Set<string>();
      for (const { image: before } of steps.slice(synced, index)) {
        const then = namesIn(before);
        if (then.join() === now.join() || states.has(then.join())) continue;
        states.add(then.join());
        const undone = copy(image);
        for (const name of now) if (!then.includes(name)) rmSync(join(undone, name));
        for (const name of then)
          if (!now.includes(name)) copyFileSync(join(before, name), join(undone, name));
        expectWhole(undone, step);
        lost += 1;
      }
      synced = index + 1;
    });
    expect(lost).toBeGreaterThanOrEqual(4);
  });
});

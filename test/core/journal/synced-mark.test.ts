import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DiskJournal } from '../../../src/core/journal/disk.ts';
import { failureMark } from '../../../src/core/journal/failure-mark.ts';
import type { JournalCut } from '../../../src/core/journal/segments/file.ts';
import { lossOf, readJournal } from '../../../src/core/journal/replay.ts';
import { filled, pending } from './support/events.ts';

const count = 131;
let root: string;
let images = 0;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'godwit-mark-'));
  const directory = join(root, 'run');
  const journal = new DiskJournal({ directory });
  await write(journal, 1, count);
  // As a killed process leaves it: every file as it stands.
  mkdirSync(join(root, 'killed'));
  for (const name of readdirSync(directory)) copyFileSync(join(directory, name), join(root, 'killed', name));
  await journal.close();
});

afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

async function write(journal: DiskJournal, from: number, to: number): Promise<void> {
  for (let sequence = from; sequence <= to; sequence++)
    journal.append(sequence % 2 === 0 ? pending(sequence) : filled(sequence), sequence);
  await new Promise<void>((resolve) => journal.whenDurable(resolve));
}

/** A copy of what the killed process left, changed. */
function image(change: (directory: string) => void = () => {}): string {
  images += 1;
  const directory = join(root, `image-${images}`);
  mkdirSync(directory);
  for (const name of readdirSync(join(root, 'killed')))
    copyFileSync(join(root, 'killed', name), join(directory, name));
  change(directory);
  return directory;
}

function changed(name: string, change: (bytes: Buffer) => Buffer): (directory: string) => void {
  return (directory) => writeFileSync(join(directory, name), change(readFileSync(join(directory, name))));
}

const without =
  (...names: string[]) =>
  (directory: string): void => {
    for (const name of names) rmSync(join(directory, name));
  };

interface Started {
  readonly tail: number;
  readonly loss: readonly [after: number, upTo: number] | undefined;
  readonly unchecked: string | undefined;
}

async function start(directory: string): Promise<Started> {
  const journal = new DiskJournal({ directory });
  const { tail, loss, unchecked } = journal;
  await journal.close();
  return { tail, loss: loss && [loss.after, loss.upTo], unchecked };
}

const wal = 'journal.sqlite-wal';
const mark = 'journal.synced';

describe('records that were on the disk and are lost', () => {
  test('none are named of a journal as a killed process left it, with or without its index of the log', async () => {
    for (const directory of [
      image(),
      image((one) => rmSync(join(one, 'journal.sqlite-shm'), { force: true })),
    ]) {
      expect(lossOf(directory)).toBeUndefined();
      expect(await start(directory)).toEqual({ tail: count, loss: undefined, unchecked: undefined });
      expect(failureMark(directory)).toBeUndefined();
    }
  });

  test.each<[string, (directory: string) => void]>([
    ['the log is missing', without(wal)],
    ['the log is empty', changed(wal, () => Buffer.alloc(0))],
    ['the log is cut', changed(wal, (bytes) => bytes.subarray(0, bytes.length - 5_000))],
    ['one bit of the log is flipped', changed(wal, (bytes) => flip(bytes, bytes.length - 3_000))],
    ['one bit of the head of the log is flipped', changed(wal, (bytes) => flip(bytes, 17))],
    ['the whole journal is missing', without(wal, 'journal.sqlite')],
  ])('are named by readers and by the next start: %s', async (_what, change) => {
    const directory = image(change);
    const foretold = lossOf(directory);
    expect(foretold?.upTo).toBe(count);
    if (existsSync(join(directory, 'journal.sqlite'))) {
      let cut: JournalCut | undefined;
      const read = [...readJournal(directory, { onCut: (found) => (cut = found) })];
      expect(cut).toMatchObject({ after: read.length, lostUpTo: count });
    }
    const { tail, loss } = await start(directory);
    expect(loss).toEqual([tail, count]);
    expect(tail).toBeLessThan(count);
    expect(foretold?.after).toBe(tail);
    expect(failureMark(directory)).toContain(`the journal ends with sequence ${tail}, and record`);

    // Reported once: what comes in their place is no damage, and the word stays until a run has kept it.
    const journal = new DiskJournal({ directory });
    await write(journal, tail + 1, tail + 3);
    await journal.close();
    expect(await start(directory)).toEqual({ tail: tail + 3, loss: undefined, unchecked: undefined });
    expect(failureMark(directory)).toContain(`the journal ends with sequence ${tail}, and record`);
  });

  test('a mark older than the journal is none of a loss: it is not synced by itself', async () => {
    const older = readFileSync(join(image(), mark));
    const directory = image();
    const journal = new DiskJournal({ directory });
    await write(journal, count + 1, count + 20);
    await journal.close();
    writeFileSync(join(directory, mark), older);
    expect(await start(directory)).toEqual({ tail: count + 20, loss: undefined, unchecked: undefined });
  });

  test('other records in the place of those that the mark names are reported by readers and by the next start', async () => {
    const directory = image(without(wal, mark));
    const journal = new DiskJournal({ directory });
    journal.append(pending(900), 1);
    await write(journal, 2, count + 5);
    await journal.close();
    copyFileSync(join(root, 'killed', mark), join(directory, mark));
    let cut: JournalCut | undefined;
    expect([...readJournal(directory, { onCut: (found) => (cut = found) })]).toHaveLength(count + 5);
    expect(cut).toMatchObject({ after: count - 1, lostUpTo: count });
    expect(lossOf(directory)?.why).toBe(cut?.why);
    expect((await start(directory)).loss).toEqual([count - 1, count]);
    expect(failureMark(directory)).toContain(`another record ${count}`);
  });

  test.each<[string, (directory: string) => void, string]>([
    ['missing', without(mark), 'missing'],
    ['torn', changed(mark, (bytes) => bytes.subarray(0, 40)), 'unreadable'],
    ['empty', changed(mark, () => Buffer.alloc(0)), 'unreadable'],
    ['full of zeros', changed(mark, (bytes) => Buffer.alloc(bytes.length)), 'unreadable'],
    ['changed by one bit', changed(mark, (bytes) => flip(bytes, 12)), 'unreadable'],
  ])(
    'a mark that is %s is reported, made anew, and keeps nothing from starting',
    async (_what, change, state) => {
      const directory = image(change);
      const { unchecked, ...rest } = await start(directory);
      expect(rest).toEqual({ tail: count, loss: undefined });
      expect(unchecked).toContain(`${mark} is ${state}: whether records at the end of the journal are lost`);
      expect(await start(directory)).toEqual({ tail: count, loss: undefined, unchecked: undefined });
    },
  );

  test('a first start, and the journal of a program that kept no mark, report nothing', async () => {
    expect(await start(join(root, 'first'))).toEqual({ tail: 0, loss: undefined, unchecked: undefined });
    const directory = image((one) => {
      const database = new DatabaseSync(join(one, 'journal.sqlite'));
      database.exec('PRAGMA user_version = 0');
      database.close();
      rmSync(join(one, mark));
    });
    expect(await start(directory)).toEqual({ tail: count, loss: undefined, unchecked: undefined });
    const cut = image(without(wal));
    expect((await start(cut)).loss).toBeDefined();
  });
});

function flip(bytes: Buffer, at: number): Buffer {
  const found = Buffer.from(bytes);
  found.writeUInt8(found.readUInt8(at) ^ 4, at);
  return found;
}

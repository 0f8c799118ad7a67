import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Micros } from '../../../src/core/base/clock.ts';
import { micros, millis } from '../../../src/core/base/clock.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import { DiskJournal } from '../../../src/core/journal/disk.ts';
import { openForWriting } from '../../../src/core/journal/segments/file.ts';
import { MemoryJournal } from '../../../src/core/journal/records/run-digest.ts';
import { isKept } from '../../../src/core/journal/records/records.ts';
import { readHeader, readJournal } from '../../../src/core/journal/replay.ts';
import type { StampedEvent } from '../../../src/core/model/stamped-event.ts';
import { holds } from '../../system/support/holds.ts';
import { filled, mixed, pending } from './support/events.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'godwit-journal-'));
});

afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

function durable(journal: DiskJournal): Promise<void> {
  return new Promise((resolve) => journal.whenDurable(resolve));
}

/** How many commits the log of the first segment holds: a commit says in its last page how long the file is. Source: SQLite, "WAL Format". */
function commitsOf(run: string): number {
  const log = readFileSync(join(run, 'journal.sqlite-wal'), { flag: 'a+' });
  const pageSize = log.length === 0 ? 0 : log.readUInt32BE(8);
  let commits = 0;
  for (let at = 32; at + 24 + pageSize <= log.length; at += 24 + pageSize)
    if (log.readUInt32BE(at + 4) > 0) commits += 1;
  return commits;
}

async function written(count: number, header = ''): Promise<string> {
  const journal = new DiskJournal({ directory, header });
  mixed(count).forEach((event, index) => journal.append(event, index + 1));
  const digest = journal.digest();
  await journal.close();
  return digest;
}

describe('the journal on disk', () => {
  test('keeps what is kept, in order, and gives the digest of the journal in memory', async () => {
    const digest = await written(200);
    const memory = new MemoryJournal({ keepMax: 1_000 });
    mixed(200).forEach((event, index) => memory.append(event, index + 1));
    expect([...readJournal(directory)]).toStrictEqual(memory.events);
    expect(memory.events.every(({ event }) => isKept(event))).toBe(true);
    expect(digest).toBe(memory.digest());
  });

  test('is as it was when it has been read, whole or in part, and nothing stands beside it', async () => {
    await written(200);
    const look = () =>
      readdirSync(directory).map((name) => {
        const path = join(directory, name);
        return [name, statSync(path).mtimeMs, readFileSync(path, 'base64')];
      });
    const before = look();
    expect([...readJournal(directory)].length).toBeGreaterThan(0);
    expect(look()).toEqual(before);
    for (const { sequence } of readJournal(directory)) if (sequence > 20) break;
    expect(readHeader(directory)).toBe('');
    expect(look()).toEqual(before);
  });

  test('goes on after a restart: tail, digest, chain and the events recorded on the way', async () => {
    const before = await written(101);
    const received: StampedEvent[] = [];
    const journal = new DiskJournal({ directory, onEvent: (stamped) => received.push(stamped) });
    expect(journal.tail).toBe(101);
    expect(journal.cut).toBeUndefined();
    expect(journal.digest()).toBe(before);
    expect(received).toStrictEqual([...readJournal(directory)]);
    journal.append(pending(500), 102);
    await durable(journal);
    expect([...readJournal(directory)].at(-1)).toStrictEqual({ sequence: 102, event: pending(500) });
    await journal.close();
  });

  test('a task runs only after its records are on disk, tasks in call order', async () => {
    const journal = new DiskJournal({ directory });
    const trace: string[] = [];
    journal.append(pending(1), 1);
    journal.whenDurable(() => trace.push(`one, ${[...readJournal(directory)].length} on disk`));
    journal.append(pending(2), 2);
    journal.whenDurable(() => trace.push('two'));
    expect(trace).toEqual([]);
    await durable(journal);
    expect(trace[0]).toMatch(/^one, [12] on disk$/);
    expect(trace[1]).toBe('two');
    let now = false;
    journal.whenDurable(() => (now = true));
    expect(now).toBe(true);
    await journal.close();
  });

  test('says when it was on disk last, and how long the first record of that sync had waited', async () => {
    const clock = new VirtualClock(1_000_000 as Micros);
    const journal = new DiskJournal({ directory, clock });
    expect(journal.synced).toBeUndefined();
    journal.append(pending(1), 1);
    const done = durable(journal);
    clock.advance(millis(3));
    await done;
    expect(journal.synced).toEqual({ at: 1_003_000, took: 3_000 });
    await journal.close();
  });

  test('an event that a strategy answers, and its order, share one sync', async () => {
    const journal = new DiskJournal({ directory, clock: new VirtualClock(1_000_000 as Micros) });
    const before = commitsOf(directory);
    journal.append(filled(1), 1);
    // Another disk is through a sync meanwhile.
    const other = new DiskJournal({ directory: join(directory, 'other') });
    other.append(pending(1), 1);
    await durable(other);
    await other.close();
    journal.append(pending(2), 2);
    await durable(journal);
    expect([...readJournal(directory)]).toHaveLength(2);
    expect(commitsOf(directory) - before).toBe(1);
    await journal.close();
  });

  test('a record for which nobody waits goes to the disk two milliseconds later', async () => {
    const clock = new VirtualClock(1_000_000 as Micros);
    const journal = new DiskJournal({ directory, clock });
    journal.append(filled(1), 1);
    clock.advance(micros(millis(2) - 1));
    expect(clock.pending).toBe(1);
    clock.advance(micros(1));
    expect(clock.pending).toBe(0);
    await holds(() => expect([...readJournal(directory)]).toHaveLength(1));
    await journal.close();
  });

  test('is readable by its owner alone', async () => {
    const inner = join(directory, 'run');
    const journal = new DiskJournal({ directory: inner });
    journal.append(pending(1), 1);
    await durable(journal);
    expect(statSync(inner).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(inner)) expect(statSync(join(inner, name)).mode & 0o777).toBe(0o600);
    await journal.close();
  });

  test('is refused to a second one, in this process and in another, until the first is closed', async () => {
    const journal = new DiskJournal({ directory });
    expect(() => new DiskJournal({ directory })).toThrow(/another process writes the journal in .*; stop it/);
    const module = new URL('../../../src/core/journal/disk.ts', import.meta.url).href;
    const script = `
      import { DiskJournal } from ${JSON.stringify(module)};
      try { new DiskJournal({ directory: ${JSON.stringify(directory)} }); } catch (error) { process.stdout.write(error.code); }
      process.exit(0);
    `;
    const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', script]);
    let said = '';
    child.stdout.on('data', (text: Buffer) => (said += text.toString()));
    await new Promise((resolve) => child.on('close', resolve));
    expect(said).toBe('GW_JOURNAL_LOCKED');
    await journal.close();
    await new DiskJournal({ directory }).close();
  });

  test('is not called locked when it is the disk that stands in the way', () => {
    mkdirSync(join(directory, 'journal.lock'));
    expect(() => new DiskJournal({ directory })).toThrow(
      /journal\.lock cannot be used: unable to open database file$/,
    );
  });

  test('a start that is killed while it makes the journal leaves none, and the next one makes it', async () => {
    writeFileSync(join(directory, 'journal.sqlite.unfinished'), 'half of a journal');
    await written(3);
    expect(readdirSync(directory).sort()).toEqual(['journal.lock', 'journal.sqlite', 'journal.synced']);
    expect(readHeader(directory)).toBe('');
  });

  test.each([
    ['journal.sqlite', 'deleted'],
    ['journal.sqlite-wal', 'deleted'],
    ['journal.lock', 'deleted'],
    ['journal.lock', 'replaced'],
  ])('fails when %s is %s while it is written: nothing would find the records again', async (name, how) => {
    const journal = new DiskJournal({ directory });
    const failed = new Promise<Error>((resolve) => journal.onFailure(resolve));
    journal.append(pending(1), 1);
    await durable(journal);
    rmSync(join(directory, name));
    if (how === 'replaced') writeFileSync(join(directory, name), '');
    journal.append(pending(2), 2);
    journal.whenDurable(() => expect.unreachable('it was called durable'));
    expect((await failed).message).toBe(
      `the journal cannot be written: ${join(directory, name)} was ${how} while it was in use`,
    );
    await journal.close();
  });

  test('is refused when it was written under another header or by another version', async () => {
    await written(8, 'instruments A');
    expect(readHeader(directory)).toBe('instruments A');
    expect(() => new DiskJournal({ directory, header: 'instruments B' })).toThrow('was written for other');
    for (const [version, age] of [
      [0, 'older'],
      [4, 'newer'],
    ] as const) {
      const database = new DatabaseSync(join(directory, 'journal.sqlite'));
      database.prepare('UPDATE about SET version = ?').run(version);
      database.close();
      expect(() => new DiskJournal({ directory, header: 'instruments A' })).toThrow(
        `version ${version}, ${age}`,
      );
      expect(() => [...readJournal(directory)]).toThrow(`version ${version}, ${age}`);
    }
  });

  test('a size that is reached fails it once: nothing is durable any more and nothing is lost of what was', async () => {
    const journal = new DiskJournal({ directory, options: { sizeMaxMib: 1 } });
    const failures: Error[] = [];
    let acknowledged = 0;
    const failed = new Promise<void>((resolve) =>
      journal.onFailure((error) => {
        failures.push(error);
        resolve();
      }),
    );
    for (let sequence = 1; sequence <= 5_000; sequence++) {
      journal.append(filled(sequence), sequence);
      journal.whenDurable(() => (acknowledged = sequence));
      if (sequence % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await failed;
    const before = acknowledged;
    journal.append(filled(9_999), 9_999);
    journal.whenDurable(() => (acknowledged = 9_999));
    await journal.close();
    expect(failures).toHaveLength(1);
    expect(failures[0]?.message).toBe(
      'the journal cannot be written: database or disk is full; journal.sizeMaxMib allows 1 MiB',
    );
    expect(acknowledged).toBe(before);
    expect([...readJournal(directory)].at(-1)?.sequence ?? 0).toBeGreaterThanOrEqual(before);
  });

  test('a disk that falls behind fails it, and the loop is not blocked meanwhile', async () => {
    const journal = new DiskJournal({ directory, options: { outstandingMax: 100 } });
    // Somebody holds the database, as a disk that does not answer would.
    const other = new DatabaseSync(join(directory, 'journal.sqlite'), { timeout: 10_000 });
    other.exec('BEGIN IMMEDIATE');
    const failures: string[] = [];
    journal.onFailure((error) => failures.push(error.message));
    for (let sequence = 1; sequence <= 101; sequence++) journal.append(pending(sequence), sequence);
    expect(failures).toEqual(['the disk fell behind: 100 records wait for it']);
    other.close();
    await journal.close();
  });

  test('a sync of half a second holds records back, and takes none of the time of the loop', async () => {
    const journal = new DiskJournal({ directory });
    journal.append(pending(1), 1);
    await durable(journal);
    const other = new DatabaseSync(join(directory, 'journal.sqlite'), { timeout: 10_000 });
    other.exec('BEGIN IMMEDIATE');
    const acknowledged: number[] = [];
    const turnMs: number[] = [];
    const begun = performance.now();
    for (let sequence = 2; performance.now() - begun < 500; sequence++) {
      const turn = performance.now();
      journal.append(pending(sequence), sequence);
      journal.whenDurable(() => acknowledged.push(sequence));
      turnMs.push(performance.now() - turn);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(acknowledged).toEqual([]);
    // The limit is 20 ms; the median says nothing of a busy machine.
    expect(turnMs.toSorted((one, more) => one - more)[Math.floor(turnMs.length / 2)]).toBeLessThan(20);
    other.close();
    await journal.close();
    expect(acknowledged).toHaveLength(turnMs.length);
  });

  test('every commit waits for the disk, and goes to the log first', async () => {
    await written(1);
    // What SQLite has made of the settings, on a connection opened as the start and the writer open theirs.
    const { database } = openForWriting(join(directory, 'journal.sqlite'));
    const settingOf = (name: string) => database.prepare(`PRAGMA ${name}`).get()?.[name];
    // 2 is FULL. With 1, NORMAL, a loss of power takes commits that were reported to be durable.
    expect(settingOf('synchronous')).toBe(2);
    expect(settingOf('journal_mode')).toBe('wal');
    database.close();
  });

  test('every acknowledged record outlives a SIGKILL under load', async () => {
    const program = fileURLToPath(new URL('./support/appender.ts', import.meta.url));
    for (let round = 0; round < 4; round++) {
      const child = spawn(process.execPath, [program, directory]);
      let said = '';
      await new Promise<void>((resolve) => {
        child.stdout.on('data', (text: Buffer) => {
          said += text.toString();
          if (said.length > 3_000) child.kill('SIGKILL');
        });
        child.on('close', () => resolve());
      });
      const acknowledged = said.split('\n').slice(0, -1).map(Number);
      const sequences = [...readJournal(directory)].map(({ sequence }) => sequence);
      expect(acknowledged.length).toBeGreaterThan(100);
      expect(sequences.at(-1)).toBeGreaterThanOrEqual(acknowledged.at(-1) ?? Infinity);
      expect(sequences).toEqual(sequences.map((_, index) => index + 1));
    }
  });
});

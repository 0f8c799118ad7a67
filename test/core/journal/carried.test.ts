import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Micros } from '../../../src/core/base/clock.ts';
import { millis } from '../../../src/core/base/clock.ts';
import { sliceRows } from '../../../src/core/base/slices.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import { DiskJournal } from '../../../src/core/journal/disk.ts';
import {
  decodeEvent,
  encodeEvent,
  encodeInPieces,
  isKept,
} from '../../../src/core/journal/records/records.ts';
import { MemoryJournal, RunDigest } from '../../../src/core/journal/records/run-digest.ts';
import { readJournal } from '../../../src/core/journal/replay.ts';
import type { Event } from '../../../src/core/model/event.ts';
import type { StampedEvent } from '../../../src/core/model/stamped-event.ts';
import { holds } from '../../system/support/holds.ts';
import { carried, mixed, pending } from './support/events.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'godwit-journal-'));
});

afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

async function write(events: readonly Event[]): Promise<string> {
  const journal = new DiskJournal({ directory });
  events.forEach((event, index) => journal.append(event, journal.tail + index + 1));
  const digest = journal.digest();
  await journal.close();
  return digest;
}

async function open(): Promise<{
  noted: readonly StampedEvent[];
  tail: number;
  digest: string;
  cut: boolean;
}> {
  const noted: StampedEvent[] = [];
  const journal = new DiskJournal({ directory, onEvent: (stamped) => noted.push(stamped) });
  const { tail, cut } = journal;
  const digest = journal.digest();
  await journal.close();
  return { noted, tail, digest, cut: cut !== undefined };
}

function change(sql: string): void {
  const database = new DatabaseSync(join(directory, 'journal.sqlite'));
  database.exec(sql);
  database.close();
}

/** Rows of orders that a text shows. */
const rowsIn = (text: string): number => text.split('"inherited":').length - 1;

describe('a carried state of many orders', () => {
  const count = 4 * sliceRows + 13;

  test.each([0, 1, sliceRows, sliceRows + 1, 2 * sliceRows, count])(
    'becomes text in pieces of at most a slice: %i orders',
    (orders) => {
      const pieces = [...encodeInPieces(carried(orders))];
      expect(pieces.join('')).toBe(encodeEvent(carried(orders)));
      expect(Math.max(...pieces.map(rowsIn))).toBe(Math.min(orders, sliceRows));
    },
  );

  test('goes to the disk a slice a turn, behind what came before and before what came after', async () => {
    const clock = new VirtualClock(1_000_000 as Micros);
    const journal = new DiskJournal({ directory, clock });
    const events = [...mixed(40), carried(count), ...mixed(700), carried(3), pending(9)];
    const memory = new MemoryJournal();
    events.forEach((event, at) => memory.append(event, at + 1));
    events.slice(0, 41).forEach((event, at) => journal.append(event, at + 1));
    const kept = mixed(40).filter((event) => isKept(event)).length;
    await holds(() => expect([...readJournal(directory)]).toHaveLength(kept));
    events.slice(41, 741).forEach((event, at) => journal.append(event, at + 42));
    let isDurable = false;
    journal.whenDurable(() => (isDurable = true));
    let turns = 0;
    while (journal.outstanding > 0 && turns < 5) {
      clock.advance(millis(1));
      turns += 1;
      expect([...readJournal(directory)]).toHaveLength(kept);
      expect(isDurable).toBe(false);
    }
    clock.advance(millis(1));
    await holds(() => expect(isDurable).toBe(true));
    events.slice(741).forEach((event, at) => journal.append(event, at + 742));
    expect(journal.digest()).toBe(memory.digest());
    await journal.close();
    const read = [...readJournal(directory)].map(({ event }) => event);
    expect(read).toStrictEqual(events.filter((event) => isKept(event)));
    expect((await open()).digest).toBe(memory.digest());
  });

  test('is whole after a close in between, and in the digest that is asked for', async () => {
    const journal = new DiskJournal({ directory, clock: new VirtualClock(1_000_000 as Micros) });
    const events = [carried(count), ...mixed(300), pending(9)];
    events.forEach((event, at) => journal.append(event, at + 1));
    const memory = new MemoryJournal();
    events.forEach((event, at) => memory.append(event, at + 1));
    expect(journal.digest()).toBe(memory.digest());
    await journal.close();
    expect((await open()).noted[0]).toStrictEqual({ sequence: 1, event: carried(count) });
    expect((await open()).digest).toBe(memory.digest());
  });

  test('is hashed in slices', () => {
    const digest = new RunDigest();
    let slices = 1;
    for (const work = digest.addInSlices(carried(count), 1); work.next().done !== true;) slices += 1;
    expect(slices).toBeGreaterThan(count / sliceRows);
    const memory = new MemoryJournal();
    memory.append(carried(count), 1);
    expect(digest.hex()).toBe(memory.digest());
  });
});

describe('a carried state in the journal', () => {
  test('comes back from its text as it was', () => {
    const event = carried(20);
    expect(decodeEvent(encodeEvent(event))).toStrictEqual(event);
  });

  test('is where the next start begins to read; the whole stays readable', async () => {
    await write([...mixed(3_000), carried(5), ...mixed(2_500), carried(7), ...mixed(100)]);
    const { noted, tail } = await open();
    const all = [...readJournal(directory)];
    expect(tail).toBe(5_602 - 2);
    expect(noted[0]).toStrictEqual({ sequence: 5_502, event: carried(7) });
    expect(noted).toStrictEqual(all.filter(({ sequence }) => sequence >= 5_502));
    expect(all.filter(({ event }) => event.kind === 'stateCarried')).toHaveLength(2);
  });

  test('as the last record, or the only one, is returned alone', async () => {
    await write([carried(3)]);
    expect((await open()).noted).toStrictEqual([{ sequence: 1, event: carried(3) }]);
    await write([...mixed(50), carried(4)]);
    expect((await open()).noted).toStrictEqual([{ sequence: 52, event: carried(4) }]);
  });

  test('begins the digest anew, which so survives a restart', async () => {
    const events = [...mixed(300), carried(5), ...mixed(61)];
    const digest = await write(events);
    expect((await open()).digest).toBe(digest);
    const memory = new MemoryJournal();
    events.forEach((event, index) => memory.append(event, index + 1));
    expect(memory.digest()).toBe(digest);
    expect(await write([pending(1)])).not.toBe(digest);
  });

  test('excuses no damage before it: every record is still verified', async () => {
    await write([...mixed(3_000), carried(5), ...mixed(100)]);
    change(`UPDATE records SET text = replace(text, 'maker', 'taker') WHERE sequence = 1201`);
    await expect(open()).rejects.toThrow('the record after sequence 1198 cannot be trusted');
  });

  test('that is torn leaves the start to the one before it', async () => {
    await write([...mixed(10), carried(5), ...mixed(9), carried(7)]);
    change(`UPDATE records SET text = substr(text, 1, 90) WHERE sequence = 21`);
    const { noted, tail, cut } = await open();
    expect(cut).toBe(true);
    expect(tail).toBe(20);
    expect(noted[0]).toStrictEqual({ sequence: 11, event: carried(5) });
    expect((await open()).tail).toBe(20);
  });

  test('that was made up is refused with the chain it is not part of', async () => {
    await write(mixed(40));
    change(`UPDATE records SET kind = 'stateCarried' WHERE sequence = 5`);
    await expect(open()).rejects.toThrow('cannot be trusted');
  });
});

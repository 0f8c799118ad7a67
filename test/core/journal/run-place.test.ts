import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DiskJournal } from '../../../src/core/journal/disk.ts';
import { isWritten } from '../../../src/core/journal/segments/file.ts';
import { readJournal, lastRunIn } from '../../../src/core/journal/replay.ts';
import type { Event } from '../../../src/core/model/event.ts';
import { at, carried, noted } from './support/events.ts';

const root = mkdtempSync(join(tmpdir(), 'godwit-run-place-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const started = (run: string): Event => ({ kind: 'runStarted', ...at(1_000), run, mode: 'sim' });

async function write(directory: string, events: readonly Event[]): Promise<void> {
  const journal = new DiskJournal({ directory, header: '', options: { segmentMib: 1 } });
  expect(isWritten(directory)).toBe(true);
  let sequence = journal.tail;
  for (const event of events) {
    sequence += 2;
    journal.append(event, sequence);
  }
  await new Promise<void>((resolve) => journal.whenDurable(resolve));
  await journal.close();
}

test('the last run of a journal is read from its beginning on, also where a segment ends right behind that', async () => {
  const directory = join(root, 'run');
  const long = Array.from({ length: 70 }, (_, i) => noted(i, 18_000));
  await write(directory, [started('first'), ...long]);
  expect(isWritten(directory)).toBe(false);
  // The first segment is full: the carried state begins another one.
  await write(directory, [started('second'), carried(3), noted(1, 10)]);
  expect(readdirSync(directory).filter((name) => name.endsWith('.sqlite'))).toHaveLength(2);
  const place = lastRunIn(directory);
  expect(place).toMatchObject({ started: { run: 'second' }, segment: 1 });
  const kinds = [...readJournal(directory, { from: place })].map(({ event }) => event.kind);
  expect(kinds).toEqual(['runStarted', 'stateCarried', 'strategyNoted']);
});

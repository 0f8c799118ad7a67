import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { historyBefore, JournalComparison } from '../../src/app/replay/journal-comparison.ts';
import { DiskJournal } from '../../src/core/journal/disk.ts';
import type { Event } from '../../src/core/model/event.ts';
import { at, carried, noted } from '../core/journal/support/events.ts';

const root = mkdtempSync(join(tmpdir(), 'godwit-course-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function started(run: string): Event {
  return { kind: 'runStarted', ...at(1), run, mode: 'sim' };
}

async function write(name: string, events: readonly Event[], sizeMaxMib: number): Promise<string> {
  const directory = join(root, name);
  const journal = new DiskJournal({ directory, options: { segmentMib: 1, sizeMaxMib } });
  for (const [index, event] of events.entries()) {
    journal.append(event, index + 1);
    if (index % 5 === 4) await new Promise<void>((resolve) => journal.whenDurable(resolve));
  }
  await journal.close();
  return directory;
}

const many = Array.from({ length: 280 }, (_, index) =>
  index % 10 === 9 ? carried(2) : noted(index, 18_000),
);

test('a run is given what its journal came to: the last carried state before it and what followed', async () => {
  const events = [started('one'), ...many, noted(1, 10), started('two'), carried(1), noted(2, 10)];
  const directory = await write('whole', events, 100);
  const history = historyBefore(directory, 'two');
  expect(history.map(({ event }) => event.kind)).toEqual(['stateCarried', 'strategyNoted']);
  expect(historyBefore(directory, 'one')).toEqual([]);
});

test('a run whose beginning was removed is refused with a sentence, and a whole one says that there was more', async () => {
  const directory = await write('removed', [started('one'), ...many, started('two'), noted(3, 10)], 3);
  expect(() => historyBefore(directory, 'one')).toThrow(
    /^expected the beginning of the run one in the journal \S+removed, found none: records up to sequence \d+ were removed/,
  );
  expect(() => historyBefore(directory, 'three')).toThrow('the beginning of the run three');
  expect(historyBefore(directory, 'two').at(0)?.event.kind).toBe('stateCarried');
  const course = new JournalComparison(directory, 'two');
  expect(course.more).toBe(true);
  expect(course.removed?.why).toMatch(/^records up to sequence \d+ were removed/);
});

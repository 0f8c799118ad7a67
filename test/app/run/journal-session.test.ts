import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { readKept } from '../../../src/app/preflight/kept-run.ts';
import { JournalComparison } from '../../../src/app/replay/journal-comparison.ts';
import { instrumentsOfJournal, journalHeader } from '../../../src/app/run/journal-header.ts';
import { JournalSession } from '../../../src/app/run/journal-session.ts';
import { changeHeader } from '../../../src/core/journal/change-header.ts';
import { DiskJournal } from '../../../src/core/journal/disk.ts';
import type { Event } from '../../../src/core/model/event.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import { at, carried, noted } from '../../core/journal/support/events.ts';
import { oneMarket } from '../../support/markets.ts';

const root = mkdtempSync(join(tmpdir(), 'godwit-session-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function started(run: string): Event {
  return { kind: 'runStarted', ...at(1), run, mode: 'sim' };
}

const instruments = oneMarket({ type: 'spot' });
const header = journalHeader(instruments, { money: 'paper', venue: 'this machine', account: '' });

async function write(name: string, events: readonly Event[], sizeMaxMib = 100): Promise<string> {
  const directory = join(root, name);
  const journal = new DiskJournal({ directory, header, options: { segmentMib: 1, sizeMaxMib } });
  for (const [index, event] of events.entries()) {
    journal.append(event, index + 1);
    if (index % 5 === 4) await new Promise<void>((resolve) => journal.whenDurable(resolve));
  }
  await journal.close();
  return directory;
}

const kindsOf = (session: JournalSession): readonly string[] =>
  [...session.records()].map(({ event }) => event.kind);

const many = Array.from({ length: 280 }, (_, index) =>
  index % 10 === 9 ? carried(2) : noted(index, 18_000),
);

const twoRuns: readonly Event[] = [
  started('one'),
  noted(1, 10),
  carried(1),
  noted(2, 10),
  started('two'),
  noted(3, 10),
];

test('a run is given what its journal came to: the last carried state before it and what followed', async () => {
  const directory = await write('given', [...twoRuns, carried(1), noted(4, 10)]);
  const historyOf = (run: string) =>
    JournalSession.of(directory, run)
      .history()
      .map(({ event }) => event.kind);
  expect(historyOf('two')).toEqual(['stateCarried', 'strategyNoted']);
  expect(historyOf('one')).toEqual([]);
});

test('a run whose beginning was removed is refused with a sentence, and a later one says what is gone', async () => {
  const directory = await write('removed', [started('one'), ...many, started('two'), noted(3, 10)], 3);
  expect(() => JournalSession.of(directory, 'one').history()).toThrow(
    /^expected the beginning of the run one in the journal \S+removed, found none: records up to sequence \d+ were removed/,
  );
  expect(() => kindsOf(JournalSession.of(directory, 'three'))).toThrow('the beginning of the run three');
  const session = JournalSession.of(directory, 'two');
  expect(session.history().at(0)?.event.kind).toBe('stateCarried');
  const [why = ''] = session.notes;
  expect(why).toMatch(/^records up to sequence \d+ were removed/);
  const course = new JournalComparison(session);
  expect([course.more, course.removed?.why]).toEqual([true, why]);
});

test('a session ends where the next one begins, and each record is of the run that the session names', async () => {
  const directory = await write('two', twoRuns);
  const kinds = ['runStarted', 'strategyNoted', 'stateCarried', 'strategyNoted'];
  expect(kindsOf(JournalSession.of(directory, 'one'))).toEqual(kinds);
  const last = JournalSession.last(directory);
  expect(last?.place.started.run).toBe('two');
  expect(last && kindsOf(last)).toEqual(kinds.slice(0, 2));
  const all = JournalSession.all(directory);
  const runs = Array.from(all.records(), () => all.run?.run);
  expect(runs).toEqual(['one', 'one', 'one', 'one', 'two', 'two']);
});

test('a replay of an earlier run is whole when it has come to the end of that run', async () => {
  const directory = await write('earlier', twoRuns);
  const course = new JournalComparison(JournalSession.of(directory, 'one'));
  for (const [index, event] of twoRuns.slice(0, 4).entries()) {
    expect(course.more).toBe(true);
    course.observe({ event, sequence: index + 1 });
  }
  expect([course.alike, course.departure, course.more]).toEqual([4, undefined, false]);
});

test('a session has the numbers of its own grid, and ends where another grid begins', async () => {
  const directory = await write('grid', twoRuns);
  const finer = new Instruments(instruments.all.map(({ spec }) => ({ ...spec, tickSize: '0.000000001' })));
  const next = journalHeader(finer, { money: 'paper', venue: 'this machine', account: '' });
  changeHeader({ directory, header, next, carried: () => carried(1) });
  const last = JournalSession.last(directory) as JournalSession;
  expect(last.instruments.at(0 as never).spec.tickSize).toBe(instruments.at(0 as never).spec.tickSize);
  expect(kindsOf(last)).toEqual(['runStarted', 'strategyNoted']);
  expect(kindsOf(JournalSession.of(directory, 'two'))).toEqual(['runStarted', 'strategyNoted']);
  // All that has the last grid is the state that was carried over into it.
  const all = JournalSession.all(directory);
  expect(kindsOf(all)).toEqual(['stateCarried']);
  expect(all.notes).toEqual([expect.stringMatching(/^records up to sequence 6 .* are of another grid/)]);
});

test('what is cut off and lost is told of the session that it is missing from, and foreseen as the halt that it will be', async () => {
  const directory = await write('torn', twoRuns);
  const database = new DatabaseSync(join(directory, 'journal.sqlite'));
  database.exec(`UPDATE records SET text = '{}' WHERE sequence = 6`);
  database.close();
  const last = JournalSession.last(directory) as JournalSession;
  expect(kindsOf(last)).toEqual(['runStarted']);
  expect(last.notes).toEqual([
    'the journal ends in a torn record, which is left out: its content does not match its hash',
    expect.stringMatching(/^the journal ends with sequence 5, and record 6 behind it are lost/),
  ]);
  const earlier = JournalSession.of(directory, 'one');
  expect(kindsOf(earlier)).toHaveLength(4);
  expect(earlier.notes).toEqual([]);
  const kept = readKept(directory, instrumentsOfJournal(header, instruments));
  expect(kept.notes[1]).toBe(last.notes[0]);
  expect(kept.halts).toEqual([expect.stringContaining(`failed: ${last.notes[1]}`)]);
  // So the start finds it, too.
  const journal = new DiskJournal({ directory, header });
  expect(journal.loss?.why).toBe(last.notes[1]);
  await journal.close();
});

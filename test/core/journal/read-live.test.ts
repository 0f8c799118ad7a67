import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import type { Micros } from '../../../src/core/base/clock.ts';
import { DiskJournal } from '../../../src/core/journal/disk.ts';
import { readJournal } from '../../../src/core/journal/replay.ts';

test('a journal that is being written reads as a whole prefix of itself, whenever one looks', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'godwit-live-'));
  const journal = new DiskJournal({ directory });
  try {
    const time = 1_700_000_000_000_000 as Micros;
    let seen = 0;
    let written = 0;
    // A busy machine may not let the writer's thread begin for a while.
    for (let round = 0; round < 300 || (seen === 0 && round < 30_000); round++) {
      written += 2;
      for (const sequence of [2 * round + 1, 2 * round + 2]) {
        const note = { strategy: 'writer', level: 'info', text: `line ${sequence}` } as const;
        journal.append({ kind: 'strategyNoted', ...note, exchangeTime: time, receiveTime: time }, sequence);
        // The writer commits in its own thread while this one reads.
        journal.whenDurable(() => {});
      }
      const found = [...readJournal(directory)].length;
      expect(found).toBeGreaterThanOrEqual(seen);
      seen = found;
    }
    await new Promise<void>((resolve) => journal.whenDurable(resolve));
    expect([...readJournal(directory)].map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: written }, (_, index) => index + 1),
    );
    expect(seen).toBeGreaterThan(0);
  } finally {
    await journal.close();
    rmSync(directory, { recursive: true, force: true });
  }
});

test('a journal that another process holds for a moment, as after a crash, is waited for at the start', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'godwit-live-'));
  const reader = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
     const { DatabaseSync } = require('node:sqlite');
     const database = new DatabaseSync(workerData);
     database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE');
     parentPort.postMessage('reading');
     setTimeout(() => { database.exec('COMMIT'); database.close(); }, 150);`,
    { eval: true, workerData: await emptyJournal(directory) },
  );
  try {
    await once(reader, 'message');
    const journal = new DiskJournal({ directory });
    expect(journal.tail).toBe(0);
    await journal.close();
  } finally {
    await reader.terminate();
    rmSync(directory, { recursive: true, force: true });
  }
});

async function emptyJournal(directory: string): Promise<string> {
  await new DiskJournal({ directory }).close();
  return join(directory, 'journal.sqlite');
}

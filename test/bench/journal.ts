import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiskJournal } from '../../src/core/journal/disk.ts';
import { MemoryJournal } from '../../src/core/journal/records/run-digest.ts';
import { readJournal } from '../../src/core/journal/replay.ts';
import type { BookUpdate } from '../../src/core/model/event.ts';
import { filled, pending, update } from '../core/journal/support/events.ts';

/**
 * What the journal costs. Prints: nanoseconds per level change and per kept event for the digest in memory, the
 * round trip of one record to the disk and back, rows per second in groups, and seconds to read them back. The
 * directory is the argument, otherwise a temporary one. Run: node test/bench/journal.ts [DIRECTORY]
 */
const rows = 100_000;
const directory = mkdtempSync(join(process.argv[2] ?? tmpdir(), 'godwit-bench-'));

function seconds(start: bigint): number {
  return Number(process.hrtime.bigint() - start) / 1e9;
}

function print(name: string, value: number, unit: string): void {
  process.stdout.write(`${JSON.stringify({ name, value: Number(value.toPrecision(4)), unit })}\n`);
}

function memory(): void {
  const levels = new Float64Array(3 * 8_192);
  for (let i = 0; i < levels.length; i++) levels[i] = i % 3 === 0 ? i & 1 : (i * 7_919) % 100_000;
  const perMessage = 5;
  const updates: BookUpdate[] = Array.from({ length: 1_024 }, (_, i) => {
    return { ...update(i), levels, start: i * 3 * perMessage, end: (i + 1) * 3 * perMessage };
  });
  const kept = Array.from({ length: 1_024 }, (_, i) => (i % 2 === 0 ? pending(i) : filled(i)));
  for (const [name, events, each, turns] of [
    ['digest of a level change, 5 a message', updates, perMessage, 2_000],
    ['digest of a kept event', kept, 1, 300],
  ] as const) {
    const samples = Array.from({ length: 7 }, () => {
      const journal = new MemoryJournal();
      const start = process.hrtime.bigint();
      for (let turn = 0; turn < turns; turn++) for (const event of events) journal.append(event, turn);
      return (seconds(start) * 1e9) / (turns * events.length * each);
    });
    print(name, samples.sort((a, b) => a - b)[3] ?? Number.NaN, 'ns');
  }
}

async function disk(): Promise<void> {
  const journal = new DiskJournal({ directory });
  const wait = (): Promise<void> => new Promise((resolve) => journal.whenDurable(resolve));
  const trips: number[] = [];
  let sequence = 0;
  for (let i = 0; i < 2_000; i++) {
    const start = process.hrtime.bigint();
    journal.append(pending(i), (sequence += 1));
    await wait();
    trips.push(seconds(start) * 1e6);
  }
  trips.sort((a, b) => a - b);
  print('append and durable, p50', trips[trips.length >> 1] ?? Number.NaN, 'us');
  print('append and durable, p99', trips[Math.floor(trips.length * 0.99)] ?? Number.NaN, 'us');
  const start = process.hrtime.bigint();
  for (let i = 0; i < rows; i++) {
    journal.append(i % 2 === 0 ? pending(i) : filled(i), (sequence += 1));
    if (i % 1_000 === 999) await new Promise((resolve) => setImmediate(resolve));
  }
  print('append on the loop', (seconds(start) * 1e9) / rows, 'ns a row');
  await wait();
  print('durable in groups', rows / seconds(start), 'rows/s');
  await journal.close();
  const reading = process.hrtime.bigint();
  let count = 0;
  for (const { sequence } of readJournal(directory)) count = sequence;
  print('verified and decoded', count / seconds(reading), 'rows/s');
}

try {
  memory();
  await disk();
} finally {
  rmSync(directory, { recursive: true, force: true });
}

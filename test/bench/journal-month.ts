import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiskJournal } from '../../src/core/journal/disk.ts';
import { readJournal } from '../../src/core/journal/replay.ts';
import { Instruments } from '../../src/core/model/instrument.ts';
import { stateDefaults } from '../../src/core/state/options.ts';
import { State } from '../../src/core/state/state.ts';
import { at } from '../core/journal/support/events.ts';
import { spotSpec } from '../support/markets.ts';
import { orderEvent } from './support/order-events.ts';

/**
 * A month of a journal: so many records a day of orders placed, partly filled and canceled, the state carried over as
 * the trader does, a restart each day. Prints what the journal takes on the disk at most, what restarts take, how long
 * an acknowledgement took at most (a new segment included), and proves the chain through all segments that are left.
 * Run: node test/bench/journal-month.ts [RECORDS-A-DAY] [SIZE-MIB]
 */
const perDay = Number(process.argv[2] ?? 86_400);
const sizeMaxMib = Number(process.argv[3] ?? 512);
const days = 30;
const directory = mkdtempSync(join(tmpdir(), 'godwit-bench-'));
const instruments = new Instruments(['AAABBB', 'CCCBBB', 'DDDBBB'].map((symbol) => spotSpec(symbol)));

function seconds(start: bigint): number {
  return Number(process.hrtime.bigint() - start) / 1e9;
}

function print(name: string, value: number, unit: string): void {
  process.stdout.write(`${JSON.stringify({ name, value: Number(value.toPrecision(4)), unit })}\n`);
}

function mib(): number {
  return (
    readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0) / 1_048_576
  );
}

interface Day {
  readonly restart: number;
  readonly slowest: number;
  readonly size: number;
}

async function live(day: number): Promise<Day> {
  const begun = process.hrtime.bigint();
  const state = new State({ instruments });
  const journal = new DiskJournal({
    directory,
    options: { sizeMaxMib },
    onEvent: ({ event }) => state.fold(event),
  });
  const restart = seconds(begun);
  let slowest = 0;
  let size = 0;
  const first = journal.tail + 1;
  for (let index = 0; index < perDay; index++) {
    const sequence = first + index;
    const carries = (index === 0 && day > 0) || (index + 1) % stateDefaults.carryEvery === 0;
    const time = at(((day + index / perDay) * 86_400 + 1_700_000_000) * 1_000_000);
    const event = carries
      ? ({ kind: 'stateCarried', ...time, state: state.carry() } as const)
      : { ...orderEvent(sequence), ...time };
    state.fold(event);
    journal.append(event, sequence);
    if (sequence % 500 !== 0) continue;
    const appended = process.hrtime.bigint();
    await new Promise<void>((resolve) => journal.whenDurable(resolve));
    slowest = Math.max(slowest, seconds(appended));
    size = Math.max(size, mib());
  }
  await journal.close();
  return { restart, slowest, size };
}

try {
  const all: Day[] = [];
  for (let day = 0; day < days; day++) all.push(await live(day));
  const most = (of: (day: Day) => number): number => Math.max(...all.map(of));
  print('records', days * perDay, 'records');
  print(
    'on the disk, most',
    most(({ size }) => size),
    'MiB',
  );
  print(
    'restart, slowest',
    most(({ restart }) => restart),
    's',
  );
  print('acknowledged, slowest', most(({ slowest }) => slowest) * 1e3, 'ms');
  const begun = process.hrtime.bigint();
  let kept = 0;
  let removed = 0;
  for (const { sequence } of readJournal(directory, { onRemoved: ({ upTo }) => (removed = upTo) })) {
    kept += 1;
    if (sequence !== removed + kept) throw new Error(`record ${removed + kept} is missing`);
  }
  print('removed', removed, 'records');
  print('proved through all segments', kept, 'records');
  print('to prove them', seconds(begun), 's');
} finally {
  rmSync(directory, { recursive: true, force: true });
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiskJournal } from '../../src/core/journal/disk.ts';
import { Instruments } from '../../src/core/model/instrument.ts';
import type { StampedEvent } from '../../src/core/model/stamped-event.ts';
import { stateDefaults } from '../../src/core/state/options.ts';
import { State } from '../../src/core/state/state.ts';
import { at } from '../core/journal/support/events.ts';
import { spotSpec } from '../support/markets.ts';
import { orderEvent } from './support/order-events.ts';

/**
 * What a restart costs: a journal of many records of orders placed, partly filled and canceled, the state carried
 * over as the trader does, and almost as many records again after the last time. Prints the seconds to verify the
 * chain and read the end, to fold it, and what carrying costs the loop. Run: node test/bench/restart.ts [RECORDS]
 */
const records = Number(process.argv[2] ?? 1_000_000);
const directory = mkdtempSync(join(tmpdir(), 'godwit-bench-'));
const instruments = new Instruments(['AAABBB', 'CCCBBB', 'DDDBBB'].map((symbol) => spotSpec(symbol)));

function seconds(start: bigint): number {
  return Number(process.hrtime.bigint() - start) / 1e9;
}

function print(name: string, value: number, unit: string): void {
  process.stdout.write(`${JSON.stringify({ name, value: Number(value.toPrecision(4)), unit })}\n`);
}

async function write(): Promise<void> {
  const journal = new DiskJournal({ directory });
  const state = new State({ instruments });
  const every = stateDefaults.carryEvery;
  // The last time it was carried lies as far back as it can.
  const offset = every - (records % every) - 1;
  const costs: number[] = [];
  for (let sequence = 1; sequence <= records; sequence++) {
    let event = orderEvent(sequence);
    const carries = (sequence + offset) % every === 0;
    const start = process.hrtime.bigint();
    if (carries) event = { kind: 'stateCarried', ...at(sequence), state: state.carry() };
    state.fold(event);
    journal.append(event, sequence);
    if (carries) costs.push(seconds(start) * 1e3);
    if (sequence % 2_000 === 0) await new Promise<void>((resolve) => journal.whenDurable(resolve));
  }
  await journal.close();
  costs.sort((a, b) => a - b);
  print('carry and append, p50', costs[costs.length >> 1] ?? Number.NaN, 'ms');
  print('carry and append, max', costs.at(-1) ?? Number.NaN, 'ms');
}

async function restart(): Promise<void> {
  const history: StampedEvent[] = [];
  const begun = process.hrtime.bigint();
  const journal = new DiskJournal({ directory, onEvent: (stamped) => history.push(stamped) });
  const opened = seconds(begun);
  const state = new State({ instruments });
  for (const { event } of history) state.fold(event);
  const all = seconds(begun);
  print('records', journal.tail, 'records');
  print('handed out', history.length, 'records');
  print('verify and read', opened, 's');
  print('restart', all, 's');
  await journal.close();
}

try {
  await write();
  await restart();
} finally {
  rmSync(directory, { recursive: true, force: true });
}

import type { Micros } from '../../src/core/base/clock.ts';
import { Book } from '../../src/core/book/book.ts';
import type { BookUpdate, Event } from '../../src/core/model/event.ts';
import type { InstrumentId } from '../../src/core/model/instrument.ts';
import { fill, instruments, lots, newState, placed, report } from '../core/state/support/world.ts';

/**
 * What `state.apply` adds to the book's own work, and what an order's life costs. Run: node test/bench/state.ts
 */
const instrument = 0 as InstrumentId;
const times = { exchangeTime: 1 as Micros, receiveTime: 1 as Micros };
const levels = new Float64Array(3 * 5 * 1_024);
for (let i = 0; i < levels.length; i += 3) {
  const side = (i / 3) & 1;
  levels[i] = side;
  levels[i + 1] = side === 0 ? 10_000 - ((i * 31) % 40) : 10_001 + ((i * 17) % 40);
  levels[i + 2] = (i * 13) % 7 === 0 ? 0 : 1 + (i % 100);
}
const updates: BookUpdate[] = Array.from({ length: 1_024 }, (_, i) => {
  return { kind: 'bookUpdate', ...times, instrument, sequence: i, levels, start: i * 15, end: i * 15 + 15 };
});
const snapshot = { ...updates[0], kind: 'bookSnapshot' } as unknown as Event;

function median(samples: number[]): number {
  return samples.sort((a, b) => a - b)[samples.length >> 1] ?? Number.NaN;
}

function nanos(turns: number, work: () => void): number {
  const start = process.hrtime.bigint();
  for (let turn = 0; turn < turns; turn++) work();
  return Number(process.hrtime.bigint() - start) / turns;
}

function print(name: string, ns: number): void {
  process.stdout.write(`${JSON.stringify({ name, value: Number(ns.toPrecision(4)), unit: 'ns' })}\n`);
}

for (const ladder of ['sorted', 'ring'] as const) {
  const book = new Book(instrument, { ladder });
  const state = newState({ ladder });
  book.apply(snapshot as never);
  state.apply(snapshot);
  const bare: number[] = [];
  const whole: number[] = [];
  for (let round = 0; round < 9; round++) {
    bare.push(nanos(300, () => updates.forEach((event) => book.apply(event))) / updates.length);
    whole.push(nanos(300, () => updates.forEach((event) => state.apply(event))) / updates.length);
  }
  print(`book update of 5 levels, ${ladder}, book alone`, median(bare));
  print(`book update of 5 levels, ${ladder}, through state`, median(whole));
}

const state = newState();
let order = 0;
const life = nanos(40_000, () => {
  const name = `${(order += 1)}`;
  state.apply(placed(name));
  state.apply(report(name, 'new', { type_: 'new' }));
  state.apply(report(name, 'filled', { cumulative: lots(10), fill: fill(name, 10), time: 12 }));
});
print(`order placed, reported, filled (three events, ${instruments.all.length} symbols)`, life);

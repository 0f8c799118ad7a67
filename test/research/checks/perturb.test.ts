import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Micros } from '../../../src/core/base/clock.ts';
import { Random } from '../../../src/core/base/random.ts';
import { Book } from '../../../src/core/book/book.ts';
import type { Event } from '../../../src/core/model/event.ts';
import type { InstrumentId } from '../../../src/core/model/instrument.ts';
import { levelStride } from '../../../src/core/model/level-buffer.ts';
import { perturbed, perturbedSeries } from '../../../src/research/checks/perturb.ts';
import { oneMarket } from '../../support/markets.ts';

const instrument = 0 as InstrumentId;
const count = 60;

/** A book that breathes around 1000, and a trade after every change. */
function market(seed: number): readonly Event[] {
  const random = new Random(seed);
  return Array.from({ length: count }, (_, i): Event => {
    const times = { exchangeTime: (1_000 + i * 10) as Micros, receiveTime: (1_003 + i * 10) as Micros };
    if (i % 2 === 1) {
      const trade = { tradeId: `${i}`, price: 1_000, quantity: 1, side: 'buy', time: times.exchangeTime };
      return { kind: 'trades', instrument, snapshot: false, trades: [trade] as never, ...times };
    }
    const [bid, ask] = [random.between(900, 999), random.between(1_001, 1_100)];
    const levels = Float64Array.from([0, bid, random.between(0, 5), 1, ask, random.between(0, 5)]);
    const kind = i === 0 ? 'bookSnapshot' : 'bookUpdate';
    return { kind, instrument, sequence: i + 1, levels, start: 0, end: levels.length, ...times };
  });
}

async function changed(events: readonly Event[], cut: number, seed: number): Promise<readonly Event[]> {
  const setting = { instruments: oneMarket(), cut, random: new Random(seed), bars: false };
  const source = (async function* () {
    yield events.slice(0, 20);
    yield events.slice(20);
  })();
  return (await Array.fromAsync(perturbed(source, setting))).flat();
}

test('nothing up to the cut changes, everything behind it does, and books stay books', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(1_000), fc.integer({ min: 1_000, max: 1_500 }), async (seed, cut) => {
      const events = market(seed);
      const before = structuredClone(events);
      const received = await changed(events, cut, seed);
      expect(events).toEqual(before);
      const isPast = ({ exchangeTime }: Event) => exchangeTime <= cut;
      expect(received.filter(isPast)).toEqual(events.filter(isPast));
      const book = new Book(instrument);
      const original = new Set(events);
      for (const event of received) {
        if (!isPast(event)) expect(original.has(event)).toBe(false);
        if (event.kind === 'trades')
          expect(event.trades.every(({ price }) => isPast(event) || price !== 1_000)).toBe(true);
        if (event.kind !== 'bookSnapshot' && event.kind !== 'bookUpdate') continue;
        expect((event.end - event.start) % levelStride).toBe(0);
        book.apply(event);
        expect(book.crossed).toBe(false);
      }
      expect(await changed(events, cut, seed)).toEqual(received);
    }),
    { numRuns: 40 },
  );
});

test('a series has another future behind the cut, of values that its columns have, and the same past', () => {
  const table = {
    known: [1, 2, 3, 4, 5],
    cells: [
      ['10', '20', '30', '40', '50'],
      ['low', 'low', 'high', 'high', 'low'],
      ['same', 'same', 'same', 'same', 'same'],
    ],
  };
  const { known, cells } = perturbedSeries(table, 2, new Random(1));
  expect(known).toBe(table.known);
  for (const [at, column] of cells.entries()) {
    const before = table.cells[at] ?? [];
    expect(column.slice(0, 2)).toEqual(before.slice(0, 2));
    for (const [row, cell] of column.entries()) {
      expect(before).toContain(cell);
      if (row >= 2 && at < 2) expect(cell).not.toBe(before[row]);
    }
  }
  expect(perturbedSeries(table, 5, new Random(1))).toBe(table);
});

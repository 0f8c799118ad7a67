import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packOfBytes } from '../../../src/data/pack/event.ts';
import { PackWriter } from '../../../src/data/pack/writer.ts';
import type { Event, MarketEvent } from '../../../src/core/model/event.ts';
import { specOf } from '../recording/support/frames.ts';

const instruments = [specOf('ETHBTC'), specOf('EOSUSD')];

function packed(events: readonly Event[], orders: boolean): Uint8Array {
  const parts: Uint8Array[] = [];
  const writer = new PackWriter((bytes) => parts.push(Buffer.from(bytes)), {
    instruments,
    codec: 'zstd',
    orders,
  });
  for (const event of events) writer.add(event);
  writer.finish();
  return Buffer.concat(parts);
}

const change = fc.tuple(
  fc.integer({ min: 0, max: 3 }),
  fc.integer({ min: 0, max: 2 ** 45 }),
  fc.integer({ min: 0, max: 1 }),
  fc.integer({ min: 1, max: 2 ** 53 - 1 }),
  fc.integer({ min: 1, max: 2 ** 40 }),
);

const event: fc.Arbitrary<MarketEvent> = fc
  .record({
    kind: fc.constantFrom('bookSnapshot', 'bookUpdate', 'trades'),
    instrument: fc.integer({ min: 0, max: 1 }),
    orders: fc.option(fc.array(change, { maxLength: 6 }), { nil: undefined }),
    price: fc.integer({ min: 1, max: 1_000 }),
  })
  .map(({ kind, instrument, orders, price }): MarketEvent => {
    const common = {
      instrument: instrument as never,
      exchangeTime: 5 as never,
      receiveTime: 7 as never,
      ...(orders === undefined ? {} : { orders: Float64Array.from(orders.flat()) }),
    };
    if (kind === 'trades') return { kind, snapshot: false, trades: [], ...common };
    return { kind, sequence: 1, levels: Float64Array.from([0, price, 3]), start: 0, end: 3, ...common };
  });

/** What an event tells, its levels cut out of the array they share. */
function received(one: Event): unknown {
  if (one.kind !== 'bookSnapshot' && one.kind !== 'bookUpdate') return one;
  return { ...one, levels: one.levels.slice(one.start, one.end), start: 0, end: one.end - one.start };
}

describe('single orders in a pack', () => {
  test('come back as they were written, beside books and trades', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), (events) => {
        const pack = packOfBytes(packed(events, true));
        expect([pack.header.version, pack.hasOrders]).toEqual([2, true]);
        expect([...pack.batches()].flat().map(received)).toEqual(events.map(received));
      }),
      { numRuns: 50 },
    );
  });

  test('are left out of packs of version 1, which are as they have always been', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), (events) => {
        const plain = events.map((one) => {
          const bare = { ...one } as { orders?: unknown };
          delete bare.orders;
          return bare as Event;
        });
        const bytes = packed(events, false);
        expect(Buffer.from(bytes)).toEqual(Buffer.from(packed(plain, false)));
        const pack = packOfBytes(bytes);
        expect([pack.header.version, pack.hasOrders]).toEqual([1, false]);
        expect([...pack.batches()].flat().map(received)).toEqual(plain.map(received));
      }),
      { numRuns: 30 },
    );
  });
});

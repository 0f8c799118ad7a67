import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Micros } from '../../src/base/clock.ts';
import { FeedOwners } from '../../src/feed/capture/feed-owners.ts';
import { mergeEvents, mergeOrdered } from '../../src/feed/merge.ts';
import type { Event } from '../../src/model/event.ts';
import type { InstrumentId } from '../../src/model/instrument.ts';
import { collect } from './support/frames.ts';

interface Item {
  readonly time: number;
  readonly source: number;
  readonly at: number;
}

function bookEvent(kind: 'bookSnapshot' | 'bookUpdate', time: number, instrument = 0): Event {
  const levels = new Float64Array(0);
  const times = { exchangeTime: (1_000 - time) as Micros, receiveTime: time as Micros };
  return { kind, instrument: instrument as InstrumentId, sequence: time, levels, start: 0, end: 0, ...times };
}

describe('a merge', () => {
  test('orders by time, ties by source, and keeps each source in its own order', async () => {
    const arbitrary = fc.array(
      fc.array(fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 6 }), { maxLength: 5 }),
      { maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(arbitrary, async (shapes) => {
        const sources = shapes.map((batches, source) => {
          const times = batches.flat().sort((a, b) => a - b);
          let at = 0;
          return batches.map((batch) => batch.map((): Item => ({ time: times[at] ?? 0, source, at: at++ })));
        });
        const merged = await collect(mergeOrdered(sources, (item) => item.time));
        const expected = sources
          .flat(2)
          .sort((a, b) => a.time - b.time || a.source - b.source || a.at - b.at);
        expect(merged).toEqual(expected);
      }),
    );
  });

  test('tells what stands before the damage of a source, then throws it', async () => {
    const damaged = async function* () {
      yield [1, 4];
      throw new Error('damaged');
    };
    const told: number[] = [];
    const merged = mergeOrdered<number>([damaged(), [[2, 3, 5]]], (time) => time);
    await expect(
      (async () => {
        for await (const batch of merged) told.push(...batch);
      })(),
    ).rejects.toThrow('damaged');
    expect(told).toEqual([1, 2, 3, 4]);
  });

  test('takes either of the two times of events', async () => {
    const a = [[bookEvent('bookSnapshot', 1), bookEvent('bookUpdate', 5)]];
    const b = [[bookEvent('bookSnapshot', 3, 1)]];
    const times = (events: Event[]) => events.map((event) => event.receiveTime);
    expect(times(await collect(mergeEvents([a, b], 'receiveTime')))).toEqual([1, 3, 5]);
    expect(times(await collect(mergeEvents([a, b], 'exchangeTime')))).toEqual([3, 1, 5]);
  });

  test('holds one batch of each source, and closes the sources when its reader leaves', async () => {
    let asked = 0;
    let closed = 0;
    async function* endless(): AsyncGenerator<readonly Item[]> {
      try {
        for (;;) yield Array.from({ length: 1_000 }, (): Item => ({ time: ++asked, source: 0, at: 0 }));
      } finally {
        closed += 1;
      }
    }
    for await (const batch of mergeOrdered([endless(), endless()], (item) => item.time)) {
      expect(batch.length).toBeLessThan(6_000);
      break;
    }
    expect(asked).toBeLessThan(10_000);
    expect(closed).toBe(2);
  });
});

describe('parallel sockets with the same feed', () => {
  test('have one owner per instrument; when it ends its book is stale until the next one sends it whole', async () => {
    const owners = new FeedOwners();
    const first = [[bookEvent('bookSnapshot', 1), bookEvent('bookUpdate', 5), bookEvent('bookUpdate', 9)]];
    const second = [
      [bookEvent('bookSnapshot', 2), bookEvent('bookUpdate', 6), bookEvent('bookUpdate', 12)],
      [bookEvent('bookSnapshot', 15), bookEvent('bookUpdate', 16)],
    ];
    const events = await collect(
      mergeEvents([first, second], 'receiveTime', {
        keep: (event, source) => owners.keep(event, source),
        onEnd: (source) => owners.release(source),
      }),
    );
    expect(events.map((event) => [event.kind, event.receiveTime])).toEqual([
      ['bookSnapshot', 1],
      ['bookUpdate', 5],
      ['bookUpdate', 9],
      ['bookStale', 9],
      ['bookSnapshot', 15],
      ['bookUpdate', 16],
      ['bookStale', 16],
    ]);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Micros } from '../../../src/core/base/clock.ts';
import { FeedOwners } from '../../../src/data/capture/feed-owners.ts';
import { mergeEvents, mergeOrdered } from '../../../src/data/recording/merge.ts';
import type { Event } from '../../../src/core/model/event.ts';
import type { InstrumentId } from '../../../src/core/model/instrument.ts';
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

  test('delivers what stands before the damage of a source, then throws it', async () => {
    const damaged = async function* () {
      yield [1, 4];
      throw new Error('damaged');
    };
    const received: number[] = [];
    const merged = mergeOrdered<number>([damaged(), [[2, 3, 5]]], (time) => time);
    await expect(
      (async () => {
        for await (const batch of merged) received.push(...batch);
      })(),
    ).rejects.toThrow('damaged');
    expect(received).toEqual([1, 2, 3, 4]);
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

function bookStale(time: number, instrument = 0): Event {
  const times = { exchangeTime: time as Micros, receiveTime: time as Micros };
  return {
    kind: 'bookStale',
    instrument: instrument as InstrumentId,
    reason: 'gap',
    expected: 0,
    found: 0,
    ...times,
  };
}

/** A message of a book: its sequence, and when it came. */
function received(kind: 'bookSnapshot' | 'bookUpdate', sequence: number, time: number): Event {
  return { ...bookEvent(kind, time), sequence } as Event;
}

describe('parallel sockets with the same feed', () => {
  const whole = (sequence: number, time: number) => received('bookSnapshot', sequence, time);
  const update = (sequence: number, time: number) => received('bookUpdate', sequence, time);
  const merged = async (...sources: readonly (readonly Event[])[]) => {
    const owners = new FeedOwners(sources.length);
    const events = await collect(
      mergeEvents(
        sources.map((source) => [source]),
        'receiveTime',
        {
          keep: (event, source) => owners.keep(event, source),
          onEnd: (source) => owners.release(source),
        },
      ),
    );
    return events.map((event) => [
      event.kind.slice(4),
      'sequence' in event ? event.sequence : 0,
      event.receiveTime,
    ]);
  };

  test('have one owner per book; when it ends the next that is as far goes on, and nothing is stale', async () => {
    const first = [whole(10, 1), update(11, 5), update(12, 9)];
    const behind = [whole(10, 2), update(11, 6), update(12, 12), update(13, 15)];
    expect(await merged(first, behind)).toEqual([
      ['Snapshot', 10, 1],
      ['Update', 11, 5],
      ['Update', 12, 9],
      ['Update', 13, 15],
    ]);
  });

  test('lose nothing that another delivered before the owner ended', async () => {
    const first = [whole(10, 1), update(11, 5), update(12, 9)];
    const ahead = [whole(10, 2), update(11, 4), update(12, 6), update(13, 7), update(14, 8), update(15, 20)];
    expect(await merged(first, ahead)).toEqual([
      ['Snapshot', 10, 1],
      ['Update', 11, 5],
      ['Update', 12, 9],
      ['Update', 13, 9],
      ['Update', 14, 9],
      ['Update', 15, 20],
    ]);
  });

  test('leave a book stale from the end of its owner where none goes on, until one sends it whole', async () => {
    const first = [whole(10, 1), update(11, 5), update(12, 9)];
    const begunLater = [whole(14, 12), update(15, 13)];
    expect(await merged(first, begunLater)).toEqual([
      ['Snapshot', 10, 1],
      ['Update', 11, 5],
      ['Update', 12, 9],
      ['Stale', 0, 9],
      ['Snapshot', 14, 12],
      ['Update', 15, 13],
    ]);
    const broken = [whole(10, 2), bookStale(6), whole(14, 15), update(15, 16)];
    expect(await merged(first, broken)).toEqual([
      ['Snapshot', 10, 1],
      ['Update', 11, 5],
      ['Update', 12, 9],
      ['Stale', 0, 9],
      ['Snapshot', 14, 15],
      ['Update', 15, 16],
    ]);
  });

  test('are no rivals where one carries tickers and another books', async () => {
    const ticker = { kind: 'ticker', instrument: 0, exchangeTime: 1, receiveTime: 1 } as unknown as Event;
    expect(await merged([ticker], [whole(10, 2), update(11, 5)])).toEqual([
      ['er', 0, 1],
      ['Snapshot', 10, 2],
      ['Update', 11, 5],
    ]);
  });
});

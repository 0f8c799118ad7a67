import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { micros } from '../../../src/core/base/clock.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import { Book } from '../../../src/core/book/book.ts';
import type { BookSnapshot, BookUpdate, MarketEvent } from '../../../src/core/model/event.ts';
import type { InstrumentId } from '../../../src/core/model/instrument.ts';
import { RowCount } from '../../support/import-rows.ts';
import { LateClock } from '../../../src/research/checks/late-clock.ts';
import { Reorder, inOrder, runStart } from '../../../src/research/scenario/tick-feed.ts';
import type { Recording } from '../../../src/data/recording/contract.ts';
import { SnapshotRange } from '../../../src/research/scenario/snapshot-range.ts';
import { DelayLine } from '../../../src/sim/delay-line.ts';

const instrument = 0 as InstrumentId;

function update(exchange: number, triples: readonly number[] = [0, 1, 1]): BookUpdate {
  const levels = Float64Array.from(triples);
  const times = { exchangeTime: micros(exchange), receiveTime: micros(exchange) };
  return { kind: 'bookUpdate', instrument, sequence: 1, levels, start: 0, end: levels.length, ...times };
}

function snapshot(triples: readonly number[]): BookSnapshot {
  return { ...update(0, triples), kind: 'bookSnapshot' };
}

function drained(reorder: Reorder, all: boolean): [time: number, order: number][] {
  const found: [number, number][] = [];
  for (;;) {
    const order = reorder.nextOrder;
    const event = reorder.take(all);
    if (event === undefined) return found;
    found.push([event.exchangeTime, order]);
  }
}

describe('facts out of order', () => {
  test('come by exchange time, equal ones as they were received, and know their place of receipt', () => {
    const reorder = new Reorder(10);
    for (const time of [100, 105, 103, 105]) reorder.push(update(time));
    expect(drained(reorder, false)).toEqual([]);
    reorder.push(update(114));
    expect(drained(reorder, false)).toEqual([[100, 1], [103, 3]]); // prettier-ignore
    expect(drained(reorder, true)).toEqual([[105, 2], [105, 4], [114, 5]]); // prettier-ignore
  });

  test('within the window the result is a stable sort', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 60 }), (jitters) => {
        const reorder = new Reorder(10);
        const times = jitters.map((jitter, index) => index * 3 + jitter);
        const found: [number, number][] = [];
        for (const time of times) {
          reorder.push(update(time));
          found.push(...drained(reorder, false));
        }
        found.push(...drained(reorder, true));
        const sorted = times.map((time, index) => [time, index + 1] as const).toSorted((a, b) => a[0] - b[0]);
        expect(found).toEqual(sorted);
      }),
      { seed: 7 },
    );
  });
});

describe('data that is not in the order in which it was received', () => {
  const recording = { paths: ['a.gz'] } as unknown as Recording;

  test('is refused in one sentence with both times; a little disorder is borne', () => {
    expect(inOrder(update(50_000_000), 100_000_000, recording)).toBe(100_000_000);
    expect(() => inOrder(update(1_000_000), 100_000_000, recording)).toThrow(
      'a.gz: expected events in the order they were received, found one of 1970-01-01T00:00:01.000Z after one of 1970-01-01T00:01:40.000Z',
    );
  });
});

describe('the start of a run', () => {
  test('is the exchange time of its first fact, or its receipt when that says when the market last moved', () => {
    const minute = 60_000_000;
    const at = (exchangeTime: number, receiveTime: number) =>
      runStart({ ...update(1), exchangeTime: micros(exchangeTime), receiveTime: micros(receiveTime) });
    expect(at(minute, 2 * minute)).toBe(minute);
    expect(at(minute, 2 * minute + 1)).toBe(2 * minute + 1);
    expect(at(minute, minute - 40_000)).toBe(minute);
  });
});

describe('rows of an import', () => {
  test('a message whose place differs between the clocks counts for each', () => {
    const count = new RowCount();
    for (const event of [update(1, [0, 1, 1, 0, 2, 1]), update(3), update(2), snapshot([0, 1, 1])])
      count.take(event);
    // 2 + 1 + 1 + (1 + 2); the snapshot of time 0 was received last, so everything else is overtaken once.
    expect(count.counts()).toEqual({ rows: 7, rowsByClock: 7 + 3 + 1 });
  });
});

describe('a snapshot of limited depth', () => {
  test('replaces only the range it covers', () => {
    const range = new SnapshotRange();
    const book = new Book(instrument);
    const noted: MarketEvent[] = [
      update(1, [0, 90, 1, 0, 99, 1, 0, 100, 1, 1, 102, 1, 1, 120, 1]),
      snapshot([0, 100, 5, 0, 98, 5, 1, 101, 5, 1, 110, 5]),
    ];
    const kinds = noted.map((event) => {
      const shown = range.take(event) as BookUpdate;
      book.apply(shown);
      return shown.kind as string;
    });
    expect(kinds).toEqual(['bookSnapshot', 'bookUpdate']);
    expect(book.levels('buy', 9).map(({ price }) => price)).toEqual([100, 98, 90]);
    expect(book.levels('sell', 9).map(({ price }) => price)).toEqual([101, 110, 120]);
  });
});

describe('a late clock', () => {
  test('runs its timers behind everything else that is due then, and can be cancelled', () => {
    const clock = new VirtualClock(micros(0));
    const late = new LateClock(clock);
    const ran: string[] = [];
    late.after(micros(10), () => ran.push(`late ${clock.now()}`));
    const cancel = late.after(micros(10), () => ran.push('never'));
    clock.after(micros(5), () => clock.after(micros(5), () => ran.push('fact')));
    clock.after(micros(10), cancel);
    clock.advanceTo(micros(20));
    expect(ran).toEqual(['fact', 'late 10']);
  });

  test('knows what is on its way and arrives at that moment, and what comes of it at once', () => {
    const clock = new VirtualClock(micros(0));
    const late = new LateClock(clock);
    const ran: string[] = [];
    const transit = new DelayLine<string>(clock, 9, (item) => ran.push(`${item} ${clock.now()}`));
    late.after(micros(10), () => {
      ran.push(`decision ${clock.now()}`);
      transit.put(clock.uptime(), 'answer');
    });
    late.after(micros(10), () => ran.push(`sample ${clock.now()}`));
    transit.put(10, 'report');
    transit.put(11, 'fact');
    clock.advanceTo(micros(20));
    expect(ran).toEqual(['report 10', 'decision 10', 'answer 10', 'sample 10', 'fact 11']);
  });
});

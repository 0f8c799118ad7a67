import { describe, expect, test } from 'vitest';
import type { Micros } from '../../../src/core/base/clock.ts';
import { Random } from '../../../src/core/base/random.ts';
import { packOfBytes } from '../../../src/data/pack/event.ts';
import { EventPool } from '../../../src/data/pack/event-pool.ts';
import { PackWriter } from '../../../src/data/pack/writer.ts';
import type { Event } from '../../../src/core/model/event.ts';
import type { InstrumentId, Lots, Ticks } from '../../../src/core/model/instrument.ts';
import { plain, specOf } from '../recording/support/frames.ts';

const specs = [specOf('ETHBTC'), specOf('EOSUSD'), specOf('XRPUSD')];

function packed(events: readonly Event[]): Uint8Array {
  const parts: Uint8Array[] = [];
  const writer = new PackWriter((bytes) => parts.push(Buffer.from(bytes)), {
    instruments: specs,
    codec: 'none',
  });
  for (const event of events) writer.add(event);
  writer.finish();
  return Buffer.concat(parts);
}

/** Updates of up to a hundred levels and messages of a trade or two, received in rough order. */
function marketData(random: Random, count: number): Event[] {
  return Array.from({ length: count }, (_, sequence) => {
    const levels = Float64Array.from({ length: 3 * random.between(1, 100) }, (__, i) =>
      i % 3 === 0 ? random.between(0, 1) : random.between(0, 90_000),
    );
    const exchangeTime = (1_700_000_000_000_000 + sequence * 100 + random.between(0, 300)) as Micros;
    const receiveTime = (exchangeTime + random.between(0, 3_000)) as Micros;
    const instrument = random.between(0, specs.length - 1) as InstrumentId;
    if (random.between(0, 1) === 0) {
      const trades = Array.from({ length: random.between(1, 2) }, (__, i) => ({
        tradeId:
          random.between(0, 3) === 0 ? `t-${sequence}-${i}` : String(5_000_000_000 + sequence * 10 + i),
        price: random.between(1, 90_000) as Ticks,
        quantity: random.between(1, 500) as Lots,
        side: random.between(0, 1) === 0 ? ('buy' as const) : ('sell' as const),
        time: (exchangeTime - random.between(0, 2)) as Micros,
      }));
      return { kind: 'trades', instrument, snapshot: sequence % 50 === 0, trades, exchangeTime, receiveTime };
    }
    const where = { levels, start: 0, end: levels.length };
    return { kind: 'bookUpdate', instrument, sequence, ...where, exchangeTime, receiveTime };
  });
}

function latestOf(event: Event): number {
  return Math.max(event.exchangeTime, event.receiveTime);
}

describe('a pool of levels', () => {
  test('events are what they were until they are received, however far the clock is behind', () => {
    const written = marketData(new Random('shelf'), 4_000);
    const bytes = packed(written);
    const sizes: [number, number][] = [];
    for (const behind of [0, 5_000, 5_000_000]) {
      let received = Number.NEGATIVE_INFINITY;
      let latest = 0;
      let waiting: { readonly event: Event; readonly as: Event | undefined }[] = [];
      const arrays = new Set<Float64Array>();
      const forms = new Set<Event>();
      let at = 0;
      for (const batch of packOfBytes(bytes).batches(64, new EventPool(() => received))) {
        for (const event of batch) {
          waiting.push({ event, as: written[at++] });
          latest = Math.max(latest, latestOf(event));
          if (event.kind === 'bookUpdate' || event.kind === 'bookSnapshot') arrays.add(event.levels);
          if (event.kind === 'trades' && event.trades.length === 1) forms.add(event);
        }
        received = latest - behind;
        const due = waiting.filter(({ event }) => latestOf(event) <= received);
        waiting = waiting.filter(({ event }) => latestOf(event) > received);
        for (const { event, as } of due) if (as !== undefined) expect(plain(event)).toEqual(plain(as));
      }
      expect(at).toBe(written.length);
      for (const { event, as } of waiting) if (as !== undefined) expect(plain(event)).toEqual(plain(as));
      sizes.push([arrays.size, forms.size]);
    }
    // Whoever hears at once needs few arrays and few events, whoever hears late many.
    const [soon, , late] = sizes;
    expect(soon?.[0]).toBeLessThan(late?.[0] ?? 0);
    expect(soon?.[1]).toBeLessThan((late?.[1] ?? 0) / 2);
  });

  test('an array is used again when its events are received, and not before', () => {
    let received = 0;
    const pool = new EventPool(() => received);
    pool.beginBatch();
    const first = pool.takeArray(10);
    pool.book(100, 120);
    expect(pool.takeArray(10)).not.toBe(first);
    received = 121;
    expect(pool.takeArray(10), 'the batch goes on').not.toBe(first);
    pool.beginBatch();
    received = 120;
    expect(pool.takeArray(10), 'not yet heard').not.toBe(first);
    received = 121;
    expect(pool.takeArray(first.length + 1), 'too short').not.toBe(first);
    expect(pool.takeArray(10)).toBe(first);
  });

  test('trades among which no book comes are what they were, beyond those that are kept for the next round', () => {
    const trades = marketData(new Random('trades'), 20_000).filter((event) => event.kind === 'trades');
    const single = trades.filter(({ trades: { length } }) => length === 1);
    const forms = new Set<Event>();
    let at = 0;
    for (const batch of packOfBytes(packed(single)).batches(
      64,
      new EventPool(() => Number.POSITIVE_INFINITY),
    )) {
      for (const event of batch) {
        expect(plain(event)).toEqual(plain(single[at++] as Event));
        forms.add(event);
      }
    }
    expect(forms.size).toBe(single.length);
    expect(single.length).toBeGreaterThan(4_096);
  });
});

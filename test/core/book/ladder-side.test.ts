import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/base/random.ts';
import type { LadderDirection, LadderSide } from '../../../src/core/book/ladder-side.ts';
import { RingSide } from '../../../src/core/book/ring-side.ts';
import { SortedSide } from '../../../src/core/book/sorted-side.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';

type Make = (direction: LadderDirection) => LadderSide;

const kinds: readonly [string, Make][] = [
  ['sorted side', (direction) => new SortedSide(direction)],
  ['ring side', (direction) => new RingSide(direction)],
  ['ring side of 1024 ticks', (direction) => new RingSide(direction, 1024)],
];

const ticks = (price: number): Ticks => price as Ticks;
const lots = (size: number): Lots => size as Lots;

function listOf(side: LadderSide): [number, number][] {
  const list: [number, number][] = [];
  side.forEach((price, size) => {
    list.push([price, size]);
  });
  return list;
}

/** The obvious ladder: a map, sorted when asked. */
function expected(levels: Map<number, number>, direction: LadderDirection): [number, number][] {
  const sign = direction === 'bid' ? -1 : 1;
  return [...levels].sort((a, b) => sign * (a[0] - b[0]));
}

describe.each(kinds)('a %s', (_name, make) => {
  test('keeps bids from the highest price and asks from the lowest', () => {
    for (const direction of ['bid', 'ask'] as const) {
      const side = make(direction);
      for (const price of [100, 103, 99, 101]) side.set(ticks(price), lots(price * 2));
      expect(side.size).toBe(4);
      expect(listOf(side).map(([price]) => price)).toEqual(
        direction === 'bid' ? [103, 101, 100, 99] : [99, 100, 101, 103],
      );
      expect(side.best).toBe(direction === 'bid' ? 103 : 99);
      expect(side.bestQuantity).toBe(direction === 'bid' ? 206 : 198);
    }
  });

  test('is empty at first, after deleting the last level, and after clear', () => {
    const side = make('bid');
    expect([side.size, side.best, side.bestQuantity]).toEqual([0, undefined, 0]);
    side.set(ticks(5), lots(1));
    side.set(ticks(5), lots(0));
    expect([side.size, side.best, side.bestQuantity]).toEqual([0, undefined, 0]);
    side.set(ticks(7), lots(1));
    side.clear();
    expect([side.size, side.best, side.quantityAt(ticks(7))]).toEqual([0, undefined, 0]);
    side.set(ticks(2), lots(9));
    expect(listOf(side)).toEqual([[2, 9]]);
  });

  test('answers what stood at a price before, and ignores a delete of nothing', () => {
    const side = make('ask');
    expect(side.set(ticks(10), lots(4))).toBe(0);
    expect(side.set(ticks(10), lots(6))).toBe(4);
    expect(side.set(ticks(11), lots(0))).toBe(0);
    expect(side.set(ticks(10), lots(0))).toBe(6);
    expect(side.size).toBe(0);
  });

  test('stops visiting when the visitor answers false', () => {
    const side = make('bid');
    for (let price = 1; price <= 200_000; price += 40_000) side.set(ticks(price), lots(1));
    const seen: number[] = [];
    side.forEach((price) => seen.push(price) < 3);
    expect(seen).toEqual([160_001, 120_001, 80_001]);
  });

  test('holds prices beyond 2^32 ticks and far outliers, and comes back from them', () => {
    for (const direction of ['bid', 'ask'] as const) {
      const side = make(direction);
      const levels = new Map<number, number>();
      const base = 6_000_000_000_000;
      for (const offset of [0, 1, -1, 900_000, -900_000, 5_000_000_000_000, -5_999_999_999_999]) {
        side.set(ticks(base + offset), lots(3));
        levels.set(base + offset, 3);
        expect(listOf(side)).toEqual(expected(levels, direction));
      }
      for (const price of levels.keys()) {
        side.set(ticks(price), lots(0));
        levels.delete(price);
        expect(listOf(side)).toEqual(expected(levels, direction));
        expect(side.best).toBe(expected(levels, direction)[0]?.[0]);
      }
    }
  });

  test('holds a price above 2^53 ticks that a double can hold, as two recorded books do', () => {
    for (const direction of ['bid', 'ask'] as const) {
      const side = make(direction);
      const levels = new Map<number, number>();
      for (const price of [895, 9_999_999_999_999_000, 977, 1e16, 896]) {
        side.set(ticks(price), lots(20));
        levels.set(price, 20);
        expect(listOf(side)).toEqual(expected(levels, direction));
      }
      for (const price of [896, 895, 977, 1e16]) {
        side.set(ticks(price), lots(0));
        levels.delete(price);
        expect(listOf(side)).toEqual(expected(levels, direction));
        expect(side.best).toBe(expected(levels, direction)[0]?.[0]);
      }
    }
  });

  test('equals a sorted map on random streams that drift, jump and empty the side', () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom('bid', 'ask'), (seed, direction: LadderDirection) => {
        const random = new Random(seed);
        const side = make(direction);
        const levels = new Map<number, number>();
        let centre = 500_000;
        for (let i = 0; i < 600; i++) {
          if (random.chance(0.01)) centre = random.between(1, 1_000_000);
          centre = Math.max(2_000, centre + random.between(-60, 60));
          const known = random.chance(0.4) && levels.size > 0;
          const price = known ? random.pick([...levels.keys()]) : centre + random.between(-1_500, 1_500);
          const size = random.chance(known ? 0.8 : 0.2) ? 0 : random.between(1, 1_000);
          expect(side.set(ticks(price), lots(size))).toBe(levels.get(price) ?? 0);
          if (size === 0) levels.delete(price);
          else levels.set(price, size);
          if (random.chance(0.002)) {
            side.clear();
            levels.clear();
          }
          const [best] = expected(levels, direction);
          expect([side.best, side.bestQuantity, side.size]).toEqual([best?.[0], best?.[1] ?? 0, levels.size]);
          expect(side.quantityAt(ticks(price))).toBe(levels.get(price) ?? 0);
        }
        expect(listOf(side)).toEqual(expected(levels, direction));
      }),
      { numRuns: 12 },
    );
  });
});

describe('levels set in runs', () => {
  test.each(kinds)('leave a %s as it is when they are set one by one', (_name, make) => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom('bid', 'ask'), (seed, direction: LadderDirection) => {
        const random = new Random(seed);
        const inRuns = make(direction);
        const oneByOne = make(direction);
        let centre = 500_000;
        for (let message = 0; message < 120; message++) {
          if (random.chance(0.03)) centre = random.between(1, 1_000_000);
          const count = random.between(1, 12);
          const levels = new Float64Array(count * 3 + 3);
          for (let at = 0; at < levels.length; at += 3) {
            // The last level is of the other side: a run ends there.
            const deep = random.chance(0.1) ? 1_500 : 12;
            levels[at] = at === count * 3 ? 1 : 0;
            levels[at + 1] = centre + random.between(-deep, deep);
            levels[at + 2] = random.chance(0.45) ? 0 : random.between(1, 1_000);
          }
          expect(inRuns.setRun(levels, 0, levels.length)).toBe(count * 3);
          for (let at = 0; at < count * 3; at += 3)
            oneByOne.set(ticks(levels[at + 1] as number), lots(levels[at + 2] as number));
          expect([inRuns.size, inRuns.best, inRuns.bestQuantity]).toEqual([
            oneByOne.size,
            oneByOne.best,
            oneByOne.bestQuantity,
          ]);
        }
        expect(listOf(inRuns)).toEqual(listOf(oneByOne));
      }),
      { numRuns: 40 },
    );
  });
});

describe('a run into an empty side', () => {
  const runs: readonly [string, readonly (readonly [number, number])[]][] = [
    ['best first', Array.from({ length: 200 }, (_, i) => [900 - i, i + 1] as const)],
    ['out of order at last', [[900, 1], [899, 2], [901, 3], [700, 4]]], // prettier-ignore
    ['with a level told twice', [[900, 1], [900, 2], [899, 3]]], // prettier-ignore
    ['with one of nothing', [[900, 1], [899, 0], [898, 3]]], // prettier-ignore
    ['of nothing at first', [[900, 0], [899, 1]]], // prettier-ignore
  ];

  test.each(runs)('is taken level for level: %s', (_name, rows) => {
    for (const [, make] of kinds) {
      const side = make('bid');
      const levels = Float64Array.from(rows.flatMap(([price, size]) => [0, price, size]));
      expect(side.setRun(levels, 0, levels.length)).toBe(levels.length);
      const wanted = new Map(rows);
      for (const [price, size] of wanted) if (size === 0) wanted.delete(price);
      expect(listOf(side)).toEqual(expected(wanted, 'bid'));
      expect([side.best, side.size]).toEqual([Math.max(...wanted.keys()), wanted.size]);
    }
  });
});

describe('levels behind the best of a ring', () => {
  test('stop before the best one, one far outside, one that is spared, and the other side', () => {
    const ring = new RingSide('bid', 1024);
    for (const price of [5_000, 4_990, 4_980]) ring.set(ticks(price), lots(1));
    const spared = 1 << (4_985 & 31);
    const rows = [[0, 4_990, 7], [0, 4_970, 2 ** 60], [0, 4_980, 0], [0, 4_985, 3], [0, 5_000, 4], [0, 9, 5], [1, 5_010, 6]]; // prettier-ignore
    const levels = Float64Array.from(rows.flat());
    const stopFrom = (row: number, skip: number): number =>
      ring.setBehind(levels, row * 3, levels.length, skip) / 3;
    expect(stopFrom(0, spared)).toBe(3);
    expect(listOf(ring)).toEqual([[5_000, 1], [4_990, 7], [4_970, 2 ** 60]]); // prettier-ignore
    expect(stopFrom(3, 0)).toBe(4);
    expect([stopFrom(4, 0), stopFrom(5, 0)]).toEqual([4, 5]);
    expect([ring.size, ring.quantityAt(ticks(4_985))]).toEqual([4, 3]);
  });

  test('and none while the ring is empty', () => {
    const levels = Float64Array.from([0, 5, 1]);
    expect(new RingSide('bid', 1024).setBehind(levels, 0, 3, 0)).toBe(0);
  });
});

describe('both kinds of side', () => {
  test('agree level for level on a long stream around a drifting touch', () => {
    const random = new Random('ladders agree');
    for (const direction of ['bid', 'ask'] as const) {
      const sorted = new SortedSide(direction);
      const rings = [new RingSide(direction), new RingSide(direction, 2048)];
      let touch = 1_000_000;
      for (let i = 0; i < 60_000; i++) {
        touch += random.between(-3, 3);
        const away = Math.floor(random.exponential(random.chance(0.05) ? 4_000 : 12));
        const price = ticks(Math.max(1, direction === 'bid' ? touch - away : touch + away));
        const size = lots(random.chance(0.35) ? 0 : random.between(1, 9_999));
        const before = sorted.set(price, size);
        for (const ring of rings) {
          expect(ring.set(price, size)).toBe(before);
          if (ring.best !== sorted.best || ring.bestQuantity !== sorted.bestQuantity) {
            expect([i, ring.best, ring.bestQuantity]).toEqual([i, sorted.best, sorted.bestQuantity]);
          }
        }
      }
      for (const ring of rings) expect(listOf(ring)).toEqual(listOf(sorted));
      expect(sorted.size).toBeGreaterThan(500);
    }
  });
});

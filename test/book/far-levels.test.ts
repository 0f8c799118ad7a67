import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FarLevels } from '../../src/book/far-levels.ts';

function listOf(levels: FarLevels): [number, number][] {
  const list: [number, number][] = [];
  levels.forEach((key, size) => {
    list.push([key, size]);
  });
  return list;
}

describe('far levels', () => {
  test('answer what stood there, forget what has gone, and know the greatest key', () => {
    const levels = new FarLevels();
    expect([levels.size, levels.best, levels.sizeAt(5)]).toEqual([0, undefined, 0]);
    expect([levels.set(5, 1), levels.set(-7, 2), levels.set(5, 3), levels.set(9, 0)]).toEqual([0, 0, 1, 0]);
    expect([levels.size, levels.best, levels.sizeAt(5)]).toEqual([2, 5, 3]);
    expect(levels.set(5, 0)).toBe(3);
    expect([levels.size, levels.best, levels.sizeAt(5)]).toEqual([1, -7, 0]);
    levels.clear();
    expect([levels.size, levels.best, listOf(levels)]).toEqual([0, undefined, []]);
  });

  test('are visited from the greatest key downwards until the visitor answers false', () => {
    const levels = new FarLevels();
    for (const key of [3, 1, 4, 2]) levels.set(key, key * 10);
    levels.set(3, 0);
    expect(listOf(levels)).toEqual([[4, 40], [2, 20], [1, 10]]); // prettier-ignore
    const seen: number[] = [];
    levels.forEach((key) => seen.push(key) < 2);
    expect(seen).toEqual([4, 2]);
  });

  test('equal a map on random streams of keys that come, go and come back, whatever is asked between', () => {
    const key = fc.integer({ min: -14, max: 14 }).map((place) => place * 1e12);
    const step = fc.record({ key, size: fc.nat(2), look: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { minLength: 150, maxLength: 200 }), (steps) => {
        const levels = new FarLevels();
        const known = new Map<number, number>();
        for (const { key: at, size, look } of steps) {
          expect(levels.set(at, size)).toBe(known.get(at) ?? 0);
          if (size === 0) known.delete(at);
          else known.set(at, size);
          expect(levels.size).toBe(known.size);
          if (look) expect(levels.best).toBe(known.size === 0 ? undefined : Math.max(...known.keys()));
        }
        expect(listOf(levels)).toEqual([...known].sort(([one], [other]) => other - one));
      }),
      { numRuns: 15 },
    );
  });
});

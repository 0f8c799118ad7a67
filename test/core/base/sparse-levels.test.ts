import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SparseLevels } from '../../../src/core/base/sparse-levels.ts';

function listOf(cells: SparseLevels): [number, number][] {
  const list: [number, number][] = [];
  cells.forEach((key, size) => {
    list.push([key, size]);
  });
  return list;
}

describe('far cells', () => {
  test('answer what stood there, forget what has gone, and know the greatest key', () => {
    const cells = new SparseLevels();
    expect([cells.size, cells.best, cells.at(5)]).toEqual([0, undefined, 0]);
    expect([cells.set(5, 1), cells.set(-7, 2), cells.set(5, 3), cells.set(9, 0)]).toEqual([0, 0, 1, 0]);
    expect([cells.size, cells.best, cells.at(5)]).toEqual([2, 5, 3]);
    expect(cells.set(5, 0)).toBe(3);
    expect([cells.size, cells.best, cells.at(5)]).toEqual([1, -7, 0]);
    cells.clear();
    expect([cells.size, cells.best, listOf(cells)]).toEqual([0, undefined, []]);
  });

  test('are visited from the greatest key downwards until the visitor answers false', () => {
    const cells = new SparseLevels();
    for (const key of [3, 1, 4, 2]) cells.set(key, key * 10);
    cells.set(3, 0);
    expect(listOf(cells)).toEqual([[4, 40], [2, 20], [1, 10]]); // prettier-ignore
    const seen: number[] = [];
    cells.forEach((key) => seen.push(key) < 2);
    expect(seen).toEqual([4, 2]);
  });

  test('equal a map on random streams of keys that come, go and come back, whatever is asked between', () => {
    const key = fc.integer({ min: -14, max: 14 }).map((place) => place * 1e12);
    const step = fc.record({ key, size: fc.nat(2), look: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { minLength: 150, maxLength: 200 }), (steps) => {
        const cells = new SparseLevels();
        const known = new Map<number, number>();
        for (const { key: at, size, look } of steps) {
          expect(cells.set(at, size)).toBe(known.get(at) ?? 0);
          if (size === 0) known.delete(at);
          else known.set(at, size);
          expect(cells.size).toBe(known.size);
          if (look) expect(cells.best).toBe(known.size === 0 ? undefined : Math.max(...known.keys()));
          const lower = [...known.keys()].filter((other) => other < at);
          if (look) expect(cells.below(at)).toBe(Math.max(Number.NEGATIVE_INFINITY, ...lower));
        }
        expect(listOf(cells)).toEqual([...known].sort(([one], [other]) => other - one));
      }),
      { numRuns: 15 },
    );
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OccupancyBitmap, blockShift, isNonZero } from '../../../src/core/base/occupancy-bitmap.ts';

describe('marked blocks of cells', () => {
  test('find the next cell below around the circle, whatever has gone meanwhile', () => {
    const slots = fc.uniqueArray(fc.integer({ min: 0, max: 2047 }), { maxLength: 20 });
    fc.assert(
      fc.property(slots, slots, fc.integer({ min: 0, max: 2047 }), (filled, emptied, from) => {
        const blocks = new OccupancyBitmap(2048);
        const cells = new Float64Array(2048);
        for (const slot of [...filled, ...emptied]) {
          cells[slot] = -1;
          blocks.marks[slot >>> blockShift] = 1;
        }
        for (const slot of emptied) cells[slot] = 0;
        const distances = filled
          .filter((slot) => !emptied.includes(slot))
          .map((slot) => (from - slot + 2048) % 2048 || 2048);
        const expected = distances.length === 0 ? -1 : (from - Math.min(...distances) + 4096) % 2048;
        expect(blocks.below(cells, from)).toBe(expected);
        // A look takes marks away, and nothing else.
        expect(blocks.below(cells, from)).toBe(expected);
      }),
    );
  });

  test('forget everything', () => {
    const blocks = new OccupancyBitmap(1024);
    blocks.marks[3] = 1;
    blocks.clear();
    expect([...blocks.marks]).toEqual(Array.from({ length: 1024 >>> blockShift }, () => 0));
  });

  test('a cell is there unless it is 0', () => {
    expect([1, -1, 0.5, 0, -0, 2 ** 53, -Infinity].map(isNonZero)).toEqual([1, 1, 1, 0, 0, 1, 1]);
  });
});

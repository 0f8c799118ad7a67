import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OrderLevels } from '../../../src/data/formats/order-levels.ts';
import { LevelBuffer } from '../../../src/core/model/level-buffer.ts';

function drained(levels: OrderLevels): readonly (readonly number[])[] {
  const buffer = new LevelBuffer();
  buffer.beginMessage();
  levels.drain(buffer);
  const received: number[][] = [];
  for (let at = buffer.start; at < buffer.end; at += 3) received.push([...buffer.chunk.subarray(at, at + 3)]);
  return received;
}

describe('orders folded into levels', () => {
  test('report each touched level once, with its new total', () => {
    const levels = new OrderLevels();
    expect(levels.add('a', 0, 100, 5)).toBe('added');
    expect(levels.add('b', 0, 100, 2)).toBe('added');
    expect(levels.add('c', 1, 101, 1)).toBe('added');
    expect(drained(levels)).toEqual([
      [0, 100, 7],
      [1, 101, 1],
    ]);
    expect(levels.reduce('a', 3)).toBe('reduced');
    expect(levels.reduce('c', 9)).toBe('gone');
    expect(drained(levels)).toEqual([
      [0, 100, 4],
      [1, 101, 0],
    ]);
    expect(levels.changeOrder('a', 99, 1)).toBe('moved');
    expect(levels.remove('zz')).toBe('unknown');
    expect(drained(levels)).toEqual([
      [0, 100, 2],
      [0, 99, 1],
    ]);
    levels.clear();
    expect(drained(levels)).toEqual([
      [0, 100, 0],
      [0, 99, 0],
    ]);
  });

  test('always come to the sums of the orders that rest', () => {
    const step = fc.record({
      id: fc.integer({ min: 0, max: 8 }),
      what: fc.constantFrom('add', 'change', 'reduce', 'remove'),
      side: fc.constantFrom(0, 1),
      price: fc.integer({ min: 1, max: 4 }),
      size: fc.integer({ min: 1, max: 9 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const levels = new OrderLevels();
        const naive = new Map<number, { side: number; price: number; size: number }>();
        const received = new Map<string, number>();
        for (const { id, what, side, price, size } of steps) {
          const old = naive.get(id);
          if (what === 'add') {
            levels.add(id, side as 0 | 1, price, size);
            naive.set(id, { side, price, size });
          } else if (what === 'change') {
            levels.changeOrder(id, price, size);
            if (old !== undefined) naive.set(id, { side: old.side, price, size });
          } else if (what === 'reduce') {
            levels.reduce(id, size);
            if (old !== undefined && old.size > size) naive.set(id, { ...old, size: old.size - size });
            else naive.delete(id);
          } else {
            levels.remove(id);
            naive.delete(id);
          }
          for (const [at, ticks, total] of drained(levels)) received.set(`${at} ${ticks}`, total ?? 0);
        }
        const sums = new Map<string, number>();
        for (const { side, price, size } of naive.values()) {
          sums.set(`${side} ${price}`, (sums.get(`${side} ${price}`) ?? 0) + size);
        }
        expect(new Map([...received].filter(([, total]) => total > 0))).toEqual(sums);
        expect(levels.size).toBe(naive.size);
      }),
    );
  });
});

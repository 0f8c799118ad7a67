import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { noOwner, none, OrderPool } from '../../../../src/exchange/matching/book/order-pool.ts';
import { OrderQueue } from '../../../../src/exchange/matching/book/book.ts';

/** Keys near each other, far away, below zero (asks) and beyond 32 bits. */
const keys = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -60, max: 60 }) },
  { weight: 2, arbitrary: fc.integer({ min: -6_000, max: 6_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: -9_000_000_000, max: 9_000_000_000 }) },
);

function walk(queue: OrderQueue): [number, number][] {
  const found: [number, number][] = [];
  for (let slot = queue.levels.best; slot !== none; slot = queue.levels.worse(slot))
    found.push([queue.keyOf(slot), queue.totalOf(slot)]);
  return found;
}

describe('price levels', () => {
  test('are what a sorted map is, wherever prices go and however the window follows', () => {
    const step = fc.record({
      key: keys,
      drift: fc.integer({ min: -300, max: 300 }),
      size: fc.integer({ min: 0, max: 9 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const queue = new OrderQueue(new OrderPool(2), 1_024);
        const model = new Map<number, number>();
        let middle = 0;
        for (const { key, drift, size } of steps) {
          middle += drift;
          const at = key + middle;
          expect(queue.setAnonymous(at, size)).toBe(true);
          if (size === 0) model.delete(at);
          else model.set(at, size);
          const best = model.size === 0 ? undefined : Math.max(...model.keys());
          const slot = queue.levels.best;
          expect(slot === none ? undefined : queue.keyOf(slot)).toBe(best);
        }
        expect(walk(queue)).toEqual([...model].sort(([a], [b]) => b - a));
        expect(queue.levels.size).toBe(model.size);
      }),
      { numRuns: 300 },
    );
  });

  test('hold at the very edges of the window', () => {
    for (let edge = 250; edge < 264; edge++) {
      const queue = new OrderQueue(new OrderPool(), 1_024);
      for (const key of [0, -768, -769, edge, edge - 1_024]) queue.setAnonymous(key, 1);
      for (const key of [0, -768, -769, edge, edge - 1_024]) queue.setAnonymous(key, 2);
      const all = [...new Set([0, -768, -769, edge, edge - 1_024])].sort((a, b) => b - a);
      expect(walk(queue), `edge ${edge}`).toEqual(all.map((key) => [key, 2]));
    }
  });

  test('follow prices that a double can hold above 2^53, where one more is no other number', () => {
    const queue = new OrderQueue(new OrderPool(), 1_024);
    const high = 2 ** 54;
    for (const key of [high, high + 40, high + 4_096]) queue.setAnonymous(key, 3);
    expect(walk(queue)).toEqual([high + 4_096, high + 40, high].map((key) => [key, 3]));
    queue.setAnonymous(high + 4_096, 0);
    expect(walk(queue)).toEqual([high + 40, high].map((key) => [key, 3]));
  });

  test('know the best level at which an account stands', () => {
    const queue = new OrderQueue(new OrderPool(), 1_024);
    queue.setAnonymous(50, 7);
    const near = queue.append(40, 1, 3);
    const far = queue.append(-5_000, 1, 3);
    queue.setAnonymous(45, 7);
    expect(queue.ownedBest).toBe(40);
    queue.remove(near);
    expect(queue.ownedBest).toBe(-5_000);
    queue.remove(far);
    expect(queue.ownedBest).toBe(Number.NEGATIVE_INFINITY);
  });

  test('take a run of levels as they take them one by one, and stop where an order of an account is concerned', () => {
    const level = fc.record({ key: keys, size: fc.nat({ max: 6 }), isBid: fc.boolean() });
    const message = fc.record({
      levels: fc.array(level, { minLength: 1, maxLength: 40 }),
      own: fc.option(keys),
      limit: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.integer({ min: -80, max: 6_000 })),
    });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 30 }), (messages) => {
        const single = new OrderQueue(new OrderPool(2), 1_024);
        const inRuns = new OrderQueue(new OrderPool(2), 1_024);
        const handles: [number, number][] = [];
        for (const { levels, own, limit } of messages) {
          const flat = Float64Array.from(
            levels.flatMap(({ key, size, isBid }) => [isBid ? 0 : 1, isBid ? key : -key, size]),
          );
          for (let at = 0; at < flat.length;) {
            const side = flat[at];
            const stop = inRuns.levels.setRun(flat, at, flat.length, limit);
            for (; at < stop; at += 3) {
              const key = (flat[at + 1] ?? 0) * (side === 0 ? 1 : -1);
              expect(flat[at]).toBe(side);
              expect(key).toBeLessThan(limit);
              expect(single.setAnonymous(key, flat[at + 2] ?? 0)).toBe(true);
            }
            if (stop === flat.length || flat[stop] !== side) continue;
            const key = (flat[stop + 1] ?? 0) * (side === 0 ? 1 : -1);
            const size = flat[stop + 2] ?? 0;
            expect(inRuns.setAnonymous(key, size)).toBe(single.setAnonymous(key, size));
            at = stop + 3;
          }
          if (own !== null) handles.push([single.append(own, 2, 3), inRuns.append(own, 2, 3)]);
          if (handles.length > 3) {
            const [oldest] = handles.splice(0, 1);
            single.remove(oldest?.[0] ?? none);
            inRuns.remove(oldest?.[1] ?? none);
          }
          expect(inRuns.ownedBest).toBe(single.ownedBest);
          expect(inRuns.levels.keys()).toEqual(single.levels.keys());
        }
        expect(inRuns.levels.size).toBe(single.levels.size);
        expect(walk(inRuns)).toEqual(walk(single));
      }),
      { numRuns: 300 },
    );
  });

  test('refuse to set anonymous quantity over an order of an account', () => {
    const queue = new OrderQueue(new OrderPool(), 1_024);
    queue.append(40, 1, 3);
    expect(queue.setAnonymous(40, 9)).toBe(false);
    expect(walk(queue)).toEqual([[40, 1]]);
  });
});

describe('order pool', () => {
  test('a ticket goes stale when its order is gone, also when the handle is used again', () => {
    const pool = new OrderPool(2);
    const queue = new OrderQueue(pool, 1_024);
    const ticket = pool.ticket(queue.append(1, 5, noOwner));
    expect(pool.handleOf(ticket)).not.toBe(none);
    queue.remove(pool.handleOf(ticket));
    expect(pool.handleOf(ticket)).toBe(none);
    const again = queue.append(1, 5, noOwner);
    expect(pool.handleOf(ticket)).toBe(none);
    expect(pool.handleOf(pool.ticket(again))).toBe(again);
  });

  test('keeps what it holds when it grows', () => {
    const pool = new OrderPool(2);
    const queue = new OrderQueue(pool, 1_024);
    const handles = Array.from({ length: 500 }, (_, i) => queue.append(i % 7, i + 1, noOwner));
    expect(handles.map((handle) => queue.quantityOf(handle))).toEqual(handles.map((_, i) => i + 1));
    for (const handle of handles) queue.remove(handle);
    expect(pool.size).toBe(0);
    expect(walk(queue)).toEqual([]);
  });
});

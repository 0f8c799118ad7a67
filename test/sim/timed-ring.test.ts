import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TimedRing } from '../../src/sim/timed-ring.ts';

describe('a timed ring', () => {
  test('hands out by time, and by order of arrival at one time', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.integer({ min: 0, max: 50 })), { maxLength: 3_000 }), (steps) => {
        const ring = new TimedRing<number>(10_000);
        const model: { time: number; item: number }[] = [];
        for (const [item, time] of steps.entries()) {
          if (time === null) {
            model.sort((a, b) => a.time - b.time || a.item - b.item);
            expect(ring.nextTime).toBe(model[0]?.time ?? Number.POSITIVE_INFINITY);
            expect(ring.takeDue(25)).toBe((model[0]?.time ?? 99) <= 25 ? model.shift()?.item : undefined);
          } else {
            ring.push(time, item);
            model.push({ time, item });
          }
          expect(ring.size).toBe(model.length);
        }
      }),
    );
  });

  test('fails when its bound is reached', () => {
    const ring = new TimedRing<number>(2);
    ring.push(1, 1);
    ring.push(1, 2);
    expect(() => ring.push(1, 3)).toThrow('too much is on its way');
  });
});

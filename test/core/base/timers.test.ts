import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Micros } from '../../../src/core/base/clock.ts';
import type { Timer } from '../../../src/core/base/timers.ts';
import { Timers } from '../../../src/core/base/timers.ts';

const seed = 20_260_118;

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ what: fc.constant('add' as const), number: fc.nat(40) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('cancel' as const), number: fc.nat(400) }) },
  { weight: 4, arbitrary: fc.record({ what: fc.constant('take' as const), number: fc.nat(40) }) },
);

test(`timers come due as they would from a sorted list, ties in call order (seed ${seed})`, () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const timers = new Timers();
      const made: Timer[] = [];
      const waiting: Timer[] = [];
      let now = 0;
      for (const { what, number } of steps) {
        if (what === 'add') {
          const timer = timers.add((now + number) as Micros, () => {});
          made.push(timer);
          waiting.push(timer);
          waiting.sort((a, b) => a.time - b.time || a.order - b.order);
        } else if (what === 'cancel' && made.length > 0) {
          const timer = made[number % made.length] as Timer;
          timers.cancel(timer);
          if (waiting.includes(timer)) waiting.splice(waiting.indexOf(timer), 1);
        } else if (what === 'take') {
          const [first] = waiting;
          const due = first !== undefined && first.time <= now + number ? first : undefined;
          expect(timers.takeDue((now + number) as Micros)).toBe(due);
          if (due !== undefined) {
            waiting.shift();
            now = due.time;
          }
        }
        expect(timers.size).toBe(waiting.length);
        expect(timers.nextTime()).toBe(waiting[0]?.time);
      }
    }),
    { seed, numRuns: 300 },
  );
});

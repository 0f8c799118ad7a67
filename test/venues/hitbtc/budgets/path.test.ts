import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { millis, seconds } from '../../../../src/core/base/clock.ts';
import { VirtualClock } from '../../../../src/core/base/virtual-clock.ts';
import { PathBudgets } from '../../../../src/venues/hitbtc/budgets/path.ts';

const address = { rate: 10, burst: 10 };
const account = { rate: 3, burst: 2 };
const options = { mode: 'window', share: 1, guard: 0 } as const;

describe('budgets of paths', () => {
  test('admit a call when every row it counts against has room, and take from all of them', () => {
    const budgets = new PathBudgets(options, new VirtualClock(seconds(1)));
    const both = Array.from({ length: 6 }, () => budgets.takeSlot([address, account], 'read'));
    expect(both.map((slot) => slot !== undefined)).toEqual([true, true, true, true, true, false]);
    const rest = Array.from({ length: 16 }, () => budgets.takeSlot([address], 'read'));
    expect(rest.filter((slot) => slot !== undefined)).toHaveLength(15);
  });

  test('give room back one second after the answer, whatever is settled twice', () => {
    const clock = new VirtualClock(seconds(1));
    const budgets = new PathBudgets(options, clock);
    const slots = Array.from({ length: 5 }, () => budgets.takeSlot([account], 'read'));
    clock.advance(millis(400));
    for (const slot of slots) slot?.settle(false);
    slots[0]?.settle(false);
    expect(budgets.wait([account], 'read')).toBe(seconds(1));
    clock.advance(millis(1_000));
    expect(budgets.wait([account], 'read')).toBe(0);
  });

  test('never admit more than rate and burst in any second, for any stream of calls', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(300), fc.nat(300)), { maxLength: 80 }), (calls) => {
        const clock = new VirtualClock(seconds(1));
        const budgets = new PathBudgets(options, clock);
        const admitted: number[] = [];
        for (const [pauseMs, answerMs] of calls) {
          clock.advance(millis(pauseMs));
          const slot = budgets.takeSlot([address, account], 'new');
          if (slot === undefined) continue;
          admitted.push(clock.uptime());
          clock.after(millis(answerMs), () => slot.settle(false));
        }
        for (const [index, at] of admitted.entries()) {
          const before = admitted[index - 5];
          if (before !== undefined) expect(at - before).toBeGreaterThanOrEqual(seconds(1));
        }
      }),
      { seed: 11 },
    );
  });
});

import { describe, expect, test } from 'vitest';
import { micros, millis, seconds } from '../../../src/core/base/clock.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import type { LaneBudgetOptions } from '../../../src/core/budgets/lanes.ts';
import { LaneBudget } from '../../../src/core/budgets/lanes.ts';

const plain: LaneBudgetOptions = {
  rate: 3,
  burst: 2,
  mode: 'window',
  reserved: { cancel: 0, read: 0 },
  share: 1,
  guard: 0,
};

function build(changes: Partial<LaneBudgetOptions>): { clock: VirtualClock; budget: LaneBudget } {
  const clock = new VirtualClock(seconds(1));
  return { clock, budget: new LaneBudget({ ...plain, ...changes }, clock) };
}

describe('a lane budget in mode window', () => {
  test('admits rate plus burst requests and then none', () => {
    const { budget } = build({});
    expect(Array.from({ length: 6 }, () => budget.takeSlot('new'))).toEqual([0, 1, 2, 3, 4, -1]);
  });

  test('counts a request until exactly one window after its reply, however late the reply', () => {
    const { clock, budget } = build({});
    const slots = Array.from({ length: 5 }, () => budget.takeSlot('new'));
    clock.advance(seconds(7));
    expect(budget.takeSlot('new')).toBe(-1);
    budget.settle(slots[3] as number, false);
    expect(budget.wait('new')).toBe(seconds(1));
    clock.advance(micros(999_999));
    expect(budget.takeSlot('new')).toBe(-1);
    expect(budget.wait('new')).toBe(1);
    clock.advance(micros(1));
    expect(budget.wait('new')).toBe(0);
    expect(budget.takeSlot('new')).toBe(3);
    expect(budget.takeSlot('new')).toBe(-1);
  });

  test('waits one window when only a reply can make room', () => {
    const { budget } = build({});
    for (let i = 0; i < 5; i++) budget.takeSlot('new');
    expect(budget.wait('new')).toBe(seconds(1));
  });

  test('stretches the window by the guard', () => {
    const { clock, budget } = build({ rate: 1, burst: 0, guard: 15 });
    budget.settle(budget.takeSlot('new'), false);
    clock.advance(millis(1_014));
    expect(budget.admits('new')).toBe(false);
    clock.advance(millis(1));
    expect(budget.admits('new')).toBe(true);
  });

  test('gives a share of the limit to others on the address', () => {
    const { budget } = build({ rate: 300, burst: 200, share: 0.25 });
    expect(budget.usage()).toEqual({ inUse: 0, capacity: 125, waitingHint: 0 });
  });

  test('keeps room for cancels, and then for reads, that orders cannot take', () => {
    const { budget } = build({ reserved: { cancel: 2, read: 1 } });
    expect([budget.takeSlot('new'), budget.takeSlot('replace'), budget.takeSlot('new')]).toEqual([0, 1, -1]);
    expect(budget.takeSlot('replace')).toBe(-1);
    expect([budget.takeSlot('read'), budget.takeSlot('read')]).toEqual([2, -1]);
    expect([budget.takeSlot('cancel'), budget.takeSlot('cancel'), budget.takeSlot('cancel')]).toEqual([
      3, 4, -1,
    ]);
  });

  test('never reserves so much that a lane has no room at all', () => {
    const { budget } = build({ rate: 1, burst: 0, reserved: { cancel: 3, read: 3 } });
    expect(budget.takeSlot('new')).toBe(0);
  });

  test('a slot is free again at its reply, and settling it twice is a bug', () => {
    const { budget } = build({});
    const slot = budget.takeSlot('new');
    budget.settle(slot, false);
    expect(() => budget.settle(slot, false)).toThrow(/is not in use/);
    expect(() => budget.settle(99, false)).toThrow(/is not in use/);
  });
});

describe('a lane budget in mode both', () => {
  test('lets a burst go and then the rate, counted from the replies', () => {
    const { clock, budget } = build({ mode: 'both' });
    const slots = [budget.takeSlot('new'), budget.takeSlot('new')];
    expect(budget.takeSlot('new')).toBe(-1);
    clock.advance(seconds(5));
    expect(budget.takeSlot('new')).toBe(-1);
    for (const slot of slots) budget.settle(slot, false);
    expect(budget.wait('new')).toBe(333_334);
    clock.advance(micros(333_334));
    expect(budget.takeSlot('new')).toBeGreaterThanOrEqual(0);
    expect(budget.takeSlot('new')).toBe(-1);
  });

  test('spaces requests evenly where the document names no burst', () => {
    const { clock, budget } = build({ mode: 'both', rate: 5, burst: 0 });
    budget.settle(budget.takeSlot('read'), false);
    expect(budget.wait('read')).toBe(millis(200));
    clock.advance(millis(200));
    expect(budget.takeSlot('read')).toBe(0);
  });
});

describe('a refusal that arrives although there was room', () => {
  test('halves the pace of its lane only, which recovers over a minute', () => {
    const { clock, budget } = build({ rate: 100, burst: 100 });
    budget.settle(budget.takeSlot('new'), true);
    expect(budget.wait('new')).toBe(millis(10));
    expect(budget.wait('cancel')).toBe(0);
    clock.advance(millis(10));
    budget.settle(budget.takeSlot('new'), false);
    expect(budget.wait('new')).toBeLessThan(millis(10));
    expect(budget.wait('new')).toBeGreaterThan(millis(9));
    clock.advance(seconds(60));
    budget.settle(budget.takeSlot('new'), false);
    expect(budget.wait('new')).toBe(millis(5));
  });

  test('halves once for all requests that were already on their way', () => {
    const { clock, budget } = build({ rate: 100, burst: 100 });
    const slots = [budget.takeSlot('new'), budget.takeSlot('new'), budget.takeSlot('new')];
    for (const slot of slots) budget.settle(slot, true);
    expect(budget.wait('new')).toBe(millis(10));
    clock.advance(millis(10));
    budget.settle(budget.takeSlot('new'), true);
    expect(budget.wait('new')).toBeGreaterThan(millis(19));
  });

  test('again and again never spaces requests by more than two seconds', () => {
    const { clock, budget } = build({ rate: 5, burst: 0 });
    for (let i = 0; i < 30; i++) {
      budget.settle(budget.takeSlot('read'), true);
      expect(budget.wait('read')).toBeLessThanOrEqual(seconds(2));
      clock.advance(seconds(2));
    }
    expect(budget.wait('read')).toBe(0);
  });

  test('leaves no trace ten minutes later', () => {
    const { clock, budget } = build({ rate: 100, burst: 100 });
    budget.settle(budget.takeSlot('new'), true);
    clock.advance(seconds(601));
    budget.takeSlot('new');
    expect(budget.wait('new')).toBe(0);
  });
});

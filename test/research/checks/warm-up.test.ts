import { describe, expect, test } from 'vitest';
import type { PlainDecision } from '../../../src/research/checks/warm-up.ts';
import { hasSettled, recommendedWarmUp, settlingOf } from '../../../src/research/checks/warm-up.ts';

const decisions = (...times: readonly number[]): readonly PlainDecision[] =>
  times.map((time) => ({ time, text: `at ${time}` }));
const whole = decisions(1, 2, 3, 4, 5, 6, 7, 8, 9);

describe('a run that began later', () => {
  test('has settled behind the last decision that is not the same', () => {
    const later = [{ time: 3, text: 'another' }, ...decisions(4, 5, 6, 7, 8, 9)];
    const settling = settlingOf(whole, later, 3);
    expect(settling).toEqual({ start: 3, settled: 3, alike: 6, different: 1 });
    expect(hasSettled(settling)).toBe(true);
  });

  test('counts a decision that it did not take', () => {
    expect(settlingOf(whole, decisions(5, 6, 7, 8, 9), 2)).toMatchObject({
      settled: 4,
      alike: 5,
      different: 3,
    });
  });

  test('settles at once when all it decides is the same', () => {
    expect(settlingOf(whole, decisions(4, 5, 6, 7, 8, 9), 4)).toMatchObject({ settled: 4, different: 0 });
  });

  test('has not settled while fewer than five decisions in a row are alike', () => {
    expect(hasSettled(settlingOf(whole, decisions(6, 7, 8, 9), 2))).toBe(false);
  });
});

test('the warm-up is what the slowest start needed; there is none when one did not settle', () => {
  const fast = { start: 0, settled: 5, alike: 9, different: 1 };
  const slow = { start: 10, settled: 30, alike: 9, different: 1 };
  expect(recommendedWarmUp([fast, slow])).toBe(20);
  expect(recommendedWarmUp([fast, { ...slow, alike: 2 }])).toBeUndefined();
  expect(recommendedWarmUp([])).toBeUndefined();
});

test('starts that changed no decision show no warm-up, and one that did shows its own', () => {
  const unmoved = { start: 0, settled: 0, alike: 9, different: 0 };
  expect(recommendedWarmUp([unmoved, { ...unmoved, start: 4, settled: 4 }])).toBeUndefined();
  expect(recommendedWarmUp([unmoved, { start: 10, settled: 30, alike: 9, different: 1 }])).toBe(20);
});

import { expect, test } from 'vitest';
import { Recent } from '../../../src/core/base/recent.ts';

test('the latest entries are kept, and what is twice as old is not', () => {
  const recent = new Recent<number, string>(10);
  for (let key = 0; key < 1_000; key++) {
    recent.set(key, `${key}`);
    for (let back = 0; back < Math.min(10, key + 1); back++)
      expect(recent.get(key - back)).toBe(`${key - back}`);
    expect(recent.has(key - 20)).toBe(false);
  }
});

test('an entry is that of the last time it was set, until it is deleted', () => {
  const recent = new Recent<number, string>(2);
  recent.set(1, 'first');
  recent.set(2, 'other');
  recent.set(1, 'second');
  expect(recent.get(1)).toBe('second');
  recent.delete(1);
  expect([recent.get(1), recent.has(1), recent.has(2)]).toEqual([undefined, false, true]);
});

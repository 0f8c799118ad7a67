import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AscendingIds } from '../../../src/core/base/ascending-ids.ts';
import { Recent } from '../../../src/core/base/recent.ts';

const id = fc.oneof(fc.integer({ min: 0, max: 60 }).map(String), fc.constantFrom('', 'a', 'b1', 'zz'));
const step = fc.record({ act: fc.constantFrom('add', 'add', 'next', 'delete', 'lowest'), id });

test('ids are in it as in a set, in whatever order they come and go', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), id, (steps, other) => {
      const ids = new AscendingIds();
      const naive = new Set<string>();
      let next = 0;
      for (const one of steps) {
        const [lowest = one.id] = naive;
        const text = one.act === 'next' ? String((next += 1)) : one.act === 'lowest' ? lowest : one.id;
        expect(ids.has(text)).toBe(naive.has(text));
        if (one.act === 'delete' || one.act === 'lowest') expect(ids.delete(text)).toBe(naive.delete(text));
        else {
          ids.add(text);
          naive.add(text);
        }
        expect(ids.size).toBe(naive.size);
      }
      for (const one of [...naive, other]) expect(ids.has(one)).toBe(naive.has(one));
    }),
  );
});

test('thousands of numbers that come and go leave nothing behind', () => {
  const ids = new AscendingIds();
  for (let i = 0; i < 20_000; i++) {
    ids.add(String(i));
    if (i >= 10) expect(ids.delete(String(i - 10))).toBe(true);
  }
  expect(ids.size).toBe(10);
  expect(ids.has('19990')).toBe(true);
  expect(ids.has('19989')).toBe(false);
});

test('of the latest ids at least as many are known as were asked for, at most twice as many', () => {
  const ids = new Recent<string, true>(10, () => new AscendingIds());
  for (let i = 0; i < 1_000; i++) {
    ids.set(String(i), true);
    for (let back = 0; back < Math.min(10, i + 1); back++) expect(ids.has(String(i - back))).toBe(true);
    expect(ids.has(String(i - 20))).toBe(false);
  }
  ids.delete('999');
  expect(ids.has('999')).toBe(false);
});

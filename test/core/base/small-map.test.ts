import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SmallMap } from '../../../src/core/base/small-map.ts';

const names = Array.from({ length: 14 }, (_, i) => `order-${i}`);
const key = fc.constantFrom(...names);
const deed = fc.oneof(
  fc.record({ do: fc.constant('set' as const), key, value: fc.nat(9) }),
  fc.record({ do: fc.constant('delete' as const), key }),
);

test('it holds what a map would hold, in the same order, be they few or many', () => {
  fc.assert(
    fc.property(fc.array(deed, { maxLength: 90 }), (deeds) => {
      const map = new Map<string, number>();
      const few = new SmallMap<string, number>();
      for (const one of deeds) {
        if (one.do === 'delete') expect(few.delete(one.key)).toBe(map.delete(one.key));
        else {
          map.set(one.key, one.value);
          few.set(one.key, one.value);
        }
        expect(few.size).toBe(map.size);
        for (const name of names) {
          expect(few.get(name)).toBe(map.get(name));
          expect(few.has(name)).toBe(map.has(name));
        }
        expect(few.oldestKey()).toBe([...map.keys()][0]);
        expect(few.keys()).toEqual([...map.keys()]);
        expect(few.values()).toEqual([...map.values()]);
      }
    }),
  );
});

test('twenty entries come, and go again, and come', () => {
  const few = new SmallMap<number, string>();
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 20; i++) few.set(i, `v${i}`);
    expect(few.size).toBe(20);
    for (let i = 0; i < 20; i++) expect(few.delete(i)).toBe(true);
    expect(few.size).toBe(0);
    expect(few.oldestKey()).toBe(undefined);
  }
});

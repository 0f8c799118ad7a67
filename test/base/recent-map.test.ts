import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RecentMap } from '../../src/base/recent-map.ts';

const key = fc.constantFrom('a', 'b', 'c', 'd');
const deed = fc.oneof(
  fc.record({ do: fc.constant('set' as const), key, value: fc.nat(9) }),
  fc.record({ do: fc.constant('delete' as const), key }),
  fc.record({ do: fc.constant('file' as const) }),
);

test('it holds what a map would hold, in the same order, whenever it files', () => {
  fc.assert(
    fc.property(fc.array(deed, { maxLength: 30 }), (deeds) => {
      const map = new Map<string, number>();
      const recent = new RecentMap<number>();
      for (const one of deeds) {
        if (one.do === 'file') recent.file();
        else if (one.do === 'delete') expect(recent.delete(one.key)).toBe(map.delete(one.key));
        else {
          map.set(one.key, one.value);
          recent.set(one.key, one.value);
        }
        expect(recent.size).toBe(map.size);
        for (const name of ['a', 'b', 'c', 'd']) expect(recent.get(name)).toBe(map.get(name));
      }
      expect(recent.oldestKey()).toBe([...map.keys()][0]);
      expect([...recent.values()]).toEqual([...map.values()]);
    }),
  );
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IdHeads } from '../../../src/core/state/id-heads.ts';

const part = fc.stringMatching(/^[0-9a-z]{1,3}$/);
const id = fc.tuple(fc.constantFrom('gw-1-a-', 'gw-1-b-', 'gw-1-', ''), part).map((parts) => parts.join(''));

test('an id that was seen is never called new, whenever its head began to be kept', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(id, fc.boolean()), { maxLength: 40 }), id, (ids, other) => {
      const heads = new IdHeads();
      const seen = new Set<string>();
      for (const [one, own] of ids) {
        seen.add(one);
        heads.saw(one);
        if (own) heads.own(one, seen);
        for (const old of seen) expect(heads.isNew(old)).toBe(false);
      }
      if (heads.isNew(other)) expect(seen.has(other)).toBe(false);
    }),
  );
});

test('the next id of a maker is new', () => {
  const heads = new IdHeads();
  heads.own('gw-1-a-0000z', ['gw-1-a-00001']);
  expect(heads.isNew('gw-1-a-00010')).toBe(true);
  expect(heads.isNew('gw-1-a-100000')).toBe(true);
  expect(heads.isNew('gw-1-a-0000y')).toBe(false);
  expect(heads.isNew('gw-1-b-00010')).toBe(false);
});

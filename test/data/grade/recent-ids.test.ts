import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RecentIds } from '../../../src/data/grade/recent-ids.ts';

const kept = 4_096;

/** The plain form: which ids of a list are among the last 4,096 different ones before them. */
function repeatedIn(ids: readonly string[]): readonly boolean[] {
  const recent = new Set<string>();
  return ids.map((id) => {
    if (recent.has(id)) return true;
    recent.add(id);
    for (const oldest of recent) {
      if (recent.size > kept) recent.delete(oldest);
      break;
    }
    return false;
  });
}

function found(ids: readonly string[]): readonly boolean[] {
  const recent = new RecentIds();
  return ids.map((id) => recent.isRepeated(id));
}

/** `count` ids from `first` on. */
function rising(first: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => String(first + i));
}

const longer = kept + 1_000;

test.each([
  ['rise', rising(10, longer)],
  ['rise, and the last ones come again', [...rising(10, longer), ...rising(longer - 500, 600)]],
  ['begin anew', [...rising(0, longer), ...rising(0, longer)]],
  ['come again behind the last ones', [...rising(0, longer), '3', '3', ...rising(longer, 20), '3']],
  ['fall', rising(0, longer).toReversed()],
  ['are words', rising(0, longer).map((id) => `trade-${id}`)],
  ['become words', [...rising(0, longer), ...rising(0, longer).map((id) => `0${id}`), '7', `${longer - 1}`]],
  ['differ by zeros alone', ['1', '01', '001', '1', '01', '0', '00', '', '0', '']],
  ['are too long for a number', ['9007199254740992', '9007199254740993', '9007199254740992', '1e3', '1000']],
])('ids that %s are repeated exactly where one of the last 4,096 comes again', (_, ids) => {
  expect(found(ids)).toEqual(repeatedIn(ids));
});

test('any ids, from wherever they rise, fall or change their form', () => {
  const piece = fc
    .record({
      first: fc.nat(12_000),
      count: fc.nat(6_000),
      form: fc.constantFrom('up', 'up', 'down', 'text'),
    })
    .map(({ first, count, form }) => {
      const ids = rising(first, count);
      if (form === 'text') return ids.map((id) => `t${id}`);
      return form === 'up' ? ids : ids.toReversed();
    });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 4 }), (pieces) => {
      const ids = pieces.flat();
      expect(found(ids)).toEqual(repeatedIn(ids));
    }),
    { seed: 37, numRuns: 40 },
  );
});

import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { catalogueIds, idsIn } from './catalogue.ts';
import { faultKindsByRow, facts, keptFigures } from './facts.ts';
import type { Row } from './row.ts';
import { testsOf } from './row.ts';
import { sections } from './rows.ts';
import { pageWithRows } from './table.ts';
import { hasTest, troubles } from './troubles.ts';

const rows = sections.flatMap((section) => section.rows);
const catalogue = new URL('../../../shared/design/faults.md', import.meta.url);

test('every row of the catalogue of faults has files that do it and tests that show it', () => {
  expect(troubles(rows, facts())).toEqual([]);
});

test.skipIf(!existsSync(catalogue))(
  'the ids are those of the catalogue, where that lies beside the project',
  () => {
    const ids = idsIn(readFileSync(catalogue, 'utf8'));
    expect(ids.length).toBeGreaterThan(180);
    expect(ids.filter((id) => !catalogueIds.includes(id))).toEqual([]);
  },
);

test('docs/reliability.md is what the rows make: npx node test/reliability/table.ts --write', () => {
  const { made, written } = pageWithRows();
  expect(written).toBe(made);
});

test('faults of the simulation stand for rows that there are', () => {
  const kinds = faultKindsByRow();
  expect([...kinds.values()].flat().length).toBeGreaterThan(60);
  const known = [...catalogueIds, 'M'];
  expect([...kinds.keys()].filter((row) => !known.includes(row))).toEqual([]);
});

test('a figure that was kept is of a row that names it', () => {
  const named = new Set(
    rows.flatMap((row) => testsOf(row)).map((one) => one.split(' ').slice(0, 2).join(' ')),
  );
  const unnamed = keptFigures().filter(({ row }) => !named.has(`prove ${row}`));
  expect(unnamed.map(({ row }) => row)).toEqual([]);
});

describe('the check notices', () => {
  const known: Row = {
    id: 'N4',
    holds: 'The connection is cut after the venue took the order.',
    where: ['core/orders/reconcile.ts'],
    tests: ['system/faults.test.ts: N4: the connection is reset after acceptance'],
  };
  const all = facts();
  const seen = (row: Partial<Row>) => troubles([{ ...known, ...row }], { ...all, ids: ['N4'], rules: [] });

  test('nothing in a row that is right', () => {
    expect(seen({})).toEqual([]);
  });

  test.each<[string, Partial<Row>, string]>([
    ['a row without a test', { tests: [] }, 'N4: expected a test, found none'],
    ['a row without a file', { where: [] }, 'N4: expected a file of src, found none'],
    ['a file of src that is gone', { where: ['core/gone.ts'] }, 'N4: src/core/gone.ts is not there'],
    [
      'a test file that is gone',
      { tests: ['system/gone.test.ts: N4: the connection is reset after acceptance'] },
      'N4: test/system/gone.test.ts is not there',
    ],
    [
      'a title that is not in the file',
      { tests: ['system/faults.test.ts: N4: the connection is reset'] },
      'N4: test/system/faults.test.ts has no test "N4: the connection is reset"',
    ],
    [
      'a check that the simulation has not',
      { tests: ['check I99'] },
      'N4: the simulation has no check of I99',
    ],
    [
      'a mark that it does not want',
      { tests: ['mark branch/gone'] },
      'N4: the simulation wants no mark branch/gone',
    ],
    ['a figure that is not measured', { tests: ['prove gone'] }, 'N4: npm run prove has no row gone'],
  ])('%s', (_what, change, sentence) => {
    expect(seen(change)).toEqual([sentence]);
  });

  test('an id without a row, a row without an id, and two rows of one id', () => {
    const from = (list: readonly Row[], ids: readonly string[]) => troubles(list, { ...all, ids, rules: [] });
    expect(from([known], ['N4', 'N5'])).toEqual(['N5: expected a row, found none']);
    expect(from([known], [])).toEqual(['N4: a row that the catalogue does not have']);
    expect(from([known, known], ['N4'])).toEqual(['N4: has two rows']);
  });

  test('a rule without a word on orders in flight', () => {
    expect(troubles([known], { ...all, ids: [], rules: ['N4'] })).toEqual([
      'N4: expected a test with orders in flight, or the reason for none',
    ]);
  });

  test('a title that no test has: one of a group, one in a text, one that is skipped', () => {
    expect(hasTest("test('it holds', () => {})", 'it holds')).toBe(true);
    expect(hasTest("test.each(cases)(\n  'it holds',\n  () => {})", 'it holds')).toBe(true);
    expect(hasTest("describe('it holds', () => {})", 'it holds')).toBe(false);
    expect(hasTest("const text = ['it holds', 1]", 'it holds')).toBe(false);
    const skipped = ['test', 'skip'].join('.');
    expect(hasTest(`${skipped}('it holds', () => {})`, 'it holds')).toBe(false);
    expect(hasTest("test('it holds, too', () => {})", 'it holds')).toBe(false);
  });
});

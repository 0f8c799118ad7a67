import { expect, test } from 'vitest';
import type { PageQuery } from '../../../src/exchange/base/page.ts';
import { historyOf, pageOf } from '../../../src/exchange/base/page.ts';
import { Ring } from '../../../src/exchange/base/ring.ts';

interface Row {
  readonly id: number;
  readonly time: number;
}

const rows: Row[] = Array.from({ length: 20 }, (_, index) => ({ id: index + 1, time: 1_000 + 10 * index }));
const reading = { numberOf: (row: Row) => row.id, timeOf: (row: Row) => row.time, accepts: () => true };
const ids = (query: Partial<PageQuery>) =>
  pageOf(
    historyOf(rows),
    { sort: 'DESC', by: 'id', from: undefined, till: undefined, limit: 3, offset: 0, ...query },
    reading,
  ).map((row) => row.id);

test('pages run from the newest or the oldest, with both ends included', () => {
  expect(ids({})).toEqual([20, 19, 18]);
  expect(ids({ offset: 2 })).toEqual([18, 17, 16]);
  expect(ids({ sort: 'ASC', offset: 18 })).toEqual([19, 20]);
  expect(ids({ from: 5, till: 6 })).toEqual([6, 5]);
  expect(ids({ by: 'timestamp', from: 1_050, till: 1_060, sort: 'ASC' })).toEqual([6, 7]);
});

test('consecutive pages meet without a gap or a repetition', () => {
  const all = Array.from({ length: 7 }, (_, page) => ids({ sort: 'ASC', offset: page * 3 })).flat();
  expect(all).toEqual(rows.map((row) => row.id));
});

test('a filter counts before the offset', () => {
  const even = pageOf(
    historyOf(rows),
    { sort: 'ASC', by: 'id', from: undefined, till: undefined, limit: 2, offset: 1 },
    { ...reading, accepts: (row) => row.id % 2 === 0 },
  );
  expect(even.map((row) => row.id)).toEqual([4, 6]);
});

test('a ring keeps the newest and counts from the oldest kept', () => {
  const ring = new Ring<number>(3);
  expect([1, 2, 3, 4, 5].map((item) => ring.push(item))).toEqual([undefined, undefined, undefined, 1, 2]);
  expect([ring.at(0), ring.at(1), ring.at(2), ring.at(3), ring.last]).toEqual([3, 4, 5, undefined, 5]);
  expect(ring.lowerBound(4, (item) => item)).toBe(1);
});

import { describe, expect, test } from 'vitest';
import { openData } from '../../../src/data/open/market-data.ts';
import { dbn } from './support/dbn.ts';
import type { DbnRow } from './support/dbn.ts';
import { eventsOf, written } from './support/tables.ts';

let files = 0;

/** What happens to single orders, event by event: `execute 2 5` takes 5 lots of the second order of the file. */
async function received(rows: readonly DbnRow[]): Promise<readonly (readonly string[])[]> {
  const mapping = [{ symbol: 'ESM4', ids: [7] }];
  const path = written(`fills-${(files += 1)}.dbn`, dbn(mapping, rows));
  const names = ['join', 'leave', 'execute', 'hidden'];
  return (await eventsOf(await openData(path))).flatMap((event) => {
    if (event.kind !== 'bookUpdate' && event.kind !== 'bookSnapshot') return [];
    const changes = [...(event.orders ?? [])];
    return [
      Array.from({ length: changes.length / 5 }, (_, i) =>
        [names[changes[i * 5] ?? 0], changes[i * 5 + 1], changes[i * 5 + 4]].join(' '),
      ),
    ];
  });
}

/** Two bids of 5 and 8 lots, then the records of one second. */
const book = (...rows: readonly Omit<DbnRow, 'id' | 'second'>[]): readonly DbnRow[] => [
  { id: 7, second: 0, order: 11, price: 100, size: 5 },
  { id: 7, second: 1, order: 12, price: 100, size: 8 },
  ...rows.map((row) => ({ id: 7, second: 2, ...row })),
];
const trade = { action: 'T', side: 'A', order: 99, price: 100, flags: 0 } as const;

describe('fills of Databento', () => {
  test('execute the orders that were taken, when their record comes and before the cancels', async () => {
    expect(
      await received(
        book(
          { ...trade, size: 7 },
          { action: 'F', side: 'B', order: 11, price: 100, size: 5, flags: 0 },
          { action: 'F', side: 'B', order: 12, price: 100, size: 2, flags: 0 },
          { action: 'C', side: 'B', order: 11, price: 100, size: 5, flags: 0 },
          { action: 'M', side: 'B', order: 12, price: 100, size: 6 },
        ),
      ),
    ).toEqual([['join 1 5'], ['join 2 8'], ['execute 1 5', 'execute 2 2']]);
  });

  test('on the side of the taker are its own, and execute nothing that rests', async () => {
    // Order 12 goes up to cross, takes 3 lots, and what is left of it rests.
    expect(
      await received(
        book(
          { action: 'T', side: 'B', order: 0, price: 101, size: 3, flags: 0 },
          { action: 'F', side: 'B', order: 12, price: 101, size: 3, flags: 0 },
          { action: 'M', side: 'B', order: 12, price: 100, size: 5 },
        ),
      ),
    ).toEqual([['join 1 5'], ['join 2 8'], ['leave 2 3']]);
    // The same where the venue does not say who took, by the number of the order.
    expect(
      await received(
        book(
          { action: 'T', side: 'N', order: 12, price: 101, size: 3, flags: 0 },
          { action: 'F', side: 'B', order: 12, price: 101, size: 3, flags: 0 },
          { action: 'M', side: 'B', order: 12, price: 100, size: 5 },
        ),
      ),
    ).toEqual([['join 1 5'], ['join 2 8'], ['leave 2 3']]);
  });

  test('of a later time than the last trade are not measured by it', async () => {
    expect(
      await received([
        ...book({ ...trade, side: 'B', size: 3 }),
        { id: 7, second: 3, action: 'F', side: 'B', order: 11, price: 100, size: 5, flags: 0 },
        { id: 7, second: 3, action: 'C', side: 'B', order: 11, price: 100, size: 5 },
      ]),
    ).toEqual([['join 1 5'], ['join 2 8'], ['execute 1 5']]);
  });

  test('of an order that shows its whole size again send it to the end of its queue', async () => {
    expect(
      await received([
        ...book(
          { ...trade, size: 5 },
          { action: 'F', side: 'B', order: 11, price: 100, size: 5, flags: 0 },
          { action: 'M', side: 'B', order: 11, price: 100, size: 5 },
        ),
        { id: 7, second: 3, action: 'C', side: 'B', order: 11, price: 100, size: 5 },
      ]),
    ).toEqual([['join 1 5'], ['join 2 8'], ['execute 1 5', 'join 1 5'], ['leave 1 5']]);
  });

  test('without a cancel in their event are reported at once', async () => {
    expect(
      await received([
        ...book({ ...trade, size: 5 }, { action: 'F', side: 'B', order: 12, price: 100, size: 5 }),
        { id: 7, second: 3, action: 'M', side: 'B', order: 12, price: 100, size: 3 },
        { id: 7, second: 4, action: 'C', side: 'B', order: 12, price: 100, size: 3 },
      ]),
    ).toEqual([['join 1 5'], ['join 2 8'], ['execute 2 5'], [], ['leave 2 3']]);
  });
});

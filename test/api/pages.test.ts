import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import type { PageAsked } from '../../src/venues/hitbtc/typed/calls/pages.ts';
import { historyRows } from '../../src/venues/hitbtc/typed/calls/pages.ts';

/** A history as the documents page it: from and till included, offset to 100000, limit to 1000. */
function history(ids: readonly number[], asked: PageAsked[]) {
  return (page: PageAsked): Promise<readonly number[]> => {
    asked.push(page);
    expect(page.offset).toBeLessThanOrEqual(100_000);
    expect(page.limit).toBeLessThanOrEqual(1_000);
    const within = ids.filter(
      (id) => id >= Number(page.from ?? 0) && id <= Number(page.till ?? Number.MAX_SAFE_INTEGER),
    );
    const ordered = page.sort === 'ASC' ? within : within.toReversed();
    return Promise.resolve(ordered.slice(page.offset, page.offset + page.limit));
  };
}

async function walk(ids: readonly number[], sort: 'ASC' | 'DESC', limit?: number) {
  const asked: PageAsked[] = [];
  const rows: number[] = [];
  const plan = { fetch: history(ids, asked), position: String, identity: String, sort, limit };
  for await (const row of historyRows<number>(plan)) rows.push(row);
  return { rows, asked };
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('paging', () => {
  test('gives every row once, in order, whatever the size of the pages', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(40),
        fc.integer({ min: 1, max: 12 }),
        fc.boolean(),
        async (count, limit, ascending) => {
          const ids = upTo(count);
          const { rows } = await walk(ids, ascending ? 'ASC' : 'DESC', limit);
          expect(rows).toEqual(ascending ? ids : ids.toReversed());
        },
      ),
      { seed: 7 },
    );
  });

  test.each(['ASC', 'DESC'] as const)(
    'goes past offset 100000 by the position of the last row, %s',
    async (sort) => {
      const ids = upTo(205_500);
      const { rows, asked } = await walk(ids, sort);
      expect(rows).toEqual(sort === 'ASC' ? ids : ids.toReversed());
      expect(asked.some(({ offset }) => offset === 100_000)).toBe(true);
      expect(
        asked.filter(({ from, till }) => from !== undefined || till !== undefined).length,
      ).toBeGreaterThan(100);
    },
  );

  test('says so when more rows stand in one place than the documents let be read', async () => {
    const walked = async () => {
      const fetch = (page: PageAsked) =>
        Promise.resolve(Array.from({ length: page.limit }, (_, index) => page.offset + index));
      for await (const row of historyRows<number>({ fetch, position: () => 'same', identity: String })) {
        expect(row).toBeGreaterThanOrEqual(0);
      }
    };
    await expect(walked()).rejects.toThrow('stand at same');
  });

  test('never asks for more than 1000 rows', async () => {
    const { asked } = await walk(upTo(10), 'ASC', 50_000);
    expect(asked).toEqual([{ sort: 'ASC', limit: 1_000, offset: 0 }]);
  });
});

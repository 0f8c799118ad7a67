import fc from 'fast-check';
import { expect, test } from 'vitest';
import { callOf } from '../../../../src/venues/hitbtc/client/rest/rest.ts';
import { wireParams } from '../../../../src/venues/hitbtc/typed/calls/input.ts';
import { readRequestParams } from '../../../../src/venues/hitbtc/wire/param-fields.ts';
import { bookQuery, booksQuery } from '../../../../src/venues/hitbtc/wire/resources/book.ts';
import { v2Endpoints } from '../../../../src/venues/hitbtc/wire/v2/rest.ts';
import { v3Endpoints } from '../../../../src/venues/hitbtc/wire/v3/rest.ts';
import { settings } from './seed.ts';

const symbol = fc.stringMatching(/^[A-Z]{3,9}$/);

test('which books and levels a client asks for is what the exchange reads, in both versions', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(symbol, { minLength: 1, maxLength: 3 }),
      fc.nat({ max: 2_000 }),
      fc.option(fc.constantFrom('1', '0.25'), { nil: undefined }),
      (symbols, depth, volume) => {
        const [one = ''] = symbols;
        const single = { symbol: one, depth, volume };
        const versions = [
          ['v3', v3Endpoints, 'snake', 'depth'],
          ['v2', v2Endpoints, 'camel', 'limit'],
        ] as const;
        for (const [version, rows, spelling, name] of versions) {
          const asked = { symbol: one, [name]: depth, volume };
          const { call } = callOf(rows.publicOrderBook, wireParams(asked, spelling), version);
          expect(call).toEqual(callOf(rows.publicOrderBook, bookQuery[version].write(single), version).call);
          expect(call.path).toBe(`/public/orderbook/${one}`);
          const query = Object.fromEntries(new URLSearchParams(call.query));
          expect(readRequestParams(rows.publicOrderBook.params, { ...query, symbol: one })).toEqual({
            ok: true,
            params: single,
          });
          const many = callOf(rows.publicOrderBooks, booksQuery[version].write({ symbols, depth }), version);
          const read = Object.fromEntries(new URLSearchParams(many.call.query));
          expect(readRequestParams(rows.publicOrderBooks.params, read)).toEqual({
            ok: true,
            params: { symbols, depth },
          });
        }
      },
    ),
    settings,
  );
});

test('without a number 100 levels are meant, and -1 means all in v3 only', () => {
  const read = (params: object) =>
    readRequestParams(v3Endpoints.publicOrderBook.params, { symbol: 'A', ...params });
  expect(read({})).toEqual({ ok: true, params: { symbol: 'A', depth: 100 } });
  expect(read({ depth: '-1' })).toEqual({ ok: true, params: { symbol: 'A', depth: 0 } });
  const v2 = readRequestParams(v2Endpoints.publicOrderBook.params, { symbol: 'A', limit: '-1' });
  expect(v2).toMatchObject({ ok: false, error: { code: 10_001 } });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Amount } from '../../../../../src/core/base/amount.ts';
import { BadInput } from '../../../../../src/core/base/errors.ts';
import { readRequestParams } from '../../../../../src/venues/hitbtc/wire/param-fields.ts';
import type { FuturesSeries } from '../../../../../src/venues/hitbtc/wire/resources/futures.ts';
import {
  fundingRow,
  futuresCandleObject,
  futuresState,
  futuresSeries,
  readFuturesNotice,
} from '../../../../../src/venues/hitbtc/wire/resources/futures.ts';
import { v3Endpoints } from '../../../../../src/venues/hitbtc/wire/v3/rest.ts';
import { amount, instrument, time } from '../arbitrary.ts';
import { settings } from '../seed.ts';

/** Rates of 18 decimals, of either sign. */
const rate = fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }).map((value) => (value * 10n ** 6n) as Amount);
const state = fc.record({
  contractType: fc.constant('perpetual'),
  markPrice: amount,
  indexPrice: amount,
  fundingRate: rate,
  openInterest: amount,
  nextFundingTime: time,
  indicativeFundingRate: rate,
  premiumIndex: rate,
  avgPremiumIndex: rate,
  interestRate: rate,
  time,
});
const funding = fc.record({
  time,
  fundingRate: rate,
  avgPremiumIndex: rate,
  nextFundingTime: time,
  interestRate: rate,
});
const candle = fc.record({ time, open: rate, close: rate, min: rate, max: rate });

function sent(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}

test('contracts, settlements and candles a server writes are what a client reads', () => {
  fc.assert(
    fc.property(
      instrument,
      state,
      fc.array(funding, { maxLength: 4 }),
      fc.array(candle, { maxLength: 4 }),
      fc.constantFrom<FuturesSeries>(...futuresSeries),
      (one, seen, rows, candles, series) => {
        const name = one.symbol;
        const info = sent(futuresState.v3.write(seen, one));
        expect(v3Endpoints.publicFuturesInfo.answer(info, { symbol: name })).toEqual(seen);
        expect(v3Endpoints.publicFuturesInfos.answer({ [name]: info }, {})).toEqual(new Map([[name, seen]]));
        expect(readFuturesNotice(sent(futuresState.channel.write(seen, one)), name)).toEqual(seen);
        const settled = sent(rows.map((row) => fundingRow.v3.write(row)));
        expect(v3Endpoints.publicFundingHistoryOfSymbol.answer(settled, { symbol: name })).toEqual(rows);
        expect(v3Endpoints.publicFundingHistory.answer({ [name]: settled }, {})).toEqual(
          new Map([[name, rows]]),
        );
        const bars = sent(candles.map((bar) => futuresCandleObject(one, series, bar)));
        expect(v3Endpoints.publicPremiumIndexCandlesOfSymbol.answer(bars, { symbol: name })).toEqual(candles);
        expect(v3Endpoints.publicMarkPriceCandles.answer({ [name]: bars }, {})).toEqual(
          new Map([[name, candles]]),
        );
      },
    ),
    { ...settings, numRuns: 100 },
  );
});

test('what is missing is named', () => {
  expect(() =>
    v3Endpoints.publicFuturesInfo.answer({ contract_type: 'perpetual' }, { symbol: 'X_PERP' }),
  ).toThrow(BadInput);
  expect(() =>
    v3Endpoints.publicFuturesInfo.answer({ contract_type: 'perpetual' }, { symbol: 'X_PERP' }),
  ).toThrow(/futures info of X_PERP: member mark_price/);
  expect(() => readFuturesNotice({ c: 'perpetual', t: 'now' }, 'X_PERP')).toThrow(/member t/);
});

test.each([
  ['publicFundingHistory', 100],
  ['publicFundingHistoryOfSymbol', 100],
  ['publicIndexPriceCandles', 10],
  ['publicMarkPriceCandlesOfSymbol', 100],
  ['publicPremiumIndexCandles', 10],
  ['publicPremiumIndexCandlesOfSymbol', 100],
  ['publicOpenInterestCandles', 10],
  ['publicOpenInterestCandlesOfSymbol', 100],
] as const)('%s answers %i rows, newest first, unless asked otherwise', (name, limit) => {
  expect(readRequestParams<unknown>(v3Endpoints[name].params, { symbol: 'X' })).toMatchObject({
    ok: true,
    params: { page: { sort: 'DESC', by: 'timestamp', limit, offset: 0 } },
  });
});

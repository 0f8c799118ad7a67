import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAmount } from '../../../../../src/core/base/amount.ts';
import { fillPath } from '../../../../../src/venues/hitbtc/wire/endpoint.ts';
import { readRequestParams } from '../../../../../src/venues/hitbtc/wire/param-fields.ts';
import {
  decodeV3Currencies,
  encodeV3Currency,
} from '../../../../../src/venues/hitbtc/wire/resources/currency.ts';
import { orderBook } from '../../../../../src/venues/hitbtc/wire/resources/book.ts';
import { v3Endpoints } from '../../../../../src/venues/hitbtc/wire/v3/rest.ts';
import type { Micros } from '../../../../../src/core/base/clock.ts';
import { decodeV3Symbols, encodeSymbol } from '../../../../../src/venues/hitbtc/wire/resources/symbol.ts';
import {
  abcInstruments,
  balance,
  candleOf,
  instrument,
  level,
  marketTrades,
  ownTrade,
  tickerOf,
  time,
} from '../arbitrary.ts';
import { venueOrder } from '../arbitrary.ts';
import { exactCandle, exactLevels, exactTicker, exactTrade } from '../exact.ts';
import { settings } from '../seed.ts';
import { instrumentsOf, recorded } from '../recordings.ts';
import {
  decodeOrder,
  decodeOwnTrade,
  encodeOrder,
  encodeOwnTrade,
} from '../../../../../src/venues/hitbtc/wire/resources/order-model.ts';
import {
  walletBalance,
  balanceOfCurrency,
  feeRates,
  spotBalance,
  spotBalanceOfCurrency,
  withMargin,
} from '../../../../../src/venues/hitbtc/wire/resources/account.ts';
import {
  encodeCandle,
  encodePublicTrade,
  encodeTicker,
  lastPrice,
  priceHistory,
  priceRate,
} from '../../../../../src/venues/hitbtc/wire/resources/market.ts';

const instruments = abcInstruments;

function sent(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}

describe('answers a server writes are answers a client reads', () => {
  test('books, trades, candles, tickers', () => {
    fc.assert(
      fc.property(
        instrument.chain((one) =>
          fc.tuple(
            fc.constant(one),
            time,
            fc.array(level),
            marketTrades,
            fc.array(candleOf(one, 'H1')),
            tickerOf(one),
          ),
        ),
        ([one, at, levels, trades, candles, ticker]) => {
          const book = { time: at, asks: levels, bids: levels };
          const side = exactLevels(one, levels);
          expect(v3Endpoints.publicOrderBook.answer(sent(orderBook.v3.write(book, one)), {})).toEqual({
            timestamp: at,
            ask: side,
            bid: side,
          });
          const rows = sent({ [one.symbol]: trades.map((trade) => encodePublicTrade('v3', trade, one)) });
          expect(v3Endpoints.publicTrades.answer(rows, {})).toEqual(
            new Map([[one.symbol, trades.map((trade) => exactTrade(one, trade))]]),
          );
          const bars = sent(candles.map((candle) => encodeCandle('v3', candle, one)));
          expect(v3Endpoints.publicCandlesOfSymbol.answer(bars, {})).toEqual(candles.map(exactCandle));
          const tickers = sent({ [one.symbol]: encodeTicker('v3', ticker, one) });
          expect(v3Endpoints.publicTickers.answer(tickers, {})).toEqual(
            new Map([[one.symbol, exactTicker(one, ticker)]]),
          );
        },
      ),
      { ...settings, numRuns: 100 },
    );
  });

  test('orders, own trades, balances', () => {
    fc.assert(
      fc.property(fc.array(venueOrder), fc.array(ownTrade), fc.array(balance), (orders, trades, balances) => {
        const rows = orders.map((order) => encodeOrder('v3', order, instruments.at(order.instrument)));
        const read = v3Endpoints.spotActiveOrders.answer(sent(rows), {});
        expect(read.map(({ clientOrderId }) => clientOrderId)).toEqual(
          orders.map(({ clientOrderId }) => clientOrderId),
        );
        expect(rows.map((row) => decodeOrder('v3', sent(row), instruments))).toEqual(orders);
        const fills = trades.map((trade) => encodeOwnTrade('v3', trade, instruments.at(trade.instrument)));
        expect(v3Endpoints.spotTradeHistory.answer(sent(fills), {}).map(({ id }) => id)).toEqual(
          trades.map(({ tradeId }) => tradeId),
        );
        expect(fills.map((row) => decodeOwnTrade('v3', sent(row), instruments))).toEqual(trades);
        expect(
          walletBalance.v3.decodeList(sent(balances.map((one) => spotBalance.v3.write(withMargin(one))))),
        ).toEqual(balances);
        const [first] = balances;
        if (first !== undefined)
          expect(
            balanceOfCurrency.v3.decode(sent(spotBalanceOfCurrency.v3.write(withMargin(first)))),
          ).toMatchObject({ available: first.available });
      }),
      { ...settings, numRuns: 50 },
    );
  });

  test('symbols, currencies, fees, rates, last prices', () => {
    const specs = instruments.all.map((one) => one.spec);
    const futures = { ...instruments.get('AAABBB').spec, symbol: 'AAABBB_PERP', type: 'futures' as const };
    const ending = { ...futures, symbol: 'AAABBB_END', expiry: 1_711_699_200_000_000 as Micros };
    const rows = Object.fromEntries(
      [...specs, futures, ending].map((spec) => [spec.symbol, encodeSymbol('v3', spec)]),
    );
    expect(decodeV3Symbols(sent(rows))).toEqual([...specs, futures, ending]);
    expect(rows['AAABBB_END']).toMatchObject({
      contract_type: 'cash_settled',
      expiry: '2024-03-29T08:00:00.000Z',
    });
    // One with an expiry that nobody can read still is an instrument.
    const odd = { AAABBB_END: { ...rows['AAABBB_END'], expiry: 'soon' } };
    expect(decodeV3Symbols(sent(odd))[0]).toEqual({ ...futures, symbol: 'AAABBB_END' });
    const [btc] = decodeV3Currencies({
      BTC: {
        full_name: 'Bitcoin',
        crypto: true,
        precision_transfer: '0.00000001',
        networks: [{ code: 'BTC', network: 'BTC', asset_id: { contract_address: 'x' } }],
      },
    });
    expect(btc).toMatchObject({
      code: 'BTC',
      fullName: 'Bitcoin',
      networks: [{ assetId: { contract_address: 'x' } }],
    });
    if (btc === undefined) throw new Error('no currency');
    expect(v3Endpoints.publicCurrencies.answer(sent({ BTC: encodeV3Currency(btc) }), {})).toEqual([btc]);
    const fee = { symbol: 'AAABBB', takeRate: parseAmount('0.0025'), makeRate: parseAmount('-0.0001') };
    expect(v3Endpoints.spotFees.answer(sent([feeRates.v3.write(fee)]), {})).toEqual([fee]);
    const at = 1_704_164_645_678_000 as never;
    const price = parseAmount('10.0213');
    const rate = { from: 'AAA', to: 'BBB', price, time: at };
    expect(v3Endpoints.publicPriceRates.answer(sent({ AAA: priceRate.v3.write(rate) }), {})).toEqual([rate]);
    const history = {
      from: 'AAA',
      to: 'BBB',
      history: [{ time: at, open: price, close: price, min: price, max: price }],
    };
    expect(v3Endpoints.publicPriceHistory.answer(sent({ AAA: priceHistory.v3.write(history) }), {})).toEqual([
      history,
    ]);
    const last = { instrument: instruments.get('AAABBB').id, price, time: at };
    const prices = sent({ AAABBB: lastPrice.v3.write(last, instruments.get('AAABBB')) });
    expect(v3Endpoints.publicPriceTickers.answer(prices, {})).toEqual(
      new Map([['AAABBB', { price, timestamp: at }]]),
    );
  });
});

test('parameters of a path are percent-encoded', () => {
  expect(fillPath('/api/3/spot/order/{client_order_id}', { client_order_id: 'a/b' })).toBe(
    '/api/3/spot/order/a%2Fb',
  );
});

describe('parameters', () => {
  test('have the documented defaults', () => {
    expect(readRequestParams(v3Endpoints.publicTrades.params, {})).toEqual({
      ok: true,
      params: {
        page: { sort: 'DESC', by: 'timestamp', from: undefined, till: undefined, limit: 10, offset: 0 },
      },
    });
    expect(readRequestParams(v3Endpoints.publicTradesOfSymbol.params, { symbol: 'AAABBB' })).toMatchObject({
      params: { page: { limit: 100 } },
    });
    expect(readRequestParams(v3Endpoints.publicCandles.params, {})).toMatchObject({
      params: { period: 'M30' },
    });
    expect(readRequestParams(v3Endpoints.publicOrderBook.params, { symbol: 'A', depth: '-1' })).toMatchObject(
      {
        params: { depth: 0 },
      },
    );
    expect(readRequestParams(v3Endpoints.spotOrderHistory.params, {})).toMatchObject({
      params: { page: { by: 'id', limit: 100 } },
    });
  });

  test('take lists with commas or as arrays', () => {
    const read = (symbols: unknown) => readRequestParams(v3Endpoints.publicSymbols.params, { symbols });
    expect(read('AAABBB,CCCDDD')).toEqual({ ok: true, params: { symbols: ['AAABBB', 'CCCDDD'] } });
    expect(read(['AAABBB', 'CCCDDD'])).toEqual(read('AAABBB, CCCDDD,AAABBB'));
    expect(read('')).toEqual({ ok: true, params: {} });
  });

  test('take times as text or milliseconds, also where ids are the default', () => {
    const from = (raw: object) => {
      const read = readRequestParams(v3Endpoints.spotTradeHistory.params, raw);
      return read.ok ? [read.params.page.by, read.params.page.from] : read.error.code;
    };
    expect(from({ from: 1_704_164_645_678 })).toEqual(['timestamp', 1_704_164_645_678_000]);
    expect(from({ from: '2024-01-02T03:04:05.678Z' })).toEqual(['timestamp', 1_704_164_645_678_000]);
    expect(from({ from: '42' })).toEqual(['id', 42]);
    expect(from({ by: 'id', from: '1704164645678' })).toEqual(['id', 1_704_164_645_678]);
    expect(from({ by: 'timestamp', from: '42' })).toEqual(['timestamp', 42_000]);
    expect(from({ by: 'id', from: '2024-01-02' })).toBe(10001);
    expect(from({ from: 'x' })).toBe(10001);
  });

  test('out of range are refused, not clamped, in the words of the service', () => {
    expect(readRequestParams(v3Endpoints.publicTrades.params, { limit: '1001' })).toMatchObject({
      ok: false,
      error: { code: 10001, message: 'Bad request parameter [limit]. Parameter must be in [1, 1000]' },
    });
    expect(
      readRequestParams(v3Endpoints.publicOrderBook.params, { symbol: 'A', depth: 'abc' }),
    ).toMatchObject({
      error: { message: "Bad request parameter [depth]. Can't parse value from string: abc" },
    });
  });
});

test('a symbol of an unknown type or status is passed over or suspended', () => {
  const row = encodeSymbol('v3', instruments.get('AAABBB').spec);
  const specs = decodeV3Symbols({
    A: { ...row, type: 'option' },
    B: { ...row, status: 'halted' },
    'C"': row,
  });
  expect(specs).toMatchObject([{ symbol: 'B', status: 'suspended' }]);
});

test.skipIf(!recorded)('the recorded symbol lists decode', () => {
  expect(instrumentsOf('fmfw-v3-20211009.symbols.txt.gz', 3).all).toHaveLength(424);
  expect(instrumentsOf('hitbtc-v2-20210715.symbols.txt.gz', 2).all.length).toBeGreaterThan(1000);
  expect(instrumentsOf('bequant-v2-20210703.symbols.txt.gz', 2).all.length).toBeGreaterThan(100);
});

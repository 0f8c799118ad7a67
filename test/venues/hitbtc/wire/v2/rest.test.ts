import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAmount } from '../../../../../src/core/base/amount.ts';
import { BadInput } from '../../../../../src/core/base/errors.ts';
import { readParams } from '../../../../../src/venues/hitbtc/wire/param-fields.ts';
import { decodeV2Currencies, encodeV2Currency } from '../../../../../src/venues/hitbtc/wire/v2/currencies.ts';
import {
  encodeV2HistoryOrder,
  encodeV2Order,
  encodeV2OwnTrade,
} from '../../../../../src/venues/hitbtc/wire/v2/encode-orders.ts';
import { encodeV2RestBook } from '../../../../../src/venues/hitbtc/wire/v2/encode-rest.ts';
import { encodeV2Fee, encodeV2FeeRow } from '../../../../../src/venues/hitbtc/wire/v2/fees.ts';
import {
  encodeV2Candle,
  encodeV2Ticker,
  encodeV2Trade,
} from '../../../../../src/venues/hitbtc/wire/v2/public-notices.ts';
import { v2Endpoints, v2Finder } from '../../../../../src/venues/hitbtc/wire/v2/rest.ts';
import { decodeV3Currency } from '../../../../../src/venues/hitbtc/wire/v3/currencies.ts';
import { abcInstruments, amount, candleOf, fill, instrument, levels, marketTrades } from '../arbitrary.ts';
import { ownTrade, tickerOf, time, v2VenueOrder as venueOrder } from '../arbitrary.ts';
import { settings } from '../seed.ts';

const instruments = abcInstruments;

function sent(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}
function read(rows: readonly string[]): unknown {
  return JSON.parse(`[${rows.join(',')}]`) as unknown;
}

test('market data a server writes is what a client reads', () => {
  fc.assert(
    fc.property(
      instrument.chain((one) =>
        fc.tuple(
          fc.constant(one),
          time,
          levels,
          marketTrades,
          fc.array(candleOf(one, 'H1'), { maxLength: 5 }),
          tickerOf(one),
          fc.option(amount, { nil: undefined }),
        ),
      ),
      ([one, at, side, trades, candles, ticker, average]) => {
        const book = { time: at, asks: side, bids: side };
        const plain = { ...book, instrument: one.id, askAveragePrice: undefined, bidAveragePrice: undefined };
        expect(v2Endpoints.publicOrderBook.decode(sent(encodeV2RestBook(one, book)), one)).toEqual(plain);
        const averages = { ask: average, bid: parseAmount('1.5') };
        const keyed = sent({ [one.symbol]: encodeV2RestBook(one, { ...book, averages }), OTHER: 5 });
        expect(v2Endpoints.publicOrderBooks.decode(keyed, instruments)).toEqual([
          { ...plain, askAveragePrice: average, bidAveragePrice: parseAmount('1.5') },
        ]);
        const tradeRows = read(trades.map((trade) => encodeV2Trade(one, trade)));
        expect(v2Endpoints.publicTradesOfSymbol.decode(tradeRows, one)).toEqual(trades);
        expect(v2Endpoints.publicTrades.decode({ [one.symbol]: tradeRows }, instruments)).toEqual([
          { instrument: one.id, trades },
        ]);
        const bars = read(candles.map((candle) => encodeV2Candle(one, candle)));
        expect(v2Endpoints.publicCandlesOfSymbol.decode(bars, one, 'H1')).toEqual(candles);
        expect(v2Endpoints.publicCandles.decode({ [one.symbol]: bars }, instruments, 'H1')).toEqual([
          { instrument: one.id, candles },
        ]);
        const seen = { ...ticker, bidQuantity: undefined, askQuantity: undefined };
        const text = encodeV2Ticker(one, ticker);
        expect(v2Endpoints.publicTicker.decode(JSON.parse(text), one)).toEqual(seen);
        expect(v2Endpoints.publicTickers.decode(read([text]), instruments)).toEqual([seen]);
      },
    ),
    { ...settings, numRuns: 100 },
  );
});

test('orders and own trades a server writes are what a client reads', () => {
  fc.assert(
    fc.property(venueOrder, fc.array(fill, { maxLength: 3 }), ownTrade, (given, fills, trade) => {
      const order = { ...given, orderListId: undefined };
      const one = instruments.at(order.instrument);
      const decoded = v2Endpoints.newOrder.decode(sent(encodeV2Order(order, one, fills)), instruments);
      expect(decoded.order).toEqual(order);
      // v2 does not say who was taker.
      expect(decoded.fills).toEqual(fills.map((one) => ({ ...one, taker: expect.any(Boolean) })));
      const rows = sent([
        encodeV2HistoryOrder(order, one, '1.25'),
        encodeV2HistoryOrder(order, one, undefined),
      ]);
      expect(v2Endpoints.orderHistory.decode(rows, instruments)).toEqual([
        { order, averagePrice: parseAmount('1.25') },
        { order, averagePrice: undefined },
      ]);
      const trades = sent([encodeV2OwnTrade(trade, instruments.at(trade.instrument))]);
      expect(v2Endpoints.tradeHistory.decode(trades, instruments)).toEqual([trade]);
    }),
    { ...settings, numRuns: 100 },
  );
});

test('fees and currencies', () => {
  const fee = { symbol: 'AAABBB', takeRate: parseAmount('0.001'), makeRate: parseAmount('-0.0001') };
  expect(encodeV2Fee(fee)).toEqual({ takeLiquidityRate: '0.001', provideLiquidityRate: '-0.0001' });
  expect(v2Endpoints.tradingFee.decode(sent(encodeV2Fee(fee)), 'AAABBB')).toEqual(fee);
  expect(v2Endpoints.tradingFees.decode(sent([encodeV2FeeRow(fee)]))).toEqual([fee]);
  const currency = decodeV3Currency(
    {
      full_name: 'Aaa',
      crypto: true,
      stable: true,
      payin_enabled: true,
      precision_transfer: '0.000001',
      sign: 'A',
      qr_prefix: 'aaa:',
      networks: [
        { network: 'OTHER', payout_fee: '9', precision_payout: '1' },
        {
          network: 'AAA',
          default: true,
          protocol: 'AAA',
          payout_fee: '0.5',
          precision_payout: '0.01',
          payin_confirmations: 3,
          avg_processing_time: 12.5,
        },
      ],
    },
    'AAA',
  );
  const [extended, basic] = decodeV2Currencies(
    sent([encodeV2Currency(currency, true), encodeV2Currency(currency)]),
  );
  expect(basic).toMatchObject({
    id: 'AAA',
    payinConfirmations: 3,
    payoutFee: '0.5',
    payoutMinimalAmount: '0.01',
    precisionPayout: 2,
    precisionTransfer: 6,
    avgProcessingTime: 12.5,
  });
  expect(basic).not.toHaveProperty('sign');
  expect(extended).toEqual({
    ...basic,
    sign: 'A',
    cryptoType: 'AAA',
    qrPrefix: 'aaa:',
    isInstrumentsStable: true,
  });
  expect(() => decodeV2Currencies([{ id: '' }])).toThrow(BadInput);
});

test('every endpoint of v2 names its source, has a path below /api/2 and is found there', () => {
  for (const [name, row] of Object.entries(v2Endpoints)) {
    expect(row.source, name).toMatch(/^(API v2|v2-gaps), /);
    expect(row.path).toMatch(/^\/api\/2\//);
    expect(v2Finder.find(row.method, row.path.replaceAll(/\{\w+\}/g, 'X'))?.name).toBe(name);
  }
});

test.each([
  ['publicTrades', { sort: 'DESC', by: 'timestamp', limit: 100, offset: 0 }],
  ['publicTradesOfSymbol', { sort: 'DESC', by: 'timestamp', limit: 100, offset: 0 }],
  ['publicCandles', { sort: 'ASC', by: 'timestamp', limit: 100, offset: 0 }],
  ['publicCandlesOfSymbol', { sort: 'ASC', by: 'timestamp', limit: 100, offset: 0 }],
  ['orderHistory', { sort: 'DESC', by: 'timestamp', limit: 100, offset: 0 }],
  ['tradeHistory', { sort: 'DESC', by: 'id', limit: 100, offset: 0 }],
] as const)('%s has the documented defaults', (name, page) => {
  const given = readParams<unknown>(v2Endpoints[name].params, { symbol: 'AAABBB' });
  expect(given).toMatchObject({ ok: true, params: { page } });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAmount } from '../../../../../src/core/base/amount.ts';
import { BadInput } from '../../../../../src/core/base/errors.ts';
import { readRequestParams } from '../../../../../src/venues/hitbtc/wire/param-fields.ts';
import {
  decodeV2Currencies,
  encodeV2Currency,
} from '../../../../../src/venues/hitbtc/wire/resources/currency.ts';
import { orderBook } from '../../../../../src/venues/hitbtc/wire/resources/book.ts';
import { v2Endpoints } from '../../../../../src/venues/hitbtc/wire/v2/rest.ts';
import { decodeV3Currency } from '../../../../../src/venues/hitbtc/wire/resources/currency.ts';
import { abcInstruments, amount, candleOf, fill, instrument, levels, marketTrades } from '../arbitrary.ts';
import { ownTrade, tickerOf, time, v2VenueOrder as venueOrder } from '../arbitrary.ts';
import { exactCandle, exactLevels, exactTicker, exactTrade } from '../exact.ts';
import { settings } from '../seed.ts';
import {
  decodeOrder,
  decodeOwnTrade,
  encodeOrder,
  encodeOwnTrade,
} from '../../../../../src/venues/hitbtc/wire/resources/order-model.ts';
import { feeRates, feeOfSymbol } from '../../../../../src/venues/hitbtc/wire/resources/account.ts';
import {
  encodeCandle,
  encodePublicTrade,
  encodeTicker,
} from '../../../../../src/venues/hitbtc/wire/resources/market.ts';

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
        const book = { symbol: one.symbol, time: at, asks: side, bids: side };
        const plain = {
          symbol: one.symbol,
          timestamp: at,
          ask: exactLevels(one, side),
          bid: exactLevels(one, side),
        };
        const { publicOrderBook, publicOrderBooks } = v2Endpoints;
        expect(publicOrderBook.answer(sent(orderBook.v2.write(book, one)), {})).toEqual(plain);
        const averages = { askAverage: average ?? null, bidAverage: parseAmount('1.5') };
        const keyed = sent({ [one.symbol]: orderBook.v2.write({ ...book, ...averages }, one) });
        expect(publicOrderBooks.answer(keyed, {}).get(one.symbol)).toEqual({
          ...plain,
          askAveragePrice: average,
          bidAveragePrice: parseAmount('1.5'),
        });
        const tradeRows = read(trades.map((trade) => JSON.stringify(encodePublicTrade('v2', trade, one))));
        const exactTrades = trades.map((trade) => exactTrade(one, trade));
        expect(v2Endpoints.publicTradesOfSymbol.answer(tradeRows, {})).toEqual(exactTrades);
        expect(v2Endpoints.publicTrades.answer({ [one.symbol]: tradeRows }, {}).get(one.symbol)).toEqual(
          exactTrades,
        );
        const bars = read(candles.map((candle) => JSON.stringify(encodeCandle('v2', candle, one))));
        expect(v2Endpoints.publicCandlesOfSymbol.answer(bars, {})).toEqual(candles.map(exactCandle));
        const seen = { ...exactTicker(one, ticker), symbol: one.symbol };
        const text = JSON.stringify(encodeTicker('v2', ticker, one));
        expect(v2Endpoints.publicTicker.answer(JSON.parse(text), {})).toEqual(seen);
        expect(v2Endpoints.publicTickers.answer(read([text]), {})).toEqual([seen]);
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
      const placed = sent(encodeOrder('v2', order, one, fills.length === 0 ? {} : { fills }));
      expect(decodeOrder('v2', placed, instruments)).toEqual(order);
      const read = v2Endpoints.newOrder.answer(placed, {});
      // v2 does not say who was taker.
      expect(read.tradesReport ?? []).toEqual(
        fills.map((fill) => ({
          id: fill.tradeId,
          price: one.priceAmount(fill.price),
          quantity: one.quantityAmount(fill.quantity),
          fee: fill.fee,
          timestamp: fill.time,
        })),
      );
      const rows = sent([
        encodeOrder('v2', order, one, { averagePrice: '1.25' }),
        encodeOrder('v2', order, one),
      ]);
      expect(v2Endpoints.orderHistory.answer(rows, {}).map(({ avgPrice }) => avgPrice)).toEqual([
        parseAmount('1.25'),
        undefined,
      ]);
      const row = sent(encodeOwnTrade('v2', trade, instruments.at(trade.instrument)));
      expect(v2Endpoints.tradeHistory.answer([row], {}).map(({ id }) => id)).toEqual([trade.tradeId]);
      expect(decodeOwnTrade('v2', row, instruments)).toEqual(trade);
    }),
    { ...settings, numRuns: 100 },
  );
});

test('fees and currencies', () => {
  const fee = { symbol: 'AAABBB', takeRate: parseAmount('0.001'), makeRate: parseAmount('-0.0001') };
  expect(feeOfSymbol.v2.write(fee)).toEqual({ takeLiquidityRate: '0.001', provideLiquidityRate: '-0.0001' });
  expect(v2Endpoints.tradingFee.answer(sent(feeOfSymbol.v2.write(fee)), { symbol: 'AAABBB' })).toEqual(fee);
  expect(v2Endpoints.tradingFees.answer(sent([feeRates.v2.write(fee)]), {})).toEqual([fee]);
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

test.each([
  ['publicTrades', { sort: 'DESC', by: 'timestamp', limit: 100, offset: 0 }],
  ['publicTradesOfSymbol', { sort: 'DESC', by: 'timestamp', limit: 100, offset: 0 }],
  ['publicCandles', { sort: 'ASC', by: 'timestamp', limit: 100, offset: 0 }],
  ['publicCandlesOfSymbol', { sort: 'ASC', by: 'timestamp', limit: 100, offset: 0 }],
  ['orderHistory', { sort: 'DESC', by: 'timestamp', limit: 100, offset: 0 }],
  ['tradeHistory', { sort: 'DESC', by: 'id', limit: 100, offset: 0 }],
] as const)('%s has the documented defaults', (name, page) => {
  const given = readRequestParams<unknown>(v2Endpoints[name].params, { symbol: 'AAABBB' });
  expect(given).toMatchObject({ ok: true, params: { page } });
});

import { expect } from 'vitest';
import { parseAmount } from '../../../src/venues/hitbtc/typed/index.ts';
import { codeOf } from './order-errors.ts';
import type { RowCase } from './row-case.ts';
import { rowCase } from './row-case.ts';
import type { Talk } from './talk.ts';

const root = 'GET /api/2/public';
const symbol = 'BTCUSDT';
const middle = parseAmount('60000');
type Markets = Talk['us']['v2']['marketData'];
const noSymbol = (call: (markets: Markets, none: { symbol: string }) => Promise<unknown>) => ({
  2001: (talk: Talk) => codeOf(call(talk.us.v2.marketData, { symbol: 'NOPE' })),
});
const bad = { limit: '1001' };
const one = { symbols: [symbol] };

/** Public reads of v2. */
export const publicV2: readonly RowCase[] = [
  rowCase(
    `${root}/currency`,
    ({ v2 }) => v2.marketData.currencies({ currencies: ['BTC'] }),
    (rows) => expect(rows).toMatchObject([{ id: 'BTC', crypto: true }]),
  ),
  rowCase(
    `${root}/currency/{}`,
    ({ v2 }) => v2.marketData.currency({ currency: 'BTC' }),
    (row) => expect(row).toMatchObject({ fullName: 'Bitcoin' }),
    { errors: { 2002: (talk) => codeOf(talk.us.v2.marketData.currency({ currency: 'NOPE' })) } },
  ),
  rowCase(
    `${root}/symbol`,
    ({ v2 }) => v2.marketData.symbols(one),
    (rows) => expect(rows).toMatchObject([{ id: symbol, tickSize: parseAmount('0.01') }]),
  ),
  rowCase(
    `${root}/symbol/{}`,
    ({ v2 }) => v2.marketData.symbol({ symbol }),
    (row) => expect(row).toMatchObject({ baseCurrency: 'BTC' }),
    { errors: noSymbol((markets, none) => markets.symbol(none)) },
  ),
  rowCase(
    `${root}/ticker`,
    ({ v2 }) => v2.marketData.tickers(one),
    (rows) => expect(rows).toMatchObject([{ symbol, last: middle }]),
  ),
  rowCase(
    `${root}/ticker/{}`,
    ({ v2 }) => v2.marketData.ticker({ symbol }),
    (row) => expect(row).toMatchObject({ last: middle }),
    { errors: noSymbol((markets, none) => markets.ticker(none)) },
  ),
  rowCase(
    `${root}/trades`,
    ({ v2 }) => v2.marketData.trades({ ...one, limit: 5 }),
    (rows) => expect(rows.get(symbol)).toMatchObject([{ price: middle }]),
    { bad },
  ),
  rowCase(
    `${root}/trades/{}`,
    ({ v2 }) => v2.marketData.tradesOf({ symbol }),
    (rows) => expect(rows).toMatchObject([{ price: middle, side: 'buy' }]),
    { bad, errors: noSymbol((markets, none) => markets.tradesOf(none)) },
  ),
  rowCase(
    `${root}/orderbook`,
    ({ v2 }) => v2.marketData.orderBooks({ ...one, limit: 1 }),
    (books) => expect(books.get(symbol)).toMatchObject({ ask: [{}], bid: [{}] }),
  ),
  rowCase(
    `${root}/orderbook/{}`,
    ({ v2 }) => v2.marketData.orderBook({ symbol, volume: '1' }),
    (book) => expect(book).toMatchObject({ symbol, askAveragePrice: parseAmount('60060') }),
    { errors: noSymbol((markets, none) => markets.orderBook(none)) },
  ),
  rowCase(
    `${root}/candles`,
    ({ v2 }) => v2.marketData.candles({ ...one, period: 'M1' }),
    (rows) => expect(rows.get(symbol)).toMatchObject([{ close: middle }]),
    { bad },
  ),
  rowCase(
    `${root}/candles/{}`,
    ({ v2 }) => v2.marketData.candlesOf({ symbol, period: 'M1' }),
    (rows) => expect(rows).toMatchObject([{ close: middle }]),
    { bad: { period: 'M7' }, errors: noSymbol((markets, none) => markets.candlesOf(none)) },
  ),
];

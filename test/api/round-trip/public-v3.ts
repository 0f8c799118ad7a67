import { expect } from 'vitest';
import { parseAmount } from '../../../src/venues/hitbtc/typed/index.ts';
import { failureOf } from '../support.ts';
import type { RowCase } from './row-case.ts';
import { rowCase } from './row-case.ts';
import type { Talk } from './talk.ts';

const symbol = 'BTCUSDT';
const contract = 'BTCUSDT_PERP';
const root = 'GET /api/3/public';
const badLimit = { limit: '1001' };
const codeOf = async (call: Promise<unknown>) => (await failureOf(call)).code;
type Markets = Talk['us']['v3']['marketData'];
const noSymbol = (call: (markets: Markets, none: { symbol: string }) => Promise<unknown>) => ({
  2001: (talk: Talk) => codeOf(call(talk.us.v3.marketData, { symbol: 'NOPE' })),
});
const middle = parseAmount('60000');
const one = { symbols: [symbol] };

type Futures = Talk['us']['v3']['marketData']['futures'];
type Series = 'indexPriceCandles' | 'markPriceCandles' | 'premiumIndexCandles' | 'openInterestCandles';

/** The index is there once the exchange has looked at its contracts. */
const seen = async (talk: Talk): Promise<void> => {
  for (let i = 0; i < 100; i++) {
    if ((await talk.us.v3.marketData.futures.infos()).has(contract)) return;
    await talk.pause(20);
  }
};
const notFutures = (call: (futures: Futures, of: { symbol: string }) => Promise<unknown>) => ({
  2001: (talk: Talk) => codeOf(call(talk.us.v3.marketData.futures, { symbol: 'NOPE' })),
  10_001: (talk: Talk) => codeOf(call(talk.us.v3.marketData.futures, { symbol })),
});

/** Public reads of v3. */
export const publicV3: readonly RowCase[] = [
  rowCase(
    `${root}/currency`,
    ({ v3 }) => v3.marketData.currencies({ currencies: ['BTC', 'USDT'] }),
    (currencies) => expect(currencies.map(({ code }) => code)).toEqual(['BTC', 'USDT']),
  ),
  rowCase(
    `${root}/currency/{}`,
    ({ v3 }) => v3.marketData.currency({ currency: 'BTC' }),
    (currency) => expect(currency).toMatchObject({ fullName: 'Bitcoin', crypto: true }),
    { errors: { 2002: (talk) => codeOf(talk.us.v3.marketData.currency({ currency: 'NOPE' })) } },
  ),
  rowCase(
    `${root}/symbol`,
    ({ v3 }) => v3.marketData.symbols(one),
    (symbols) => expect(symbols.get(symbol)).toMatchObject({ baseCurrency: 'BTC', marginTrading: true }),
  ),
  rowCase(
    `${root}/symbol/{}`,
    ({ v3 }) => v3.marketData.symbol({ symbol }),
    (found) => expect(found).toMatchObject({ status: 'working', tickSize: parseAmount('0.01') }),
    { errors: noSymbol((markets, none) => markets.symbol(none)) },
  ),
  rowCase(
    `${root}/ticker`,
    ({ v3 }) => v3.marketData.tickers(one),
    (tickers) => expect(tickers.get(symbol)).toMatchObject({ last: middle }),
  ),
  rowCase(
    `${root}/ticker/{}`,
    ({ v3 }) => v3.marketData.ticker({ symbol }),
    (ticker) => expect(ticker).toMatchObject({ last: middle, volume: parseAmount('0.1') }),
    { errors: noSymbol((markets, none) => markets.ticker(none)) },
  ),
  rowCase(
    `${root}/price/rate`,
    ({ v3 }) => v3.marketData.priceRates({ from: ['BTC'], to: 'USDT' }),
    (rates) => expect([...rates.values()]).toMatchObject([{ price: middle }]),
    {
      bad: { from: ['BTC'] },
      errors: { 2002: (talk) => codeOf(talk.us.v3.marketData.priceRates({ from: ['BTC'], to: 'NOPE' })) },
    },
  ),
  rowCase(
    `${root}/price/history`,
    ({ v3 }) => v3.marketData.priceHistory({ from: ['BTC'], to: 'USDT', period: 'M1' }),
    (rates) => expect([...rates.values()].map(({ history }) => history.length)).toEqual([1]),
    {
      bad: { to: 'USDT', ...badLimit },
      errors: { 2002: (talk) => codeOf(talk.us.v3.marketData.priceHistory({ from: ['BTC'], to: 'NOPE' })) },
    },
  ),
  rowCase(
    `${root}/price/ticker`,
    ({ v3 }) => v3.marketData.lastPrices(one),
    (prices) => expect(prices.get(symbol)).toMatchObject({ price: middle }),
  ),
  rowCase(
    `${root}/price/ticker/{}`,
    ({ v3 }) => v3.marketData.lastPrice({ symbol }),
    (price) => expect(price).toMatchObject({ price: middle }),
    { errors: noSymbol((markets, none) => markets.lastPrice(none)) },
  ),
  rowCase(
    `${root}/trades`,
    ({ v3 }) => v3.marketData.trades({ ...one, limit: 5 }),
    (trades) => expect(trades.get(symbol)).toMatchObject([{ price: middle, side: 'buy' }]),
    { bad: badLimit },
  ),
  rowCase(
    `${root}/trades/{}`,
    ({ v3 }) => v3.marketData.tradesOf({ symbol }),
    (trades) => expect(trades).toMatchObject([{ price: middle }]),
    { bad: badLimit, errors: noSymbol((markets, none) => markets.tradesOf(none)) },
  ),
  rowCase(
    `${root}/orderbook`,
    ({ v3 }) => v3.marketData.orderBooks({ ...one, depth: 1 }),
    (books) => expect(books.get(symbol)).toMatchObject({ ask: [{}], bid: [{}] }),
    { bad: { depth: 'deep' } },
  ),
  rowCase(
    `${root}/orderbook/{}`,
    ({ v3 }) => v3.marketData.orderBook({ symbol, depth: 5 }),
    (book) => expect(book.ask.length + book.bid.length).toBe(2),
    { bad: { depth: 'deep' }, errors: noSymbol((markets, none) => markets.orderBook(none)) },
  ),
  rowCase(
    `${root}/candles`,
    ({ v3 }) => v3.marketData.candles({ ...one, period: 'M1' }),
    (candles) => expect(candles.get(symbol)).toMatchObject([{ close: middle }]),
    { bad: badLimit },
  ),
  rowCase(
    `${root}/candles/{}`,
    ({ v3 }) => v3.marketData.candlesOf({ symbol, period: 'M1' }),
    (candles) => expect(candles).toMatchObject([{ close: middle }]),
    { bad: { period: 'M7' }, errors: noSymbol((markets, none) => markets.candlesOf(none)) },
  ),
  rowCase(
    `${root}/converted/candles`,
    ({ v3 }) => v3.marketData.convertedCandles({ ...one, period: 'M1', targetCurrency: 'BTC' }),
    (answer) => expect(answer).toMatchObject({ targetCurrency: 'BTC' }),
    {
      bad: { ...badLimit, target_currency: 'BTC' },
      errors: { 2002: (talk) => codeOf(talk.us.v3.marketData.convertedCandles({ targetCurrency: 'NOPE' })) },
    },
  ),
  rowCase(
    `${root}/converted/candles/{}`,
    ({ v3 }) => v3.marketData.convertedCandlesOf({ symbol, period: 'M1', targetCurrency: 'BTC' }),
    (answer) => expect(answer).toMatchObject({ targetCurrency: 'BTC', data: [{}] }),
    {
      bad: { period: 'M7', target_currency: 'BTC' },
      errors: {
        ...noSymbol((markets, none) => markets.convertedCandlesOf({ ...none, targetCurrency: 'BTC' })),
        2002: (talk) => codeOf(talk.us.v3.marketData.convertedCandlesOf({ symbol, targetCurrency: 'NOPE' })),
      },
    },
  ),
  ...futuresCandles('index_price', 'indexPriceCandles'),
  ...futuresCandles('mark_price', 'markPriceCandles'),
  ...futuresCandles('premium_index', 'premiumIndexCandles'),
  ...futuresCandles('open_interest', 'openInterestCandles'),
  ...futuresInfo(),
];

function futuresCandles(path: string, series: Series): RowCase[] {
  const list = `${root}/futures/candles/${path}`;
  return [
    rowCase(
      list,
      ({ v3 }) => v3.marketData.futures[series]({ symbols: [contract], period: 'M1' }),
      (candles) => expect(candles.get(contract)?.length).toBeGreaterThan(0),
      { before: seen, bad: badLimit },
    ),
    rowCase(
      `${list}/{}`,
      ({ v3 }) => v3.marketData.futures[`${series}Of`]({ symbol: contract, period: 'M1' }),
      (candles) => expect(candles[0]).toMatchObject({ open: expect.any(BigInt) as bigint }),
      { before: seen, errors: notFutures((futures, of) => futures[`${series}Of`](of)) },
    ),
  ];
}

function futuresInfo(): RowCase[] {
  return [
    rowCase(
      `${root}/futures/info`,
      ({ v3 }) => v3.marketData.futures.infos({ symbols: [contract] }),
      (infos) => expect(infos.get(contract)).toMatchObject({ indexPrice: middle }),
      { before: seen },
    ),
    rowCase(
      `${root}/futures/info/{}`,
      ({ v3 }) => v3.marketData.futures.info({ symbol: contract }),
      (info) => expect(info).toMatchObject({ indexPrice: middle, contractType: 'perpetual' }),
      { before: seen, errors: notFutures((futures, of) => futures.info(of)) },
    ),
    rowCase(
      `${root}/futures/history/funding`,
      ({ v3 }) => v3.marketData.futures.fundingHistory({ symbols: [contract] }),
      (rows) => expect(rows).toBeInstanceOf(Map),
      { bad: badLimit },
    ),
    rowCase(
      `${root}/futures/history/funding/{}`,
      ({ v3 }) => v3.marketData.futures.fundingHistoryOf({ symbol: contract }),
      (rows) => expect(rows).toEqual([]),
      { bad: badLimit, path: [contract], errors: notFutures((futures, of) => futures.fundingHistoryOf(of)) },
    ),
  ];
}

import assert from 'node:assert/strict';
import type { Ccxt } from '../support/ccxt-client.ts';
import { ccxt, ccxtClient } from '../support/ccxt-client.ts';
import type { RunningExchange } from '../support/exchange.ts';
import { living, startExchange } from '../support/exchange.ts';
import { after, before, describe, test } from '../support/talk.ts';
import { until } from '../support/waiting.ts';

const eightHours = 8 * 3_600_000;

describe('ccxt reads the market of a perpetual contract', () => {
  let exchange: RunningExchange;
  let client: Ccxt;
  let symbol = '';

  before(async () => {
    exchange = await startExchange(living);
    client = await ccxtClient(exchange);
  });

  after(async () => {
    await client?.close();
    await exchange?.stop();
  });

  test('there is a perpetual contract, settled in its quote currency', () => {
    const market = Object.values(client.markets ?? {}).find((each) => each?.swap === true);
    assert.ok(market !== undefined);
    symbol = String(market.symbol);
    assert.match(symbol, /^\w+\/(\w+):\1$/);
    assert.deepEqual(
      [market.contract, market.linear, market.spot, market.contractSize, market.expiry],
      [true, true, false, 1, undefined],
    );
    assert.ok(Number(market.limits.leverage?.max) > 1);
  });

  test('mark, index and funding hang together as the exchange says they do', async () => {
    const rate = await client.fetchFundingRate(symbol);
    const { markPrice = 0, indexPrice = 0, fundingRate = 0, interestRate, fundingTimestamp = 0 } = rate;
    assert.equal(interestRate, 0.0001);
    assert.equal(fundingTimestamp % eightHours, 0, 'funding is due at 0, 8 and 16 hours UTC');
    const left = (fundingTimestamp - Number(rate.timestamp)) / eightHours;
    assert.ok(left >= 0 && left <= 1);
    const expected = indexPrice * (1 + fundingRate * left);
    const tick = Number(client.market(symbol).precision.price);
    assert.ok(
      Math.abs(markPrice - expected) <= tick + indexPrice * 1e-7,
      `mark ${markPrice}, expected ${expected}`,
    );
    const all = await client.fetchFundingRates([symbol]);
    assert.deepEqual(Object.keys(all), [symbol]);
  });

  test('the open interest and the history of funding can be read', async () => {
    const interest = await client.fetchOpenInterest(symbol);
    assert.equal(interest.symbol, symbol);
    assert.ok(Number(interest.info.open_interest) >= 0);
    const history = await client.fetchFundingRateHistory(symbol, undefined, 5);
    assert.ok(history.every((row) => row.symbol === symbol && Number(row.timestamp) % eightHours === 0));
  });

  test('candles of prices that are no trades', async () => {
    for (const price of ['mark', 'index', 'premiumIndex']) {
      const row = await until(`a candle of ${price}`, async () =>
        (await client.fetchOHLCV(symbol, '1m', undefined, 2, { price })).at(-1),
      );
      const [time, open, high, low, close] = row.map(Number) as [number, number, number, number, number];
      assert.equal(time % 60_000, 0);
      assert.ok(low <= open && open <= high && low <= close && close <= high, price);
    }
  });

  test('the contract has a book and a ticker like any market', async () => {
    const book = await until('a book with both sides', async () => {
      const read = await client.fetchOrderBook(symbol, 5);
      return read.bids.length > 0 && read.asks.length > 0 ? read : undefined;
    });
    assert.ok(Number(book.bids[0]?.[0]) < Number(book.asks[0]?.[0]));
    const { markPrice = 0 } = await client.fetchFundingRate(symbol);
    assert.ok(
      Math.abs(Number(book.bids[0]?.[0]) / markPrice - 1) < 0.05,
      'the book lies about the mark price',
    );
    assert.equal((await client.fetchTicker(symbol)).symbol, symbol);
  });

  test('a spot symbol has no futures information', async () => {
    const raw = client as unknown as Record<string, (params: object) => Promise<unknown>>;
    await assert.rejects(
      async () => raw['publicGetPublicFuturesInfoSymbol']?.({ symbol: 'BTCUSDT' }),
      (error: Error) => error instanceof ccxt.BadRequest && error.message.includes('Is not futures:BTCUSDT'),
    );
  });
});

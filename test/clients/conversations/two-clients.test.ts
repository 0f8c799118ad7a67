import assert from 'node:assert/strict';
import type { Client, WSMarketDataClient, WSTradingClient } from 'cryptomarket';
import { constants } from 'cryptomarket';
import type { Ccxt } from '../support/ccxt-client.ts';
import { ccxtClient } from '../support/ccxt-client.ts';
import { minutely } from '../support/constants.ts';
import { marketSocket, restClient, tradingSocket } from '../support/cryptomarket-client.ts';
import { exact, plain, times } from '../support/decimals.ts';
import type { RunningExchange } from '../support/exchange.ts';
import { startExchange, still } from '../support/exchange.ts';
import { Received } from '../support/received.ts';
import { after, before, describe, test } from '../support/talk.ts';
import { until, within } from '../support/waiting.ts';

const { TIME_IN_FORCE } = constants;

interface Book {
  readonly sequence: number;
  readonly asks: readonly (readonly [string, string])[];
  readonly bids: readonly (readonly [string, string])[];
}

describe('two clients of different makers meet in one market', () => {
  let exchange: RunningExchange;
  let alice: Ccxt;
  let bob: Client;
  let bobTrading: WSTradingClient;
  let observer: WSMarketDataClient;

  before(async () => {
    exchange = await startExchange(still);
    alice = await ccxtClient(exchange, exchange.key('demo'));
    bob = restClient(exchange, exchange.key('demo-two'));
    bobTrading = await tradingSocket(exchange, exchange.key('demo-two'));
    observer = await marketSocket(exchange);
  });

  after(async () => {
    await alice?.close();
    await bobTrading?.close();
    await observer?.close();
    await exchange?.stop();
  });

  test('each order of one is a level for the other, over REST and over sockets', async () => {
    const books = new Received<Record<string, Book>>();
    await within(
      'the reply',
      observer.subscribeToFullOrderBook({
        callback: books.callback as never,
        params: { symbols: ['BTCUSDT'] },
      }),
    );
    const first = await books.first('the snapshot', (value) => value['BTCUSDT']);
    assert.deepEqual([first.asks, first.bids], [[], []]);

    await alice.createOrder('BTC/USDT', 'limit', 'sell', 1.5, 64_000);
    const one = await books.first('the level of alice', ({ BTCUSDT }) =>
      BTCUSDT?.asks.length === 1 ? BTCUSDT : undefined,
    );
    assert.deepEqual(one.asks, [['64000.00', '1.50000']]);

    await bobTrading.createSpotOrder({ symbol: 'BTCUSDT', side: 'sell', quantity: '0.5', price: '64000' });
    const two = await books.first('the sum of both', ({ BTCUSDT }) =>
      BTCUSDT?.asks[0]?.[1] === '2.00000' ? BTCUSDT : undefined,
    );
    assert.equal(two.sequence, one.sequence + 1);
    assert.deepEqual((await alice.fetchOrderBook('BTC/USDT')).asks, [[64_000, 2]]);
    assert.deepEqual((await bob.getOrderBook('BTCUSDT')).ask, [['64000.00', '2.00000']]);

    await alice.cancelAllOrders('BTC/USDT');
    await bob.cancelAllSpotOrders();
    const none = await books.first('the level gone', ({ BTCUSDT }) =>
      BTCUSDT?.asks[0]?.[1] === '0' ? BTCUSDT : undefined,
    );
    assert.deepEqual(none.asks, [['64000.00', '0']]);
    assert.deepEqual((await alice.fetchOrderBook('BTC/USDT')).asks, []);
  });

  test('price, then time: the first at a price is executed first', async () => {
    const bobSells = (price: string): Promise<unknown> =>
      bob.createNewSpotOrder({ symbol: 'XRPUSDT', side: constants.SIDE.SELL, quantity: '100', price });
    await alice.createOrder('XRP/USDT', 'limit', 'sell', 100, 0.56);
    await bobSells('0.56');
    await bobSells('0.55');
    await alice.createOrder('XRP/USDT', 'limit', 'buy', 150, 0.56, { timeInForce: 'IOC' });
    const [atBetter] = await bob.getSpotTradesHistory({ symbol: 'XRPUSDT' });
    assert.deepEqual([atBetter?.price, atBetter?.quantity, atBetter?.taker], ['0.55000', '100.0', false]);
    const own = await alice.fetchMyTrades('XRP/USDT');
    assert.deepEqual(
      own.map(({ price, amount, takerOrMaker }) => `${price} ${amount} ${takerOrMaker}`).sort(),
      ['0.55 100 taker', '0.56 50 maker', '0.56 50 taker'],
      'the second half met her own order, which was first at its price',
    );
    assert.deepEqual((await bob.getOrderBook('XRPUSDT')).ask, [['0.56000', '150.0']]);
    await alice.cancelAllOrders();
    await bob.cancelAllSpotOrders();
  });

  test('trades make the public tape, the ticker and the candle, to the last digit', async () => {
    const deals = [
      ['3100.10', '0.1000'],
      ['3105.55', '0.2500'],
      ['3098.01', '0.0333'],
      ['3101.00', '1.0000'],
    ] as const;
    // A minute that turns in between would spread them over two candles.
    await until('room in this minute', () => (Date.now() % 60_000 < 55_000 ? true : undefined));
    for (const [price, quantity] of deals) {
      await alice.createOrder('ETH/USDT', 'limit', 'sell', Number(quantity), Number(price));
      const order = await bob.createNewSpotOrder({
        symbol: 'ETHUSDT',
        side: constants.SIDE.BUY,
        quantity,
        price,
        timeInForce: TIME_IN_FORCE.FOK,
      });
      assert.equal(order.status, 'filled');
    }
    const tape = (await bob.getTradesBySymbol('ETHUSDT')) as Record<string, string>[];
    assert.deepEqual(
      tape.map(({ price, qty, side }) => [price, qty, side]),
      deals.map(([price, quantity]) => [price, quantity, 'buy']).toReversed(),
    );
    const volume = plain(deals.reduce((sum, [, quantity]) => sum + exact(quantity), 0n));
    const quote = plain(deals.reduce((sum, [price, quantity]) => sum + times(price, quantity), 0n));
    const ticker = await bob.getTicker('ETHUSDT');
    assert.deepEqual(
      [ticker.open, ticker.last, ticker.high, ticker.low, ticker.ask, ticker.bid],
      ['3100.10', '3101.00', '3105.55', '3098.01', null, null],
    );
    assert.deepEqual([exact(ticker.volume), exact(ticker.volumeQuote)], [exact(volume), exact(quote)]);
    assert.match(ticker.volumeQuote, /^\d+\.\d{6}$/, 'the decimals of price and quantity together');
    const [candle] = await bob.getCandlesBySymbol('ETHUSDT', { period: minutely });
    const row = candle as unknown as Record<string, string>;
    assert.deepEqual(
      [row['open'], row['close'], row['max'], row['min']],
      ['3100.10', '3101.00', '3105.55', '3098.01'],
    );
    assert.deepEqual(
      [exact(String(row['volume'])), exact(String(row['volumeQuote']))],
      [exact(volume), exact(quote)],
    );
    const [time, ...values] = (await alice.fetchOHLCV('ETH/USDT', '1h'))[0] ?? [];
    assert.equal(Number(time) % 3_600_000, 0);
    assert.deepEqual(values, [3100.1, 3105.55, 3098.01, 3101, Number(volume)]);
  });
});

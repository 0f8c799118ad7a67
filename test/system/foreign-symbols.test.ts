import { afterEach, expect, test } from 'vitest';
import { foldBookStates } from '../../src/data/recording/book-states.ts';
import { openRecording } from '../../src/data/open/own-formats.ts';
import { Random } from '../../src/core/base/random.ts';
import { exchangeOptions } from '../../src/exchange/server/options.ts';
import { GodwitClient } from '../../src/venues/hitbtc/typed/index.ts';
import { Puppet } from './support/puppet.ts';
import { Stage, strategyOf } from './support/stage.ts';
import { until } from './support/until.ts';

let stage: Stage | undefined;

afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

/** An exchange that lists a symbol of this base currency, and a daemon that trades it and records. */
async function opened(base: string): Promise<{ stage: Stage; symbol: string }> {
  const symbol = `${base}USDT`;
  Puppet.forget();
  stage = await Stage.open({
    strategies: [strategyOf('puppet', { symbol })],
    record: true,
    config: { orders: { lastTradeNeeded: false } },
    exchange: {
      currencies: [
        { code: base, fullName: base, price: '2' },
        { code: 'USDT', fullName: 'Tether', stable: true, price: '1' },
      ],
      symbols: [
        {
          symbol,
          baseCurrency: base,
          quoteCurrency: 'USDT',
          tickSize: '0.0001',
          quantityIncrement: '0.1',
        },
      ],
      accounts: [{ name: 'demo', keys: [{}], balances: { [base]: '1000', USDT: '1000' } }],
      futures: { contracts: [] },
    },
  });
  return { stage, symbol };
}

test.each(['币安人生', 'ÆX', '𠮷野'])(
  'a daemon trades %sUSDT, and its recording is read again',
  async (base) => {
    const { stage, symbol } = await opened(base);
    const { trader } = stage.daemon;
    const { id } = trader.instruments.get(symbol);
    const puppet = await Puppet.of(stage, symbol);
    await until('both sides of the book', () => trader.view.book(id).bestBid && trader.view.book(id).bestAsk);
    const order = await puppet.act((orders) =>
      orders.place({ symbol, side: 'buy', quantity: 20, price: 19_950 }),
    );
    await puppet.received(order, 'new');
    expect(order).toMatch(/^[A-Za-z0-9_-]{8,32}$/);
    await puppet.act((orders) => orders.cancel(order));
    await puppet.received(order, 'canceled');
    const { sequence } = trader.view.book(id);
    await until('the book moves', () => trader.view.book(id).sequence > sequence + 5);
    await stage.stop();
    const recording = await openRecording(stage.recording);
    const books = await foldBookStates(recording.instruments, recording.events());
    expect(Object.keys(books.toJSON())).toEqual([symbol]);
  },
);

test('the typed client trades it over REST of both versions', async () => {
  const { stage, symbol } = await opened('币安人生');
  const { exchange } = stage;
  const [credentials] = exchange.accounts.get('demo').keys;
  if (credentials === undefined) expect.fail('the account has no key');
  const client = new GodwitClient({
    baseUrl: exchange.restUrl,
    wsUrl: exchange.wsUrl,
    credentials,
    random: new Random('client'),
  });
  const order = { symbol, side: 'sell', quantity: '1', price: '5' } as const;
  try {
    expect(await client.v3.marketData.symbol({ symbol })).toMatchObject({ symbol, baseCurrency: '币安人生' });
    expect(await client.v2.marketData.symbol({ symbol })).toMatchObject({ id: symbol });
    const { clientOrderId } = await client.v3.spot.createOrder(order);
    expect(await client.v3.spot.orders({ symbol })).toMatchObject([{ symbol, clientOrderId }]);
    expect(await client.v3.spot.cancelOrder({ clientOrderId })).toMatchObject({ symbol, status: 'canceled' });
    const old = await client.v2.trading.createOrder(order);
    expect(await client.v2.trading.cancelOrder({ clientOrderId: old.clientOrderId })).toMatchObject({
      symbol,
      status: 'canceled',
    });
  } finally {
    await client.close();
  }
});

test.each(['币 安USDT', 'A\u202EBUSDT', 'A\u200BUSDT', 'A/USDT', 'A?USDT', 'A#USDT', 'A\nUSDT', 'æUSDT'])(
  'an exchange lists no %j',
  (symbol) => {
    const one = { symbol, baseCurrency: 'BTC', quoteCurrency: 'USDT', tickSize: '1', quantityIncrement: '1' };
    expect(exchangeOptions.safeParse({ symbols: [one] }).success).toBe(false);
  },
);

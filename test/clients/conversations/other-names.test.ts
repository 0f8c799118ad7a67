import assert from 'node:assert/strict';
import { ccxt } from '../support/ccxt-client.ts';
import { ccxtV2Client } from '../support/ccxt-v2-client.ts';
import type { RunningExchange } from '../support/exchange.ts';
import { startExchange, still } from '../support/exchange.ts';
import { after, before, describe, test } from '../support/talk.ts';
import { pause, until } from '../support/waiting.ts';

// The API is served in public under several names, and ccxt has a class for each.

describe('classes of other names of this API', () => {
  let exchange: RunningExchange;

  before(async () => {
    exchange = await startExchange(still);
  });

  after(() => exchange?.stop());

  test('fmfwio trades over v3, and bequant sees its order over v2', async () => {
    const { apiKey, secret } = exchange.key('demo');
    const trader = new ccxt.fmfwio({ apiKey, secret });
    trader.urls['api'] = { public: `${exchange.rest}/api/3`, private: `${exchange.rest}/api/3` };
    const viewer = ccxtV2Client(exchange, exchange.key('demo-two'), 'bequant');
    try {
      await trader.loadMarkets();
      const order = await trader.createOrder('LTC/USDT', 'limit', 'buy', 1.5, 83.5);
      assert.equal(order.status, 'open');
      // A snapshot tells the book of the last beat; the order may come with the next one, also between two readings.
      const bids = await until('the order in the book', async () => {
        await Promise.race([viewer.watchOrderBook('LTC/USDT').catch(() => undefined), pause(200)]);
        const { bids = [] } = viewer.orderbooks['LTC/USDT'] ?? {};
        return bids.length > 0 ? Array.from(bids, ([price, size]) => [price, size]) : undefined;
      });
      assert.deepEqual(bids, [[83.5, 1.5]]);
      const sold = await viewer.createOrder('LTC/USDT', 'limit', 'sell', 1, 83.5);
      assert.deepEqual([sold.status, sold.filled], ['closed', 1]);
      const left = await trader.fetchOpenOrder(String(order.id));
      assert.deepEqual([left.filled, left.remaining], [1, 0.5]);
    } finally {
      await trader.close();
      await viewer.close();
    }
  });
});

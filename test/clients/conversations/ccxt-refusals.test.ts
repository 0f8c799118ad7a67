import assert from 'node:assert/strict';
import type { Ccxt } from '../support/ccxt-client.ts';
import { ccxt, ccxtClient } from '../support/ccxt-client.ts';
import type { RunningExchange } from '../support/exchange.ts';
import { startExchange, still } from '../support/exchange.ts';
import { after, before, describe, test } from '../support/talk.ts';

const symbol = 'BTC/USDT';

describe('ccxt names each refusal', () => {
  let exchange: RunningExchange;
  let client: Ccxt;
  const others: Ccxt[] = [];

  before(async () => {
    exchange = await startExchange(still);
    client = await ccxtClient(exchange, exchange.key('demo'));
  });

  after(async () => {
    for (const each of [client, ...others]) await each?.close();
    await exchange?.stop();
  });

  async function another(key: { apiKey: string; secret: string; rights: readonly string[] }): Promise<Ccxt> {
    const made = await ccxtClient(exchange, key);
    others.push(made);
    return made;
  }

  test('InsufficientFunds', async () => {
    await assert.rejects(client.createOrder(symbol, 'limit', 'buy', 100, 64_000), ccxt.InsufficientFunds);
    await assert.rejects(
      client.createOrder(symbol, 'limit', 'sell', 20.000_01, 64_000),
      ccxt.InsufficientFunds,
    );
  });

  test('OrderNotFound, from cancel, edit and reading', async () => {
    await assert.rejects(client.cancelOrder('nobody-knows-it'), ccxt.OrderNotFound);
    await assert.rejects(client.fetchOpenOrder('nobody-knows-it'), ccxt.OrderNotFound);
    await assert.rejects(
      client.editOrder('nobody-knows-it', symbol, 'limit', 'buy', 1, 60_000),
      ccxt.OrderNotFound,
    );
    const order = await client.createOrder(symbol, 'limit', 'buy', 0.1, 60_000);
    await client.cancelOrder(String(order.id));
    await assert.rejects(client.cancelOrder(String(order.id)), ccxt.OrderNotFound, 'it was canceled already');
  });

  test('BadSymbol', async () => {
    const raw = client as unknown as { publicGetPublicTickerSymbol(params: object): Promise<unknown> };
    await assert.rejects(raw.publicGetPublicTickerSymbol({ symbol: 'NOSUCH' }), ccxt.BadSymbol);
  });

  test('AuthenticationError, for an unknown key, a false secret and a stale time', async () => {
    const { apiKey, secret } = exchange.key('demo');
    const unknown = await another({ apiKey: 'nobody-has-this-key', secret, rights: [] });
    await assert.rejects(unknown.fetchBalance(), ccxt.AuthenticationError);
    const forged = await another({ apiKey, secret: 'not-the-secret', rights: [] });
    await assert.rejects(forged.fetchBalance(), ccxt.AuthenticationError);
    const late = await another({ apiKey, secret, rights: [] });
    late.nonce = () => Date.now() - 60_000;
    await assert.rejects(late.fetchBalance(), ccxt.AuthenticationError);
  });

  test('PermissionDenied, when the key may read but not trade', async () => {
    const reader = await another(exchange.key('demo', 'R1'));
    assert.equal((await reader.fetchBalance())['BTC']?.free, 20);
    await assert.rejects(reader.createOrder(symbol, 'limit', 'buy', 0.1, 60_000), ccxt.PermissionDenied);
    await assert.rejects(reader.cancelAllOrders(), ccxt.PermissionDenied);
  });

  test('InvalidOrder, for an id in use, an edit that changes nothing and a market order that would rest', async () => {
    const params = { client_order_id: 'only-once-please' };
    await client.createOrder(symbol, 'limit', 'buy', 0.1, 60_000, params);
    await assert.rejects(client.createOrder(symbol, 'limit', 'buy', 0.1, 60_000, params), ccxt.InvalidOrder);
    await assert.rejects(
      client.editOrder('only-once-please', symbol, 'limit', 'buy', 0.1, 60_000),
      ccxt.InvalidOrder,
    );
    await assert.rejects(
      client.createOrder(symbol, 'market', 'buy', 0.1, undefined, { timeInForce: 'GTC' }),
      ccxt.InvalidOrder,
    );
    await client.cancelAllOrders();
  });

  test('BadRequest, for values that are not of the documents', async () => {
    const raw = client as unknown as Record<string, (params: object) => Promise<unknown>>;
    const order = { symbol: 'BTCUSDT', side: 'buy', quantity: '0.1', price: '60000' };
    const refused = (params: object): Promise<void> =>
      assert.rejects(() => raw['privatePostSpotOrder']?.(params) ?? Promise.resolve(), ccxt.BadRequest);
    await refused({ ...order, side: 'sideways' });
    await refused({ ...order, quantity: 'much' });
    await refused({ ...order, quantity: '0.000001', strict_validate: true });
    await refused({ ...order, price: '60000.001', strict_validate: true });
    await refused({ ...order, client_order_id: 'short' });
    await refused({ ...order, price: undefined });
    await assert.rejects(client.fetchTrades(symbol, undefined, undefined, { limit: 5_000 }), ccxt.BadRequest);
    assert.deepEqual(await client.fetchOpenOrders(), [], 'none of them left an order');
  });

  test('without strict_validate values are rounded half down to the grid', async () => {
    const raw = client as unknown as Record<string, (params: object) => Promise<Record<string, string>>>;
    const order = await raw['privatePostSpotOrder']?.({
      symbol: 'BTCUSDT',
      side: 'buy',
      quantity: '0.100005',
      price: '60000.006',
    });
    assert.equal(order?.['quantity'], '0.10000');
    assert.equal(order?.['price'], '60000.01');
    await client.cancelAllOrders();
  });

  test('RateLimitExceeded, beyond rate and burst of the documents', async () => {
    const eager = await another(exchange.key('demo'));
    eager.enableRateLimit = false;
    const answers = await Promise.allSettled(Array.from({ length: 300 }, () => eager.fetchTicker(symbol)));
    const refusals = answers.filter((answer) => answer.status === 'rejected');
    assert.ok(answers.length - refusals.length >= 60, 'most of a burst is served');
    assert.ok(refusals.length >= 20, `only ${refusals.length} of 300 at once were refused`);
    for (const { reason } of refusals) assert.ok(reason instanceof ccxt.RateLimitExceeded, String(reason));
  });
});

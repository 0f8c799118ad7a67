import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { UnreadableRow } from '../../src/venues/hitbtc/typed/index.ts';
import { channels, GodwitClient, unreadableRows } from '../../src/venues/hitbtc/typed/index.ts';
import { answer, StubHttpServer } from '../venues/hitbtc/client/support/stub-http-server.ts';
import { StubSocketServer } from '../venues/hitbtc/client/support/stub-socket-server.ts';
import { failureOf, Stage } from './support.ts';
import { holds } from '../system/support/holds.ts';

// As the venue writes them: processing times are doubles of any length, and nothing has to be there.
const network =
  '{"code":"BTC","network":"BTC","network_name":"Bitcoin","protocol":"","default":true,"payin_enabled":true,' +
  '"payout_enabled":true,"precision_payout":"0.00000001","payout_fee":"0.00072584","payin_confirmations":1,' +
  '"low_processing_time":3.0123456789012345,"high_processing_time":5553.571,"avg_processing_time":13.19842105263158,' +
  '"crypto_payment_id_name":"","crypto_explorer":"","is_multichain":false}';
const bitcoin = `{"full_name":"Bitcoin","crypto":true,"precision_transfer":"0.00000001","sign":"฿","networks":[${network}]}`;
const broken = '{"full_name":"Broken","precision_transfer":"a lot","networks":[]}';

const order = (id: number, price: string): object => ({
  id,
  client_order_id: `order-${id}-abcdef`,
  symbol: 'ETHBTC',
  side: 'buy',
  status: 'new',
  type: 'limit',
  time_in_force: 'GTC',
  quantity: '0.1000',
  quantity_cumulative: '0',
  price,
  post_only: false,
  created_at: '2024-01-02T03:04:05.678Z',
  updated_at: '2024-01-02T03:04:05.678Z',
});

let server: StubHttpServer;
let client: GodwitClient;
let received: UnreadableRow[];

beforeEach(async () => {
  server = await StubHttpServer.start();
  client = new GodwitClient({
    baseUrl: server.url,
    credentials: { apiKey: 'key-0001', secret: 'very-secret' },
    options: { rest: { retryMs: 1, timeoutMs: 60_000 } },
  });
  received = [];
  client.unreadable$.subscribe((row) => received.push(row));
});
afterEach(async () => {
  await client.close();
  await server.close();
});

function answers(body: string | object): void {
  server.handler = (_seen, response) => answer(response, 200, body);
}

describe('numbers of 16 and more digits', () => {
  test('are read as numbers in the currencies of version 3', async () => {
    answers(`{"BTC":${bitcoin}}`);
    const [found] = await client.v3.marketData.currencies();
    expect(found?.networks[0]).toMatchObject({
      lowProcessingTime: Number('3.0123456789012345'),
      highProcessingTime: 5_553.571,
      avgProcessingTime: 13.198_421_052_631_58,
      payinConfirmations: 1,
    });
    answers(bitcoin);
    expect((await client.v3.marketData.currency({ currency: 'BTC' })).networks).toHaveLength(1);
  });

  test('are read as numbers in the currencies of version 2', async () => {
    answers(
      '[{"id":"BTC","fullName":"Bitcoin","crypto":true,"lowProcessingTime":"0.5","avgProcessingTime":13.19842105263158,' +
        '"highProcessingTime":1.3198421052631579e-5,"payinConfirmations":2}]',
    );
    expect(await client.v2.marketData.currencies()).toMatchObject([
      { id: 'BTC', lowProcessingTime: 0.5, avgProcessingTime: 13.198_421_052_631_58, payinConfirmations: 2 },
    ]);
    expect(received).toEqual([]);
  });

  test('are read as numbers in the risk of a deposit and as decimals in amounts', async () => {
    const native = { tx_id: 'a', index: 1, currency: 'BTC', amount: 0 };
    const row = {
      id: 1,
      status: 'SUCCESS',
      type: 'DEPOSIT',
      subtype: 'BLOCKCHAIN',
      created_at: '2024-01-02T03:04:05.678Z',
      updated_at: '2024-01-02T03:04:05.678Z',
      commit_risk: { score: 0, rbf: false, low_fee: false },
      native,
    };
    const text = JSON.stringify([row])
      .replace('"score":0', '"score":12.345678901234567')
      .replace('"amount":0', '"amount":1.2345678901234567e-3');
    answers(text);
    const [found] = await client.v3.wallet.transactions();
    expect(found?.commitRisk?.score).toBe(12.345_678_901_234_567);
    expect(found?.native.amount).toBe(1_234_567_890_123_456_700_000n);
  });
});

describe('one row that cannot be read', () => {
  test('costs itself alone in a list that is keyed by code, and is reported', async () => {
    answers(`{"AAA":${bitcoin},"BAD":${broken},"CCC":${bitcoin}}`);
    const found = await client.v3.marketData.currencies();
    expect(found.map(({ code }) => code)).toEqual(['AAA', 'CCC']);
    expect(unreadableRows(found)).toEqual([
      { call: 'publicCurrencies', row: 'BAD', why: expect.stringContaining('precision_transfer') },
    ]);
    expect(received).toEqual(unreadableRows(found));
  });

  test('costs itself alone in a list of rows', async () => {
    answers([order(1, '0.05'), order(2, 'cheap'), order(3, '0.06')]);
    const found = await client.v3.spot.orders();
    expect(found.map(({ id }) => id)).toEqual(['1', '3']);
    expect(unreadableRows(found)).toMatchObject([{ call: 'spotActiveOrders', row: '1' }]);
  });

  test('costs itself alone in a list below a code and below a member', async () => {
    const trade = { id: 1, price: '1', qty: '1', side: 'sell', timestamp: '2024-01-02T03:04:05.678Z' };
    answers({ ETHBTC: [trade, { ...trade, side: 'nobody' }], BTCUSDT: [trade] });
    const trades = await client.v3.marketData.trades();
    expect([...trades].map(([symbol, rows]) => [symbol, rows.length])).toEqual([
      ['ETHBTC', 1],
      ['BTCUSDT', 1],
    ]);
    expect(unreadableRows(trades)).toMatchObject([{ row: 'ETHBTC.1' }]);
    answers({ result: [{ id: 7, email: 'a@b.c', status: 'active' }, { id: 8 }] });
    expect(await client.v2.subAccounts.list()).toMatchObject([{ id: '7' }]);
  });

  test('leaves a book whole or nothing, for a book without a level is another book', async () => {
    answers({ timestamp: '2024-01-02T03:04:05.678Z', ask: [['1', '1'], ['2']], bid: [] });
    expect(await failureOf(client.v3.marketData.orderBook({ symbol: 'ETHBTC' }))).toMatchObject({
      kind: 'unreadable',
    });
    answers({ timestamp: '2024-01-02T03:04:05.678Z', ask: [], bid: [] });
    expect(unreadableRows(await client.v3.marketData.orderBook({ symbol: 'ETHBTC' }))).toEqual([]);
  });

  test('is no list of none: an answer of which no row can be read is unreadable', async () => {
    answers([order(2, 'cheap')]);
    expect(await failureOf(client.v3.spot.orders())).toMatchObject({ kind: 'unreadable' });
    expect(received).toEqual([]);
  });

  test('is printed on standard error once a call when nothing subscribes to it', async () => {
    const silent = new GodwitClient({ baseUrl: server.url });
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    answers(`{"AAA":${bitcoin},"BAD":${broken}}`);
    await silent.v3.marketData.currencies();
    await silent.v3.marketData.currencies();
    expect(warned.mock.calls).toEqual([
      [
        'publicCurrencies: row BAD was passed over: currency BAD: member precision_transfer: expected a plain decimal',
        { code: 'GW_ROW_UNREADABLE' },
      ],
    ]);
    warned.mockRestore();
    await silent.close();
  });
});

describe('one odd member that callers can do without', () => {
  test('costs neither a currency nor one of its networks, and numbers among the ids of an asset are text', async () => {
    // A real one: the number of an asset of Algorand.
    const algorand = network.replace(
      '"is_multichain"',
      '"asset_id":{"id":31566704,"long":31566704315667043},"is_multichain"',
    );
    answers(`{"USDC":${bitcoin.replace(network, `${network},${algorand}`)}}`);
    const [found] = await client.v3.marketData.currencies();
    expect(found?.networks[1]?.assetId).toEqual({ id: '31566704', long: '31566704315667043' });
    expect(received).toEqual([]);
  });

  test.each([
    ['"payin_confirmations":1', '"payin_confirmations":"many"', 'payin_confirmations'],
    ['"payout_fee":"0.00072584"', '"payout_fee":"free"', 'payout_fee'],
    ['"crypto_explorer":""', '"crypto_explorer":{}', 'crypto_explorer'],
    ['"payin_enabled":true', '"payin_enabled":null', 'payin_enabled'],
    ['"low_processing_time":3.0123456789012345', '"low_processing_time":[]', 'low_processing_time'],
    ['"sign":"฿"', '"sign":null', 'sign'],
    ['"full_name":"Bitcoin"', '"full_name":7', 'full_name'],
    ['"is_multichain":false', '"asset_id":[1]', 'asset_id'],
    ['"network":"BTC"', '"network":5', 'networks.0'],
  ])('of a currency: %s as %s', async (usual, odd, member) => {
    expect(bitcoin).toContain(usual);
    answers(`{"AAA":${bitcoin},"BTC":${bitcoin.replace(usual, odd)}}`);
    const found = await client.v3.marketData.currencies();
    expect(found.map(({ code }) => code)).toEqual(['AAA', 'BTC']);
    expect(found[1]?.precisionTransfer).toBe('0.00000001');
    expect(unreadableRows(found)).toEqual([
      { call: 'publicCurrencies', row: '', member, why: expect.any(String) },
    ]);
    expect(received).toEqual(unreadableRows(found));
  });

  test('of a symbol, an order, a trade and a transaction', async () => {
    const symbol = {
      type: 'spot',
      status: 'working',
      base_currency: 'ETH',
      quote_currency: 'BTC',
      quantity_increment: '0.1',
      tick_size: '0.1',
      take_rate: '0',
      make_rate: '0',
      fee_currency: 'BTC',
      margin_trading: null,
      max_initial_leverage: 'none',
      expiry: 'never',
    };
    answers({ ETHBTC: symbol });
    expect((await client.v3.marketData.symbols()).get('ETHBTC')).toMatchObject({ marginTrading: false });
    answers([
      { ...order(1, '0.05'), order_list_id: 7, inactive: 'no', price_average: 'none', contingency_type: [] },
    ]);
    expect(await client.v3.spot.orders()).toMatchObject([{ id: '1' }]);
    const trade = { id: 1, order_id: 2, client_order_id: 'abcdefgh', symbol: 'ETHBTC', side: 'buy' };
    const time = { timestamp: '2024-01-02T03:04:05.678Z', taker: 'perhaps' };
    answers([{ ...trade, quantity: '1', price: '2', fee: '3', ...time }]);
    expect(await client.v3.spot.tradeHistory()).toMatchObject([{ id: '1' }]);
    const native = {
      tx_id: 'a',
      index: 1,
      currency: 'BTC',
      amount: '1',
      senders: 'me',
      confirmations: -1,
      fee: {},
    };
    const dates = { created_at: time.timestamp, updated_at: time.timestamp, last_activity_at: 'soon' };
    answers([
      {
        id: 1,
        status: 'SUCCESS',
        type: 'DEPOSIT',
        subtype: 'FIAT',
        ...dates,
        commit_risk: 9,
        meta: 'x',
        native,
      },
    ]);
    expect(await client.v3.wallet.transactions()).toMatchObject([{ id: 1, native: { currency: 'BTC' } }]);
    const printed = received.map(({ call, member }) => `${call} ${member}`).toSorted();
    expect(printed).toEqual([
      'publicSymbols expiry',
      'publicSymbols margin_trading',
      'publicSymbols max_initial_leverage',
      'spotActiveOrders contingency_type',
      'spotActiveOrders inactive',
      'spotActiveOrders order_list_id',
      'spotActiveOrders price_average',
      'spotTradeHistory taker',
      'walletTransactions commit_risk',
      'walletTransactions confirmations',
      'walletTransactions fee',
      'walletTransactions last_activity_at',
      'walletTransactions meta',
      'walletTransactions senders',
    ]);
  });

  test('is printed on standard error when nothing subscribes to it', async () => {
    const silent = new GodwitClient({ baseUrl: server.url });
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    answers(`{"AAA":${bitcoin.replace('"sign":"฿"', '"sign":5')}}`);
    await silent.v3.marketData.currencies();
    expect(warned.mock.calls.map(([text]) => text)).toEqual([
      'publicCurrencies: member sign was passed over: expected string, received number',
    ]);
    warned.mockRestore();
    await silent.close();
  });
});

describe('a notification with one row that cannot be read', () => {
  test('costs that row alone, and says which', async () => {
    const sockets = await StubSocketServer.start();
    sockets.onText = ({ ws }, text) => {
      const { id } = JSON.parse(text) as { id: number };
      const trade = { t: 1_700_000_000_123, i: 1, p: '1', q: '1', s: 'buy' };
      const result = { ch: 'trades', subscriptions: ['ETHBTC'] };
      ws.send(JSON.stringify({ result, id }));
      ws.send(
        JSON.stringify({ ch: 'trades', snapshot: { ETHBTC: [trade, { ...trade, s: 'both' }, trade] } }),
      );
    };
    const listening = new GodwitClient({ baseUrl: server.url, wsUrl: sockets.url });
    listening.unreadable$.subscribe((row) => received.push(row));
    const market = listening.sockets.marketV3();
    const faults: string[] = [];
    market.faults$.subscribe((fault) => faults.push(fault));
    const delivered: number[] = [];
    await market.subscribe(channels.tradesChannel(), { keys: ['ETHBTC'], limit: 3 }, ({ payloads }) =>
      delivered.push(payloads.get('ETHBTC')?.length ?? 0),
    );
    await holds(() => expect(delivered).toContain(2));
    expect(received[0]).toMatchObject({ call: 'trades', row: 'ETHBTC.1' });
    expect(faults[0]).toContain('row ETHBTC.1');
    await listening.close();
    await sockets.close();
  });
});

test('every list of the exchange loses a row that cannot be read and nothing else', async () => {
  const stage = await Stage.start();
  const plain = stage.client();
  const spoiled = stage.client({ baseUrl: server.url });
  spoiled.unreadable$.subscribe((row) => received.push(row));
  server.handler = ({ url, headers }, response) => {
    void fetch(`${stage.server.restUrl}${url}`, { headers: { authorization: headers.authorization ?? '' } })
      .then((reply) => reply.json())
      .then((body) => answer(response, 200, withBrokenRow(body as object)));
  };
  const bid = { symbol: 'ETHBTC', side: 'buy', quantity: '0.1', price: '0.02' } as const;
  await plain.v3.spot.createOrder(bid);
  const lists: readonly ((client: GodwitClient) => Promise<object>)[] = [
    ({ v3 }) => v3.marketData.currencies(),
    ({ v3 }) => v3.marketData.symbols(),
    ({ v3 }) => v3.marketData.priceRates({ to: 'USDT' }),
    ({ v3 }) => v3.spot.balances(),
    ({ v3 }) => v3.spot.fees(),
    ({ v3 }) => v3.spot.orders(),
    ({ v3 }) => v3.wallet.balances(),
    ({ v3 }) => v3.margin.config(),
    ({ v3 }) => v3.buyCrypto.providers(),
    ({ v2 }) => v2.marketData.currencies(),
    ({ v2 }) => v2.marketData.symbols(),
    ({ v2 }) => v2.trading.balances(),
    ({ v2 }) => v2.trading.orders(),
    ({ v2 }) => v2.account.balances(),
    ({ v2 }) => v2.buyCrypto.providers(),
  ];
  for (const list of lists) {
    received.length = 0;
    const found = await list(spoiled);
    expect(received, server.seen.at(-1)?.url).toHaveLength(1);
    expect(unreadableRows(found)).toEqual(received);
    expect(sizeOf(found), server.seen.at(-1)?.url).toBe(sizeOf(await list(plain)));
  }
  await stage.close();
});

function withBrokenRow(body: object): object {
  if (Array.isArray(body)) return [...(body as unknown[]), { broken: [] }];
  const [name, member] = Object.entries(body)[0] ?? ['', {}];
  if (Object.keys(body).length === 1 && Array.isArray(member)) {
    return { [name]: [...(member as unknown[]), { broken: [] }] };
  }
  return { ...body, BROKEN: { broken: [] } };
}

function sizeOf(list: object): number {
  if (list instanceof Map) return list.size;
  return Array.isArray(list) ? list.length : -1;
}

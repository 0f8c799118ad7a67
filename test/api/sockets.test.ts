import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { GodwitClient } from '../../src/client/index.ts';
import { attempt, channels, parseAmount } from '../../src/client/index.ts';
import { millis } from '../../src/base/clock.ts';
import { exchangeRows } from './exchange-rows.ts';
import { documentRows, nameOf } from './rows.ts';
import { failureOf, Stage, until } from './support.ts';

let stage: Stage;
let client: GodwitClient;
const open: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  stage = await Stage.start();
  client = stage.client();
});
afterEach(async () => {
  for (const socket of open.splice(0)) await socket.close();
});
afterAll(async () => {
  await stage.close();
});

function opened<Opened extends { close(): Promise<void> }>(socket: Opened): Opened {
  open.push(socket);
  return socket;
}

const settled = (check: () => boolean) => until(stage.clock, check);
const symbol = 'ETHUSDT';
const low = { symbol, side: 'buy', quantity: '0.1', price: '1000' } as const;

describe('the v3 public socket', () => {
  test('tells books without a gap, names unknown symbols, and ends when asked', async () => {
    const market = opened(client.sockets.marketV3());
    const told: [string, number][] = [];
    const standing = await market.subscribe(
      channels.fullBookChannel(),
      { keys: [symbol, 'NOPE'] },
      ({ kind, payloads }) => told.push([kind, payloads.get(symbol)?.sequence ?? 0]),
    );
    expect([standing.accepted, standing.missing]).toEqual([[symbol], ['NOPE']]);
    await settled(() => told.length >= 5);
    expect(told[0]?.[0]).toBe('snapshot');
    const [first] = told.map(([, sequence]) => sequence);
    expect(told.map(([, sequence]) => sequence - (first ?? 0))).toEqual(told.map((_, index) => index));
    expect(await market.subscriptions(channels.fullBookChannel())).toEqual([symbol]);
    expect(await standing.unsubscribe()).toEqual([]);
  });

  test.each(channelsThere())('tells %s, typed', async (_name, channel, wish) => {
    const market = opened(client.sockets.marketV3());
    const keys: string[] = [];
    const faults: string[] = [];
    market.faults$.subscribe((fault) => faults.push(fault));
    const standing = await market.subscribe(channel, wish, ({ payloads }) => keys.push(...payloads.keys()));
    expect(standing.missing).toEqual([]);
    await settled(() => keys.length > 0);
    expect(wish.keys).toContain(keys[0]);
    expect(faults).toEqual([]);
  });

  test('keeps two listeners of a channel apart, and the one when the other leaves', async () => {
    const market = opened(client.sockets.marketV3());
    const one: string[] = [];
    const two: string[] = [];
    const channel = channels.topOfBookChannel('100ms');
    const first = await market.subscribe(channel, { keys: [symbol] }, (m) => one.push(...m.payloads.keys()));
    await market.subscribe(channel, { keys: [symbol, 'BTCUSDT'] }, (m) => two.push(...m.payloads.keys()));
    await settled(() => one.length > 0 && two.includes('BTCUSDT'));
    expect(new Set(one)).toEqual(new Set([symbol]));
    expect((await first.unsubscribe()).toSorted()).toEqual(['BTCUSDT', symbol]);
    const before = two.filter((key) => key === symbol).length;
    await settled(() => two.filter((key) => key === symbol).length > before);
  });

  test('is an Observable, too, which ends its subscription when it is left', async () => {
    const market = opened(client.sockets.marketV3());
    const seen: string[] = [];
    const stream = market.stream(channels.partialBookChannel('D5', '100ms'), { keys: [symbol] });
    const leaving = stream.subscribe(({ kind }) => seen.push(kind));
    await settled(() => seen.length > 0);
    expect(seen[0]).toBe('data');
    leaving.unsubscribe();
    const channel = channels.partialBookChannel('D5', '100ms');
    let active: readonly string[] = [symbol];
    while (active.length > 0) active = await market.subscriptions(channel);
  });

  test('asks again for everything after the connection was lost', async () => {
    const market = opened(client.sockets.marketV3());
    const kinds: string[] = [];
    await market.subscribe(channels.fullBookChannel(), { keys: [symbol] }, ({ kind }) => kinds.push(kind));
    await settled(() => kinds.length > 1);
    stage.server.faults.closeSockets(1001, 'maintenance');
    await settled(() => kinds.filter((kind) => kind === 'snapshot').length === 2);
    expect(market.socket.state).toBe('ready');
  });
});

/** One channel of each kind the exchange tells something of. */
function channelsThere() {
  const of = <Payload>(
    channel: channels.TypedChannel<Payload>,
    wish: { readonly keys: readonly string[]; readonly limit?: number; readonly targetCurrency?: string },
  ) => [channel.name, channel as channels.TypedChannel<unknown>, wish] as const;
  const keys = [symbol];
  return [
    of(channels.tradesChannel(), { keys, limit: 5 }),
    of(channels.candlesChannel('M1'), { keys, limit: 5 }),
    of(channels.convertedCandlesChannel('M1'), { keys, limit: 5, targetCurrency: 'BTC' }),
    of(channels.tickerChannel('1s'), { keys }),
    of(channels.tickerChannel('1s', true), { keys }),
    of(channels.priceTickerChannel('1s'), { keys }),
    of(channels.priceRateChannel('1s'), { keys: ['ETH'], targetCurrency: 'USDT' }),
    of(channels.topOfBookChannel('100ms', true), { keys }),
    of(channels.partialBookChannel('D10', '100ms', true), { keys }),
    of(channels.futuresInfoChannel(), { keys: ['BTCUSDT_PERP'] }),
  ];
}

describe('the v3 trading socket', () => {
  test.each(['HS256', 'BASIC'] as const)('logs in by %s and carries out spot orders', async (login) => {
    const { spot, ...socket } = opened(client.sockets.tradingV3(login));
    expect(socket).toBeDefined();
    const reports: string[] = [];
    spot.order$.subscribe(({ reportType, status }) => reports.push(`${reportType} ${status}`));
    await spot.subscribe();
    const order = await spot.newOrder(low);
    expect(order).toMatchObject({ symbol, status: 'new', reportType: 'new', price: parseAmount('1000') });
    expect((await spot.orders()).map(({ id }) => id)).toContain(order.id);
    const next = await spot.replaceOrder({
      clientOrderId: order.clientOrderId,
      newClientOrderId: `next-${login}`,
      quantity: '0.2',
      price: '1001',
    });
    expect(next).toMatchObject({ reportType: 'replaced', originalClientOrderId: order.clientOrderId });
    expect(await spot.cancelOrder({ clientOrderId: `next-${login}` })).toMatchObject({ status: 'canceled' });
    await settled(() => reports.length >= 3);
    expect(reports.slice(0, 3)).toEqual(['new new', 'replaced new', 'canceled canceled']);
  });

  test('answers a list once for each order', async () => {
    const { spot } = opened(client.sockets.tradingV3());
    const reports = await spot.newOrderList({
      contingencyType: 'oneTriggerOther',
      orders: [low, { ...low, side: 'sell', price: '9000' }],
    });
    expect(reports.map(({ side }) => side)).toEqual(['buy', 'sell']);
    expect((await spot.cancelOrders()).length).toBeGreaterThan(0);
    expect(
      await failureOf(spot.newOrderList({ contingencyType: 'oneCancelOther', orders: [low] })),
    ).toMatchObject({
      kind: 'denied',
      code: 'LIST_COUNT',
    });
  });

  test('tells balances and fees, asked for or subscribed', async () => {
    const { spot } = opened(client.sockets.tradingV3());
    const told: number[] = [];
    spot.balances$.subscribe((balances) => told.push(balances.length));
    await spot.subscribeBalances('updates');
    await settled(() => told.length > 0);
    expect(await spot.balance({ currency: 'BTC' })).toMatchObject({ currency: 'BTC' });
    expect((await spot.balances()).length).toBe(told[0]);
    expect((await spot.fees()).length).toBeGreaterThan(3);
    expect(await spot.fee({ symbol })).toMatchObject({ symbol, takeRate: parseAmount('0.001') });
    await spot.unsubscribeBalances();
    await spot.unsubscribe();
  });

  test('serves margin and futures accounts and orders', async () => {
    const { margin, futures } = opened(client.sockets.tradingV3());
    const accounts: string[] = [];
    margin.account$.subscribe((account) => accounts.push(account.reportReason ?? ''));
    await margin.subscribe();
    await futures.subscribe();
    await margin.setAccount({ symbol: 'BTCUSDT', marginBalance: '500' });
    const order = await margin.newOrder({ symbol: 'BTCUSDT', side: 'buy', quantity: '0.001', price: '1000' });
    expect(order).toMatchObject({ status: 'new', marginMode: 'isolated' });
    expect((await margin.orders()).map(({ id }) => id)).toEqual([order.id]);
    expect((await margin.accounts()).map(({ type }) => type)).toEqual(['isolated']);
    await margin.cancelOrders();
    await settled(() => accounts.length > 0);
    expect(await futures.accounts()).toEqual([]);
    expect(await futures.balances()).toBeInstanceOf(Array);
    expect((await futures.fees()).length).toBeGreaterThan(0);
  });

  test('says what the venue refused, and what became of a request when the connection went', async () => {
    const { spot } = opened(client.sockets.tradingV3());
    expect(await failureOf(spot.cancelOrder({ clientOrderId: 'nobody-knows' }))).toMatchObject({
      kind: 'refused',
      code: 20002,
      outcome: 'known',
    });
    expect(await failureOf(spot.newOrder({ ...low, clientOrderId: 'short' }))).toMatchObject({
      kind: 'denied',
    });
    stage.server.faults.holdReplies(millis(5_000));
    const pending = attempt(spot.newOrder(low));
    await settled(
      () => stage.server.core.exchange.activeOrders(stage.server.accounts.get('demo').id).length > 0,
    );
    stage.server.faults.closeSockets(1001, 'maintenance');
    expect(await pending).toMatchObject({ ok: false, failure: { kind: 'unknown', outcome: 'unknown' } });
    stage.server.faults.clear();
    await client.v3.spot.cancelOrders();
  });
});

describe('the v3 wallet socket', () => {
  test('tells balances and transactions', async () => {
    const wallet = opened(client.sockets.walletV3());
    const types: string[] = [];
    const balances: number[] = [];
    wallet.transaction$.subscribe(({ type }) => types.push(type));
    wallet.balances$.subscribe((all) => balances.push(all.length));
    await wallet.subscribeTransactions();
    await wallet.subscribeBalances();
    await client.v3.wallet.transfer({
      currency: 'USDT',
      amount: '10',
      source: 'spot',
      destination: 'wallet',
    });
    await settled(() => types.length > 0 && balances.length > 0);
    expect(types[0]).toBe('TRANSFER');
    expect(await wallet.balance({ currency: 'USDT' })).toMatchObject({ currency: 'USDT' });
    expect((await wallet.balances()).length).toBeGreaterThan(0);
    expect((await wallet.transactions({ limit: 1 }))[0]).toMatchObject({ type: 'TRANSFER' });
    await wallet.unsubscribeTransactions();
    await wallet.unsubscribeBalances();
  });
});

describe('the v2 sockets', () => {
  test('tell market data: books in sequence, trades, candles, tickers', async () => {
    const { market, ...socket } = opened(client.sockets.publicV2());
    expect(socket).toBeDefined();
    const seen = new Set<string>();
    const sequences: number[] = [];
    market.book$.subscribe(({ kind, sequence }) => {
      seen.add(`book ${kind}`);
      sequences.push(sequence);
    });
    market.trades$.subscribe(({ kind }) => seen.add(`trades ${kind}`));
    market.candles$.subscribe(({ kind, period }) => seen.add(`candles ${kind} ${period}`));
    market.ticker$.subscribe((ticker) => seen.add(ticker.symbol));
    await market.subscribeBook(symbol);
    await market.subscribeTrades(symbol, 5);
    await market.subscribeCandles({ symbol, period: 'M1', limit: 5 });
    await market.subscribeTicker(symbol);
    const wanted = ['book snapshot', 'book update', 'trades snapshot', 'candles snapshot M1', symbol];
    await settled(() => wanted.every((name) => seen.has(name)));
    const [first = 0] = sequences;
    expect(sequences.map((sequence) => sequence - first)).toEqual(sequences.map((_, index) => index));
    expect(await market.symbol({ symbol })).toMatchObject({ id: symbol, tickSize: parseAmount('0.01') });
    expect((await market.symbols()).length).toBeGreaterThan(3);
    expect(await market.currency({ currency: 'BTC', extended: true })).toMatchObject({ id: 'BTC' });
    expect(await market.currencies({ currency: ['BTC', 'ETH'] })).toHaveLength(2);
    expect((await market.trades({ symbol, limit: 3 })).symbol).toBe(symbol);
    await market.unsubscribeBook(symbol);
    await market.unsubscribeTrades(symbol);
    await market.unsubscribeCandles({ symbol, period: 'M1' });
    await market.unsubscribeTicker(symbol);
    expect(await failureOf(market.subscribeBook('NOPE'))).toMatchObject({ code: 2001 });
  });

  test.each(['HS256', 'BASIC', 'BEARER'] as const)('log in by %s and carry out orders', async (login) => {
    const { trading } = opened(client.sockets.tradingV2(login));
    const reports: string[] = [];
    trading.order$.subscribe(({ reportType }) => reports.push(reportType));
    await trading.subscribeReports();
    const order = await trading.newOrder({ ...low, clientOrderId: `v2-${login}` });
    expect(order).toMatchObject({ reportType: 'new', status: 'new' });
    await trading.replaceOrder({
      clientOrderId: `v2-${login}`,
      requestClientId: `v2-${login}-b`,
      quantity: '0.2',
      price: '1001',
    });
    expect((await trading.orders()).map(({ clientOrderId }) => clientOrderId)).toEqual([`v2-${login}-b`]);
    expect(await trading.cancelOrder({ clientOrderId: `v2-${login}-b` })).toMatchObject({
      status: 'canceled',
    });
    expect((await trading.balances()).length).toBeGreaterThan(1);
    await settled(() => reports.length >= 3);
  });

  test('serve margin', async () => {
    const { trading } = opened(client.sockets.tradingV2());
    await trading.margin.subscribe();
    expect(await trading.margin.setAccount({ symbol, marginBalance: '100' })).toMatchObject({ symbol });
    expect((await trading.margin.accounts()).map((account) => account.symbol)).toContain(symbol);
    expect(await trading.margin.orders()).toEqual([]);
    expect(await trading.margin.cancelOrders()).toEqual([]);
  });

  test('serve account and everything on the combined location', async () => {
    const { account } = opened(client.sockets.accountV2());
    const told: number[] = [];
    account.balances$.subscribe((balances) => told.push(balances.length));
    await account.subscribeBalance();
    await account.subscribeTransactions();
    await settled(() => told.length > 0);
    expect((await account.balances()).length).toBe(told[0]);
    expect((await account.findTransactions({ limit: 1 })).length).toBeLessThanOrEqual(1);
    const combined = opened(client.sockets.combinedV2());
    await combined.market.subscribeTicker(symbol);
    await combined.trading.subscribeReports();
    expect((await combined.account.balances()).length).toBe(told[0]);
  });
});

test('every socket method the exchange serves is one the documents name, or is told by nobody', () => {
  const served = exchangeRows(documentRows);
  const sockets = documentRows.filter(({ kind }) => kind === 'socket').map(nameOf);
  expect(sockets.filter((name) => served.has(name)).length).toBeGreaterThan(70);
});

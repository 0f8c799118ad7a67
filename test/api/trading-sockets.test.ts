import { describe, expect, test } from 'vitest';
import { attempt, GodwitClient, parseAmount } from '../../src/venues/hitbtc/typed/index.ts';
import { failureOf, SharedStage } from './support.ts';

const shared = new SharedStage();
const symbol = 'ETHUSDT';
const low = { symbol, side: 'buy', quantity: '0.1', price: '1000' } as const;

describe('a login', () => {
  test('that the venue refuses ends what waits for it, with the reason', async () => {
    const stranger = shared.stage.client({ credentials: { apiKey: 'nobody-0001', secret: 'wrong' } });
    const { spot } = shared.opened(stranger.sockets.tradingV3());
    expect(await failureOf(spot.orders())).toMatchObject({ kind: 'refused', code: 1002, outcome: 'known' });
  });

  test('needs credentials, and BASIC an address of this machine', () => {
    const nobody = new GodwitClient({ baseUrl: 'https://venue.example', wsUrl: 'wss://venue.example' });
    expect(() => nobody.sockets.walletV3()).toThrow('CREDENTIALS_MISSING');
    const credentials = { apiKey: 'key-0001', secret: 'very-secret' };
    const far = new GodwitClient({
      baseUrl: 'https://venue.example',
      wsUrl: 'wss://venue.example',
      credentials,
    });
    expect(() => far.sockets.tradingV3('BASIC')).toThrow('this machine only');
    expect(() => new GodwitClient({ baseUrl: 'http://venue.example', credentials })).toThrow('https or wss');
  });

  test('without the right is refused by what is asked, not by the login', async () => {
    const reader = shared.stage.client({}, 'demo', 1);
    const { spot } = shared.opened(reader.sockets.tradingV3());
    expect(await spot.orders()).toBeInstanceOf(Array);
    expect(await failureOf(spot.newOrder(low))).toMatchObject({ kind: 'refused', code: 1003 });
  });
});

describe('the v3 trading socket', () => {
  test.each(['HS256', 'BASIC'] as const)('logs in by %s and carries out spot orders', async (login) => {
    const { spot } = shared.opened(shared.client.sockets.tradingV3(login));
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
    await shared.settled(() => reports.length >= 3);
    expect(reports.slice(0, 3)).toEqual(['new new', 'replaced new', 'canceled canceled']);
  });

  test('answers a list once for each order', async () => {
    const { spot } = shared.opened(shared.client.sockets.tradingV3());
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

  test('reports balances and fees, asked for or subscribed', async () => {
    const { spot } = shared.opened(shared.client.sockets.tradingV3());
    const received: number[] = [];
    spot.balances$.subscribe((balances) => received.push(balances.length));
    await spot.subscribeBalances('updates');
    await shared.settled(() => received.length > 0);
    expect(await spot.balance({ currency: 'BTC' })).toMatchObject({ currency: 'BTC' });
    expect((await spot.balances()).length).toBe(received[0]);
    expect((await spot.fees()).length).toBeGreaterThan(3);
    expect(await spot.fee({ symbol })).toMatchObject({ symbol, takeRate: parseAmount('0.001') });
    await spot.unsubscribeBalances();
    await spot.unsubscribe();
  });

  test('serves margin and futures accounts and orders', async () => {
    const { margin, futures } = shared.opened(shared.client.sockets.tradingV3());
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
    await shared.settled(() => accounts.length > 0);
    expect(await futures.accounts()).toEqual([]);
    expect(await futures.balances()).toBeInstanceOf(Array);
    expect((await futures.fees()).length).toBeGreaterThan(0);
  });

  test('says what the venue refused, and what became of a request when the connection went', async () => {
    const { spot } = shared.opened(shared.client.sockets.tradingV3());
    expect(await failureOf(spot.cancelOrder({ clientOrderId: 'nobody-knows' }))).toMatchObject({
      kind: 'refused',
      code: 20002,
      outcome: 'known',
    });
    expect(await failureOf(spot.newOrder({ ...low, clientOrderId: 'short' }))).toMatchObject({
      kind: 'denied',
    });
    shared.stage.server.faults.holdReplies(5_000);
    const pending = attempt(spot.newOrder(low));
    await shared.settled(
      () =>
        shared.stage.server.core.exchange.activeOrders(shared.stage.server.accounts.get('demo').id).length >
        0,
    );
    shared.stage.server.faults.closeSockets(1001, 'maintenance');
    expect(await pending).toMatchObject({ ok: false, failure: { kind: 'unknown', outcome: 'unknown' } });
    shared.stage.server.faults.clear();
    await shared.client.v3.spot.cancelOrders();
  });
});

describe('the v3 wallet socket', () => {
  test('reports balances and transactions', async () => {
    const wallet = shared.opened(shared.client.sockets.walletV3());
    const types: string[] = [];
    const balances: number[] = [];
    wallet.transaction$.subscribe(({ type }) => types.push(type));
    wallet.balances$.subscribe((all) => balances.push(all.length));
    await wallet.subscribeTransactions();
    await wallet.subscribeBalances();
    await shared.client.v3.wallet.transfer({
      currency: 'USDT',
      amount: '10',
      source: 'spot',
      destination: 'wallet',
    });
    await shared.settled(() => types.length > 0 && balances.length > 0);
    expect(types[0]).toBe('TRANSFER');
    expect(await wallet.balance({ currency: 'USDT' })).toMatchObject({ currency: 'USDT' });
    expect((await wallet.balances()).length).toBeGreaterThan(0);
    expect((await wallet.transactions({ limit: 1 }))[0]).toMatchObject({ type: 'TRANSFER' });
    await wallet.unsubscribeTransactions();
    await wallet.unsubscribeBalances();
  });
});

describe('the v2 sockets', () => {
  test.each(['HS256', 'BASIC', 'BEARER'] as const)('log in by %s and carry out orders', async (login) => {
    const { trading } = shared.opened(shared.client.sockets.tradingV2(login));
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
    await shared.settled(() => reports.length >= 3);
  });

  test('serve margin', async () => {
    const { trading } = shared.opened(shared.client.sockets.tradingV2());
    await trading.margin.subscribe();
    expect(await trading.margin.setAccount({ symbol, marginBalance: '100' })).toMatchObject({ symbol });
    expect((await trading.margin.accounts()).map((account) => account.symbol)).toContain(symbol);
    expect(await trading.margin.orders()).toEqual([]);
    expect(await trading.margin.cancelOrders()).toEqual([]);
  });

  test('serve account and everything on the combined location', async () => {
    const { account } = shared.opened(shared.client.sockets.accountV2());
    const received: number[] = [];
    account.balances$.subscribe((balances) => received.push(balances.length));
    await account.subscribeBalance();
    await account.subscribeTransactions();
    await shared.settled(() => received.length > 0);
    expect((await account.balances()).length).toBe(received[0]);
    expect((await account.findTransactions({ limit: 1 })).length).toBeLessThanOrEqual(1);
    const combined = shared.opened(shared.client.sockets.combinedV2());
    await combined.market.subscribeTicker(symbol);
    await combined.trading.subscribeReports();
    expect((await combined.account.balances()).length).toBe(received[0]);
  });
});

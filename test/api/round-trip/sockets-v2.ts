import { expect } from 'vitest';
import type { GodwitClient } from '../../../src/venues/hitbtc/typed/index.ts';
import { parseAmount } from '../../../src/venues/hitbtc/typed/index.ts';
import { codeOf, lowOrder, newOrderErrors, replaceErrors } from './order-errors.ts';
import type { AnyOrder, Place } from './order-errors.ts';
import type { RowCase } from './row-case.ts';
import { rowCase } from './row-case.ts';
import type { SocketOf, Talk } from './talk.ts';

const symbol = 'BTCUSDT';
const middle = parseAmount('60000');
const at = {
  public: '/api/2/ws/public',
  trading: '/api/2/ws/trading',
  account: '/api/2/ws/account',
} as const;
type Market = SocketOf<'publicV2'>['market'];
type Trading = SocketOf<'tradingV2'>['trading'];

const market =
  <Value>(run: (methods: Market, talk: Talk) => Promise<Value>) =>
  (client: GodwitClient, talk: Talk) =>
    talk.on(client, 'publicV2', (socket) => run(socket.market, talk));
const trading =
  <Value>(run: (methods: Trading, talk: Talk) => Promise<Value>) =>
  (client: GodwitClient, talk: Talk) =>
    talk.on(client, 'tradingV2', (socket) => run(socket.trading, talk));
const noSymbol = (method: string, more: object = {}) => ({
  2001: (talk: Talk) => talk.rawSocket(at.public, { method, params: { symbol: 'NOPE', ...more } }),
});
const nothing = (value: unknown) => expect(value).toBeUndefined();

/** What a feed of the market tells first, and that it ends. */
function feed(
  name: string,
  received: (methods: Market) => { subscribe(next: (value: unknown) => void): { unsubscribe(): void } },
  [join, leave]: readonly [(methods: Market) => Promise<void>, (methods: Market) => Promise<void>],
  more: object = {},
): RowCase[] {
  return [
    rowCase(
      `${at.public} subscribe${name}`,
      market(async (methods, talk) => {
        const seen: unknown[] = [];
        const listening = received(methods).subscribe((value) => seen.push(value));
        await join(methods);
        await talk.until(() => seen.length > 0);
        listening.unsubscribe();
        return seen[0];
      }),
      (first) => expect(first).toMatchObject({ symbol }),
      { bad: {}, errors: noSymbol(`subscribe${name}`, more) },
    ),
    rowCase(`${at.public} unsubscribe${name}`, market(leave), nothing, {
      bad: {},
      errors: noSymbol(`unsubscribe${name}`, more),
    }),
  ];
}

const reads: readonly RowCase[] = [
  rowCase(
    `${at.public} getCurrency`,
    market((methods) => methods.currency({ currency: 'BTC' })),
    (row) => expect(row).toMatchObject({ id: 'BTC' }),
    {
      bad: {},
      errors: {
        2002: (talk) => talk.rawSocket(at.public, { method: 'getCurrency', params: { currency: 'NOPE' } }),
      },
    },
  ),
  rowCase(
    `${at.public} getCurrencies`,
    market((methods) => methods.currencies({ currency: ['BTC', 'ETH'] })),
    (rows) => expect(rows.map(({ id }) => id)).toEqual(['BTC', 'ETH']),
  ),
  rowCase(
    `${at.public} getSymbol`,
    market((methods) => methods.symbol({ symbol })),
    (row) => expect(row).toMatchObject({ id: symbol }),
    { bad: {}, errors: noSymbol('getSymbol') },
  ),
  rowCase(
    `${at.public} getSymbols`,
    market((methods) => methods.symbols()),
    (rows) => expect(rows).toHaveLength(5),
  ),
  rowCase(
    `${at.public} getTrades`,
    market((methods) => methods.trades({ symbol, limit: 1 })),
    ({ data }) => expect(data).toMatchObject([{ price: middle }]),
    { bad: { symbol, limit: 1_001 }, errors: noSymbol('getTrades') },
  ),
];

const feeds: readonly RowCase[] = [
  ...feed('Ticker', (methods) => methods.ticker$, [
    (methods) => methods.subscribeTicker(symbol),
    (methods) => methods.unsubscribeTicker(symbol),
  ]),
  ...feed('Orderbook', (methods) => methods.book$, [
    (methods) => methods.subscribeBook(symbol),
    (methods) => methods.unsubscribeBook(symbol),
  ]),
  ...feed('Trades', (methods) => methods.trades$, [
    (methods) => methods.subscribeTrades(symbol, 5),
    (methods) => methods.unsubscribeTrades(symbol),
  ]),
  ...feed(
    'Candles',
    (methods) => methods.candles$,
    [
      (methods) => methods.subscribeCandles({ symbol, period: 'M1', limit: 5 }),
      (methods) => methods.unsubscribeCandles({ symbol, period: 'M1' }),
    ],
    { period: 'M1' },
  ),
];

const low = lowOrder(symbol);
type OrderMethods = Pick<Trading, 'newOrder' | 'cancelOrder' | 'replaceOrder' | 'orders'>;
const nobody = { clientOrderId: 'nobody-knows-it' };

/** Names of one kind of orders on the trading socket. */
interface Kind {
  readonly methods: (trading: Trading) => OrderMethods;
  readonly place: string;
  readonly cancel: string;
  readonly replace: string;
  readonly list: string;
  readonly before?: (talk: Talk) => Promise<void>;
  readonly errors?: RowCase['errors'];
}

function orderRows({ methods, before, ...names }: Kind): RowCase[] {
  const named = (method: string) => `${at.trading} ${method}`;
  const ours = <Value>(talk: Talk, run: (orders: OrderMethods) => Promise<Value>) =>
    talk.on(talk.us, 'tradingV2', (socket) => run(methods(socket.trading)));
  const withId = (talk: Talk, order: AnyOrder) =>
    ({ clientOrderId: talk.id(), ...order }) as typeof low & typeof nobody;
  const place: Place = (talk, order) => ours(talk, (orders) => orders.newOrder(withId(talk, order)));
  const id = (talk: Talk): string => talk.notes.get(names.place) ?? nobody.clientOrderId;
  const withOrder = async (talk: Talk): Promise<void> => {
    await before?.(talk);
    const { clientOrderId } = await ours(talk, (orders) => orders.newOrder(withId(talk, low)));
    talk.notes.set(names.place, clientOrderId);
  };
  const start = before === undefined ? {} : { before };
  return [
    rowCase(
      named(names.place),
      trading((socket, talk) => methods(socket).newOrder(withId(talk, low))),
      (report) => expect(report).toMatchObject({ symbol, status: 'new', reportType: 'new' }),
      {
        ...start,
        bad: { ...low, side: 'sideways', clientOrderId: 'round-trip' },
        errors: { ...newOrderErrors(symbol, place), ...names.errors },
      },
    ),
    rowCase(
      named(names.replace),
      trading((socket, talk) =>
        methods(socket).replaceOrder({
          clientOrderId: id(talk),
          requestClientId: talk.id(),
          quantity: '0.002',
          price: '1001',
        }),
      ),
      (report, talk) =>
        expect(report).toMatchObject({ reportType: 'replaced', originalRequestClientOrderId: id(talk) }),
      {
        before: withOrder,
        errors: replaceErrors(symbol, place, (talk, { newId, ...change }) =>
          ours(talk, (orders) => orders.replaceOrder({ ...change, requestClientId: newId })),
        ),
      },
    ),
    rowCase(
      named(names.list),
      trading((socket) => methods(socket).orders()),
      (reports, talk) => expect(reports.map(({ clientOrderId }) => clientOrderId)).toContain(id(talk)),
      { before: withOrder },
    ),
    rowCase(
      named(names.cancel),
      trading((socket, talk) => methods(socket).cancelOrder({ clientOrderId: id(talk) })),
      (report) => expect(report).toMatchObject({ status: 'canceled', reportType: 'canceled' }),
      {
        before: withOrder,
        errors: { 20_002: (talk) => codeOf(ours(talk, (orders) => orders.cancelOrder(nobody))) },
      },
    ),
  ];
}

const open = async (talk: Talk): Promise<void> => {
  const accounts = await talk.us.v2.margin.accounts();
  if (accounts.length === 0) await talk.us.v2.margin.setAccount({ symbol, marginBalance: '5000' });
};
const raw = (method: string, params: object) => (talk: Talk) =>
  talk.rawSocket(at.trading, { method, params });
const suspended = { ...low, symbol: 'LTCUSDT', quantity: '1', price: '1', clientOrderId: 'round-trip' };

const loginErrors = (place: string, kind: 'tradingV2' | 'accountV2'): RowCase['errors'] => ({
  1002: (talk) => codeOf(talk.on(talk.keyless, kind, (socket) => socket.socket.ready())),
  1004: (talk) => talk.rawSocket(place, { method: 'login', params: { algo: 'Digest' } }, false),
});

const tradingMethods: readonly RowCase[] = [
  rowCase(
    `${at.trading} login`,
    (client, talk) => talk.on(client, 'tradingV2', (socket) => socket.socket.ready()),
    nothing,
    { errors: loginErrors(at.trading, 'tradingV2') },
  ),
  rowCase(
    `${at.trading} subscribeReports`,
    trading(async (methods, talk) => {
      const seen: string[] = [];
      const received = methods.orders$.subscribe(() => seen.push('active'));
      received.add(methods.order$.subscribe(({ reportType }) => seen.push(reportType)));
      await methods.subscribeReports();
      await methods.newOrder({ ...low, clientOrderId: talk.id() });
      await talk.until(() => seen.length > 1);
      received.unsubscribe();
      return seen;
    }),
    (seen) => expect(seen).toEqual(['active', 'new']),
  ),
  rowCase(
    `${at.trading} getTradingBalance`,
    trading((methods) => methods.balances()),
    (rows) => expect(rows.map(({ currency }) => currency)).toContain('USDT'),
  ),
  ...orderRows({
    methods: (socket) => socket,
    place: 'newOrder',
    cancel: 'cancelOrder',
    replace: 'cancelReplaceOrder',
    list: 'getOrders',
    errors: { 20_010: raw('newOrder', suspended) },
  }),
  ...orderRows({
    methods: (socket) => socket.margin,
    place: 'marginOrderNew',
    cancel: 'marginOrderCancel',
    replace: 'marginOrderCancelReplace',
    list: 'marginOrdersGet',
    before: open,
    errors: {
      20_032: raw('marginOrderNew', { ...low, symbol: 'ETHUSDT', clientOrderId: 'round-trip' }),
      20_040: raw('marginOrderNew', { ...suspended, symbol: 'XRPUSDT' }),
    },
  }),
  rowCase(
    `${at.trading} marginOrdersCancel`,
    trading((methods) => methods.margin.cancelOrders()),
    (reports) => expect(new Set(reports.map(({ status }) => status))).toEqual(new Set(['canceled'])),
  ),
];

const marginAccounts: readonly RowCase[] = [
  rowCase(
    `${at.trading} marginSubscribe`,
    trading(async (methods, talk) => {
      const seen: string[] = [];
      const received = methods.margin.accounts$.subscribe(() => seen.push('accounts'));
      received.add(methods.margin.account$.subscribe(({ reportReason }) => seen.push(reportReason ?? '')));
      await methods.margin.subscribe();
      await methods.margin.setAccount({ symbol, marginBalance: '4500' });
      await talk.until(() => seen.length > 1);
      received.unsubscribe();
      return seen;
    }),
    (seen) => expect(seen).toEqual(['accounts', 'marginChanged']),
    { before: open },
  ),
  rowCase(
    `${at.trading} marginAccountsGet`,
    trading((methods) => methods.margin.accounts()),
    (accounts) => expect(accounts).toMatchObject([{ symbol, reportType: 'status' }]),
    { before: open },
  ),
  rowCase(
    `${at.trading} marginAccountSet`,
    trading((methods) => methods.margin.setAccount({ symbol, marginBalance: '4000' })),
    (account) => expect(account).toMatchObject({ symbol, marginBalance: parseAmount('4000') }),
    {
      before: open,
      bad: { symbol, marginBalance: 'much' },
      errors: {
        2001: raw('marginAccountSet', { symbol: 'NOPE', marginBalance: '1' }),
        20_001: raw('marginAccountSet', { symbol, marginBalance: '99999999' }),
        20_033: raw('marginAccountSet', { symbol, marginBalance: '4000' }),
      },
    },
  ),
  rowCase(
    `${at.trading} marginPositionClose`,
    trading((methods) => methods.margin.closePosition({ symbol })),
    (account) => expect(account).toMatchObject({ symbol, position: { quantity: parseAmount('0.01') } }),
    {
      before: async (talk) => {
        await open(talk);
        const order = { symbol, side: 'buy', quantity: '0.01', type: 'market', timeInForce: 'FOK' } as const;
        await talk.us.v2.margin.createOrder(order);
      },
      errors: {
        2001: raw('marginPositionClose', { symbol: 'NOPE' }),
        20_032: raw('marginPositionClose', { symbol: 'ETHUSDT' }),
      },
    },
  ),
];

type Account = SocketOf<'accountV2'>['account'];
const account =
  <Value>(run: (methods: Account, talk: Talk) => Promise<Value>) =>
  (client: GodwitClient, talk: Talk) =>
    talk.on(client, 'accountV2', (socket) => run(socket.account, talk));
const move = (talk: Talk) =>
  talk.us.v2.account.transfer({ currency: 'USDT', amount: '1', type: 'exchangeToBank' });

/** What a feed of the account tells after money moved; nothing once it was left. */
function accountFeed(
  name: string,
  received: (methods: Account) => { subscribe(next: (value: unknown) => void): { unsubscribe(): void } },
  [join, leave]: readonly [(methods: Account) => Promise<void>, (methods: Account) => Promise<void>],
): RowCase[] {
  return [
    rowCase(
      `${at.account} subscribe${name}`,
      account(async (methods, talk) => {
        const seen: unknown[] = [];
        const listening = received(methods).subscribe((value) => seen.push(value));
        await join(methods);
        await move(talk);
        await talk.until(() => seen.length > 0);
        listening.unsubscribe();
        return seen;
      }),
      (seen) => expect(seen.length).toBeGreaterThan(0),
    ),
    rowCase(
      `${at.account} unsubscribe${name}`,
      account(async (methods, talk) => {
        await leave(methods);
        let seen = 0;
        const listening = received(methods).subscribe(() => (seen += 1));
        await move(talk);
        await talk.pause(5);
        listening.unsubscribe();
        return seen;
      }),
      (seen) => expect(seen).toBe(0),
    ),
  ];
}

const accountMethods: readonly RowCase[] = [
  rowCase(
    `${at.account} login`,
    (client, talk) => talk.on(client, 'accountV2', (socket) => socket.socket.ready()),
    nothing,
    { errors: loginErrors(at.account, 'accountV2') },
  ),
  ...accountFeed('Transactions', (methods) => methods.transaction$, [
    (methods) => methods.subscribeTransactions(),
    (methods) => methods.unsubscribeTransactions(),
  ]),
  ...accountFeed('Balance', (methods) => methods.balances$, [
    (methods) => methods.subscribeBalance(),
    (methods) => methods.unsubscribeBalance(),
  ]),
  rowCase(
    `${at.account} getBalance`,
    account((methods) => methods.balances()),
    (rows) => expect(rows.map(({ currency }) => currency)).toContain('XRP'),
  ),
  rowCase(
    `${at.account} findTransactions`,
    account((methods) => methods.findTransactions({ limit: 1 })),
    (rows) => expect(rows).toMatchObject([{ type: 'exchangeToBank', status: 'success' }]),
    { bad: { limit: 1_001 } },
  ),
  rowCase(
    `${at.account} loadTransactions`,
    account((methods) => methods.loadTransactions({ limit: 2 })),
    (rows) => expect(rows).toHaveLength(2),
    { bad: { limit: 1_001 } },
  ),
];

/** The public socket of v2. */
export const publicSocketV2: readonly RowCase[] = [...reads, ...feeds];
/** The trading socket of v2. */
export const tradingSocketV2: readonly RowCase[] = [...tradingMethods, ...marginAccounts];
/** The account socket of v2. */
export const accountSocketV2: readonly RowCase[] = accountMethods;

import { expect } from 'vitest';
import type { GodwitClient } from '../../../src/venues/hitbtc/typed/index.ts';
import { parseAmount } from '../../../src/venues/hitbtc/typed/index.ts';
import { callMargin, openMargin, openPosition, sceneOf, symbolOf } from './margin-scenes.ts';
import type { Leveraged } from './margin-scenes.ts';
import { codeOf, listErrors, lowOrder, newOrderErrors, replaceErrors } from './order-errors.ts';
import type { Place } from './order-errors.ts';
import type { RowCase } from './row-case.ts';
import { rowCase } from './row-case.ts';
import type { SocketOf, Talk } from './talk.ts';

const root = '/api/3/ws/trading';
type Socket = SocketOf<'tradingV3'>;
type Product = 'spot' | Leveraged;
type Methods = Socket['margin'];
const ask =
  <Value>(run: (socket: Socket, talk: Talk) => Promise<Value>) =>
  (client: GodwitClient, talk: Talk) =>
    talk.on(client, 'tradingV3', (socket) => run(socket, talk));
const ours = <Value>(talk: Talk, run: (socket: Socket) => Promise<Value>) =>
  talk.on(talk.us, 'tradingV3', run);
/** The orders of a product; those of spot lack what margin adds. */
const methodsOf = (socket: Socket, product: Product): Methods => socket[product] as unknown as Methods;
const nobody = { clientOrderId: 'nobody-knows-it' };

/** Orders, and what is seen of them, of one product. */
function orderRows(product: Product): RowCase[] {
  const symbol = product === 'spot' ? 'BTCUSDT' : symbolOf[product];
  const other = product === 'spot' ? 'ETHUSDT' : sceneOf[product];
  const low = lowOrder(symbol);
  const named = (method: string) => `${root} ${product}_${method}`;
  const open = (talk: Talk) => (product === 'spot' ? undefined : openMargin(talk, product));
  const place: Place = (talk, order) =>
    ours(talk, (socket) => methodsOf(socket, product).newOrder(order as typeof low));
  const id = (talk: Talk): string => talk.notes.get(`${product} order`) ?? nobody.clientOrderId;
  const withOrder = async (talk: Talk): Promise<void> => {
    await open(talk);
    const { clientOrderId } = await ours(talk, (socket) => methodsOf(socket, product).newOrder(low));
    talk.notes.set(`${product} order`, clientOrderId);
  };
  const marginErrors = product === 'spot' ? {} : derivativeErrors(product, place);
  return [
    rowCase(
      named('subscribe'),
      ask(async (socket, talk) => {
        const seen: string[] = [];
        const received = methodsOf(socket, product).orders$.subscribe(() => seen.push('orders'));
        received.add(
          methodsOf(socket, product).order$.subscribe(({ reportType }) => seen.push(reportType ?? '')),
        );
        await methodsOf(socket, product).subscribe();
        await methodsOf(socket, product).newOrder(low);
        await talk.until(() => seen.length >= 2);
        received.unsubscribe();
        return seen;
      }),
      (seen) => expect(seen).toEqual(['orders', 'new']),
      { before: open },
    ),
    rowCase(
      named('unsubscribe'),
      ask(async (socket, talk) => {
        let seen = 0;
        await methodsOf(socket, product).unsubscribe();
        const received = methodsOf(socket, product).order$.subscribe(() => (seen += 1));
        await methodsOf(socket, product).newOrder(low);
        await talk.pause(5);
        received.unsubscribe();
        return seen;
      }),
      (seen) => expect(seen).toBe(0),
    ),
    rowCase(
      named('new_order'),
      ask((socket) => methodsOf(socket, product).newOrder(low)),
      (report) => expect(report).toMatchObject({ symbol, status: 'new', reportType: 'new' }),
      {
        before: open,
        bad: { symbol, side: 'sideways', quantity: '1', price: '1' },
        errors: {
          ...newOrderErrors(symbol, place),
          ...marginErrors,
          20_010: (talk) => codeOf(place(talk, { ...low, symbol: 'LTCUSDT', quantity: '1', price: '1' })),
          20_045: (talk) => codeOf(place(talk, { ...low, price: '900000' })),
        },
      },
    ),
    rowCase(
      named('new_order_list'),
      ask((socket) =>
        methodsOf(socket, product).newOrderList({
          contingencyType: 'oneCancelOther',
          orders: [low, { ...low, type: 'limit', price: '999' }],
        }),
      ),
      (reports) => expect(reports.map(({ status }) => status)).toEqual(['new', 'new']),
      {
        before: open,
        errors: listErrors(
          [symbol, other],
          (talk, params) => talk.rawSocket(root, { method: `${product}_new_order_list`, params }),
          product === 'spot' ? {} : { margin_auto: true },
        ),
      },
    ),
    rowCase(
      named('replace_order'),
      ask((socket, talk) =>
        methodsOf(socket, product).replaceOrder({
          clientOrderId: id(talk),
          newClientOrderId: talk.id(),
          quantity: '0.002',
          price: '1001',
        }),
      ),
      (report, talk) =>
        expect(report).toMatchObject({
          reportType: 'replaced',
          originalClientOrderId: id(talk),
          price: parseAmount('1001'),
        }),
      {
        before: withOrder,
        errors: replaceErrors(symbol, place, (talk, { newId, ...change }) =>
          ours(talk, (socket) =>
            methodsOf(socket, product).replaceOrder({ ...change, newClientOrderId: newId }),
          ),
        ),
      },
    ),
    rowCase(
      named('get_orders'),
      ask((socket) => methodsOf(socket, product).orders()),
      (reports, talk) => {
        expect(reports.map(({ clientOrderId }) => clientOrderId)).toContain(id(talk));
        expect(new Set(reports.map(({ reportType }) => reportType))).toEqual(new Set(['status']));
      },
      { before: withOrder },
    ),
    rowCase(
      named('cancel_order'),
      ask((socket, talk) => methodsOf(socket, product).cancelOrder({ clientOrderId: id(talk) })),
      (report) => expect(report).toMatchObject({ status: 'canceled', reportType: 'canceled' }),
      {
        before: withOrder,
        errors: {
          20_002: (talk) => codeOf(ours(talk, (socket) => methodsOf(socket, product).cancelOrder(nobody))),
        },
      },
    ),
    rowCase(
      named('cancel_orders'),
      ask((socket) => methodsOf(socket, product).cancelOrders()),
      async (reports, talk) => {
        expect(new Set(reports.map(({ status }) => status))).toEqual(new Set(['canceled']));
        expect(await ours(talk, (socket) => methodsOf(socket, product).orders())).toEqual([]);
      },
      { before: withOrder },
    ),
  ];
}

function derivativeErrors(product: Leveraged, place: Place): RowCase['errors'] {
  const low = lowOrder(symbolOf[product]);
  const scene = { ...low, symbol: sceneOf[product], price: '0.4' };
  return {
    2024: (talk) => codeOf(place(talk, { ...low, marginMode: 'sideways' } as typeof low)),
    20_032: (talk) => codeOf(place(talk, scene)),
    20_034: async (talk) => {
      await callMargin(talk, product);
      return codeOf(place(talk, scene));
    },
    20_040: (talk) => codeOf(place(talk, { ...low, symbol: 'XRPUSDT', quantity: '1' })),
  };
}

/** Accounts and positions of margin, or of futures. */
function accountRows(product: Leveraged): RowCase[] {
  const symbol = symbolOf[product];
  const named = (method: string) => `${root} ${product}_${method}`;
  const set = (socket: Socket, change: { symbol?: string; marginBalance: string }) =>
    product === 'margin'
      ? socket.margin.setAccount({ symbol, ...change })
      : socket.futures.setAccount({ symbol, leverage: '10', ...change });
  const refused = (change: { symbol?: string; marginBalance: string }) => (talk: Talk) =>
    codeOf(ours(talk, (socket) => set(socket, change)));
  const close = (change: object) => (talk: Talk) =>
    codeOf(ours(talk, (socket) => methodsOf(socket, product).closePosition({ symbol, ...change })));
  return [
    rowCase(
      named('set_account'),
      ask((socket, talk) => set(socket, { marginBalance: String(6_000 + Number(talk.id().slice(-6))) })),
      (account) => expect(account).toMatchObject({ symbol, reportReason: 'marginChanged', type: 'isolated' }),
      {
        before: (talk) => openMargin(talk, product),
        bad: { symbol, margin_balance: 'much', leverage: '10' },
        errors: {
          2001: refused({ symbol: 'NOPE', marginBalance: '1' }),
          20_001: refused({ marginBalance: '99999999' }),
          20_033: async (talk) => {
            await ours(talk, (socket) => set(socket, { marginBalance: '5500' }));
            return refused({ marginBalance: '5500' })(talk);
          },
        },
      },
    ),
    rowCase(
      named('get_accounts'),
      ask((socket) => methodsOf(socket, product).accounts()),
      (accounts) =>
        expect(accounts.find((account) => account.symbol === symbol)).toMatchObject({ reportType: 'status' }),
      { before: (talk) => openMargin(talk, product) },
    ),
    rowCase(
      named('close_position'),
      ask(async (socket, talk) => {
        const reasons: string[] = [];
        await methodsOf(socket, product).subscribe();
        const received = methodsOf(socket, product).account$.subscribe(({ reportReason }) =>
          reasons.push(reportReason ?? ''),
        );
        received.add(
          methodsOf(socket, product).position$.subscribe(({ reportReason, amr }) =>
            reasons.push(`position ${reportReason} ${amr}`),
          ),
        );
        const isolated = { marginMode: 'isolated', symbol } as const;
        await talk.us.v3[product].setAmr({ ...isolated, amr: true });
        await talk.until(() => reasons.includes('position amrChanged true'));
        await talk.us.v3[product].setAmr({ ...isolated, amr: false });
        const before = await methodsOf(socket, product).closePosition({ symbol });
        await talk.until(() => reasons.includes('closed'));
        received.unsubscribe();
        return before;
      }),
      (account) => expect(account).toMatchObject({ symbol, positions: [{ symbol }] }),
      {
        before: (talk) => openPosition(talk, product),
        errors: { 2001: close({ symbol: 'NOPE' }), 20_032: close({ marginMode: 'cross' }) },
      },
    ),
  ];
}

/** Balances and fees: of spot, and the same of futures. */
function balanceRows(product: 'spot' | 'futures'): RowCase[] {
  const named = (method: string) => `${root} ${product}_${method}`;
  const symbol = product === 'spot' ? 'BTCUSDT' : symbolOf.futures;
  const before = (talk: Talk) => openMargin(talk, 'futures');
  return [
    rowCase(
      named('balances'),
      ask((socket) => socket[product].balances()),
      (rows) => expect(rows.map(({ currency }) => currency)).toContain('USDT'),
      { before },
    ),
    rowCase(
      named('balance'),
      ask((socket) => socket[product].balance({ currency: 'USDT' })),
      (row) => expect(row).toMatchObject({ currency: 'USDT' }),
      {
        before,
        errors: {
          2002: (talk) => codeOf(ours(talk, (socket) => socket[product].balance({ currency: 'NOPE' }))),
        },
      },
    ),
    rowCase(
      named('fees'),
      ask((socket) => socket[product].fees()),
      (rows) => expect(rows.length).toBeGreaterThan(1),
    ),
    rowCase(
      named('fee'),
      ask((socket) => socket[product].fee({ symbol })),
      (fee) => expect(fee).toMatchObject({ symbol }),
      {
        errors: { 2001: (talk) => codeOf(ours(talk, (socket) => socket[product].fee({ symbol: 'NOPE' }))) },
      },
    ),
    rowCase(
      named('balance_subscribe'),
      ask(async (socket, talk) => {
        const seen: string[][] = [];
        const received = socket[product].balances$.subscribe((rows) =>
          seen.push(rows.map(({ currency }) => currency)),
        );
        await socket[product].subscribeBalances('updates');
        const transfer = {
          currency: 'USDT',
          amount: '1',
          source: 'spot',
          destination: 'derivatives',
        } as const;
        await talk.us.v3.wallet.transfer(transfer);
        await talk.until(() => seen.length >= 2);
        received.unsubscribe();
        return seen;
      }),
      (seen) => expect(seen.map((currencies) => currencies.includes('USDT'))).toEqual([true, true]),
      { before, bad: { mode: 'sometimes' } },
    ),
    rowCase(
      named('balance_unsubscribe'),
      ask(async (socket, talk) => {
        let seen = 0;
        await socket[product].unsubscribeBalances();
        const received = socket[product].balances$.subscribe(() => (seen += 1));
        const transfer = {
          currency: 'USDT',
          amount: '1',
          source: 'spot',
          destination: 'derivatives',
        } as const;
        await talk.us.v3.wallet.transfer(transfer);
        await talk.pause(5);
        received.unsubscribe();
        return seen;
      }),
      (seen) => expect(seen).toBe(0),
    ),
  ];
}

const onlyFutures: readonly RowCase[] = [
  rowCase(
    `${root} futures_set_leverage`,
    ask((socket) => socket.futures.setLeverage({ symbol: sceneOf.futures, leverage: '5' })),
    (account) => expect(account).toMatchObject({ symbol: sceneOf.futures, leverage: parseAmount('5') }),
    {
      before: async (talk) => {
        await openMargin(talk, 'futures');
        const leverage = '7';
        await ours(talk, (socket) =>
          socket.futures.setAccount({ symbol: sceneOf.futures, marginBalance: '10', leverage }),
        );
      },
      bad: { symbol: sceneOf.futures, leverage: '1000' },
      errors: {
        2001: leverageRefused({ symbol: 'NOPE' }),
        20_032: async (talk) => {
          const asked = { symbol: sceneOf.futures, marginBalance: '0', leverage: '5' };
          await ours(talk, (socket) => socket.futures.setAccount(asked));
          return leverageRefused({})(talk);
        },
        20_033: async (talk) => {
          const asked = { symbol: sceneOf.futures, marginBalance: '11', leverage: '6' };
          await ours(talk, (socket) => socket.futures.setAccount(asked));
          const code = await leverageRefused({ leverage: '6' })(talk);
          await ours(talk, (socket) => socket.futures.setAccount({ ...asked, marginBalance: '0' }));
          return code;
        },
        20_034: async (talk) => {
          await openPosition(talk, 'futures');
          return leverageRefused({ symbol: symbolOf.futures })(talk);
        },
      },
    },
  ),
];

function leverageRefused(change: object) {
  return (talk: Talk) =>
    codeOf(
      ours(talk, (socket) =>
        socket.futures.setLeverage({ symbol: sceneOf.futures, leverage: '8', ...change }),
      ),
    );
}

const login: RowCase = rowCase(
  `${root} login`,
  ask((socket) => socket.socket.ready()),
  (ready) => expect(ready).toBeUndefined(),
  {
    errors: {
      429: (talk) => talk.limitedLogin(root),
      1002: (talk) => codeOf(talk.on(talk.keyless, 'tradingV3', (socket) => socket.spot.orders())),
      1004: (talk) => talk.rawSocket(root, { method: 'login', params: { type: 'Digest' } }, false),
    },
  },
);

/** The v3 trading socket. The documents write `margin` without balances. */
export const spotSocketV3: readonly RowCase[] = [login, ...orderRows('spot'), ...balanceRows('spot')];
export const marginSocketV3: readonly RowCase[] = [...accountRows('margin'), ...orderRows('margin')];
export const futuresSocketV3: readonly RowCase[] = [
  ...onlyFutures,
  ...accountRows('futures'),
  ...balanceRows('futures'),
  ...orderRows('futures'),
];

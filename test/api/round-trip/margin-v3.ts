import { expect } from 'vitest';
import { parseAmount } from '../../../src/venues/hitbtc/typed/index.ts';
import {
  callMargin,
  isolated,
  liquidate,
  openMargin,
  openPosition,
  sceneOf,
  symbolOf,
  wingOf,
} from './margin-scenes.ts';
import type { Wing } from './margin-scenes.ts';
import { codeOf, listErrors, lowOrder, newOrderErrors, replaceErrors } from './order-errors.ts';
import type { Place } from './order-errors.ts';
import type { RowCase } from './row-case.ts';
import { rowCase } from './row-case.ts';
import type { Talk } from './talk.ts';

const nobody = { clientOrderId: 'nobody-knows-it' };

/** Accounts, positions and settings of one wing. */
function accountRows(wing: Wing): RowCase[] {
  const root = `/api/3/${wing}`;
  const symbol = symbolOf[wing];
  const us = (talk: Talk) => wingOf(talk.us, wing);
  const open = (talk: Talk) => openMargin(talk, wing);
  const amr = { marginMode: 'isolated', symbol } as const;
  return [
    rowCase(
      `PUT ${root}/account/{}/{}`,
      (client, talk) => {
        const marginBalance = String(6_000 + Number(talk.id().slice(-6)));
        return wingOf(client, wing).setAccount({ ...isolated(wing), marginBalance });
      },
      (account) => expect(account).toMatchObject({ symbol, type: 'isolated', leverage: parseAmount('10') }),
      {
        before: open,
        path: ['isolated', symbol],
        bad: { margin_balance: 'much', leverage: '10' },
        errors: {
          2001: (talk) => codeOf(us(talk).setAccount({ ...isolated(wing, 'NOPE'), marginBalance: '1' })),
          2002: (talk) =>
            codeOf(us(talk).setAccount({ marginMode: 'cross', instrument: 'NOPE', marginBalance: '1' })),
          2024: (talk) =>
            codeOf(us(talk).setAccount({ marginMode: 'sideways', instrument: symbol, marginBalance: '1' })),
          20_001: (talk) => codeOf(us(talk).setAccount({ ...isolated(wing), marginBalance: '99999999' })),
          20_033: async (talk) => {
            await us(talk).setAccount({ ...isolated(wing), marginBalance: '5500' });
            return codeOf(us(talk).setAccount({ ...isolated(wing), marginBalance: '5500' }));
          },
          20_040: (talk) => codeOf(us(talk).setAccount({ ...isolated(wing, 'XRPUSDT'), marginBalance: '1' })),
        },
      },
    ),
    rowCase(
      `GET ${root}/account`,
      (client) => wingOf(client, wing).accounts(),
      (accounts) => expect(accounts.map(({ type }) => type).toSorted()).toEqual(['cross', 'isolated']),
      { before: open },
    ),
    rowCase(
      `GET ${root}/account/isolated/{}`,
      (client) => wingOf(client, wing).isolatedAccount({ symbol }),
      (account) => expect(account).toMatchObject({ symbol, currencies: [{ code: 'USDT' }], amr: false }),
      {
        before: open,
        errors: {
          2001: (talk) => codeOf(us(talk).isolatedAccount({ symbol: 'NOPE' })),
          20_032: (talk) => codeOf(us(talk).isolatedAccount({ symbol: sceneOf[wing] })),
        },
      },
    ),
    rowCase(
      `GET ${root}/account/cross/{}`,
      (client) => wingOf(client, wing).crossAccount({ currency: 'USDT' }),
      (account) => expect(account).toMatchObject({ type: 'cross', currencies: [{ debtSum: 0n }] }),
      {
        before: open,
        errors: {
          2002: (talk) => codeOf(us(talk).crossAccount({ currency: 'NOPE' })),
          20_032: (talk) => codeOf(us(talk).crossAccount({ currency: 'BTC' })),
        },
      },
    ),
    rowCase(
      `DELETE ${root}/position/{}/{}`,
      (client) => wingOf(client, wing).closePosition({ marginMode: 'isolated', symbol }),
      (position) => expect(position).toMatchObject({ symbol, quantity: 0n }),
      {
        before: (talk) => openPosition(talk, wing),
        errors: {
          2001: (talk) => codeOf(us(talk).closePosition({ marginMode: 'isolated', symbol: 'NOPE' })),
          2024: (talk) => codeOf(us(talk).closePosition({ marginMode: 'sideways', symbol })),
          20_032: (talk) => codeOf(us(talk).closePosition({ marginMode: 'cross', symbol })),
        },
      },
    ),
    rowCase(
      `DELETE ${root}/position`,
      (client) => wingOf(client, wing).closePositions(),
      (positions) => expect(positions.map(({ quantity }) => quantity)).toEqual([0n]),
      { before: (talk) => openPosition(talk, wing, 'cross') },
    ),
    rowCase(
      `GET ${root}/config`,
      (client) => wingOf(client, wing).config(),
      (rows) =>
        expect(rows.find((row) => row.symbol === symbol)).toMatchObject({
          forceCloseFee: parseAmount(wing === 'margin' ? '0.05' : '0.001'),
          marginCallLeverageMul: parseAmount(wing === 'margin' ? '1.5' : '1.2'),
          limitPower: parseAmount('2.2'),
        }),
    ),
    rowCase(
      `PUT ${root}/margin-settings/amr`,
      (client) => wingOf(client, wing).setAmr({ ...amr, amr: true }),
      async (setting, talk) => {
        expect(setting).toMatchObject({ ...amr, amr: true });
        expect(await us(talk).isolatedAccount({ symbol })).toMatchObject({ amr: true });
        await us(talk).setAmr({ ...amr, amr: false });
      },
      {
        before: open,
        bad: { margin_mode: 'isolated', symbol, amr: 'maybe' },
        errors: {
          2024: (talk) => codeOf(us(talk).setAmr({ ...amr, marginMode: 'sideways', amr: true })),
          10_025: (talk) => codeOf(us(talk).setAmr({ marginMode: 'cross', currency: 'BTC', amr: true })),
        },
      },
    ),
  ];
}

/** Orders and histories of one wing. */
function orderRows(wing: Wing): RowCase[] {
  const root = `/api/3/${wing}`;
  const symbol = symbolOf[wing];
  const low = lowOrder(symbol);
  const us = (talk: Talk) => wingOf(talk.us, wing);
  const place: Place = (talk, order) => us(talk).createOrder(order as typeof low);
  const id = (talk: Talk): string => talk.notes.get(wing) ?? nobody.clientOrderId;
  const withOrder = async (talk: Talk): Promise<void> => {
    await openMargin(talk, wing);
    talk.notes.set(wing, (await us(talk).createOrder(low)).clientOrderId);
  };
  const bad = { symbol, side: 'sideways', quantity: '1', price: '1' };
  return [
    rowCase(
      `GET ${root}/order`,
      (client) => wingOf(client, wing).orders({ symbol }),
      (orders, talk) => expect(orders.map(({ clientOrderId }) => clientOrderId)).toContain(id(talk)),
      { before: withOrder },
    ),
    rowCase(
      `GET ${root}/order/{}`,
      (client, talk) => wingOf(client, wing).order({ clientOrderId: id(talk) }),
      (order) =>
        expect(order).toMatchObject({ symbol, status: 'new', marginMode: 'isolated', reduceOnly: false }),
      { before: withOrder, errors: { 20_002: (talk) => codeOf(us(talk).order(nobody)) } },
    ),
    rowCase(
      `DELETE ${root}/order/{}`,
      (client, talk) => wingOf(client, wing).cancelOrder({ clientOrderId: id(talk) }),
      (order) => expect(order).toMatchObject({ symbol, status: 'canceled' }),
      { before: withOrder, errors: { 20_002: (talk) => codeOf(us(talk).cancelOrder(nobody)) } },
    ),
    rowCase(
      `PATCH ${root}/order/{}`,
      (client, talk) =>
        wingOf(client, wing).replaceOrder({ clientOrderId: id(talk), quantity: '0.002', price: '999' }),
      (order, talk) =>
        expect(order).toMatchObject({ quantity: parseAmount('0.002'), originalClientOrderId: id(talk) }),
      {
        before: withOrder,
        errors: replaceErrors(symbol, place, (talk, { newId, ...change }) =>
          us(talk).replaceOrder({ ...change, newClientOrderId: newId }),
        ),
      },
    ),
    rowCase(
      `DELETE ${root}/order`,
      (client) => wingOf(client, wing).cancelOrders(),
      async (orders, talk) => {
        expect(orders.length).toBeGreaterThan(0);
        expect(await us(talk).orders()).toEqual([]);
      },
      { before: withOrder },
    ),
    rowCase(
      `POST ${root}/order`,
      (client) => wingOf(client, wing).createOrder({ ...low, type: 'limit', reduceOnly: false }),
      async (order, talk) => {
        expect(order).toMatchObject({ status: 'new', marginMode: 'isolated', closePosition: false });
        const { currencies } = await us(talk).isolatedAccount({ symbol });
        expect(currencies[0]?.reservedOrders).toBeGreaterThan(0n);
      },
      {
        before: (talk) => openMargin(talk, wing),
        bad,
        errors: {
          ...newOrderErrors(symbol, place),
          2024: (talk) => codeOf(us(talk).createOrder({ ...low, marginMode: 'sideways' })),
          20_032: (talk) => codeOf(us(talk).createOrder({ ...low, symbol: sceneOf[wing], price: '0.4' })),
          20_034: async (talk) => {
            await callMargin(talk, wing);
            return codeOf(us(talk).createOrder({ ...low, symbol: sceneOf[wing], price: '0.4' }));
          },
          20_040: (talk) => codeOf(us(talk).createOrder({ ...low, symbol: 'XRPUSDT', quantity: '1' })),
        },
      },
    ),
    rowCase(
      `POST ${root}/order/list`,
      (client) =>
        wingOf(client, wing).createOrderList({
          contingencyType: 'oneCancelOther',
          orders: [low, { ...low, price: '999' }],
        }),
      (orders) =>
        expect(orders.map(({ contingencyType }) => contingencyType)).toEqual([
          'oneCancelOther',
          'oneCancelOther',
        ]),
      {
        errors: listErrors(
          [symbol, sceneOf[wing]],
          (talk, body) => talk.raw(`POST ${root}/order/list`, body),
          {
            margin_auto: true,
          },
        ),
      },
    ),
    rowCase(
      `GET ${root}/history/order`,
      (client) => wingOf(client, wing).orderHistory({ limit: 5 }),
      (orders) => expect(orders.length).toBe(5),
      { bad: { limit: '0' } },
    ),
    rowCase(
      `GET ${root}/history/trade`,
      (client) => wingOf(client, wing).tradeHistory({ symbol: [symbol] }),
      (trades) =>
        expect(trades[0]).toMatchObject({
          symbol,
          positionId: expect.any(String) as string,
          liquidation: false,
        }),
      { before: (talk) => openPosition(talk, wing), bad: { limit: '0' } },
    ),
    rowCase(
      `GET ${root}/history/positions`,
      (client) => wingOf(client, wing).positionHistory({ symbol: [symbol] }),
      (rows) => expect(rows[0]).toMatchObject({ symbol, reportReason: 'openTrade' }),
      { bad: { limit: '0' } },
    ),
    rowCase(
      `GET ${root}/history/clearing`,
      (client) => wingOf(client, wing).clearingHistory(),
      (rows) =>
        expect(rows[0]).toMatchObject({ symbol: sceneOf[wing], reportReason: 'liquidated', quantity: '0' }),
      { before: (talk) => liquidate(talk, wing), bad: { limit: '0' } },
    ),
  ];
}

const onlyMargin: readonly RowCase[] = [
  rowCase(
    'GET /api/3/margin-settings',
    ({ v3 }) => v3.margin.settings(),
    (settings) =>
      expect(settings).toEqual(
        expect.arrayContaining([
          { marginMode: 'isolated', symbol: 'BTCUSDT', currency: null, amr: false, amm: false },
        ]),
      ),
    { before: (talk) => openMargin(talk, 'margin') },
  ),
  rowCase(
    'PUT /api/3/margin-settings/amm',
    ({ v3 }) => v3.margin.setAmm({ marginMode: 'cross', currency: 'USDT', amm: true }),
    async (setting, talk) => {
      expect(setting).toMatchObject({ marginMode: 'cross', currency: 'USDT', amm: true });
      expect(await talk.us.v3.margin.crossAccount({ currency: 'USDT' })).toMatchObject({ marginAuto: true });
      await talk.us.v3.margin.setAmm({ marginMode: 'cross', currency: 'USDT', amm: false });
    },
    {
      before: (talk) => openMargin(talk, 'margin'),
      bad: { margin_mode: 'cross', currency: 'USDT', amm: 'maybe' },
      errors: {
        2024: (talk) => codeOf(talk.us.v3.margin.setAmm({ marginMode: 'sideways', amm: true })),
        10_025: (talk) =>
          codeOf(talk.us.v3.margin.setAmm({ marginMode: 'cross', currency: 'BTC', amm: true })),
      },
    },
  ),
];

const onlyFutures: readonly RowCase[] = [
  rowCase(
    'GET /api/3/futures/balance',
    ({ v3 }) => v3.futures.balances(),
    (balances) => expect(balances.map(({ currency }) => currency)).toEqual(['USDT']),
    { before: (talk) => openMargin(talk, 'futures') },
  ),
  rowCase(
    'GET /api/3/futures/balance/{}',
    ({ v3 }) => v3.futures.balance({ currency: 'USDT' }),
    (balance) => expect(balance.crossMarginReserved).toBeGreaterThan(parseAmount('4990')),
    {
      before: (talk) => openMargin(talk, 'futures'),
      errors: { 2002: (talk) => codeOf(talk.us.v3.futures.balance({ currency: 'NOPE' })) },
    },
  ),
  rowCase(
    'GET /api/3/futures/fee',
    ({ v3 }) => v3.futures.fees(),
    (fees) => expect(fees).toHaveLength(2),
  ),
  rowCase(
    'GET /api/3/futures/fee/{}',
    ({ v3 }) => v3.futures.fee({ symbol: symbolOf.futures }),
    (fee) => expect(fee).toMatchObject({ takeRate: parseAmount('0.0005') }),
    { errors: { 2001: (talk) => codeOf(talk.us.v3.futures.fee({ symbol: 'NOPE' })) } },
  ),
];

/** Margin trading of v3 over REST. */
export const marginV3: readonly RowCase[] = [...accountRows('margin'), ...onlyMargin, ...orderRows('margin')];
/** Trading of contracts of v3 over REST. The documents write `cross` of margin only. */
export const futuresV3: readonly RowCase[] = [
  ...accountRows('futures').filter(({ row }) => row !== 'GET /api/3/futures/account/cross/{}'),
  ...onlyFutures,
  ...orderRows('futures'),
];

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
  productOf,
} from './margin-scenes.ts';
import type { Leveraged } from './margin-scenes.ts';
import { codeOf, listErrors, lowOrder, newOrderErrors, replaceErrors } from './order-errors.ts';
import type { Place } from './order-errors.ts';
import type { RowCase } from './row-case.ts';
import { rowCase } from './row-case.ts';
import type { Talk } from './talk.ts';

const nobody = { clientOrderId: 'nobody-knows-it' };

/** Accounts, positions and settings of one product. */
function accountRows(product: Leveraged): RowCase[] {
  const root = `/api/3/${product}`;
  const symbol = symbolOf[product];
  const us = (talk: Talk) => productOf(talk.us, product);
  const open = (talk: Talk) => openMargin(talk, product);
  const amr = { marginMode: 'isolated', symbol } as const;
  return [
    rowCase(
      `PUT ${root}/account/{}/{}`,
      (client, talk) => {
        const marginBalance = String(6_000 + Number(talk.id().slice(-6)));
        return productOf(client, product).setAccount({ ...isolated(product), marginBalance });
      },
      (account) => expect(account).toMatchObject({ symbol, type: 'isolated', leverage: parseAmount('10') }),
      {
        before: open,
        path: ['isolated', symbol],
        bad: { margin_balance: 'much', leverage: '10' },
        errors: {
          2001: (talk) => codeOf(us(talk).setAccount({ ...isolated(product, 'NOPE'), marginBalance: '1' })),
          2002: (talk) =>
            codeOf(us(talk).setAccount({ marginMode: 'cross', instrument: 'NOPE', marginBalance: '1' })),
          2024: (talk) =>
            codeOf(us(talk).setAccount({ marginMode: 'sideways', instrument: symbol, marginBalance: '1' })),
          20_001: (talk) => codeOf(us(talk).setAccount({ ...isolated(product), marginBalance: '99999999' })),
          20_033: async (talk) => {
            await us(talk).setAccount({ ...isolated(product), marginBalance: '5500' });
            return codeOf(us(talk).setAccount({ ...isolated(product), marginBalance: '5500' }));
          },
          20_040: (talk) =>
            codeOf(us(talk).setAccount({ ...isolated(product, 'XRPUSDT'), marginBalance: '1' })),
        },
      },
    ),
    rowCase(
      `GET ${root}/account`,
      (client) => productOf(client, product).accounts(),
      (accounts) => expect(accounts.map(({ type }) => type).toSorted()).toEqual(['cross', 'isolated']),
      { before: open },
    ),
    rowCase(
      `GET ${root}/account/isolated/{}`,
      (client) => productOf(client, product).isolatedAccount({ symbol }),
      (account) => expect(account).toMatchObject({ symbol, currencies: [{ code: 'USDT' }], amr: false }),
      {
        before: open,
        errors: {
          2001: (talk) => codeOf(us(talk).isolatedAccount({ symbol: 'NOPE' })),
          20_032: (talk) => codeOf(us(talk).isolatedAccount({ symbol: sceneOf[product] })),
        },
      },
    ),
    rowCase(
      `GET ${root}/account/cross/{}`,
      (client) => productOf(client, product).crossAccount({ currency: 'USDT' }),
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
      (client) => productOf(client, product).closePosition({ marginMode: 'isolated', symbol }),
      (position) => expect(position).toMatchObject({ symbol, quantity: 0n }),
      {
        before: (talk) => openPosition(talk, product),
        errors: {
          2001: (talk) => codeOf(us(talk).closePosition({ marginMode: 'isolated', symbol: 'NOPE' })),
          2024: (talk) => codeOf(us(talk).closePosition({ marginMode: 'sideways', symbol })),
          20_032: (talk) => codeOf(us(talk).closePosition({ marginMode: 'cross', symbol })),
        },
      },
    ),
    rowCase(
      `DELETE ${root}/position`,
      (client) => productOf(client, product).closePositions(),
      (positions) => expect(positions.map(({ quantity }) => quantity)).toEqual([0n]),
      { before: (talk) => openPosition(talk, product, 'cross') },
    ),
    rowCase(
      `GET ${root}/config`,
      (client) => productOf(client, product).config(),
      (rows) =>
        expect(rows.find((row) => row.symbol === symbol)).toMatchObject({
          forceCloseFee: parseAmount(product === 'margin' ? '0.05' : '0.001'),
          marginCallLeverageMul: parseAmount(product === 'margin' ? '1.5' : '1.2'),
          limitPower: parseAmount('2.2'),
        }),
    ),
    rowCase(
      `PUT ${root}/margin-settings/amr`,
      (client) => productOf(client, product).setAmr({ ...amr, amr: true }),
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

/** Orders and histories of one product. */
function orderRows(product: Leveraged): RowCase[] {
  const root = `/api/3/${product}`;
  const symbol = symbolOf[product];
  const low = lowOrder(symbol);
  const us = (talk: Talk) => productOf(talk.us, product);
  const place: Place = (talk, order) => us(talk).createOrder(order as typeof low);
  const id = (talk: Talk): string => talk.notes.get(product) ?? nobody.clientOrderId;
  const withOrder = async (talk: Talk): Promise<void> => {
    await openMargin(talk, product);
    talk.notes.set(product, (await us(talk).createOrder(low)).clientOrderId);
  };
  const bad = { symbol, side: 'sideways', quantity: '1', price: '1' };
  return [
    rowCase(
      `GET ${root}/order`,
      (client) => productOf(client, product).orders({ symbol }),
      (orders, talk) => expect(orders.map(({ clientOrderId }) => clientOrderId)).toContain(id(talk)),
      { before: withOrder },
    ),
    rowCase(
      `GET ${root}/order/{}`,
      (client, talk) => productOf(client, product).order({ clientOrderId: id(talk) }),
      (order) =>
        expect(order).toMatchObject({ symbol, status: 'new', marginMode: 'isolated', reduceOnly: false }),
      { before: withOrder, errors: { 20_002: (talk) => codeOf(us(talk).order(nobody)) } },
    ),
    rowCase(
      `DELETE ${root}/order/{}`,
      (client, talk) => productOf(client, product).cancelOrder({ clientOrderId: id(talk) }),
      (order) => expect(order).toMatchObject({ symbol, status: 'canceled' }),
      { before: withOrder, errors: { 20_002: (talk) => codeOf(us(talk).cancelOrder(nobody)) } },
    ),
    rowCase(
      `PATCH ${root}/order/{}`,
      (client, talk) =>
        productOf(client, product).replaceOrder({ clientOrderId: id(talk), quantity: '0.002', price: '999' }),
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
      (client) => productOf(client, product).cancelOrders(),
      async (orders, talk) => {
        expect(orders.length).toBeGreaterThan(0);
        expect(await us(talk).orders()).toEqual([]);
      },
      { before: withOrder },
    ),
    rowCase(
      `POST ${root}/order`,
      (client) => productOf(client, product).createOrder({ ...low, type: 'limit', reduceOnly: false }),
      async (order, talk) => {
        expect(order).toMatchObject({ status: 'new', marginMode: 'isolated', closePosition: false });
        const { currencies } = await us(talk).isolatedAccount({ symbol });
        expect(currencies[0]?.reservedOrders).toBeGreaterThan(0n);
      },
      {
        before: (talk) => openMargin(talk, product),
        bad,
        errors: {
          ...newOrderErrors(symbol, place),
          2024: (talk) => codeOf(us(talk).createOrder({ ...low, marginMode: 'sideways' })),
          20_032: (talk) => codeOf(us(talk).createOrder({ ...low, symbol: sceneOf[product], price: '0.4' })),
          20_034: async (talk) => {
            await callMargin(talk, product);
            return codeOf(us(talk).createOrder({ ...low, symbol: sceneOf[product], price: '0.4' }));
          },
          20_040: (talk) => codeOf(us(talk).createOrder({ ...low, symbol: 'XRPUSDT', quantity: '1' })),
        },
      },
    ),
    rowCase(
      `POST ${root}/order/list`,
      (client) =>
        productOf(client, product).createOrderList({
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
          [symbol, sceneOf[product]],
          (talk, body) => talk.raw(`POST ${root}/order/list`, body),
          {
            margin_auto: true,
          },
        ),
      },
    ),
    rowCase(
      `GET ${root}/history/order`,
      (client) => productOf(client, product).orderHistory({ limit: 5 }),
      (orders) => expect(orders.length).toBe(5),
      { bad: { limit: '0' } },
    ),
    rowCase(
      `GET ${root}/history/trade`,
      (client) => productOf(client, product).tradeHistory({ symbol: [symbol] }),
      (trades) =>
        expect(trades[0]).toMatchObject({
          symbol,
          positionId: expect.any(String) as string,
          liquidation: false,
        }),
      { before: (talk) => openPosition(talk, product), bad: { limit: '0' } },
    ),
    rowCase(
      `GET ${root}/history/positions`,
      (client) => productOf(client, product).positionHistory({ symbol: [symbol] }),
      (rows) => expect(rows[0]).toMatchObject({ symbol, reportReason: 'openTrade' }),
      { bad: { limit: '0' } },
    ),
    rowCase(
      `GET ${root}/history/clearing`,
      (client) => productOf(client, product).clearingHistory(),
      (rows) =>
        expect(rows[0]).toMatchObject({
          symbol: sceneOf[product],
          reportReason: 'liquidated',
          quantity: '0',
        }),
      { before: (talk) => liquidate(talk, product), bad: { limit: '0' } },
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

import { expect } from 'vitest';
import { parseAmount } from '../../../src/venues/hitbtc/typed/index.ts';
import { codeOf, lowOrder, newOrderErrors, replaceErrors } from './order-errors.ts';
import type { AnyOrder, Place } from './order-errors.ts';
import type { RowCase } from './row-case.ts';
import { rowCase } from './row-case.ts';
import type { Talk } from './talk.ts';

const root = '/api/2';
const symbol = 'BTCUSDT';
const low = lowOrder(symbol);
const trading = (talk: Talk) => talk.us.v2.trading;
const nobody = { clientOrderId: 'nobody-knows-it' };
const place: Place = (talk, order) => trading(talk).createOrder(order as typeof low);
const put: Place = (talk, order) => trading(talk).putOrder(withId(talk, order));
const bad = { symbol, side: 'sideways', quantity: '1', price: '1' };

function withId(talk: Talk, order: AnyOrder) {
  return { clientOrderId: talk.id(), ...order } as typeof low & { readonly clientOrderId: string };
}
const withOrder = async (talk: Talk): Promise<void> => {
  talk.notes.set('order', (await trading(talk).createOrder(low)).clientOrderId);
};
const id = (talk: Talk): string => talk.notes.get('order') ?? 'nobody-knows-it';
/** So that there are trades of spot and of margin. */
const traded = async (talk: Talk): Promise<void> => {
  if (talk.notes.has('traded')) return;
  const order = { symbol, side: 'sell', quantity: '0.001', type: 'market', timeInForce: 'FOK' } as const;
  talk.notes.set('traded', (await trading(talk).createOrder(order)).id);
  await talk.us.v2.margin.setAccount({ symbol, marginBalance: '1000' });
  await talk.us.v2.margin.createOrder(order);
};

/** Trading and history of v2 over REST. */
export const tradingV2: readonly RowCase[] = [
  rowCase(
    `GET ${root}/trading/balance`,
    ({ v2 }) => v2.trading.balances(),
    (rows) => expect(rows.map(({ currency }) => currency)).toContain('USDT'),
  ),
  rowCase(
    `GET ${root}/trading/fee/all`,
    ({ v2 }) => v2.trading.fees(),
    (rows) => expect(rows).toHaveLength(5),
  ),
  rowCase(
    `GET ${root}/trading/fee/{}`,
    ({ v2 }) => v2.trading.fee({ symbol }),
    (fee) => expect(fee).toMatchObject({ takeRate: parseAmount('0.001') }),
    { errors: { 2001: (talk) => codeOf(trading(talk).fee({ symbol: 'NOPE' })) } },
  ),
  rowCase(
    `POST ${root}/order`,
    ({ v2 }) => v2.trading.createOrder(low),
    (order) => expect(order).toMatchObject({ status: 'new', price: parseAmount('1000') }),
    {
      bad,
      errors: {
        ...newOrderErrors(symbol, place),
        20_010: (talk) => codeOf(place(talk, { ...low, symbol: 'LTCUSDT', quantity: '1', price: '1' })),
        600: async (talk) => {
          const small = { ...low, symbol: 'XRPUSDT', quantity: '1', price: '0.1' };
          await Promise.all(Array.from({ length: 40 }, () => place(talk, small)));
          const code = await codeOf(place(talk, small));
          await trading(talk).cancelOrders({ symbol: 'XRPUSDT' });
          return code;
        },
      },
    },
  ),
  rowCase(
    `PUT ${root}/order/{}`,
    ({ v2 }, talk) => v2.trading.putOrder(withId(talk, low)),
    (order) => expect(order).toMatchObject({ status: 'new', symbol }),
    {
      bad,
      errors: {
        ...newOrderErrors(symbol, put),
        20_010: (talk) => codeOf(put(talk, { ...low, symbol: 'LTCUSDT', quantity: '1', price: '1' })),
      },
    },
  ),
  rowCase(
    `PATCH ${root}/order/{}`,
    ({ v2 }, talk) =>
      v2.trading.replaceOrder({
        clientOrderId: id(talk),
        requestClientId: talk.id(),
        quantity: '0.002',
        price: '1001',
      }),
    (order) => expect(order).toMatchObject({ quantity: parseAmount('0.002'), status: 'new' }),
    {
      before: withOrder,
      errors: replaceErrors(symbol, place, (talk, { newId, ...change }) =>
        trading(talk).replaceOrder({ ...change, requestClientId: newId }),
      ),
    },
  ),
  rowCase(
    `GET ${root}/order`,
    ({ v2 }) => v2.trading.orders({ symbol }),
    (orders, talk) => expect(orders.map(({ clientOrderId }) => clientOrderId)).toContain(id(talk)),
    { before: withOrder },
  ),
  rowCase(
    `GET ${root}/order/{}`,
    ({ v2 }, talk) => v2.trading.order({ clientOrderId: id(talk), wait: 1 }),
    (order) => expect(order).toMatchObject({ status: 'new', symbol }),
    { before: withOrder, errors: { 20_002: (talk) => codeOf(trading(talk).order(nobody)) } },
  ),
  rowCase(
    `DELETE ${root}/order/{}`,
    ({ v2 }, talk) => v2.trading.cancelOrder({ clientOrderId: id(talk) }),
    (order) => expect(order).toMatchObject({ status: 'canceled' }),
    { before: withOrder, errors: { 20_002: (talk) => codeOf(trading(talk).cancelOrder(nobody)) } },
  ),
  rowCase(
    `DELETE ${root}/order`,
    ({ v2 }) => v2.trading.cancelOrders({ symbol }),
    async (orders, talk) => {
      expect(orders.length).toBeGreaterThan(0);
      expect(await trading(talk).orders()).toEqual([]);
    },
    { before: withOrder },
  ),
  rowCase(
    `GET ${root}/history/order`,
    ({ v2 }) => v2.history.orders({ symbol, limit: 3 }),
    (orders) => expect(orders).toHaveLength(3),
    { bad: { limit: '1001' } },
  ),
  rowCase(
    `GET ${root}/history/trades`,
    ({ v2 }) => v2.history.trades({ symbol }),
    async (trades, { us }) => {
      expect(trades.map(({ liquidation }) => liquidation)).toEqual([false, undefined]);
      expect(await us.v2.history.trades({ margin: 'only' })).toEqual(trades.slice(0, 1));
      expect(await us.v2.history.trades({ margin: 'ignore' })).toEqual(trades.slice(1));
    },
    { before: traded, bad: { margin: 'perhaps' } },
  ),
  rowCase(
    `GET ${root}/history/order/{}/trades`,
    ({ v2 }, talk) => v2.history.orderTrades({ orderId: Number(talk.notes.get('traded')) }),
    (trades) => expect(trades).toMatchObject([{ symbol, taker: true }]),
    { before: traded, errors: { 20_002: (talk) => codeOf(talk.us.v2.history.orderTrades({ orderId: 1 })) } },
  ),
];

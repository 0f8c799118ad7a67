import { expect } from 'vitest';
import { parseAmount } from '../../../src/venues/hitbtc/typed/index.ts';
import { codeOf, listErrors, lowOrder, newOrderErrors, replaceErrors } from './order-errors.ts';
import type { Place } from './order-errors.ts';
import type { RowCase } from './row-case.ts';
import { rowCase } from './row-case.ts';
import type { Talk } from './talk.ts';

const root = '/api/3/spot';
const symbol = 'BTCUSDT';
const low = lowOrder(symbol);
const place: Place = (talk, order) => talk.us.v3.spot.createOrder(order as typeof low);

/** An order that rests; its id. */
async function resting(talk: Talk): Promise<string> {
  return (await talk.us.v3.spot.createOrder(low)).clientOrderId;
}

/** So that there is an order to be found by id, and to be canceled, by whoever asks. */
const withOrder = async (talk: Talk): Promise<void> => {
  talk.notes.set('spot', await resting(talk));
};
const clientOrderId = (talk: Talk): string => talk.notes.get('spot') ?? 'nobody-knows-it';
const unknownOrder = { clientOrderId: 'nobody-knows-it' };

/** Spot trading of v3 over REST. */
export const spotV3: readonly RowCase[] = [
  rowCase(
    `GET ${root}/balance`,
    ({ v3 }) => v3.spot.balances(),
    (all) => expect(all.map(({ currency }) => currency)).toContain('USDT'),
  ),
  rowCase(
    `GET ${root}/balance/{}`,
    ({ v3 }) => v3.spot.balance({ currency: 'ETH' }),
    (balance) => expect(balance).toMatchObject({ currency: 'ETH', available: parseAmount('1000') }),
    { errors: { 2002: (talk) => codeOf(talk.us.v3.spot.balance({ currency: 'NOPE' })) } },
  ),
  rowCase(
    `POST ${root}/order`,
    ({ v3 }) => v3.spot.createOrder({ ...low, timeInForce: 'GTC' }),
    (order) => expect(order).toMatchObject({ status: 'new', price: parseAmount('1000'), postOnly: false }),
    {
      bad: { symbol, side: 'sideways', quantity: '1', price: '1' },
      errors: {
        ...newOrderErrors(symbol, place),
        20_010: (talk) => codeOf(place(talk, { ...low, symbol: 'LTCUSDT', quantity: '1', price: '1' })),
        20_045: (talk) => codeOf(place(talk, { ...low, price: '900000' })),
        600: async (talk) => {
          const many = Array.from({ length: 40 }, () =>
            place(talk, { ...low, symbol: 'XRPUSDT', quantity: '1', price: '0.1' }),
          );
          await Promise.all(many);
          const code = await codeOf(place(talk, { ...low, symbol: 'XRPUSDT', quantity: '1', price: '0.1' }));
          await talk.us.v3.spot.cancelOrders({ symbol: 'XRPUSDT' });
          return code;
        },
      },
    },
  ),
  rowCase(
    `POST ${root}/order/list`,
    ({ v3 }) =>
      v3.spot.createOrderList({
        contingencyType: 'oneTriggerOther',
        orders: [low, { ...low, side: 'sell', price: '90000' }],
      }),
    (orders) =>
      expect(orders.map(({ status, contingencyType }) => [status, contingencyType])).toEqual([
        ['new', 'oneTriggerOther'],
        ['suspended', 'oneTriggerOther'],
      ]),
    { errors: listErrors([symbol, 'ETHUSDT'], (talk, body) => talk.raw(`POST ${root}/order/list`, body)) },
  ),
  rowCase(
    `PATCH ${root}/order/{}`,
    ({ v3 }, talk) =>
      v3.spot.replaceOrder({ clientOrderId: clientOrderId(talk), quantity: '0.002', price: '1001' }),
    (order, talk) =>
      expect(order).toMatchObject({
        quantity: parseAmount('0.002'),
        originalClientOrderId: clientOrderId(talk),
      }),
    {
      before: withOrder,
      errors: replaceErrors(symbol, place, (talk, { newId, ...change }) =>
        talk.us.v3.spot.replaceOrder({ ...change, newClientOrderId: newId }),
      ),
    },
  ),
  rowCase(
    `GET ${root}/order`,
    ({ v3 }) => v3.spot.orders({ symbol }),
    (orders, talk) => expect(orders.map((order) => order.clientOrderId)).toContain(clientOrderId(talk)),
    { before: withOrder },
  ),
  rowCase(
    `GET ${root}/order/{}`,
    ({ v3 }, talk) => v3.spot.order({ clientOrderId: clientOrderId(talk) }),
    (order) => expect(order).toMatchObject({ status: 'new', symbol }),
    { before: withOrder, errors: { 20_002: (talk) => codeOf(talk.us.v3.spot.order(unknownOrder)) } },
  ),
  rowCase(
    `DELETE ${root}/order/{}`,
    ({ v3 }, talk) => v3.spot.cancelOrder({ clientOrderId: clientOrderId(talk) }),
    (order) => expect(order).toMatchObject({ status: 'canceled' }),
    { before: withOrder, errors: { 20_002: (talk) => codeOf(talk.us.v3.spot.cancelOrder(unknownOrder)) } },
  ),
  rowCase(
    `DELETE ${root}/order`,
    ({ v3 }) => v3.spot.cancelOrders({ symbol }),
    async (orders, talk) => {
      expect(new Set(orders.map(({ status }) => status))).toEqual(new Set(['canceled']));
      expect(await talk.us.v3.spot.orders({ symbol })).toEqual([]);
    },
    { before: withOrder },
  ),
  rowCase(
    `GET ${root}/fee`,
    ({ v3 }) => v3.spot.fees(),
    (fees) => expect(fees).toHaveLength(5),
  ),
  rowCase(
    `GET ${root}/fee/{}`,
    ({ v3 }) => v3.spot.fee({ symbol }),
    (fee) => expect(fee).toMatchObject({ symbol, takeRate: parseAmount('0.001') }),
    { errors: { 2001: (talk) => codeOf(talk.us.v3.spot.fee({ symbol: 'NOPE' })) } },
  ),
  rowCase(
    `GET ${root}/history/order`,
    ({ v3 }) => v3.spot.orderHistory({ symbol: [symbol], limit: 3 }),
    (orders) => expect(orders[0]).toMatchObject({ symbol, status: expect.any(String) as string }),
    { bad: { limit: '1001' } },
  ),
  rowCase(
    `GET ${root}/history/trade`,
    ({ v3 }) => v3.spot.tradeHistory({ symbol: [symbol] }),
    (trades) =>
      expect(trades[0]).toMatchObject({ symbol, side: 'sell', taker: true, quantity: parseAmount('0.001') }),
    {
      before: (talk) =>
        talk.us.v3.spot.createOrder({ symbol, side: 'sell', quantity: '0.001', type: 'market' }),
      bad: { limit: '0' },
    },
  ),
];

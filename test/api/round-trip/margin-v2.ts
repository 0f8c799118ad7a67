import { expect } from 'vitest';
import { parseAmount } from '../../../src/venues/hitbtc/typed/index.ts';
import { codeOf, lowOrder, newOrderErrors } from './order-errors.ts';
import type { Place } from './order-errors.ts';
import type { RowCase } from './row-case.ts';
import { rowCase } from './row-case.ts';
import type { Talk } from './talk.ts';

const root = '/api/2/margin';
const symbol = 'BTCUSDT';
const none = { symbol: 'NOPE' };
const unopened = { symbol: 'ETHUSDT' };
const low = lowOrder(symbol);
const margin = (talk: Talk) => talk.us.v2.margin;
const nobody = { clientOrderId: 'nobody-knows-it' };
const place: Place = (talk, order) => margin(talk).createOrder(order as typeof low);
const put: Place = (talk, order) =>
  margin(talk).putOrder({ clientOrderId: talk.id(), ...order } as typeof low & typeof nobody);
const id = (talk: Talk): string => talk.notes.get('order') ?? nobody.clientOrderId;
const bad = { symbol, side: 'sideways', quantity: '1', price: '1' };

const open = async (talk: Talk): Promise<void> => {
  const accounts = await margin(talk).accounts();
  if (accounts.length === 0) await margin(talk).setAccount({ symbol, marginBalance: '5000' });
};
const withOrder = async (talk: Talk): Promise<void> => {
  await open(talk);
  talk.notes.set('order', (await margin(talk).createOrder(low)).clientOrderId);
};
const withPosition = async (talk: Talk): Promise<void> => {
  await open(talk);
  await margin(talk).createOrder({
    symbol,
    side: 'buy',
    quantity: '0.01',
    type: 'market',
    timeInForce: 'FOK',
  });
};
const missing = (call: (talk: Talk, of: { symbol: string }) => Promise<unknown>) => ({
  2001: (talk: Talk) => codeOf(call(talk, none)),
  20_032: (talk: Talk) => codeOf(call(talk, unopened)),
});

const orders: readonly RowCase[] = [
  rowCase(
    `POST ${root}/order`,
    ({ v2 }) => v2.margin.createOrder(low),
    (order) => expect(order).toMatchObject({ status: 'new', symbol }),
    {
      before: open,
      bad,
      errors: {
        ...newOrderErrors(symbol, place),
        20_032: (talk) => codeOf(place(talk, { ...low, ...unopened })),
        20_040: (talk) => codeOf(place(talk, { ...low, symbol: 'XRPUSDT', quantity: '1', price: '0.1' })),
      },
    },
  ),
  rowCase(
    `PUT ${root}/order/{}`,
    ({ v2 }, talk) => v2.margin.putOrder({ ...low, clientOrderId: talk.id() }),
    (order) => expect(order).toMatchObject({ status: 'new', symbol }),
    {
      bad,
      errors: {
        ...newOrderErrors(symbol, put),
        20_032: (talk) => codeOf(put(talk, { ...low, ...unopened })),
      },
    },
  ),
  rowCase(
    `GET ${root}/order`,
    ({ v2 }) => v2.margin.orders({ symbol }),
    (rows, talk) => expect(rows.map(({ clientOrderId }) => clientOrderId)).toContain(id(talk)),
    { before: withOrder },
  ),
  rowCase(
    `GET ${root}/order/{}`,
    ({ v2 }, talk) => v2.margin.order({ clientOrderId: id(talk) }),
    (order) => expect(order).toMatchObject({ status: 'new' }),
    { before: withOrder, errors: { 20_002: (talk) => codeOf(margin(talk).order(nobody)) } },
  ),
  rowCase(
    `DELETE ${root}/order/{}`,
    ({ v2 }, talk) => v2.margin.cancelOrder({ clientOrderId: id(talk) }),
    (order) => expect(order).toMatchObject({ status: 'canceled' }),
    { before: withOrder, errors: { 20_002: (talk) => codeOf(margin(talk).cancelOrder(nobody)) } },
  ),
  rowCase(
    `DELETE ${root}/order`,
    ({ v2 }) => v2.margin.cancelOrders(),
    async (rows, talk) => {
      expect(rows.length).toBeGreaterThan(0);
      expect(await margin(talk).orders()).toEqual([]);
    },
    { before: withOrder },
  ),
];

const accounts: readonly RowCase[] = [
  rowCase(
    `PUT ${root}/account/{}`,
    ({ v2 }) => v2.margin.setAccount({ symbol, marginBalance: '4000' }),
    (account) =>
      expect(account).toMatchObject({
        symbol,
        leverage: parseAmount('10'),
        marginBalance: parseAmount('4000'),
      }),
    {
      before: open,
      bad: { marginBalance: 'much' },
      errors: {
        2001: (talk) => codeOf(margin(talk).setAccount({ ...none, marginBalance: '1' })),
        20_001: (talk) => codeOf(margin(talk).setAccount({ symbol, marginBalance: '99999999' })),
        20_033: (talk) => codeOf(margin(talk).setAccount({ symbol, marginBalance: '4000' })),
        20_040: (talk) => codeOf(margin(talk).setAccount({ symbol: 'XRPUSDT', marginBalance: '1' })),
      },
    },
  ),
  rowCase(
    `GET ${root}/account`,
    ({ v2 }) => v2.margin.accounts(),
    (rows) => expect(rows).toMatchObject([{ symbol }]),
    { before: open },
  ),
  rowCase(
    `GET ${root}/account/{}`,
    ({ v2 }) => v2.margin.account({ symbol }),
    (account) => expect(account).toMatchObject({ symbol }),
    { before: open, errors: missing((talk, of) => margin(talk).account(of)) },
  ),
  rowCase(
    `GET ${root}/position`,
    ({ v2 }) => v2.margin.positions(),
    (rows) => expect(rows).toMatchObject([{ symbol, quantity: parseAmount('0.01') }]),
    { before: withPosition },
  ),
  rowCase(
    `GET ${root}/position/{}`,
    ({ v2 }) => v2.margin.position({ symbol }),
    (position) => expect(position).toMatchObject({ symbol, priceEntry: parseAmount('60060') }),
    { errors: missing((talk, of) => margin(talk).position(of)) },
  ),
  rowCase(
    `DELETE ${root}/position/{}`,
    ({ v2 }) => v2.margin.closePosition({ symbol }),
    (rows) => expect(rows).toMatchObject([{ symbol, quantity: 0n }]),
    { errors: missing((talk, of) => margin(talk).closePosition(of)) },
  ),
  rowCase(
    `DELETE ${root}/position`,
    ({ v2 }) => v2.margin.closePositions(),
    (rows) => expect(rows.map(({ quantity }) => quantity)).toEqual([0n]),
    { before: withPosition },
  ),
  rowCase(
    `DELETE ${root}/account/{}`,
    ({ v2 }) => v2.margin.closeAccount({ symbol }),
    async (account, talk) => {
      expect(account).toMatchObject({ symbol, marginBalance: 0n });
      expect(await margin(talk).accounts()).toEqual([]);
    },
    { before: withPosition, errors: missing((talk, of) => margin(talk).closeAccount(of)) },
  ),
  rowCase(
    `DELETE ${root}/account`,
    ({ v2 }) => v2.margin.closeAccounts(),
    (rows) => expect(rows).toMatchObject([{ symbol, marginBalance: 0n }]),
    { before: withPosition },
  ),
];

/** Margin trading of v2 over REST. */
export const marginV2: readonly RowCase[] = [...orders, ...accounts];

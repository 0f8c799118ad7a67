import { timeText } from '../../core/base/clock.ts';
import type { Order } from '../../core/model/order.ts';
import { productOf } from '../../core/model/product.ts';
import { ownershipOf } from '../../core/orders/index.ts';
import type { ViewRowOf, ViewedRun } from './view.ts';
import {
  decimal,
  flag,
  oneOf,
  orNull,
  priceCurrency,
  priceText,
  quantityUnit,
  time,
  view,
  word,
} from './view.ts';

/** Orders in a state that is sent. */
const liveMax = 200;

export const orderFields = {
  clientOrderId: word(),
  venueOrderId: orNull(word()),
  strategy: word(),
  owner: oneOf(['own', 'adopt', 'claim', 'leave'], 'own, or what orders.others says of an order of others'),
  symbol: word(),
  product: oneOf(['spot', 'margin', 'futures']),
  side: oneOf(['buy', 'sell']),
  type: word(),
  timeInForce: word(),
  quantity: decimal(),
  executed: decimal(),
  unit: quantityUnit,
  price: orNull(decimal()),
  stopPrice: orNull(decimal()),
  currency: priceCurrency,
  state: word(),
  cancelPending: flag(undefined, ['cancel sent', '']),
  createdAt: time(),
  updatedAt: time(),
};

export type OrderRow = ViewRowOf<typeof orderFields>;

export const ordersView = view({
  name: 'orders',
  command: 'orders',
  text: 'orders that may be live',
  empty: 'no orders',
  fields: orderFields,
  columns: [
    'clientOrderId',
    'strategy',
    'owner',
    'symbol',
    'side',
    'quantity',
    'executed',
    'unit',
    'price',
    'stopPrice',
    'currency',
    'state',
  ],
  card: {
    order: 40,
    title: 'Orders',
    kind: 'table',
    key: ['clientOrderId'],
    columns: [
      { field: 'createdAt', title: 'placed' },
      'strategy',
      'owner',
      'symbol',
      { field: 'side', title: 'side', tones: { buy: 'good', sell: 'bad' } },
      'type',
      { field: 'price', title: 'price', or: 'stopPrice' },
      'quantity',
      'executed',
      { field: 'state', title: 'state', with: [', ', 'cancelPending'] },
      { field: 'clientOrderId', title: 'client id', act: 'explain' },
      { field: 'clientOrderId', title: '', act: 'cancel' },
    ],
  },
  rows: (run) => [...openOrderRows(run)],
  long: (run) => openOrderRows(run),
  live: (run) => openOrderRows(run, liveMax),
});

/** Orders that may be live, in order of creation: the first `most` of them. A row is made when it is its turn. */
export function* openOrderRows(run: OrdersOf, most?: number): Generator<OrderRow, void> {
  for (const order of run.trader.view.openOrders(undefined, undefined, most)) yield orderRow(order, run);
}

type OrdersOf = Pick<ViewedRun, 'trader' | 'orders'>;

/** An order, in text. */
export function orderRow(
  order: Order,
  { trader: { view: tradeView, instruments }, orders }: OrdersOf,
): OrderRow {
  const instrument = instruments.at(order.instrument);
  const options = orders();
  return {
    clientOrderId: order.clientOrderId,
    venueOrderId: order.venueOrderId ?? null,
    strategy: order.strategy,
    // The present run is among those that the state knows.
    owner: ownershipOf(order, tradeView, { options, runHead: `${options.idPrefix}--` }).owner,
    symbol: instrument.symbol,
    product: productOf(instrument, order.margin),
    side: order.side,
    type: order.type,
    timeInForce: order.timeInForce,
    quantity: instrument.quantityText(order.quantity),
    executed: instrument.quantityText(order.cumulative),
    unit: instrument.unit,
    price: priceText(instrument, order.price),
    stopPrice: priceText(instrument, order.stopPrice),
    currency: instrument.spec.quoteCurrency,
    state: order.state,
    cancelPending: order.cancelPending,
    createdAt: timeText(order.createdAt),
    updatedAt: timeText(order.updatedAt),
  };
}

import type {
  CarriedMargin,
  CarriedMarginAccount,
  CarriedOrder,
  CarriedPosition,
  CarriedState,
} from '../model/carried-state.ts';
import { statesBefore } from '../model/carried-state.ts';
import type { InstrumentId, Lots, Ticks } from '../model/instrument.ts';
import type { Intent } from '../model/intent.ts';
import type { MarginAccountView } from '../model/margin.ts';

/** How many ticks and lots of a finer grid are one tick and one lot: whole numbers, so nothing is rounded. */
export interface GridFactors {
  readonly ticks: number;
  readonly lots: number;
}

/** The same state counted in the steps of finer grids. Amounts stay as they are. */
export function onFinerGrid(
  state: CarriedState,
  factorsOf: (instrument: InstrumentId) => GridFactors,
): CarriedState {
  const { orders, positions, netted, margin } = state;
  const order = (carried: CarriedOrder): CarriedOrder => {
    const { lots } = factorsOf(carried.order.instrument);
    return {
      ...carried,
      order: finer(carried.order, factorsOf(carried.order.instrument)),
      booked: carried.booked * lots,
      inherited: carried.inherited * lots,
    };
  };
  const position = (one: CarriedPosition): CarriedPosition => ({
    ...one,
    quantity: one.quantity * factorsOf(one.instrument).lots,
  });
  const instruments = new Map(
    [...orders.live, ...orders.closed].flatMap((one) =>
      one === undefined ? [] : [[one.order.clientOrderId, one.order.instrument] as const],
    ),
  );
  const intent = (one: Intent): Intent => {
    if (one.action === 'place')
      return { ...one, request: finer(one.request, factorsOf(one.request.instrument)) };
    if (one.action === 'placeList')
      return {
        ...one,
        requests: one.requests.map((request) => finer(request, factorsOf(request.instrument))),
      };
    if (one.action !== 'replace') return one;
    const instrument = instruments.get(one.clientOrderId);
    return instrument === undefined ? one : finer(one, factorsOf(instrument));
  };
  return {
    ...state,
    orders: {
      live: orders.live.map(order),
      closed: orders.closed.map((one) => one && order(one)),
      buried: orders.buried.map(order),
      unjudged: orders.unjudged.map(intent),
    },
    positions: positions.map(position),
    ...(netted !== undefined && { netted: netted.map(position) }),
    ...(margin !== undefined && { margin: finerMargin(margin, factorsOf) }),
  };
}

interface Stepped {
  readonly quantity: Lots;
  readonly price: Ticks | undefined;
  readonly stopPrice: Ticks | undefined;
  readonly cumulative?: Lots;
}

function finer<Value extends Stepped>(value: Value, { ticks, lots }: GridFactors): Value {
  const { quantity, price, stopPrice, cumulative } = value;
  return {
    ...value,
    quantity: (quantity * lots) as Lots,
    price: finerPrice(price, ticks),
    stopPrice: finerPrice(stopPrice, ticks),
    ...(cumulative !== undefined && { cumulative: (cumulative * lots) as Lots }),
  };
}

function finerPrice(price: Ticks | undefined, ticks: number): Ticks | undefined {
  return price === undefined ? undefined : ((price * ticks) as Ticks);
}

function finerMargin(
  margin: CarriedMargin,
  factorsOf: (instrument: InstrumentId) => GridFactors,
): CarriedMargin {
  const view = (account: MarginAccountView): MarginAccountView => ({
    ...account,
    positions: account.positions.map((one) => {
      const { ticks } = factorsOf(one.instrument);
      return {
        ...one,
        marginCall: finerPrice(one.marginCall, ticks),
        liquidation: finerPrice(one.liquidation, ticks),
      };
    }),
  });
  const accounts = margin.accounts.map((one): CarriedMarginAccount => ({
    ...one,
    account: view(one.account),
    ...(one.earlier !== undefined && { earlier: statesBefore(one).map(view) }),
  }));
  return { ...margin, accounts };
}

import { parseAmount } from '../../../../src/core/base/amount.ts';
import type { Micros } from '../../../../src/core/base/clock.ts';
import type {
  Event,
  OrderPending,
  OrderReport,
  OwnTrade,
  ReadAnswered,
  ReplacePending,
  ReportType,
} from '../../../../src/core/model/event.ts';
import { Instruments } from '../../../../src/core/model/instrument.ts';
import type { InstrumentId, InstrumentSpec, Lots, Ticks } from '../../../../src/core/model/instrument.ts';
import type { ReadTarget } from '../../../../src/core/model/command.ts';
import type {
  ClientOrderId,
  Fill,
  OrderRequest,
  Side,
  VenueOrder,
  VenueOrderState,
} from '../../../../src/core/model/order.ts';
import type { StateOptions } from '../../../../src/core/state/options.ts';
import { State } from '../../../../src/core/state/state.ts';

function spec(symbol: string): InstrumentSpec {
  return {
    symbol,
    type: 'spot',
    baseCurrency: symbol.slice(0, 3),
    quoteCurrency: 'USD',
    feeCurrency: 'USD',
    tickSize: '0.01',
    quantityIncrement: '0.001',
    takeRate: '0.0025',
    makeRate: '-0.0001',
    status: 'working',
    marginTrading: false,
  };
}

export const instruments = new Instruments([spec('AAAUSD'), spec('BBBUSD'), spec('CCCUSD')]);
export const first = 0 as InstrumentId;
export const second = 1 as InstrumentId;

export function newState(options: Partial<StateOptions> = {}): State {
  return new State({ instruments, options });
}

export function id(name: string): ClientOrderId {
  return `order-${name}` as ClientOrderId;
}

export function ticks(value: number): Ticks {
  return value as Ticks;
}

export function lots(value: number): Lots {
  return value as Lots;
}

export function at(time: number): { exchangeTime: Micros; receiveTime: Micros } {
  return { exchangeTime: time as Micros, receiveTime: time as Micros };
}

export function request(name: string, fields: Partial<OrderRequest> = {}): OrderRequest {
  return {
    clientOrderId: id(name),
    instrument: first,
    side: 'buy',
    type: 'limit',
    timeInForce: 'GTC',
    quantity: lots(10),
    price: ticks(1_000),
    stopPrice: undefined,
    expireTime: undefined,
    postOnly: false,
    ...fields,
  };
}

export function placed(
  name: string,
  fields: Partial<OrderRequest> = {},
  strategy = 'maker',
  time = 1,
): OrderPending {
  const command = { kind: 'newOrder', commandId: 1, strategy, request: request(name, fields) } as const;
  return { kind: 'orderPending', ...at(time), command };
}

export function replacing(name: string, by: string, quantity: number, price = 1_000): ReplacePending {
  return {
    kind: 'replacePending',
    ...at(2),
    command: {
      kind: 'replaceOrder',
      commandId: 2,
      strategy: 'maker',
      clientOrderId: id(name),
      newClientOrderId: id(by),
      instrument: first,
      side: 'buy',
      quantity: lots(quantity),
      price: ticks(price),
      stopPrice: undefined,
    },
  };
}

export interface Reported extends Partial<Omit<VenueOrder, 'state'>> {
  readonly time?: number;
}

export function venueOrder(name: string, state: VenueOrderState, noted: Reported = {}): VenueOrder {
  const { time = 10, ...fields } = noted;
  return {
    ...request(name),
    venueOrderId: `9${name}`,
    state,
    cumulative: lots(0),
    originalClientOrderId: undefined,
    orderListId: undefined,
    createdAt: 5 as Micros,
    updatedAt: time as Micros,
    ...fields,
  };
}

export function report(
  name: string,
  state: VenueOrderState,
  noted: Reported & { type_?: ReportType; fill?: Fill } = {},
): OrderReport {
  const { type_: reportType, fill, ...fields } = noted;
  const order = venueOrder(name, state, fields);
  const type = reportType ?? (fill === undefined ? 'status' : 'trade');
  return { kind: 'orderReport', ...at(fields.time ?? 10), reportType: type, order, fill };
}

export function fill(tradeId: string, quantity: number, price = 1_000, time = 10): Fill {
  const fee = parseAmount('0.25');
  return {
    tradeId,
    price: ticks(price),
    quantity: lots(quantity),
    fee,
    taker: true,
    time: time as Micros,
  };
}

export function ownTrade(name: string, side: Side, one: Fill, instrument = first): OwnTrade {
  return { ...one, instrument, clientOrderId: id(name), venueOrderId: `9${name}`, side };
}

export function answered(
  what: ReadTarget,
  answer: {
    orders?: VenueOrder[];
    fills?: OwnTrade[];
    balances?: ReadAnswered['balances'];
    askedAt?: number;
  },
): ReadAnswered {
  return {
    kind: 'readAnswered',
    ...at(50),
    commandId: 3,
    what,
    askedAt: (answer.askedAt ?? 40) as Micros,
    orders: answer.orders ?? [],
    fills: answer.fills ?? [],
    balances: answer.balances ?? [],
  };
}

export function applyAll(state: State, events: readonly Event[]): State {
  for (const event of events) state.apply(event);
  return state;
}

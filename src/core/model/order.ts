import type { Amount } from '../base/amount.ts';
import type { Brand } from '../base/brand.ts';
import type { Micros } from '../base/clock.ts';
import type { InstrumentId, Lots, Ticks } from './instrument.ts';
import type { MarginMark } from './margin.ts';
import type { ContingencyType } from './order-list.ts';

/** The trader's identifier of an order: 8 to 32 characters of `A-Za-z0-9_-`. Source: API v3, "Spot trading". */
export type ClientOrderId = Brand<string, 'clientOrderId'>;

export type Side = 'buy' | 'sell';

/** Source: API v3, "Spot order", type. */
export const orderTypes = [
  'limit',
  'market',
  'stopLimit',
  'stopMarket',
  'takeProfitLimit',
  'takeProfitMarket',
] as const;
export type OrderType = (typeof orderTypes)[number];

/** Source: API v3, "Spot order", time_in_force. */
export const timesInForce = ['GTC', 'IOC', 'FOK', 'Day', 'GTD'] as const;
export type TimeInForce = (typeof timesInForce)[number];

/** Order states of the documents. Source: API v3, "Order status". */
export const venueOrderStates = [
  'new',
  'suspended',
  'partiallyFilled',
  'filled',
  'canceled',
  'expired',
] as const;
export type VenueOrderState = (typeof venueOrderStates)[number];

/**
 * Order states as Godwit sees them: those of the venue, and four of its own.
 * `pending`: accepted by our controls, no answer yet. `denied`: refused by us. `rejected`: refused by the venue.
 * `unknown`: sent, and silence since; only evidence ends it.
 */
export type OrderState = VenueOrderState | 'pending' | 'denied' | 'rejected' | 'unknown';

/** Request that places an order at a venue. One shape, absent values are `undefined`. */
export interface OrderRequest {
  readonly clientOrderId: ClientOrderId;
  readonly instrument: InstrumentId;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly quantity: Lots;
  /** Required for limit, stopLimit and takeProfitLimit, absent otherwise. */
  readonly price: Ticks | undefined;
  /** Required for the stop and take-profit types, absent otherwise. */
  readonly stopPrice: Ticks | undefined;
  /** Required for GTD, absent otherwise. */
  readonly expireTime: Micros | undefined;
  readonly postOnly: boolean;
  /** There when the order is placed as one with others. */
  readonly list?: ListPlace | undefined;
  /** There when a margin account pays for the order: a futures order of a contract, a margin order of any other symbol. */
  readonly margin?: MarginMark | undefined;
  /** Fee rates asked for; they can only raise the fee. Source: API v3, take_rate and make_rate. */
  readonly takeRate?: Amount | undefined;
  readonly makeRate?: Amount | undefined;
  /** Id that the program which asked for the order gave it; there only for orders of programs. It never leaves. */
  readonly alias?: string | undefined;
}

/** Orders that are placed as one, all or none. Source: API v3, "POST /api/3/spot/order/list". */
export interface ListPlace {
  readonly contingency: ContingencyType;
  /** All orders of the list, in their order; the id of the list is that of the first. */
  readonly orders: readonly ClientOrderId[];
}

/** An order as a venue reports it. */
export interface VenueOrder extends OrderRequest {
  /** The venue's number, kept as text so that no digit is lost. */
  readonly venueOrderId: string;
  readonly state: VenueOrderState;
  /** Executed quantity. */
  readonly cumulative: Lots;
  /** The client id this order replaced, if it came from a replace. */
  readonly originalClientOrderId: ClientOrderId | undefined;
  readonly orderListId: string | undefined;
  readonly createdAt: Micros;
  readonly updatedAt: Micros;
}

/** One execution of one own order. */
export interface Fill {
  /** The venue's trade number, as text. Unique per symbol. */
  readonly tradeId: string;
  readonly price: Ticks;
  readonly quantity: Lots;
  /** In the fee currency of the instrument; negative is a rebate. */
  readonly fee: Amount;
  readonly taker: boolean;
  readonly time: Micros;
  /** Number of the position at the venue, of a margin account. */
  readonly positionId?: number | undefined;
}

/** An order as Godwit keeps it. */
export interface Order extends OrderRequest {
  readonly strategy: string;
  readonly state: OrderState;
  readonly cumulative: Lots;
  readonly venueOrderId: string | undefined;
  readonly originalClientOrderId: ClientOrderId | undefined;
  /** When our controls accepted it, or when the venue first reported it. */
  readonly createdAt: Micros;
  readonly updatedAt: Micros;
  /** Set when denied or rejected: the code of the rule or of the venue. */
  readonly code: string | undefined;
  readonly why: string | undefined;
  /** A cancel of ours is on its way. */
  readonly cancelPending: boolean;
  /** The client id of a replacement of ours that is on its way. */
  readonly replacePending: ClientOrderId | undefined;
  /** There when none of ours placed it, and its strategy was given it (`orders.others`). */
  readonly adopted?: true | undefined;
}

/** Fields that say where an order is paid from and at which fees; absent of spot orders at the plain fees. */
export function paidFrom({
  margin,
  takeRate,
  makeRate,
}: Pick<OrderRequest, 'margin' | 'takeRate' | 'makeRate'>): Partial<OrderRequest> {
  return {
    ...(margin !== undefined && { margin }),
    ...(takeRate !== undefined && { takeRate }),
    ...(makeRate !== undefined && { makeRate }),
  };
}

/** Whether an order of this type needs a price. Source: API v3, "POST /api/3/spot/order parameters". */
export function needsPrice(type: OrderType): boolean {
  return type === 'limit' || type === 'stopLimit' || type === 'takeProfitLimit';
}

/** Whether an order of this type needs a stop price. */
export function needsStopPrice(type: OrderType): boolean {
  return type !== 'limit' && type !== 'market';
}

/** Whether the order waits for the price to rise: a buy stop, or a sell take-profit. */
export function firesRising(type: OrderType, side: Side): boolean {
  const stop = type === 'stopLimit' || type === 'stopMarket';
  return stop === (side === 'buy');
}

/** The time in force the service assumes when none is given. Source: API v3, "POST /api/3/spot/order parameters". */
export function defaultTimeInForce(type: OrderType): TimeInForce {
  return needsPrice(type) ? 'GTC' : 'FOK';
}

export function opposite(side: Side): Side {
  return side === 'buy' ? 'sell' : 'buy';
}

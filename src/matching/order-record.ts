import type { Amount } from '../base/amount.ts';
import { zero } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import type { InstrumentId, Lots } from '../model/instrument.ts';
import type { ClientOrderId, OrderRequest, Side, VenueOrder, VenueOrderState } from '../model/order.ts';
import type { AccountId } from './command.ts';
import { none } from './order-pool.ts';
import type { Seat } from './seat.ts';

/** What gives an order its identity besides the request. */
export interface Birth {
  readonly number: number;
  readonly createdAt: Micros;
  readonly originalClientOrderId: ClientOrderId | undefined;
  /** Executed quantity inherited in a replacement. */
  readonly cumulative: Lots;
}

/** Where an order waits. */
export type Whereabouts = 'nowhere' | 'book' | 'triggers';

/**
 * Everything the exchange knows of one order. The pool holds only what matching needs, under `handle`.
 *
 * Kept small: with thousands of live orders the time goes into fetching these from memory.
 */
export class OrderRecord {
  readonly request: OrderRequest;
  readonly seat: Seat;
  readonly number: number;
  readonly originalClientOrderId: ClientOrderId | undefined;
  readonly createdAt: Micros;
  updatedAt: Micros;
  state: VenueOrderState = 'new';
  cumulative: Lots;
  /** What is reserved for it: quote currency for a buy, base currency for a sell. */
  held: Amount = zero;
  where: Whereabouts = 'nowhere';
  handle = none;
  /** When it expires by itself; 0 when it does not. */
  expiresAt = 0;
  isLive = true;

  constructor(request: OrderRequest, seat: Seat, birth: Birth) {
    this.request = request;
    this.seat = seat;
    this.number = birth.number;
    this.originalClientOrderId = birth.originalClientOrderId;
    this.createdAt = birth.createdAt;
    this.updatedAt = birth.createdAt;
    this.cumulative = birth.cumulative;
  }

  get account(): AccountId {
    return this.seat.account;
  }

  get instrument(): InstrumentId {
    return this.request.instrument;
  }

  get side(): Side {
    return this.request.side;
  }

  get remaining(): Lots {
    return (this.request.quantity - this.cumulative) as Lots;
  }

  /** The order as it is now; later changes do not reach it. */
  snapshot(): VenueOrder {
    const { request } = this;
    return {
      clientOrderId: request.clientOrderId,
      instrument: request.instrument,
      side: request.side,
      type: request.type,
      timeInForce: request.timeInForce,
      quantity: request.quantity,
      price: request.price,
      stopPrice: request.stopPrice,
      expireTime: request.timeInForce === 'GTD' ? request.expireTime : undefined,
      postOnly: request.postOnly,
      venueOrderId: String(this.number),
      state: this.state,
      cumulative: this.cumulative,
      originalClientOrderId: this.originalClientOrderId,
      orderListId: undefined,
      createdAt: this.createdAt,
      updatedAt: this.updatedAt,
    };
  }
}

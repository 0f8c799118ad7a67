import type { Amount } from '../base/amount.ts';
import { zero } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import type { InstrumentId, Lots, Ticks } from '../model/instrument.ts';
import type { ClientOrderId, OrderRequest, OrderType, Side, TimeInForce } from '../model/order.ts';
import type { VenueOrder, VenueOrderState } from '../model/order.ts';
import type { AccountId } from './command.ts';
import type { Purse } from './ledger.ts';
import { none } from './order-pool.ts';
import type { Terms } from './terms.ts';

/** What gives an order its identity besides the request. */
export interface Birth {
  readonly account: AccountId;
  readonly base: Purse;
  readonly quote: Purse;
  readonly number: number;
  readonly terms: Terms;
  readonly createdAt: Micros;
  readonly originalClientOrderId: ClientOrderId | undefined;
  /** Executed quantity inherited in a replacement. */
  readonly cumulative: Lots;
}

/** Where an order waits. */
export type Whereabouts = 'nowhere' | 'book' | 'triggers';

/** Everything the exchange knows of one order. The pool holds only what matching needs, under `handle`. */
export class OrderRecord {
  readonly account: AccountId;
  /** The account's base and quote currency. */
  readonly base: Purse;
  readonly quote: Purse;
  readonly number: number;
  readonly venueOrderId: string;
  readonly terms: Terms;
  readonly clientOrderId: ClientOrderId;
  readonly originalClientOrderId: ClientOrderId | undefined;
  readonly instrument: InstrumentId;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly quantity: Lots;
  readonly price: Ticks | undefined;
  readonly stopPrice: Ticks | undefined;
  readonly expireTime: Micros | undefined;
  readonly postOnly: boolean;
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
  /** When it ended; below zero while it lives. */
  endedAt = -1;
  /** Neighbours in the account's list of live orders, in order of creation. */
  older: OrderRecord | undefined = undefined;
  younger: OrderRecord | undefined = undefined;

  constructor(request: OrderRequest, birth: Birth) {
    this.account = birth.account;
    this.base = birth.base;
    this.quote = birth.quote;
    this.number = birth.number;
    this.venueOrderId = String(birth.number);
    this.terms = birth.terms;
    this.clientOrderId = request.clientOrderId;
    this.originalClientOrderId = birth.originalClientOrderId;
    this.instrument = request.instrument;
    this.side = request.side;
    this.type = request.type;
    this.timeInForce = request.timeInForce;
    this.quantity = request.quantity;
    this.price = request.price;
    this.stopPrice = request.stopPrice;
    this.expireTime = request.timeInForce === 'GTD' ? request.expireTime : undefined;
    this.postOnly = request.postOnly;
    this.createdAt = birth.createdAt;
    this.updatedAt = birth.createdAt;
    this.cumulative = birth.cumulative;
  }

  get remaining(): Lots {
    return (this.quantity - this.cumulative) as Lots;
  }

  get isLive(): boolean {
    return this.endedAt < 0;
  }

  /** The order as it is now; later changes do not reach it. */
  snapshot(): VenueOrder {
    return {
      clientOrderId: this.clientOrderId,
      instrument: this.instrument,
      side: this.side,
      type: this.type,
      timeInForce: this.timeInForce,
      quantity: this.quantity,
      price: this.price,
      stopPrice: this.stopPrice,
      expireTime: this.expireTime,
      postOnly: this.postOnly,
      venueOrderId: this.venueOrderId,
      state: this.state,
      cumulative: this.cumulative,
      originalClientOrderId: this.originalClientOrderId,
      orderListId: undefined,
      createdAt: this.createdAt,
      updatedAt: this.updatedAt,
    };
  }
}

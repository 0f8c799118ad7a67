import type { AccountId } from '../../src/exchange/matching/accounts/command.ts';
import type { Lots } from '../../src/core/model/instrument.ts';
import type { OrderRequest, VenueOrder, VenueOrderState } from '../../src/core/model/order.ts';

/** Orders that depend on each other, live or not. */
export interface NaiveList {
  readonly id: string;
  readonly contingency: string;
  readonly orders: NaiveOrder[];
  primary: NaiveOrder | undefined;
  exclusive: boolean;
  decided: boolean;
}

/** An order of the naive engine: the venue's view of it, plus who owns it and in which turn it came. */
export interface NaiveOrder {
  readonly account: AccountId;
  readonly order: { -readonly [Key in keyof VenueOrder]: VenueOrder[Key] };
  readonly takeMarkup: bigint;
  readonly makeMarkup: bigint;
  /** Rank in time on the book or among the triggers. */
  turn: number;
  held: bigint;
  expiresAt: number | undefined;
  list: NaiveList | undefined;
  inactive: boolean;
  ended: boolean;
}

interface Place {
  readonly number: number;
  readonly turn: number;
  readonly now: number;
  readonly expiresAt: number | undefined;
}

/** An order as it begins. */
export function naiveOrder(
  from: Pick<NaiveOrder, 'account' | 'takeMarkup' | 'makeMarkup'>,
  request: OrderRequest,
  state: VenueOrderState,
  place: Place,
): NaiveOrder {
  const time = place.now as VenueOrder['createdAt'];
  const expireTime = request.timeInForce === 'GTD' ? request.expireTime : undefined;
  return {
    account: from.account,
    takeMarkup: from.takeMarkup,
    makeMarkup: from.makeMarkup,
    turn: place.turn,
    held: 0n,
    expiresAt: place.expiresAt ?? expireTime,
    list: undefined,
    inactive: false,
    ended: false,
    order: {
      clientOrderId: request.clientOrderId,
      instrument: request.instrument,
      side: request.side,
      type: request.type,
      timeInForce: request.timeInForce,
      quantity: request.quantity,
      price: request.price,
      stopPrice: request.stopPrice,
      expireTime,
      postOnly: request.postOnly,
      venueOrderId: String(place.number),
      state,
      cumulative: 0 as Lots,
      originalClientOrderId: undefined,
      orderListId: undefined,
      createdAt: time,
      updatedAt: time,
    },
  };
}

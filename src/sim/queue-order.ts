import type { Amount } from '../core/base/amount.ts';
import { zero } from '../core/base/amount.ts';
import type { Micros } from '../core/base/clock.ts';
import type { OrderList } from '../exchange/matching/order-list.ts';
import type { Lots } from '../core/model/instrument.ts';
import type { ClientOrderId, OrderRequest, VenueOrder, VenueOrderState } from '../core/model/order.ts';
import type { QueuePlace } from './queue-position.ts';
import type { Place } from './recorded-orders.ts';

/** One order at a venue that estimates its place in the queue. */
export class QueueOrder implements QueuePlace {
  readonly request: OrderRequest;
  readonly venueOrderId: string;
  readonly originalClientOrderId: ClientOrderId | undefined;
  readonly createdAt: Micros;
  updatedAt = 0 as Micros;
  state: VenueOrderState = 'new';
  cumulative = 0;
  ahead = 0;
  traded = 0;
  /** Where places are known: that of the order among all of its level. */
  place: Place = 0;
  /** What the account keeps back for it. */
  held: Amount = zero;
  /** The list it belongs to. */
  list: OrderList<QueueOrder> | undefined = undefined;
  /** It waits for the first order of its list and holds nothing; its state then is `suspended`. */
  inactive = false;
  isLive = false;
  /** When it ends by itself; 0 when never. */
  expiresAt = 0;

  constructor(
    request: OrderRequest,
    born: {
      readonly number: number;
      readonly now: Micros;
      readonly cumulative: number;
      readonly originalClientOrderId: ClientOrderId | undefined;
    },
  ) {
    this.request = request;
    this.venueOrderId = String(born.number);
    this.createdAt = born.now;
    this.updatedAt = born.now;
    this.cumulative = born.cumulative;
    this.originalClientOrderId = born.originalClientOrderId;
  }

  get remaining(): number {
    return this.request.quantity - this.cumulative;
  }

  get price(): number {
    return this.request.price ?? 0;
  }

  /** As the venue tells it now. */
  snapshot(): VenueOrder {
    return {
      ...this.request,
      venueOrderId: this.venueOrderId,
      state: this.state,
      cumulative: this.cumulative as Lots,
      originalClientOrderId: this.originalClientOrderId,
      orderListId: this.list?.id,
      createdAt: this.createdAt,
      updatedAt: this.updatedAt,
    };
  }
}

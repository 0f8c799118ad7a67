import type { Amount } from '../../../core/base/amount.ts';
import { zero } from '../../../core/base/amount.ts';
import type { Micros } from '../../../core/base/clock.ts';
import type { InstrumentId, Lots, Ticks } from '../../../core/model/instrument.ts';
import type { MarginMark } from '../../../core/model/margin.ts';
import type { ClientOrderId, OrderRequest, OrderType, Side, TimeInForce } from '../../../core/model/order.ts';
import type { VenueOrder, VenueOrderState } from '../../../core/model/order.ts';
import type { ContingentList } from './contingent-list.ts';
import { none } from '../book/index.ts';
import type { AccountInstrument } from '../accounts/index.ts';
import { venueOrderOf } from './venue.ts';

/** What gives an order its identity besides the request. */
export interface OrderOrigin {
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
 * Records are used again after their order has ended (see `OrderRecords`): thousands of live orders then stay
 * together in memory, and fetching them from all over is where the time would go. Code that keeps a record across
 * commands must keep its `number` too and compare.
 */
export class OrderRecord {
  context!: AccountInstrument;
  // Numbers begin as numbers: a field that once was undefined keeps its numbers apart, each in a place of its own.
  number = 0;
  clientOrderId!: ClientOrderId;
  originalClientOrderId: ClientOrderId | undefined;
  instrument = 0 as InstrumentId;
  side!: Side;
  type!: OrderType;
  timeInForce!: TimeInForce;
  quantity = 0 as Lots;
  price: Ticks | undefined;
  stopPrice: Ticks | undefined;
  expireTime: Micros | undefined;
  postOnly!: boolean;
  createdAt = 0 as Micros;
  updatedAt = 0 as Micros;
  state: VenueOrderState = 'new';
  cumulative = 0 as Lots;
  /** What is reserved for it: quote currency for a buy, base currency for a sell. */
  held: Amount = zero;
  /** The same, when it is counted in units of a integer balance of its context; `held` is zero then. */
  heldUnits = 0;
  counted = false;
  where: Whereabouts = 'nowhere';
  handle = none;
  /** When it expires by itself; 0 when it does not. */
  expiresAt = 0;
  isLive = true;
  /** Which record it is, for good. */
  index = 0;
  /** The hash of its client id, where that is kept. */
  idHash = 0;
  /** The list it belongs to. */
  list: ContingentList<OrderRecord> | undefined = undefined;
  /** It waits for the primary order of its list and holds nothing; its state then is `suspended`. */
  inactive = false;
  /** What it has beyond a spot order. */
  margin: MarginMark | undefined = undefined;
  /** The exchange made it to close a position whose margin is used up. */
  liquidates = false;

  constructor(request: OrderRequest, context: AccountInstrument, origin: OrderOrigin) {
    this.beginOrder(request, context, origin);
  }

  /** Makes it the record of another order, whatever it held before. */
  beginOrder(request: OrderRequest, context: AccountInstrument, origin: OrderOrigin): void {
    this.context = context;
    this.number = origin.number;
    this.clientOrderId = request.clientOrderId;
    this.originalClientOrderId = origin.originalClientOrderId;
    this.instrument = request.instrument;
    this.side = request.side;
    this.type = request.type;
    this.timeInForce = request.timeInForce;
    this.quantity = request.quantity;
    this.price = request.price;
    this.stopPrice = request.stopPrice;
    this.expireTime = request.timeInForce === 'GTD' ? request.expireTime : undefined;
    this.postOnly = request.postOnly;
    this.createdAt = origin.createdAt;
    this.updatedAt = origin.createdAt;
    this.state = 'new';
    this.cumulative = origin.cumulative;
    this.held = zero;
    this.heldUnits = 0;
    this.counted = false;
    this.where = 'nowhere';
    this.handle = none;
    this.expiresAt = 0;
    this.isLive = true;
    this.list = undefined;
    this.inactive = false;
    this.margin = undefined;
    this.liquidates = false;
  }

  get remaining(): Lots {
    return (this.quantity - this.cumulative) as Lots;
  }

  /** Whether it has nothing that only few orders have. */
  get isPlain(): boolean {
    return (
      this.list === undefined &&
      this.originalClientOrderId === undefined &&
      this.stopPrice === undefined &&
      this.expireTime === undefined
    );
  }

  get orderListId(): string | undefined {
    return this.list === undefined ? undefined : this.list.id;
  }

  /** The order as it is now; later changes do not reach it. */
  snapshot(): VenueOrder {
    return venueOrderOf(this);
  }
}

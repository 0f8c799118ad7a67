import type { Amount } from '../../../core/base/amount.ts';
import { zero } from '../../../core/base/amount.ts';
import type { ContingencyType, ListMark } from '../../../core/model/order-list.ts';
import type {
  VenueOrder,
  ClientOrderId,
  OrderRequest,
  OrderType,
  Side,
  TimeInForce,
  VenueOrderState,
} from '../../../core/model/order.ts';
import type { Micros } from '../../../core/base/clock.ts';
import type { InstrumentId, Lots, Ticks } from '../../../core/model/instrument.ts';
import type { MarginMark } from '../../../core/model/margin.ts';
import { none } from '../book/index.ts';
import type { AccountInstrument, MarginPosition } from '../accounts/index.ts';

/** What a list must know of its orders. */
export interface ListMember {
  held: Amount;
  inactive: boolean;
}

/**
 * Orders that depend on each other.
 *
 * While the list is `exclusive` at most one of its orders can execute, so that orders paying from the same wallet
 * share what is reserved: the most that one of them needs. Each order's `held` then is its claim on that.
 */
export class ContingentList<Member extends ListMember> {
  readonly id: string;
  readonly contingency: ContingencyType;
  /** Its live orders, oldest first. */
  readonly members: Member[] = [];
  /** The order the others wait for, as long as they do. */
  primary: Member | undefined = undefined;
  /** The first execution of one order ends the others. */
  exclusive = false;
  /** One order has executed; the others end. */
  decided = false;
  readonly #active: ListMark;
  readonly #inactive: ListMark;

  constructor(id: string, contingency: ContingencyType) {
    this.id = id;
    this.contingency = contingency;
    this.#active = { contingency, inactive: false };
    this.#inactive = { contingency, inactive: true };
  }

  mark(inactive: boolean): ListMark {
    return inactive ? this.#inactive : this.#active;
  }

  /** Whether what happens to one order still has a meaning for others. */
  get binds(): boolean {
    return this.exclusive || this.primary !== undefined;
  }

  /** The live orders but one, oldest first; later changes of the list do not reach it. */
  others(member: Member): Member[] {
    return this.members.filter((other) => other !== member);
  }

  leave(member: Member): void {
    const at = this.members.indexOf(member);
    if (at >= 0) this.members.splice(at, 1);
  }
}

/** An order as the exchange keeps it: with its number instead of a text. */
export interface NumberedOrder extends Omit<VenueOrder, 'venueOrderId' | 'list'> {
  readonly number: number;
}

/** The order as it is now, in the form in which a venue reports it; later changes do not reach it. */
export function venueOrderOf(order: NumberedOrder): VenueOrder {
  return {
    clientOrderId: order.clientOrderId,
    instrument: order.instrument,
    side: order.side,
    type: order.type,
    timeInForce: order.timeInForce,
    quantity: order.quantity,
    price: order.price,
    stopPrice: order.stopPrice,
    expireTime: order.expireTime,
    postOnly: order.postOnly,
    venueOrderId: String(order.number),
    state: order.state,
    cumulative: order.cumulative,
    originalClientOrderId: order.originalClientOrderId,
    orderListId: order.orderListId,
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
  };
}

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

/** What stood on the way of a walk and will be changed by it. Most walks meet neither: both are made at their first use. */
export class Met {
  #lists: Set<ContingentList<OrderRecord>> | undefined;
  #closable: Map<MarginPosition, number> | undefined;

  /** Lists of which an order was met: of an exclusive list only the first executes. */
  get lists(): Set<ContingentList<OrderRecord>> {
    this.#lists ??= new Set();
    return this.#lists;
  }

  /** How much of positions orders that may only reduce can still close. */
  get closable(): Map<MarginPosition, number> {
    this.#closable ??= new Map();
    return this.#closable;
  }

  copy(): Met {
    const copy = new Met();
    if (this.#lists !== undefined) copy.#lists = new Set(this.#lists);
    if (this.#closable !== undefined) copy.#closable = new Map(this.#closable);
    return copy;
  }
}

/**
 * How orders of one instrument execute, and nothing else: admission, funds, lists, expiry and reports are the same for
 * all. Whatever executes goes through `settleExecution`.
 */
export interface Fills {
  /** Whether an order would execute at least one lot now. */
  wouldTake(record: OrderRecord): boolean;
  /** Visits what an order would execute now, best price first. Changes nothing but `met`. */
  visit(record: OrderRecord, met: Met, each: (price: Ticks, lots: Lots) => void): void;
  /** Executes an order that has arrived as far as it goes. */
  takeOrder(record: OrderRecord): void;
  /** What is left of an order begins to rest. */
  restOrder(record: OrderRecord): void;
  /** Whether a market order that cannot execute now waits for a price; it expires where this is left out. */
  waits?(record: OrderRecord): boolean;
  /** A resting order goes without having been filled. */
  leaveBook(record: OrderRecord): void;
}

import type { Amount } from '../../../core/base/amount.ts';
import { zero } from '../../../core/base/amount.ts';
import type { Micros } from '../../../core/base/clock.ts';
import { endOfDay } from '../../../exchange/matching/expiries.ts';
import type { ContingentList } from '../../../exchange/matching/contingent-list.ts';
import type { Instrument, Lots } from '../../../core/model/instrument.ts';
import type { ClientOrderId, OrderRequest, VenueOrder, VenueOrderState } from '../../../core/model/order.ts';
import { needsPrice } from '../../../core/model/order.ts';

/** One order at a bar venue. It executes whole or not at all: a bar says nothing of the size at a price. */
export class BarOrder {
  readonly request: OrderRequest;
  readonly instrument: Instrument;
  readonly venueOrderId: string;
  readonly original: ClientOrderId | undefined;
  readonly createdAt: Micros;
  /** Whether it was placed to act when the price goes against its side; a take-profit order is none. */
  readonly isStop: boolean;
  /** When it expires, or infinity. */
  readonly expiresAt: number;
  /** The price that makes it act: the stop price until it has triggered, then the limit; `undefined` for market. */
  level: Amount | undefined;
  /** Whether it acts when the price is at or below the level; otherwise at or above. */
  below: boolean;
  state: VenueOrderState = 'new';
  updatedAt = 0 as Micros;
  /** What the account holds back for it. */
  held: Amount = zero;
  /** A stop whose price was met; always true for orders without one. */
  triggered: boolean;
  /** The list it belongs to. */
  list: ContingentList<BarOrder> | undefined = undefined;
  /** It waits for the first order of its list and holds nothing; its state then is `suspended`. */
  inactive = false;

  constructor(
    request: OrderRequest,
    instrument: Instrument,
    venueOrderId: string,
    times: { readonly now: Micros; readonly original: ClientOrderId | undefined },
  ) {
    const { side, type, price, stopPrice } = request;
    this.request = request;
    this.instrument = instrument;
    this.venueOrderId = venueOrderId;
    this.original = times.original;
    this.createdAt = times.now;
    this.updatedAt = times.now;
    this.expiresAt = expiryOf(request, times.now);
    this.triggered = stopPrice === undefined;
    const acts = stopPrice ?? price;
    this.level = acts === undefined ? undefined : instrument.priceAmount(acts);
    this.isStop = type === 'stopLimit' || type === 'stopMarket';
    this.below = this.isStop ? side === 'sell' : side === 'buy';
    if (!this.triggered) this.state = 'suspended';
  }

  /** Whether nothing more happens to it. */
  get isOver(): boolean {
    return this.state === 'filled' || this.state === 'canceled' || this.state === 'expired';
  }

  /** Whether it is a limit order now: of that type, or a stop-limit order that has triggered. */
  get isLimit(): boolean {
    return this.triggered && needsPrice(this.request.type);
  }

  /** Whether it acts at `price`; `strict`: limits only beyond their price. A market order acts at any, one that waits at none. */
  actsAt(price: Amount, strict: boolean): boolean {
    const { level } = this;
    if (this.inactive) return false;
    if (level === undefined) return true;
    if (strict && this.isLimit) return this.below ? price < level : price > level;
    return this.below ? price <= level : price >= level;
  }

  /** The stop price was met. A limit remains to be met; otherwise it is a market order from here on. */
  trigger(): void {
    const { price, side } = this.request;
    this.triggered = true;
    this.state = 'new';
    this.below = side === 'buy';
    this.level = price === undefined ? undefined : this.instrument.priceAmount(price);
  }

  /** The order as a venue reports it. */
  toVenueOrder(): VenueOrder {
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
      expireTime: request.expireTime,
      postOnly: request.postOnly,
      venueOrderId: this.venueOrderId,
      state: this.state,
      cumulative: this.state === 'filled' ? request.quantity : (0 as Lots),
      originalClientOrderId: this.original,
      orderListId: this.list?.id,
      createdAt: this.createdAt,
      updatedAt: this.updatedAt,
    };
  }
}

function expiryOf({ timeInForce, expireTime }: OrderRequest, now: Micros): number {
  if (timeInForce === 'GTD') return expireTime ?? Number.POSITIVE_INFINITY;
  if (timeInForce === 'Day') return endOfDay(now);
  return Number.POSITIVE_INFINITY;
}

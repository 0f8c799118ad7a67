import type { BookSnapshot, BookUpdate, TradesPrinted } from '../../../core/model/event.ts';
import type { BookSide } from '../../../core/model/order-changes.ts';
import type { Side } from '../../../core/model/order.ts';
import type { FillModel, FillResting, ModelOrder, PlannedFill } from '../model.ts';
import { RestingOrders, RestingOrder } from './resting-orders.ts';
import { RecordedBook } from '../recorded-book.ts';
import type { OrderSink, Place } from '../recorded-orders.ts';
import { RecordedOrders, olderPlace } from '../recorded-orders.ts';
import type { TakeRules } from '../walk-book.ts';
import { consume, planOf } from '../walk-book.ts';

export interface FifoMarketDeps extends TakeRules {
  /** Whether an execution at a worse price than that of an order counts for it. */
  readonly passing: boolean;
  readonly fill: FillResting;
}

/**
 * One instrument of a recording of single orders: what stands ahead of each of ours is known, order by order.
 *
 * Orders ahead that execute, leave or shrink move ours forward. An execution of an order behind ours or at a worse price
 * says that its taker came past us: it has met our orders first, best and oldest before all, each with no more than what
 * was executed. So has an order of the other side that joins at our price or through it. The strict rule lets no execution
 * at a worse price count, and no hidden one: that taker might not have come had our order stood there.
 */
export class FifoMarket implements FillModel, OrderSink {
  readonly book = new RecordedBook();
  readonly #orders = new RecordedOrders();
  readonly #buys = new RestingOrders('buy');
  readonly #sells = new RestingOrders('sell');
  readonly #partial: boolean;
  readonly #passing: boolean;
  readonly #impact: boolean;
  readonly #fill: FillResting;

  constructor({ partial, impact, passing, fill }: FifoMarketDeps) {
    this.#impact = impact;
    this.#partial = partial;
    this.#passing = passing;
    this.#fill = fill;
  }

  onMarket(event: BookUpdate | BookSnapshot | TradesPrinted): void {
    const { orders } = event;
    if (event.kind !== 'bookSnapshot') {
      if (orders !== undefined) this.#orders.update(orders, this);
      if (event.kind === 'bookUpdate') this.book.apply(event);
      return;
    }
    if (orders !== undefined) this.#orders.snapshot(orders, this);
    this.book.apply(event);
  }

  /** Executions of single orders have said it all. */
  onTrade(): void {
    return undefined;
  }

  onNew(order: ModelOrder): void {
    const resting = new RestingOrder(order);
    resting.ahead = this.#orders.totalAt(order.side === 'buy' ? 0 : 1, resting.price);
    resting.place = this.#orders.nextPlace();
    this.#own(order.side).add(resting);
  }

  onEnd(order: ModelOrder): void {
    this.#own(order.side).remove(order);
  }

  fills(order: ModelOrder): readonly PlannedFill[] {
    return planOf(this.book, order, this.#partial);
  }

  onTaken({ side }: ModelOrder, fills: readonly PlannedFill[]): void {
    if (this.#impact) consume(this.book, side, fills);
  }

  #own(side: Side): RestingOrders {
    return side === 'buy' ? this.#buys : this.#sells;
  }

  joins(side: BookSide, price: number, lots: number): void {
    const met = side === 0 ? this.#sells : this.#buys;
    const key = met.keyOf(price);
    if (met.bestKey >= key) this.#past(met.from(key), lots);
  }

  left(side: BookSide, price: number, lots: number, place: Place): void {
    const own = this.#ownAt(side);
    const key = own.keyOf(price);
    if (own.bestKey < key) return;
    for (const order of own.at(key)) if (order.place > place) order.ahead -= lots;
  }

  taken(side: BookSide, price: number, lots: number, place: Place): void {
    const own = this.#ownAt(side);
    const key = own.keyOf(price);
    if (own.bestKey < key) return;
    const met = this.#passing ? own.from(key) : own.at(key).slice();
    if (place !== olderPlace) this.left(side, price, lots, place);
    this.#past(
      met.filter((order) => own.keyOf(order.price) > key || order.place < place),
      lots,
    );
  }

  /** Visible orders stand before hidden ones: the taker has executed all visible quantity at the price. */
  hidden(side: BookSide, price: number, lots: number): void {
    const own = this.#ownAt(side);
    const key = own.keyOf(price);
    if (!this.#passing || own.bestKey < key) return;
    const better = own.from(key).filter((order) => own.keyOf(order.price) > key);
    let left = this.#past(better, lots);
    for (const order of own.at(key).slice()) {
      const reached = left - order.ahead;
      if (reached > 0) left -= reached - this.#past([order], reached);
    }
  }

  /** A taker of `lots` came past these orders, the best and oldest first; what is left of it. */
  #past(orders: readonly RestingOrder[], lots: number): number {
    let left = lots;
    for (const order of orders) {
      if (left <= 0) return 0;
      const filled = this.#fill(
        order.order,
        this.#partial ? Math.min(left, order.remaining) : order.remaining,
      );
      if (this.#partial) left -= filled;
    }
    return left;
  }

  #ownAt(side: BookSide): RestingOrders {
    return side === 0 ? this.#buys : this.#sells;
  }
}

import type { BookSnapshot, BookUpdate, TradesPrinted } from '../../../core/model/event.ts';
import { levelStride } from '../../../core/model/level-buffer.ts';
import type { MarketTrade } from '../../../core/model/market.ts';
import type { Side } from '../../../core/model/order.ts';
import type { FillModel, FillResting, ModelOrder, PlannedFill } from '../model.ts';
import { RestingOrders, RestingOrder } from './resting-orders.ts';
import type { QueueRule } from './position.ts';
import { isNext, reached } from './position.ts';
import { RecordedBook } from '../recorded-book.ts';
import type { TakeRules } from '../walk-book.ts';
import { consume, planOf } from '../walk-book.ts';

export interface QueueMarketDeps extends TakeRules {
  readonly rule: QueueRule;
  readonly fill: FillResting;
}

/**
 * One instrument: the recorded book, and our resting orders beside it with their estimated places.
 *
 * A resting order fills when a trade prints through its price, when trades at its price have used up what stood ahead,
 * or when the opposite best price reaches it. Levels at which nothing of ours stands cost one comparison.
 */
export class QueueMarket implements FillModel {
  readonly book = new RecordedBook();
  readonly buys = new RestingOrders('buy');
  readonly sells = new RestingOrders('sell');
  readonly #rule: QueueRule;
  readonly #partial: boolean;
  readonly #impact: boolean;
  readonly #fill: FillResting;

  constructor({ rule, partial, impact, fill }: QueueMarketDeps) {
    this.#impact = impact;
    this.#rule = rule;
    this.#partial = partial;
    this.#fill = fill;
  }

  onMarket(event: BookUpdate | BookSnapshot | TradesPrinted): void {
    if (event.kind === 'bookUpdate') this.#update(event);
    else if (event.kind === 'bookSnapshot') this.#snapshot(event);
  }

  /** Changed levels, one after another, each with all that follows from it; nothing does from nearly all of them. */
  #update({ levels, start, end }: BookUpdate | BookSnapshot): void {
    for (let at = start; at < end;) {
      const isBid = levels[at] === 0;
      const stop = this.book.setBehind(levels, at, end, (isBid ? this.buys : this.sells).keyBits);
      if (stop === end || (levels[stop] === 0) !== isBid) {
        at = stop;
        continue;
      }
      const price = levels[stop + 1] as number;
      const lots = levels[stop + 2] as number;
      if (isBid) this.#setBid(price, lots);
      else this.#setAsk(price, lots);
      at = stop + levelStride;
    }
  }

  /** The whole book: places in queues stay, cut to what is there now. */
  #snapshot(event: BookSnapshot): void {
    const { book } = this;
    book.clear();
    this.#update(event);
    for (const order of this.buys.from(Number.NEGATIVE_INFINITY))
      order.ahead = Math.min(order.ahead, book.bidLots(order.price));
    for (const order of this.sells.from(Number.NEGATIVE_INFINITY))
      order.ahead = Math.min(order.ahead, book.askLots(order.price));
  }

  /** All that stands at its price is ahead of it. */
  onNew(order: ModelOrder): void {
    const { book } = this;
    const resting = new RestingOrder(order);
    const { price } = resting;
    resting.ahead = order.side === 'buy' ? book.bidLots(price) : book.askLots(price);
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
    return side === 'buy' ? this.buys : this.sells;
  }

  /** A trade: its taker came from `side` and met our orders of the other side. */
  onTrade({ side, price, quantity }: MarketTrade): void {
    const own = side === 'buy' ? this.sells : this.buys;
    const key = own.keyOf(price);
    if (own.bestKey < key) return;
    let left: number = quantity;
    for (const order of own.from(key)) {
      if (own.keyOf(order.price) > key) left -= this.#throughFill(order, left);
      else left -= this.#queueFill(order, left);
      if (this.#partial && left <= 0) return;
    }
  }

  #setBid(price: number, lots: number): void {
    const { book, buys, sells } = this;
    const best = book.bestBid;
    const before = book.setBid(price, lots);
    if (buys.bestKey >= price) this.#changed(buys.at(price), before, lots);
    if (book.bestBid > best && sells.bestKey >= -book.bestBid) this.#met(sells, -book.bestBid, lots);
  }

  #setAsk(price: number, lots: number): void {
    const { book, buys, sells } = this;
    const best = book.bestAsk;
    const before = book.setAsk(price, lots);
    if (sells.bestKey >= -price) this.#changed(sells.at(-price), before, lots);
    if (book.bestAsk < best && buys.bestKey >= book.bestAsk) this.#met(buys, book.bestAsk, lots);
  }

  #changed(orders: readonly RestingOrder[], before: number, after: number): void {
    for (const order of orders) this.#rule.change(order, before, after);
  }

  /** The other side now quotes at or through our prices, with `lots`: it has met our orders, the best first. */
  #met(own: RestingOrders, key: number, lots: number): void {
    let left = lots;
    for (const order of own.from(key)) {
      left -= this.#throughFill(order, left);
      if (this.#partial && left <= 0) return;
    }
  }

  /** Fill by what passes through an order's price: it takes the whole order, or with parts no more than itself. */
  #throughFill(order: RestingOrder, lots: number): number {
    const filled = this.#fill(order.order, this.#partial ? Math.min(lots, order.remaining) : order.remaining);
    return this.#partial ? filled : 0;
  }

  #queueFill(order: RestingOrder, lots: number): number {
    this.#rule.trade(order, lots);
    if (!this.#partial) {
      if (isNext(order)) this.#fill(order.order, order.remaining);
      return 0;
    }
    const lotsReached = reached(order);
    if (lotsReached === 0) return 0;
    order.ahead = 0;
    return this.#fill(order.order, Math.min(lotsReached, order.remaining));
  }
}

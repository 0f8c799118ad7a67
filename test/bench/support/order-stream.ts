import { Random } from '../../../src/core/base/random.ts';
import { OrderBook } from '../../../src/exchange/matching/book/book.ts';
import { noOwner, none, OrderPool } from '../../../src/exchange/matching/book/order-pool.ts';

/** What an operation is: a new order, a cancel, or an order that takes at once. */
export const operation = { new: 0, cancel: 1, take: 2 } as const;

/** Operations in columns, so that reading them costs next to nothing: what is measured is the book. */
export interface OrderStream {
  readonly length: number;
  readonly kind: Uint8Array;
  readonly isBuy: Uint8Array;
  readonly price: Int32Array;
  readonly quantity: Int32Array;
  /** Which order it is about: the operation that placed it. */
  readonly order: Int32Array;
  /** What it must come to. */
  readonly end: OrdersEnd;
}

/** Where a stream ends: both sides of a comparison must come to the same. */
export interface OrdersEnd {
  /** Lots that takers got. */
  readonly traded: number;
  /** Orders that rest, their lots, and the sum of their lots times their prices. */
  readonly resting: number;
  readonly lots: number;
  readonly volume: number;
}

const middle = 1_000_000;
const liveOrders = 5_000;

/**
 * 47 % new at exponential distance, 42 % cancels of a random live order, 11 % takers, after 5,000 orders to begin with.
 * Takers are larger while more orders live than that, so that about so many always do. Played against bare queues as
 * it is made, to know who lives.
 */
export function orderStream(operations: number): OrderStream {
  const random = new Random('order stream');
  const market = new Queues();
  const resting: number[] = [];
  const length = operations + liveOrders;
  const [kind, isBuy, order] = [new Uint8Array(length), new Uint8Array(length), new Int32Array(length)];
  const [price, quantity] = [new Int32Array(length), new Int32Array(length)];
  for (let i = 0; i < length; i++) {
    const roll = random.float();
    const what =
      i < liveOrders || roll < 0.47 ? operation.new : roll < 0.89 ? operation.cancel : operation.take;
    const buy = random.chance(0.5);
    const distance = Math.floor(random.exponential(40)) + 1;
    const away = what === operation.take ? -40 : distance;
    const at = middle + (buy ? -away : away);
    const lots = random.between(1, what === operation.new ? 100 : market.size > liveOrders ? 120 : 20);
    const number = what === operation.cancel ? takeLive(random, resting, market) : i;
    [kind[i], isBuy[i], price[i], quantity[i], order[i]] = [what, buy ? 1 : 0, at, lots, number];
    if (what === operation.cancel) market.cancel(number);
    else if (what === operation.take) market.take(buy, at, lots);
    else {
      market.add(i, buy, at, lots);
      resting.push(i);
    }
  }
  return { length, kind, isBuy, price, quantity, order, end: market.end() };
}

/** The client id of each operation, as a socket brings it: a text of its own, in one piece, that nobody has seen yet. */
export function clientIds({ order }: OrderStream): readonly string[] {
  return Array.from(order, (number) => Buffer.from(`order-${number}`, 'latin1').toString('latin1'));
}

/** A random order that still lives, taken off the list. */
function takeLive(random: Random, resting: number[], market: Queues): number {
  for (;;) {
    const at = random.between(0, resting.length - 1);
    const number = resting[at] as number;
    resting[at] = resting.at(-1) as number;
    resting.pop();
    if (market.isLive(number)) return number;
  }
}

/** Who stands where: prices, times and quantities, and no more. */
class Queues {
  readonly #pool = new OrderPool();
  readonly #book = new OrderBook(this.#pool, 1_024);
  readonly #tickets: number[] = [];
  readonly #buys: boolean[] = [];
  #traded = 0;

  get size(): number {
    return this.#pool.size;
  }

  isLive(number: number): boolean {
    return this.#handle(number) !== none;
  }

  /** New orders never cross: bids stand below the middle, asks above it. */
  add(number: number, buy: boolean, price: number, quantity: number): void {
    const handle = this.#book.queue(buy ? 'buy' : 'sell').append(buy ? price : -price, quantity, noOwner);
    this.#tickets[number] = this.#pool.ticket(handle);
    this.#buys[number] = buy;
  }

  end(): OrdersEnd {
    const books = [this.#book.bids, this.#book.asks];
    let [resting, lots, volume] = [0, 0, 0];
    for (const queue of books) {
      for (const key of queue.levels.keys()) {
        const slot = queue.slotAt(key);
        for (let handle = queue.headOf(slot); handle !== none; handle = queue.after(handle)) {
          resting += 1;
          lots += queue.quantityOf(handle);
          volume += queue.quantityOf(handle) * Math.abs(key);
        }
      }
    }
    return { traded: this.#traded, resting, lots, volume };
  }

  cancel(number: number): void {
    this.#book.queue(this.#buys[number] === true ? 'buy' : 'sell').remove(this.#handle(number));
  }

  take(buy: boolean, price: number, quantity: number): void {
    const queue = this.#book.queue(buy ? 'sell' : 'buy');
    const { levels } = queue;
    const worst = buy ? -price : price;
    for (let left = quantity; left > 0 && levels.best !== none;) {
      if ((levels.key[levels.best] as number) < worst) return;
      const handle = queue.headOf(levels.best);
      const lots = Math.min(left, queue.quantityOf(handle));
      if (lots < queue.quantityOf(handle)) queue.reduce(handle, lots);
      else queue.remove(handle);
      left -= lots;
      this.#traded += lots;
    }
  }

  #handle(number: number): number {
    return this.#pool.handleOf(this.#tickets[number] ?? -1);
  }
}

import { Random } from '../../../src/base/random.ts';
import { OrderBook } from '../../../src/matching/order-book.ts';
import { nobody, none, OrderPool } from '../../../src/matching/order-pool.ts';

/** One operation: a new order, a cancel of the order placed as number `target`, or an order that takes at once. */
export interface Operation {
  readonly kind: 'new' | 'cancel' | 'take';
  readonly number: number;
  readonly buy: boolean;
  readonly price: number;
  readonly quantity: number;
  readonly target: number;
}

const middle = 1_000_000;
const liveOrders = 5_000;

/**
 * 47 % new at exponential distance, 42 % cancels of a random live order, 11 % takers, after 5,000 orders to begin with.
 * Takers are larger while more orders live than that, so that about so many always do. Played against bare queues as
 * it is made, to know who lives.
 */
export function orderStream(operations: number): readonly Operation[] {
  const random = new Random('order stream');
  const market = new Queues();
  const resting: number[] = [];
  return Array.from({ length: operations + liveOrders }, (_, number) => {
    const roll = random.float();
    const kind = number < liveOrders || roll < 0.47 ? 'new' : roll < 0.89 ? 'cancel' : 'take';
    const buy = random.chance(0.5);
    const away = Math.floor(random.exponential(40)) + 1;
    const price = kind === 'take' ? middle + (buy ? 40 : -40) : middle + (buy ? -away : away);
    const quantity = random.between(1, kind === 'new' ? 100 : market.size > liveOrders ? 120 : 20);
    let target = 0;
    if (kind === 'cancel') {
      target = takeLive(random, resting, market);
      market.cancel(target);
    } else if (kind === 'take') {
      market.take(buy, price, quantity);
    } else {
      market.add(number, buy, price, quantity);
      resting.push(number);
    }
    return { kind, number, buy, price, quantity, target };
  });
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

  get size(): number {
    return this.#pool.size;
  }

  isLive(number: number): boolean {
    return this.#handle(number) !== none;
  }

  /** New orders never cross: bids stand below the middle, asks above it. */
  add(number: number, buy: boolean, price: number, quantity: number): void {
    const handle = this.#book.queue(buy ? 'buy' : 'sell').append(buy ? price : -price, quantity, nobody);
    this.#tickets[number] = this.#pool.ticket(handle);
    this.#buys[number] = buy;
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
    }
  }

  #handle(number: number): number {
    return this.#pool.handleOf(this.#tickets[number] ?? -1);
  }
}

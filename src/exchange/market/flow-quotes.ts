import type { Side } from '../../core/model/order.ts';

interface Quote {
  place: number;
  readonly side: Side;
  readonly price: number;
}

/** The resting orders of the seeded makers of one symbol: any of them by chance, and those at a price. */
export class FlowQuotes {
  readonly #orders: string[] = [];
  readonly #quotes = new Map<string, Quote>();
  readonly #levels = { buy: new Map<number, Set<string>>(), sell: new Map<number, Set<string>>() };

  get size(): number {
    return this.#orders.length;
  }

  get orders(): readonly string[] {
    return this.#orders;
  }

  /** The oldest order at a price; `undefined` when none of the makers' is there. */
  at(side: Side, price: number): string | undefined {
    const [oldest] = this.#levels[side].get(price) ?? [];
    return oldest;
  }

  add(clientOrderId: string, side: Side, price: number): void {
    this.#quotes.set(clientOrderId, { place: this.#orders.length, side, price });
    this.#orders.push(clientOrderId);
    const level = this.#levels[side].get(price);
    if (level === undefined) this.#levels[side].set(price, new Set([clientOrderId]));
    else level.add(clientOrderId);
  }

  /** An order has ended; one that is not here changes nothing. */
  remove(clientOrderId: string): void {
    const quote = this.#quotes.get(clientOrderId);
    if (quote === undefined) return;
    this.#quotes.delete(clientOrderId);
    const { place, side, price } = quote;
    const level = this.#levels[side].get(price);
    level?.delete(clientOrderId);
    if (level?.size === 0) this.#levels[side].delete(price);
    const last = this.#orders.pop() as string;
    if (last === clientOrderId) return;
    this.#orders[place] = last;
    (this.#quotes.get(last) as Quote).place = place;
  }
}

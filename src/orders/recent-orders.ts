import type { Micros } from '../base/clock.ts';
import type { OrderRequest } from '../model/order.ts';

/** The last orders of one strategy that passed the controls, newest last; a ring that forgets the oldest. */
export class RecentOrders {
  readonly #requests: (OrderRequest | undefined)[];
  readonly #times: Float64Array;
  #next = 0;

  constructor(max: number) {
    this.#requests = Array.from({ length: max }, () => undefined);
    this.#times = new Float64Array(max).fill(Number.NEGATIVE_INFINITY);
  }

  add(request: OrderRequest, now: Micros): void {
    this.#requests[this.#next] = request;
    this.#times[this.#next] = now;
    this.#next = this.#next + 1 === this.#requests.length ? 0 : this.#next + 1;
  }

  /** An order of the same symbol, side, price and quantity that passed less than `window` ago. */
  equalTo(request: OrderRequest, now: Micros, window: Micros): OrderRequest | undefined {
    const size = this.#requests.length;
    for (let back = 1; back <= size; back++) {
      const index = (this.#next - back + size) % size;
      if (now - (this.#times[index] as number) >= window) return undefined;
      const other = this.#requests[index];
      if (other !== undefined && same(request, other)) return other;
    }
    return undefined;
  }
}

function same(a: OrderRequest, b: OrderRequest): boolean {
  return (
    a.instrument === b.instrument && a.side === b.side && a.price === b.price && a.quantity === b.quantity
  );
}

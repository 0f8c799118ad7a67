import type { Micros } from '../base/clock.ts';
import type { OwnTrade } from '../model/event.ts';
import type { ReportOutcome } from '../matching/outcome.ts';
import type { VenueOrder } from '../model/order.ts';

/** What the venue remembers of our orders and trades for reads. Bounded: the oldest go first. */
export class OwnHistory {
  readonly #ordersMax: number;
  readonly #tradesMax: number;
  readonly #orders = new Map<string, VenueOrder>();
  #trades: OwnTrade[] = [];

  constructor(ordersMax: number, tradesMax: number) {
    this.#ordersMax = ordersMax;
    this.#tradesMax = tradesMax;
  }

  take({ order, fill, reportType }: ReportOutcome): void {
    this.#keep(order);
    const { originalClientOrderId: original } = order;
    const replaced = original === undefined ? undefined : this.#orders.get(original);
    if (reportType === 'replaced' && replaced !== undefined)
      this.#keep({ ...replaced, state: 'canceled', updatedAt: order.updatedAt });
    if (fill === undefined) return;
    const { instrument, clientOrderId, venueOrderId, side } = order;
    this.#trades.push({ ...fill, instrument, clientOrderId, venueOrderId, side });
    if (this.#trades.length >= 2 * this.#tradesMax) this.#trades = this.#trades.slice(-this.#tradesMax);
  }

  /** Every order with that client id; here it names one at most. */
  orders(clientOrderId: string): VenueOrder[] {
    const order = this.#orders.get(clientOrderId);
    return order === undefined ? [] : [order];
  }

  /** Own trades at or after `since`, oldest first. */
  trades(since: Micros): OwnTrade[] {
    return this.#trades.slice(-this.#tradesMax).filter(({ time }) => time >= since);
  }

  #keep(order: VenueOrder): void {
    this.#orders.set(order.clientOrderId, order);
    if (this.#orders.size <= this.#ordersMax) return;
    const [oldest] = this.#orders.keys();
    if (oldest !== undefined) this.#orders.delete(oldest);
  }
}

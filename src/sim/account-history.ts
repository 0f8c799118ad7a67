import type { Micros } from '../core/base/clock.ts';
import type { OwnTrade } from '../core/model/event.ts';
import type { ReportOutcome } from '../exchange/matching/index.ts';
import type { VenueOrder } from '../core/model/order.ts';

type Reported = Pick<ReportOutcome, 'order' | 'fill' | 'reportType' | 'margin'>;

/** Reports that wait to be sorted, at most: few runs read a history at all. */
const waitingMax = 10_000;

/** Orders and trades of ours of one product that the venue remembers for reads. Bounded: the oldest go first. */
export class AccountHistory {
  readonly #ordersMax: number;
  readonly #tradesMax: number;
  readonly #orders = new Map<string, VenueOrder>();
  #trades: OwnTrade[] = [];
  /** Reports since the last read, oldest first. */
  #waiting: Reported[] = [];

  constructor(ordersMax: number, tradesMax: number) {
    this.#ordersMax = ordersMax;
    this.#tradesMax = tradesMax;
  }

  takeReport(report: Reported): void {
    if (this.#waiting.push(report) >= waitingMax) this.#sort();
  }

  #sort(): void {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    for (const report of waiting) this.#keep(report);
  }

  #keep({ order, fill, reportType, margin }: Reported): void {
    this.#keepOrder(order);
    if (reportType === 'replaced') this.#replace(order);
    if (fill === undefined) return;
    const { instrument, clientOrderId, venueOrderId, side } = order;
    const trade = { ...fill, instrument, clientOrderId, venueOrderId, side };
    this.#trades.push(margin === undefined ? trade : { ...trade, marginMode: margin.mode });
    if (this.#trades.length >= 2 * this.#tradesMax) this.#trades = this.#trades.slice(-this.#tradesMax);
  }

  /** Every order with that client id; here it names one at most. */
  orders(clientOrderId: string): VenueOrder[] {
    this.#sort();
    const order = this.#orders.get(clientOrderId);
    return order === undefined ? [] : [order];
  }

  /** Own trades at or after `since`, oldest first. */
  trades(since: Micros): OwnTrade[] {
    this.#sort();
    const trades = this.#trades;
    const oldest = Math.max(0, trades.length - this.#tradesMax);
    let from = trades.length;
    while (from > oldest && (trades[from - 1] as OwnTrade).time >= since) from -= 1;
    return trades.slice(from);
  }

  #replace({ originalClientOrderId: original, updatedAt }: VenueOrder): void {
    const replaced = original === undefined ? undefined : this.#orders.get(original);
    if (replaced !== undefined) this.#keepOrder({ ...replaced, state: 'canceled', updatedAt });
  }

  #keepOrder(order: VenueOrder): void {
    this.#orders.set(order.clientOrderId, order);
    if (this.#orders.size <= this.#ordersMax) return;
    const [oldest] = this.#orders.keys();
    if (oldest !== undefined) this.#orders.delete(oldest);
  }
}

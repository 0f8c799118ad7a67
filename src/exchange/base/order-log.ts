import type { Micros } from '../../core/base/clock.ts';
import { later, seconds } from '../../core/base/clock.ts';
import type { ReportOutcome } from '../matching/index.ts';
import type { InstrumentId, Instrument, Ticks } from '../../core/model/instrument.ts';
import type { MarginReport } from '../../core/model/margin.ts';
import type { ListMark } from '../../core/model/order-list.ts';
import type { Fill, Side, VenueOrder } from '../../core/model/order.ts';
import type { HistoryOptions } from './options.ts';
import { Ring } from './ring.ts';
import type { Amount } from '../../core/base/amount.ts';
import { formatAmount } from '../../core/base/amount.ts';

/** An order with its executions, as the REST replies show it. `fills` holds the newest `fillsPerOrderMax`. */
export interface OrderHistoryEntry {
  readonly number: number;
  order: VenueOrder;
  readonly fills: Fill[];
  /** There when the order belongs to a list. */
  list?: ListMark | undefined;
  /** There when it is traded on margin: what its last report said. */
  margin?: MarginReport | undefined;
}

/** A row of the own trade history. */
export interface OwnFill {
  readonly number: number;
  readonly instrument: InstrumentId;
  readonly clientOrderId: string;
  readonly venueOrderId: string;
  readonly side: Side;
  readonly fill: Fill;
  readonly margin: MarginReport | undefined;
}

/** Executions kept with one order; the trade history has them all. */
const fillsPerOrderMax = 1_000;

const purgeAfter = seconds(24 * 3_600);

/**
 * The orders and trades of one account: active ones by client id, all of them in the order of their numbers.
 *
 * Ended orders without executions go after 24 hours. Beyond `ordersMax` records the oldest ended ones go, those
 * without executions first. Source: API v3, "GET /api/3/spot/history/order" and "Limits".
 */
export class OrderLog {
  readonly #active = new Map<string, OrderHistoryEntry>();
  /** The newest record of each client id. */
  readonly #newest = new Map<string, OrderHistoryEntry>();
  readonly #trades: Ring<OwnFill>;
  readonly #ordersMax: number;
  /** Ascending by number. */
  #records: OrderHistoryEntry[] = [];
  /** Whether they ascend by when they were created, too: a replacement inherits that of the order it replaces. */
  #isByTime = true;

  constructor(limits: HistoryOptions) {
    this.#ordersMax = limits.ordersMax;
    this.#trades = new Ring(limits.tradesMax);
  }

  get trades(): Ring<OwnFill> {
    return this.#trades;
  }

  /** Every record kept, oldest number first; `isPurged` is true for those the history no longer shows. */
  get records(): readonly OrderHistoryEntry[] {
    return this.#records;
  }

  /** Every record kept, by when its order was created, then by number. */
  get recordsByTime(): readonly OrderHistoryEntry[] {
    if (this.#isByTime) return this.#records;
    return this.#records.toSorted((one, other) => one.order.createdAt - other.order.createdAt);
  }

  active(clientOrderId: string): OrderHistoryEntry | undefined {
    return this.#active.get(clientOrderId);
  }

  /** The record of the order that had this client id last, ended or not, as long as it is kept. */
  last(clientOrderId: string): OrderHistoryEntry | undefined {
    return this.#newest.get(clientOrderId);
  }

  /** The record of an order by its number, ended or not, as long as it is kept. */
  record(venueOrderId: string): OrderHistoryEntry | undefined {
    const number = Number(venueOrderId);
    let low = 0;
    let high = this.#records.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#records[middle] as OrderHistoryEntry).number < number) low = middle + 1;
      else high = middle;
    }
    const found = this.#records[low];
    return found?.number === number ? found : undefined;
  }

  /** Takes a report and returns the record of its order, brought up to date. `keepsOriginal`: what it replaces lives on. */
  takeOutcome(outcome: ReportOutcome, keepsOriginal = false): OrderHistoryEntry {
    const { order, fill } = outcome;
    const known = this.#active.get(order.clientOrderId);
    const record =
      known !== undefined && known.order.venueOrderId === order.venueOrderId
        ? known
        : this.#beginEntry(outcome, keepsOriginal);
    record.order = order;
    if (outcome.list !== undefined) record.list = outcome.list;
    if (outcome.margin !== undefined) record.margin = outcome.margin;
    if (fill !== undefined) this.#book(record, fillOf(fill, outcome.margin), outcome.margin);
    if (isEnded(order)) {
      if (this.#active.get(order.clientOrderId) === record) this.#active.delete(order.clientOrderId);
    } else if (record !== known) this.#active.set(order.clientOrderId, record);
    return record;
  }

  /** A replacement inherits the executions of its predecessor, which ends as canceled unless it is kept. */
  #beginEntry({ order, reportType }: ReportOutcome, keepsOriginal: boolean): OrderHistoryEntry {
    const number = Number(order.venueOrderId);
    let fills: Fill[] = [];
    if (reportType === 'replaced' && order.originalClientOrderId !== undefined) {
      const original = this.#active.get(order.originalClientOrderId);
      if (original !== undefined) fills = [...original.fills];
      if (original !== undefined && !keepsOriginal) {
        this.#active.delete(order.originalClientOrderId);
        original.order = { ...original.order, state: 'canceled', updatedAt: order.updatedAt };
      }
    }
    const record = { number, order, fills };
    if (this.#records.length > this.#ordersMax * 1.25 + 64) this.#compact(order.updatedAt);
    this.#insert(record);
    this.#newest.set(order.clientOrderId, record);
    return record;
  }

  /** Keeps the numbers ascending: orders that wait for another of their list are reported before it, and have later numbers. */
  #insert(record: OrderHistoryEntry): void {
    let place = this.#records.length;
    while (place > 0 && (this.#records[place - 1] as OrderHistoryEntry).number > record.number) place -= 1;
    const before = this.#records[place - 1];
    if (before !== undefined && before.order.createdAt > record.order.createdAt) this.#isByTime = false;
    this.#records.splice(place, 0, record);
  }

  #book(record: OrderHistoryEntry, fill: Fill, margin: MarginReport | undefined): void {
    const { order } = record;
    record.fills.push(fill);
    if (record.fills.length > fillsPerOrderMax) record.fills.shift();
    this.#trades.push({
      number: Number(fill.tradeId),
      instrument: order.instrument,
      clientOrderId: order.clientOrderId,
      venueOrderId: order.venueOrderId,
      side: order.side,
      fill,
      margin,
    });
  }

  #compact(now: Micros): void {
    this.#records = this.#records.filter((record) => !isPurged(record, now));
    this.#dropOldest((record) => record.order.cumulative === 0);
    this.#dropOldest(() => true);
    this.#newest.clear();
    for (const record of this.#records) this.#newest.set(record.order.clientOrderId, record);
  }

  #dropOldest(mayGo: (record: OrderHistoryEntry) => boolean): void {
    let surplus = this.#records.length - this.#ordersMax;
    if (surplus <= 0) return;
    this.#records = this.#records.filter((record) => {
      if (surplus <= 0 || !isEnded(record.order) || !mayGo(record)) return true;
      surplus -= 1;
      return false;
    });
  }
}

/** An execution, with the position it belongs to. */
function fillOf(fill: Fill, margin: MarginReport | undefined): Fill {
  return margin?.positionId === undefined ? fill : { ...fill, positionId: margin.positionId };
}

/** Whether nothing more can come of an order. */
export function isEnded(order: VenueOrder): boolean {
  const { state } = order;
  return state === 'filled' || state === 'canceled' || state === 'expired';
}

/** Which records a history shows now: none that went after 24 hours or was forgotten, none that is too new while it lags. */
export function shownRecords(
  now: Micros,
  faults: { historyShows(time: Micros): boolean; historyKeeps(time: Micros): boolean },
): (record: OrderHistoryEntry) => boolean {
  return (record) => {
    const { order } = record;
    if (isPurged(record, now) || !faults.historyShows(order.updatedAt)) return false;
    return !isEnded(order) || faults.historyKeeps(order.updatedAt);
  };
}

/** Whether the history no longer shows an order at `now`: ended without executions more than 24 hours ago. */
export function isPurged(record: OrderHistoryEntry, now: Micros): boolean {
  const { order } = record;
  return order.cumulative === 0 && isEnded(order) && later(order.updatedAt, purgeAfter) <= now;
}

/**
 * Executed value over executed quantity as plain decimal text, cut at the scale of amounts; `0` without an execution.
 * Source: API v3, "Spot order" (price_average is not optional).
 */
export function averagePrice(instrument: Instrument, fills: readonly Fill[]): string {
  let value = 0n;
  let quantity = 0n;
  for (const fill of fills) {
    value += BigInt(fill.price) * BigInt(fill.quantity);
    quantity += BigInt(fill.quantity);
  }
  if (quantity === 0n) return '0';
  return formatAmount(((value * instrument.priceAmount(1 as Ticks)) / quantity) as Amount);
}

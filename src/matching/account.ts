import type { Micros } from '../base/clock.ts';
import type { InstrumentId } from '../model/instrument.ts';
import type { AccountId } from './command.ts';
import type { ExchangeOptions } from './exchange-options.ts';
import type { Purse } from './ledger.ts';
import type { OrderRecord } from './order-record.ts';
import { RecentIds } from './recent-ids.ts';
import type { Seat } from './seat.ts';

/** One account: its live orders, the client ids that are taken, its purses and seats. */
export class Account {
  readonly id: AccountId;
  readonly purses = new Map<string, Purse>();
  /** By instrument, for orders without mark-ups. */
  readonly seats: (Seat | undefined)[] = [];
  readonly #countOf: number[] = [];
  readonly #live = new Map<string, OrderRecord>();
  readonly #recent: RecentIds;

  constructor(id: AccountId, options: ExchangeOptions) {
    this.id = id;
    this.#recent = new RecentIds(options.idReuseAfter, options.endedIdsMax);
  }

  /** How many orders live: in all, or on one instrument. */
  get count(): number {
    return this.#live.size;
  }

  countOf(instrument: InstrumentId): number {
    return this.#countOf[instrument] ?? 0;
  }

  /** Live orders, in order of creation. */
  orders(): Iterable<OrderRecord> {
    return this.#live.values();
  }

  /** The live order with that id. */
  live(clientOrderId: string): OrderRecord | undefined {
    return this.#live.get(clientOrderId);
  }

  /** Whether the id belongs to a live order, or to one that ended not long ago. */
  isTaken(clientOrderId: string, now: Micros): boolean {
    return this.#live.has(clientOrderId) || this.#recent.holds(clientOrderId, now);
  }

  add(record: OrderRecord): void {
    this.#live.set(record.clientOrderId, record);
    this.#countOf[record.instrument] = this.countOf(record.instrument) + 1;
  }

  /** The order has ended: it leaves the list, its id stays taken for a while. */
  end(record: OrderRecord, now: Micros): void {
    const { clientOrderId } = record;
    this.#countOf[record.instrument] = this.countOf(record.instrument) - 1;
    record.isLive = false;
    this.#live.delete(clientOrderId);
    this.#recent.add(clientOrderId, now);
  }
}

import type { Micros } from '../base/clock.ts';
import type { InstrumentId } from '../model/instrument.ts';
import type { AccountId } from './command.ts';
import type { ExchangeOptions } from './exchange-options.ts';
import type { Purse } from './ledger.ts';
import type { OrderRecord } from './order-record.ts';
import { RecentIds } from './recent-ids.ts';

/** One account: its live orders in order of creation, the client ids that are taken, its purses. */
export class Account {
  readonly id: AccountId;
  readonly purses = new Map<string, Purse>();
  /** The oldest live order. */
  first: OrderRecord | undefined = undefined;
  #last: OrderRecord | undefined = undefined;
  #count = 0;
  readonly #countOf: number[] = [];
  readonly #live = new Map<string, OrderRecord>();
  readonly #recent: RecentIds;

  constructor(id: AccountId, options: ExchangeOptions) {
    this.id = id;
    this.#recent = new RecentIds(options.idReuseAfter, options.endedIdsMax);
  }

  /** How many orders live: in all, or on one instrument. */
  get count(): number {
    return this.#count;
  }

  countOf(instrument: InstrumentId): number {
    return this.#countOf[instrument] ?? 0;
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
    record.older = this.#last;
    if (this.#last === undefined) this.first = record;
    else this.#last.younger = record;
    this.#last = record;
    this.#count += 1;
    this.#countOf[record.instrument] = this.countOf(record.instrument) + 1;
  }

  /** The order has ended: it leaves the list, its id stays taken for a while. */
  end(record: OrderRecord, now: Micros): void {
    const { older, younger } = record;
    if (older === undefined) this.first = younger;
    else older.younger = younger;
    if (younger === undefined) this.#last = older;
    else younger.older = older;
    record.older = undefined;
    record.younger = undefined;
    this.#count -= 1;
    this.#countOf[record.instrument] = this.countOf(record.instrument) - 1;
    record.endedAt = now;
    this.#live.delete(record.clientOrderId);
    this.#recent.add(record.clientOrderId, now);
  }
}

import type { Micros } from '../../core/base/clock.ts';
import type { InstrumentId } from '../../core/model/instrument.ts';
import type { AccountId } from './command.ts';
import type { MatchingOptions } from './options.ts';
import { LiveOrders } from './live-orders.ts';
import type { OrderRecord } from './order-record.ts';
import type { OrderRecords } from './order-records.ts';
import type { Wallet } from './wallet.ts';
import type { AccountInstrument, IntegerBalances } from './account-instrument.ts';
import { TakenIds } from './taken-ids.ts';

/** One account: its live orders, the client ids that are taken, its wallets and contexts. */
export class Account {
  readonly id: AccountId;
  readonly wallets = new Map<string, Wallet>();
  /** By instrument, for orders without mark-ups. */
  readonly contexts: (AccountInstrument | undefined)[] = [];
  /** By instrument. */
  readonly integers: (IntegerBalances | undefined)[] = [];
  readonly #countOf: number[] = [];
  readonly #live: LiveOrders;
  readonly #taken: TakenIds;

  /** `records`: those of all accounts. */
  constructor(id: AccountId, options: MatchingOptions, records: OrderRecords) {
    this.id = id;
    this.#live = new LiveOrders(records);
    this.#taken = new TakenIds(records.all, options.idReuseAfter, options.endedIdsMax);
  }

  /** How many orders live: in all, or on one instrument. */
  get count(): number {
    return this.#live.count;
  }

  countOf(instrument: InstrumentId): number {
    return this.#countOf[instrument] ?? 0;
  }

  /** Live orders, in order of creation; those that end meanwhile are left out. */
  orders(): Iterable<OrderRecord> {
    return this.#live.all();
  }

  /** The live order with that id. */
  live(clientOrderId: string): OrderRecord | undefined {
    return this.#taken.live(clientOrderId);
  }

  /** Whether the id belongs to a live order, or to one that ended not long ago. */
  isTaken(clientOrderId: string, now: Micros): boolean {
    return this.#taken.has(clientOrderId, now);
  }

  /** An order begins to live, under an id that is not taken. */
  add(record: OrderRecord): void {
    this.#taken.add(record);
    this.#live.add(record);
    this.#countOf[record.instrument] = this.countOf(record.instrument) + 1;
  }

  /** The order has ended: it leaves the list, its id stays taken for a while. */
  end(record: OrderRecord, now: Micros): void {
    record.isLive = false;
    this.#taken.end(record, now);
    this.#live.remove(record);
    this.#countOf[record.instrument] = this.countOf(record.instrument) - 1;
  }
}

import type { Micros } from '../../../core/base/clock.ts';
import type { InstrumentId } from '../../../core/model/instrument.ts';
import type { AccountId, Wallet, AccountInstrument, IntegerBalances } from '../accounts/index.ts';
import type { MatchingOptions } from './options.ts';
import { LiveOrders, TakenIds } from '../orders/index.ts';
import type { OrderRecord, OrderRecords } from '../orders/index.ts';

/** What the accounts of one user for spot, margin and futures orders share. Source: API v3 and v2, "Limits". */
export class UserOrders {
  readonly taken: TakenIds;
  /** How many orders live: in all, and by instrument. */
  count = 0;
  readonly countOf: number[] = [];

  /** `records`: those of all accounts. */
  constructor(options: MatchingOptions, records: OrderRecords) {
    this.taken = new TakenIds(records.all, options.idReuseAfter, options.endedIdsMax);
  }
}

/** One account: its live orders, its wallets and contexts; client ids and counts of orders are those of its user. */
export class Account {
  readonly id: AccountId;
  readonly user: UserOrders;
  readonly wallets = new Map<string, Wallet>();
  /** By instrument, for orders without mark-ups. */
  readonly contexts: (AccountInstrument | undefined)[] = [];
  /** By instrument. */
  readonly integers: (IntegerBalances | undefined)[] = [];
  readonly #live: LiveOrders;
  // Those of the user, at hand: every order asks for them.
  readonly #taken: TakenIds;
  readonly #countOf: number[];

  /** `records`: those of all accounts. */
  constructor(id: AccountId, user: UserOrders, records: OrderRecords) {
    this.id = id;
    this.user = user;
    this.#live = new LiveOrders(records);
    this.#taken = user.taken;
    this.#countOf = user.countOf;
  }

  /** How many orders of the user live: in all, or on one instrument. */
  get count(): number {
    return this.user.count;
  }

  countOf(instrument: InstrumentId): number {
    return this.#countOf[instrument] ?? 0;
  }

  /** Live orders, in order of creation; those that end meanwhile are left out. */
  orders(): Iterable<OrderRecord> {
    return this.#live.all();
  }

  /** The live order of this account with that id. */
  live(clientOrderId: string): OrderRecord | undefined {
    const record = this.#taken.live(clientOrderId);
    return record?.context.account === this.id ? record : undefined;
  }

  /** Whether the id belongs to a live order of the user, or to one that ended not long ago. */
  isTaken(clientOrderId: string, now: Micros): boolean {
    return this.#taken.has(clientOrderId, now);
  }

  /** An order begins to live, under an id that is not taken. */
  add(record: OrderRecord): void {
    this.#taken.add(record);
    this.#live.add(record);
    this.user.count += 1;
    this.#countOf[record.instrument] = this.countOf(record.instrument) + 1;
  }

  /** The order has ended: it leaves the list, its id stays taken for a while. */
  endOrder(record: OrderRecord, now: Micros): void {
    record.isLive = false;
    this.#taken.endOrder(record, now);
    this.#live.remove(record);
    this.user.count -= 1;
    this.#countOf[record.instrument] = this.countOf(record.instrument) - 1;
  }
}

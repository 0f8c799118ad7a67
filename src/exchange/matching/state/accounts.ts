import type { Micros } from '../../../core/base/clock.ts';
import type { InstrumentId } from '../../../core/model/instrument.ts';
import type { Amount } from '../../../core/base/amount.ts';
import { add, zero } from '../../../core/base/amount.ts';
import type {
  MarginAccountView,
  MarginMode,
  MarginReason,
  MarginReportType,
} from '../../../core/model/margin.ts';
import type {
  AccountId,
  Wallet,
  AccountInstrument,
  IntegerBalances,
  MarginAccount,
  MarginNote,
  MarginOutcome,
} from '../accounts/index.ts';
import { viewOf } from '../accounts/index.ts';
import type { MatchingOptions } from './options.ts';
import type { OrderRecords } from './live.ts';
import { LiveOrders } from './live.ts';
import { TakenIds } from './taken-ids.ts';
import type { OrderRecord } from './record.ts';
import type { ExchangeMarket } from './market.ts';

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

/** Where margin of one kind lies: a symbol for isolated margin, a currency for cross margin. */
export interface MarginKey {
  readonly mode: MarginMode;
  readonly instrument: InstrumentId | undefined;
  readonly currency: string | undefined;
}

/** The margin accounts of all participants, and the exchange that lends to them. */
export class MarginAccounts {
  /** Markets with positions whose price has changed within the command. */
  readonly moved = new Set<ExchangeMarket>();
  /** Accounts that something happened to within the command. */
  readonly touched = new Set<MarginAccount>();
  readonly #accounts = new Map<AccountId, Map<string, MarginAccount>>();
  /** Funds of the exchange by currency; negative where it has lent. */
  readonly #exchangeFunds = new Map<string, Amount>();
  #positionNumber = 1;

  find(owner: AccountId, key: MarginKey): MarginAccount | undefined {
    return this.#accounts.get(owner)?.get(nameOf(key));
  }

  /** Accounts of one participant, in the order they were opened. */
  of(owner: AccountId): Iterable<MarginAccount> {
    return this.#accounts.get(owner)?.values() ?? [];
  }

  /** Accounts of all participants, by participant in the order they first opened one. */
  *all(): Iterable<MarginAccount> {
    for (const own of this.#accounts.values()) yield* own.values();
  }

  open(account: MarginAccount): void {
    let own = this.#accounts.get(account.owner);
    if (own === undefined) this.#accounts.set(account.owner, (own = new Map()));
    own.set(nameOf(account), account);
  }

  close(account: MarginAccount): void {
    account.isOpen = false;
    this.#accounts.get(account.owner)?.delete(nameOf(account));
  }

  nextPositionNumber(): number {
    return this.#positionNumber++;
  }

  exchangeFunds(currency: string): Amount {
    return this.#exchangeFunds.get(currency) ?? zero;
  }

  /** Moves money between the exchange and a party of an execution; what the party gets comes from the exchange. */
  lend(currency: string, change: Amount): void {
    this.#exchangeFunds.set(currency, add(this.exchangeFunds(currency), change));
  }

  /** Queues a report of an account for the end of the command; each reason is reported once. */
  noteReport(account: MarginAccount, type: MarginReportType, reason: MarginReason): void {
    this.touched.add(account);
    if (!account.notes.some((known) => known.reason === reason)) account.notes.push({ type, reason });
  }

  /**
   * Queues the report of funding or interest, one for each position that was charged, or of margin that the exchange put in, with the
   * account as it is now. What follows in the same command, such as a liquidation, would hide the amount.
   */
  noteAmount(account: MarginAccount, reason: 'interestTaken' | 'marginChanged'): void {
    this.touched.add(account);
    account.notes.push({ type: 'updated', reason, view: viewOf(account) });
  }

  /** Appends the reports of the accounts that were touched. */
  flush(outcomes: MarginOutcome[]): void {
    if (this.touched.size === 0) return;
    for (const account of this.touched) {
      let now: MarginAccountView | undefined;
      for (const { type: reportType, reason, view } of inOrder(account)) {
        const shown = view ?? (now ??= viewOf(account));
        outcomes.push({ kind: 'margin', account: account.owner, reportType, reason, view: shown });
      }
      account.notes.length = 0;
    }
    this.touched.clear();
  }
}

/** What is reported of an account that closed within the command ends with that: another report would open it again. */
function inOrder({ isOpen, notes }: MarginAccount): readonly MarginNote[] {
  if (isOpen) return notes;
  const isLast = ({ type }: MarginNote): boolean => type === 'closed';
  return [...notes.filter((note) => !isLast(note)), ...notes.filter(isLast)];
}

function nameOf({ mode, instrument, currency }: MarginKey): string {
  return mode === 'isolated' ? `isolated ${instrument}` : `cross ${currency}`;
}

import type { Amount } from '../../../core/base/amount.ts';
import { add, zero } from '../../../core/base/amount.ts';
import type { InstrumentId } from '../../../core/model/instrument.ts';
import type {
  MarginAccountView,
  MarginMode,
  MarginReason,
  MarginReportType,
} from '../../../core/model/margin.ts';
import type { AccountId, MarginAccount, MarginNote, MarginOutcome } from '../accounts/index.ts';
import { viewOf } from '../accounts/index.ts';
import type { ExchangeMarket } from './market.ts';

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

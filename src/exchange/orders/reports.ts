import { zero } from '../../core/base/amount.ts';
import type { Cancel, Clock } from '../../core/base/clock.ts';
import { millis } from '../../core/base/clock.ts';
import type { AccountId, BalanceOutcome, MarginOutcome, ReportOutcome } from '../matching/index.ts';
import { isFuturesAccount, isProductAccount, spotAccountOf } from '../matching/index.ts';
import type { CoreListener } from '../base/index.ts';

/** Receives the reports of an account. */
export interface ReportWatcher {
  onReport(outcome: ReportOutcome): void;
  /** It is a part of the exchange, which no fault concerns. */
  readonly isInside?: true;
}

/** Is called when balances of an account changed. */
export interface BalanceWatcher {
  onBalances(): void;
}

/** Faults of what is reported. */
interface ReportFaults {
  /** Whether the report of an order that rests is followed by one of an execution that never was. */
  takeInventedFill(): boolean;
  /** Sends a report by `send`: once, twice or late. */
  tellReport(receiver: object, send: () => void): void;
}

interface Batch {
  readonly watcher: BalanceWatcher;
  cancel: Cancel | undefined;
}

/**
 * Carries what the core says of an account to those who watch it: reports at once, balances once per command, or
 * at equal intervals after a first change. Source: v3-gaps, section 2.3 (balance modes).
 */
export class Reports implements CoreListener {
  readonly #clock: Clock;
  readonly #batchMs: number;
  readonly #reports = new Map<AccountId, Set<ReportWatcher>>();
  readonly #balances = new Map<AccountId, Set<BalanceWatcher>>();
  readonly #batches = new Map<AccountId, Map<BalanceWatcher, Batch>>();
  readonly #changed = new Set<AccountId>();
  #faults: ReportFaults = { takeInventedFill: () => false, tellReport: (_receiver, send) => send() };

  constructor(clock: Clock, batchMs: number) {
    this.#clock = clock;
    this.#batchMs = batchMs;
  }

  watchReports(account: AccountId, watcher: ReportWatcher): void {
    setOf(this.#reports, account).add(watcher);
  }

  unwatchReports(account: AccountId, watcher: ReportWatcher): void {
    remove(this.#reports, account, watcher);
  }

  watchBalances(account: AccountId, watcher: BalanceWatcher, mode: 'updates' | 'batches'): void {
    this.unwatchBalances(account, watcher);
    if (mode === 'updates') {
      setOf(this.#balances, account).add(watcher);
      return;
    }
    let batches = this.#batches.get(account);
    if (batches === undefined) this.#batches.set(account, (batches = new Map()));
    batches.set(watcher, { watcher, cancel: undefined });
  }

  /** Ends either mode: clients name one without regard to what they subscribed. */
  unwatchBalances(account: AccountId, watcher: BalanceWatcher): void {
    remove(this.#balances, account, watcher);
    const batches = this.#batches.get(account);
    batches?.get(watcher)?.cancel?.();
    batches?.delete(watcher);
    if (batches?.size === 0) this.#batches.delete(account);
  }

  /** Has reports go wrong as `faults` are switched. */
  misreportBy(faults: ReportFaults): void {
    this.#faults = faults;
  }

  onReport(outcome: ReportOutcome): void {
    const watchers = this.#reports.get(outcome.account);
    if (watchers === undefined) return;
    this.#report(watchers, outcome);
    if (outcome.reportType !== 'new' || !restsOnSpot(outcome) || !this.#faults.takeInventedFill()) return;
    this.#report(watchers, inventedFill(outcome, this.#clock));
  }

  #report(watchers: ReadonlySet<ReportWatcher>, outcome: ReportOutcome): void {
    for (const watcher of watchers) {
      if (watcher.isInside === true) watcher.onReport(outcome);
      else this.#faults.tellReport(watcher, () => watcher.onReport(outcome));
    }
  }

  onBalance(outcome: BalanceOutcome): void {
    this.#change(outcome.account);
  }

  /** Margin is part of the balance it came from. */
  onMargin({ account }: MarginOutcome): void {
    this.#change(isFuturesAccount(account) ? account : spotAccountOf(account));
  }

  #change(account: AccountId): void {
    if (this.#balances.has(account) || this.#batches.has(account)) this.#changed.add(account);
  }

  onSettled(): void {
    if (this.#changed.size === 0) return;
    for (const account of this.#changed) {
      for (const watcher of this.#balances.get(account) ?? []) watcher.onBalances();
      for (const batch of this.#batches.get(account)?.values() ?? []) this.#schedule(batch);
    }
    this.#changed.clear();
  }

  #schedule(batch: Batch): void {
    if (batch.cancel !== undefined) return;
    batch.cancel = this.#clock.after(millis(this.#batchMs), () => {
      batch.cancel = undefined;
      batch.watcher.onBalances();
    });
  }
}

function setOf<Watcher>(sets: Map<AccountId, Set<Watcher>>, account: AccountId): Set<Watcher> {
  let set = sets.get(account);
  if (set === undefined) sets.set(account, (set = new Set()));
  return set;
}

/** Whether an order of spot comes to rest. An execution of a margin account would name its position. */
function restsOnSpot({ account, order: { price, timeInForce } }: ReportOutcome): boolean {
  return price !== undefined && timeInForce !== 'IOC' && timeInForce !== 'FOK' && !isProductAccount(account);
}

/** A report that the order of `outcome` has executed wholly at its price, under a number that no trade has. */
function inventedFill(outcome: ReportOutcome, clock: Clock): ReportOutcome {
  const { order } = outcome;
  const { price, quantity } = order;
  const time = clock.now();
  const tradeId = `9${order.venueOrderId}`;
  return {
    ...outcome,
    reportType: 'trade',
    order: { ...order, state: 'filled', cumulative: quantity, updatedAt: time },
    fill: price && { tradeId, price, quantity, fee: zero, taker: false, time },
  };
}

function remove<Watcher>(sets: Map<AccountId, Set<Watcher>>, account: AccountId, watcher: Watcher): void {
  const set = sets.get(account);
  set?.delete(watcher);
  if (set?.size === 0) sets.delete(account);
}

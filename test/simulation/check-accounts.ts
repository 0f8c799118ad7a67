import { formatAmount, zero } from '../../src/core/base/amount.ts';
import type { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import type {
  BalancesChanged,
  Event,
  MarginAccountChanged,
  MarginPending,
  ReadAnswered,
} from '../../src/core/model/event.ts';
import type { MarginAccountView, MarginChange } from '../../src/core/model/margin.ts';
import { isSameChange, marginNameOf } from '../../src/core/model/margin.ts';
import type { Balance } from '../../src/core/model/market.ts';
import type { StampedEvent } from '../../src/core/model/stamped-event.ts';
import type { StateView } from '../../src/core/state/view.ts';
import type { Breaches } from './breaches.ts';
import { textOfAccount } from './check-margin.ts';
import type { ExchangeMoney } from './exchange-money.ts';
import { keyOfReport, nameOfAccount } from './exchange-money.ts';
import { simOrderOptions } from './sim-trader.ts';

export interface AccountParts {
  readonly time: VirtualClock;
  readonly breaches: Breaches;
  readonly money: ExchangeMoney;
}

/** The last report of something that the trader received, and when by its clock: the arrival of a report, the departure of a read. */
interface Reported<Value> {
  readonly value: Value;
  readonly at: number;
}

/** A margin account as it was reported, and whether the exchange has it open. */
interface NotedAccount {
  readonly account: MarginAccountView;
  readonly isOpen: boolean;
}

interface Wish {
  readonly strategy: string;
  readonly change: MarginChange;
}

/** A change of a margin account that our controls accepted. */
interface Change extends Wish {
  /** When its silence was known, by the trader's clock and by true time. */
  readonly unanswered: { readonly at: number; readonly trueAt: number } | undefined;
  /** Whether the account was reported since as the change asks. */
  isShown: boolean;
}

/** So long a change without an answer may still come into force: less is no proof that it did not. */
const absentMin = simOrderOptions.reconcile.absentMs * 1_000 - 1_000_000;

/**
 * Wallets and margin accounts of the trader, after every event that tells of them: they are what was reported last, whatever a later read
 * would mend. What is reported of a margin account is held against the states that it had at the exchange. A read undoes no report that came
 * after it was asked for, and closes what it does not list. I5, I6; changes without an answer, I3.
 */
export class AccountCheck {
  readonly #parts: AccountParts;
  #accounts = new Map<string, Reported<NotedAccount>>();
  /** By wallet, then by currency. */
  #balances: Record<'spot' | 'futures', Map<string, Reported<Balance>>> = {
    spot: new Map(),
    futures: new Map(),
  };
  /** By command. */
  #changes = new Map<number, Change>();
  readonly #unjudged: Wish[] = [];
  #isFresh = true;

  constructor(parts: AccountParts) {
    this.#parts = parts;
  }

  /** A new process begins with what the disk kept. */
  restart(history: readonly StampedEvent[]): void {
    this.#accounts = new Map();
    this.#balances = { spot: new Map(), futures: new Map() };
    this.#changes = new Map();
    this.#unjudged.length = 0;
    for (const { event } of history) this.#fold(event);
    this.#begin();
    this.#isFresh = true;
  }

  /** Whether every margin account was reported as it is. */
  get isUpToDate(): boolean {
    const { accounts } = this.#parts.money;
    for (const [name, { value }] of this.#accounts) if (value.isOpen && !accounts.has(name)) return false;
    for (const [name, account] of accounts) {
      const noted = this.#accounts.get(name)?.value;
      if (noted?.isOpen !== true || noted.account.updatedAt !== account.updatedAt) return false;
      if (noted.account.positions.length !== account.positions.length) return false;
    }
    return true;
  }

  /** The trader has taken this event in. */
  after(event: Event, view: StateView): void {
    if (event.kind === 'marginPending') this.#checkAlone(event);
    const isNoted = this.#fold(event);
    if (!isNoted && !this.#isFresh) return;
    this.#isFresh = false;
    this.#compare(view, event.kind);
  }

  /** Signed quantity of the position that was reported; 0 where there is none. `at`: when it became so, by the exchange's clock. */
  position(name: string, instrument: number): { readonly quantity: bigint; readonly at: number } | undefined {
    const noted = this.#accounts.get(name)?.value;
    if (noted === undefined) return undefined;
    const { positions, updatedAt } = noted.account;
    const open = noted.isOpen ? positions.find((one) => one.instrument === instrument) : undefined;
    return { quantity: open?.quantity ?? zero, at: updatedAt };
  }

  /** What a new run receives comes after all that is known, though its clock may have been set back. */
  #begin(): void {
    for (const known of [this.#accounts, this.#balances.spot, this.#balances.futures])
      for (const [key, { value }] of known)
        (known as Map<string, Reported<unknown>>).set(key, { value, at: 0 });
  }

  /** Returns whether it tells of wallets, margin accounts or their changes. */
  #fold(event: Event): boolean {
    switch (event.kind) {
      case 'runStarted':
        this.#begin();
        for (const [id, change] of this.#changes)
          this.#changes.set(id, { ...change, unanswered: this.#unansweredAt(event.receiveTime) });
        return true;
      case 'balances':
        this.#balancesNoted(event, event.wallet ?? 'spot', event.complete, event.receiveTime);
        return true;
      case 'marginAccount':
        this.#reported(event);
        return true;
      case 'readAnswered':
        return this.#read(event);
      case 'intent':
        if (event.intent.action === 'changeMargin') this.#unjudged.push(event.intent);
        return false;
      case 'marginPending': {
        const { commandId, strategy, change } = event.command;
        this.#judge(event.command);
        this.#changes.set(commandId, { strategy, change, unanswered: undefined, isShown: false });
        return true;
      }
      case 'marginDenied':
        // What answers no wish is of the gate, which gave a change up that was accepted before.
        return this.#judge(event) || this.#drop(event);
      case 'marginRejected':
        return this.#drop(event);
      case 'commandSettled': {
        const known = this.#changes.get(event.commandId);
        if (known === undefined) return false;
        const unanswered = this.#unansweredAt(event.receiveTime);
        if (event.outcome === 'unanswered') this.#changes.set(event.commandId, { ...known, unanswered });
        else this.#changes.delete(event.commandId);
        return true;
      }
      default:
        return false;
    }
  }

  #unansweredAt(at: number): Change['unanswered'] {
    return { at, trueAt: this.#parts.time.now() };
  }

  #balancesNoted(
    { balances }: BalancesChanged | ReadAnswered,
    wallet: 'spot' | 'futures',
    isComplete: boolean,
    at: number,
  ): void {
    const known = this.#balances[wallet];
    const rows = new Map(balances.map((row) => [row.currency, row]));
    if (isComplete)
      for (const currency of known.keys())
        if (!rows.has(currency)) rows.set(currency, { currency, available: zero, reserved: zero });
    for (const [currency, value] of rows)
      if ((known.get(currency)?.at ?? 0) <= at) known.set(currency, { value, at });
  }

  #reported({ product, account, receiveTime, ...report }: MarginAccountChanged): void {
    const { money } = this.#parts;
    const name = nameOfAccount(product, account);
    const text = textOfAccount(name, account);
    this.#checkState(text);
    const was = money.reports.get(keyOfReport({ text, ...report }));
    // What is listed is open, whatever has become of it since.
    const isListed = report.reportType === 'status';
    const isOpen = isListed || (was?.size === 1 ? was.has(true) : money.accounts.has(name));
    // An answer may tell of the next account of the name before a report tells how this one ended.
    const known = this.#accounts.get(name)?.value.account.createdAt ?? 0;
    if (account.createdAt < known && account.updatedAt <= known) return;
    this.#accounts.set(name, { value: { account, isOpen }, at: receiveTime });
    this.#show(name);
  }

  #show(name: string): void {
    const { account, isOpen } = this.#accounts.get(name)?.value ?? {};
    for (const one of this.#changes.values()) {
      if (marginNameOf(one.change) !== name || account === undefined) continue;
      const { balance = account.balance, leverage = account.leverage } = one.change;
      one.isShown ||=
        isOpen === true ? balance === account.balance && leverage === account.leverage : balance === zero;
    }
  }

  #checkState(text: string): void {
    const { money, breaches } = this.#parts;
    if (!money.states.has(text)) breaches.add('I6', `the exchange never had this account: ${text}`);
  }

  #read(event: ReadAnswered): boolean {
    const { what, askedAt, marginAccounts } = event;
    if (what.of === 'balances') {
      this.#balancesNoted(event, what.product ?? 'spot', true, askedAt);
      return true;
    }
    if (what.of !== 'marginAccounts' || marginAccounts === undefined) return false;
    const { product } = what;
    const listed = new Map(marginAccounts.map((account) => [nameOfAccount(product, account), account]));
    for (const [name, { value, at }] of this.#accounts)
      if (name.startsWith(`${product} `) && !listed.has(name) && at <= askedAt)
        this.#accounts.set(name, { value: { ...value, isOpen: false }, at: askedAt });
    for (const [name, account] of listed) this.#checkState(textOfAccount(name, account));
    for (const [name, account] of listed)
      if ((this.#accounts.get(name)?.at ?? 0) <= askedAt)
        this.#accounts.set(name, { value: { account, isOpen: true }, at: askedAt });
    for (const name of this.#accounts.keys()) this.#show(name);
    for (const [id, { change, unanswered }] of this.#changes)
      if (change.product === product && unanswered !== undefined && unanswered.at <= askedAt)
        this.#changes.delete(id);
    return true;
  }

  /** A wish has its verdict. Returns whether there was one. */
  #judge({ strategy, change }: Wish): boolean {
    const at = this.#unjudged.findIndex(
      (one) => one.strategy === strategy && isSameChange(one.change, change),
    );
    if (at >= 0) this.#unjudged.splice(at, 1);
    return at >= 0;
  }

  #drop({ strategy, change }: Wish): boolean {
    for (const [id, known] of this.#changes) {
      if (known.strategy !== strategy || !isSameChange(known.change, change)) continue;
      this.#changes.delete(id);
      return true;
    }
    return false;
  }

  /** A change is not asked for while what became of another of its account is not known. */
  #checkAlone({ command: { change } }: MarginPending): void {
    const { breaches, time } = this.#parts;
    const name = marginNameOf(change);
    for (const { change: other, unanswered, isShown } of this.#changes.values()) {
      if (marginNameOf(other) !== name) continue;
      const isOver = isShown || (unanswered !== undefined && time.now() - unanswered.trueAt >= absentMin);
      if (unanswered === undefined || !isOver)
        breaches.add('I3', `a change of ${name} was asked for while another is not settled`);
    }
  }

  #compare(view: StateView, kind: string): void {
    const { breaches } = this.#parts;
    const ours = new Map(
      view.marginAccounts().map(({ product, account }) => [nameOfAccount(product, account), account]),
    );
    for (const [name, { value }] of this.#accounts) {
      const known = ours.get(name);
      ours.delete(name);
      if (isSpent(value.account) && (known === undefined || isSpent(known))) continue;
      const shown = known === undefined ? 'closed' : fullText(name, known);
      const noted = value.isOpen ? fullText(name, value.account) : 'closed';
      if (shown !== noted) breaches.add('I5', `after ${kind} ${name} is ${shown}, told was ${noted}`);
    }
    for (const name of ours.keys()) breaches.add('I5', `${name} is open, and was never told of`);
    for (const wallet of ['spot', 'futures'] as const)
      for (const [currency, { value }] of this.#balances[wallet]) {
        const { available, reserved } = view.balance(currency, wallet === 'futures' ? wallet : undefined);
        if (available !== value.available || reserved !== value.reserved)
          breaches.add(
            'I5',
            `after ${kind} ${formatAmount(available)} and ${formatAmount(reserved)} ${currency} are known of ${wallet}, told were ${formatAmount(value.available)} and ${formatAmount(value.reserved)}`,
          );
      }
    const pending = view.marginChanges.map(({ commandId }) => commandId).join();
    const noted = [...this.#changes.keys()].join();
    if (pending !== noted)
      breaches.add(
        'I3',
        `after ${kind} changes ${noted} of margin accounts are not settled, known are ${pending}`,
      );
  }
}

/** Of an automatic account without anything in it the trader keeps the name while orders of it may come to rest: both are true. */
function isSpent({ auto, balance, positions }: MarginAccountView): boolean {
  return auto && balance === zero && positions.length === 0;
}

function fullText(name: string, account: MarginAccountView): string {
  return `${textOfAccount(name, account)}${account.called ? ' called' : ''}`;
}

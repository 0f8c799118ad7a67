import type { Clock } from '../../base/clock.ts';
import { later, millis } from '../../base/clock.ts';
import { formatAmount, subtract, zero } from '../../base/amount.ts';
import type { ChangeMarginCommand } from '../../model/command.ts';
import type {
  CommandSettled,
  MarginAccountChanged,
  MarginDenied,
  MarginRejected,
} from '../../model/event.ts';
import type { MarginAccountKey, MarginAccountView, MarginChange } from '../../model/margin.ts';
import { isSameChange, marginNameOf } from '../../model/margin.ts';
import type { ClientOrderId } from '../../model/order.ts';
import type { StateView } from '../../state/index.ts';
import { ourTime } from '../base/candidate.ts';
import type { Memory } from '../base/memory.ts';
import type { Outbox } from '../base/outbox.ts';
import type { Findings } from '../base/reads.ts';
import type { Reservation } from '../base/reservations.ts';
import type { OpenChange, OpenChanges } from '../base/margin-open-changes.ts';
import { marginPayer } from './power.ts';

interface TrackerDeps {
  readonly view: StateView;
  readonly memory: Memory;
  readonly outbox: Outbox;
  readonly clock: Clock;
  /** Asks for a look at the account. */
  readonly doubt: () => void;
}

/**
 * Follows changes of margin accounts. One without an answer is never sent again: the accounts are read until they show it, or
 * until it can no longer come into force.
 */
export class MarginChangeTracker {
  readonly #parts: TrackerDeps;

  constructor(parts: TrackerDeps) {
    this.#parts = parts;
  }

  /** How many are without an answer. */
  get unsettled(): number {
    let count = 0;
    for (const { stage } of this.#open.all()) if (stage === 'unknown') count += 1;
    return count;
  }

  get #open(): OpenChanges {
    return this.#parts.memory.marginChanges;
  }

  /** A command was recorded and is with the gate: what it adds is held of the balance behind the account. */
  sent({ commandId, strategy, change }: ChangeMarginCommand): void {
    this.#beginChange({ commandId, strategy, change }, 'sent');
  }

  settled({ commandId, outcome }: CommandSettled): void {
    for (const open of this.#open.all()) {
      if (open.commandId !== commandId || open.stage === 'made') continue;
      if (outcome === 'unanswered') this.#becomeUnknown(open);
      else if (outcome === 'acknowledged') this.#advance(open, open.isShown ? 'made' : 'answered');
      else this.#endChange(open, outcome === 'limited' ? { code: 429, why: 'too many requests' } : undefined);
      return;
    }
  }

  /** The venue refused a change, or the gate gave it up: it was not made. */
  refused({ strategy, change }: MarginRejected | MarginDenied): void {
    const open = this.#open.find(change);
    if (open !== undefined && open.strategy === strategy && isSameChange(open.change, change))
      this.#endChange(open, undefined);
  }

  /** A margin account was reported; whether a change of ours explains what is new. */
  reported({ product, account, exchangeTime }: MarginAccountChanged): boolean {
    const open = this.#open.find({ product, ...account });
    if (open === undefined || !shows(open.change, account)) return false;
    if (open.stage === 'made') return true;
    open.isShown = true;
    open.takenAt = ourTime(exchangeTime, this.#parts.view);
    if (open.stage !== 'sent') this.#advance(open, 'made');
    return true;
  }

  /** Whether a change of ours made an account what it is. */
  explains(key: MarginAccountKey, account: MarginAccountView): boolean {
    const open = this.#open.find(key);
    return open !== undefined && shows(open.change, account);
  }

  sessionLost(): void {
    for (const open of this.#open.all()) if (open.stage === 'sent') this.#becomeUnknown(open);
  }

  /** Changes of an earlier run that it did not see the end of. */
  takeUp(): void {
    for (const { commandId, strategy, change } of this.#parts.view.marginChanges) {
      if (this.#open.find(change) !== undefined) continue;
      this.#beginChange({ commandId, strategy, change }, 'unknown');
    }
  }

  /** A complete look shows the accounts: a change that they show was made, one that could come no more was not. */
  settle({ begunAt }: Findings): void {
    const { view, memory } = this.#parts;
    const { absentMs, sendDelayMsMax } = memory.options.reconcile;
    for (const open of this.#open.all()) {
      if (open.stage !== 'unknown') continue;
      const account = view.marginAccount(open.change);
      if (shows(open.change, account)) this.#advance(open, 'made');
      else if (begunAt >= later(open.since, millis(absentMs + sendDelayMsMax)))
        this.#endChange(open, { code: 0, why: notMade(open.change, account) });
    }
  }

  #beginChange(of: Pick<OpenChange, 'commandId' | 'strategy' | 'change'>, stage: OpenChange['stage']): void {
    const { view, memory, clock } = this.#parts;
    const before = view.marginAccount(of.change)?.balance ?? zero;
    const adds = subtract(of.change.balance ?? before, before);
    const open = {
      ...of,
      stage,
      since: clock.uptime(),
      adds,
      takenAt: memory.now,
      isShown: false,
    };
    this.#open.set(open);
    const { strategy, change } = of;
    if (adds > zero)
      this.#reserve(open, { account: change.currency, strategy, amount: adds, inFlight: true });
  }

  #becomeUnknown(open: OpenChange): void {
    if (open.stage === 'unknown') return;
    this.#advance(open, 'unknown');
    this.#parts.doubt();
  }

  #advance(open: OpenChange, stage: OpenChange['stage']): void {
    const { view, memory, clock } = this.#parts;
    const wasTaken = open.stage === 'answered' || open.stage === 'made';
    open.stage = stage;
    open.since = clock.uptime();
    if (open.adds <= zero || wasTaken || stage === 'unknown') return;
    this.#reserve(open, undefined);
    const { currency } = open.change;
    const { reservations } = marginPayer(open.change, view, memory);
    reservations.takeSpent(currency, open.adds, open.takenAt, clock.uptime());
  }

  #endChange(open: OpenChange, refusal: { readonly code: number; readonly why: string } | undefined): void {
    this.#open.delete(open);
    this.#reserve(open, undefined);
    if (refusal !== undefined) this.#parts.outbox.marginRejected(open.strategy, open.change, refusal);
  }

  /** Reserved like what an order takes; no order has such an id. */
  #reserve({ change }: OpenChange, reservation: Reservation | undefined): void {
    const { view, memory } = this.#parts;
    const id = `change of ${marginNameOf(change)}` as ClientOrderId;
    marginPayer(change, view, memory).reservations.set(id, reservation);
  }
}

/** Whether an account is as a change asks; one that is to be closed may be there without margin. */
function shows({ balance, leverage }: MarginChange, account: MarginAccountView | undefined): boolean {
  if (balance === zero) return account === undefined || account.balance === zero;
  return (
    account !== undefined &&
    (balance === undefined || balance === account.balance) &&
    (leverage === undefined || leverage === account.leverage)
  );
}

function notMade({ balance, currency }: MarginChange, account: MarginAccountView | undefined): string {
  const asked = balance === undefined ? 'the leverage asked for' : `${formatAmount(balance)} ${currency}`;
  const found = account === undefined ? 'no such account' : `${formatAmount(account.balance)} ${currency}`;
  return `no answer came, and the margin accounts, read again, do not show it: expected ${asked}, found ${found}`;
}

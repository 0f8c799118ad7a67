import { cutOf } from '../../src/core/ledger/printed.ts';
import { chargesOf } from '../../src/core/ledger/entry.ts';
import type { Amount } from '../../src/core/base/amount.ts';
import { add, formatAmount, negate, subtract, zero } from '../../src/core/base/amount.ts';
import type { ChargeFound, Event, MarginAccountChanged, MoneyMoved } from '../../src/core/model/event.ts';
import { marginNameOf } from '../../src/core/model/margin.ts';
import type { StampedEvent } from '../../src/core/model/stamped-event.ts';
import type { StateView } from '../../src/core/state/view.ts';
import type { Breaches } from './breaches.ts';
import type { ExchangeMoney } from './exchange-money.ts';
import { keyOfAccount, nameOfAccount } from './exchange-money.ts';
import type { Marks } from './marks.ts';
import { placeOf } from './traded.ts';

export interface ChargeParts {
  readonly money: ExchangeMoney;
  /** Orders that nothing tells of. */
  readonly hidden: ReadonlySet<string>;
  readonly breaches: Breaches;
  readonly marks: Marks;
}

/**
 * Funding and interest as the exchange took them, held against what the trader booked of each report: I4. What was taken while no
 * report could arrive is derived from looks at the account, or stays a difference that is told.
 */
export class ChargeCheck {
  readonly #parts: ChargeParts;
  /** Reported to the present process and to those before it, as far as their records were kept. */
  #reported = new Set<string>();
  /** Called unexplained by these. */
  #moved = new Set<string>();

  constructor(parts: ChargeParts) {
    this.#parts = parts;
  }

  /** A new process begins with what the disk kept. */
  restart(history: readonly StampedEvent[]): void {
    this.#reported = new Set();
    this.#moved = new Set();
    for (const { event } of history) {
      if (isCharge(event)) this.#reported.add(keyOfEvent(event));
      else if (event.kind === 'chargeFound') this.#find(event);
      else if (event.kind === 'moneyMoved') this.#findMoved(event);
    }
  }

  /** The trader has taken this event in. */
  after(event: Event, view: StateView): void {
    const { breaches, marks, money, hidden } = this.#parts;
    if (event.kind === 'moneyMoved') {
      const { wallet, currency, amount } = event.moved;
      const taken = this.#findMoved(event);
      // What somebody traded without a trace is money that moved, too.
      if (isCut(add(taken, amount)) || hidden.size > 0) marks.hit('branch/charge unexplained');
      else
        breaches.add(
          'I18',
          `${formatAmount(amount)} ${currency} of the ${wallet} wallet are called ${event.moved.entry}, and nothing moved but ${formatAmount(taken)} of charges`,
        );
      return;
    }
    if (event.kind === 'chargeFound') {
      marks.hit(`branch/${event.charged} derived`);
      const taken = this.#find(event);
      const booked = event.shares.reduce((sum, { amount }) => add(sum, amount), zero);
      if (taken !== booked)
        breaches.add(
          'I4',
          `${formatAmount(taken)} were taken of ${marginNameOf(event.account)} unreported, derived are ${formatAmount(booked)}`,
        );
      return;
    }
    if (!isCharge(event)) return;
    const key = keyOfEvent(event);
    const taken = money.charges.get(key);
    marks.hit('branch/charged');
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    const booked = chargesOf(view.entries).reduce((sum, { amount }) => add(sum, amount), zero);
    if (taken === undefined) breaches.add('I4', `nothing was taken of ${key}, and a charge was reported`);
    else if (taken.amount !== booked)
      breaches.add(
        'I4',
        `${formatAmount(taken.amount)} were taken of ${key}, booked are ${formatAmount(booked)}`,
      );
  }

  /** What the exchange took of each position, as far as it was reported. */
  charged(): ReadonlyMap<string, Amount> {
    const sums = new Map<string, Amount>();
    for (const [key, { place, amount }] of this.#parts.money.charges)
      if (this.#reported.has(key)) sums.set(place, add(sums.get(place) ?? zero, amount));
    return sums;
  }

  /** In the end the charges of each position are those that were reported; in the quiet, which began at `quietMs`, all were. */
  checkEnd(view: StateView, quietMs: number): void {
    const { breaches, marks, money } = this.#parts;
    const sums = this.charged();
    for (const [key, { elapsedMs }] of money.charges) {
      if (this.#reported.has(key)) continue;
      if (elapsedMs > quietMs && !this.#moved.has(key))
        breaches.add('I4', `what was taken of ${key} in the quiet was not reported`);
      else marks.hit('branch/charge missed');
    }
    for (const { instrument, account } of view.positions()) {
      const place = placeOf(instrument, account);
      const charged = view
        .positions()
        .filter((other) => other.instrument === instrument && other.account === account)
        .reduce((sum, { charges }) => add(sum, charges), zero);
      const theirs = sums.get(place) ?? zero;
      if (charged !== theirs)
        breaches.add(
          'I4',
          `the charges of ${place} are ${formatAmount(theirs)}, ours are ${formatAmount(charged)}`,
        );
    }
  }

  #find({ account, shares }: ChargeFound): Amount {
    const name = marginNameOf(account);
    const found = shares.reduce((sum, { amount }) => add(sum, amount), zero);
    return this.#findTaken((taken) => taken.name === name, found, this.#reported);
  }

  /** What was taken in the same outage as something else moved is called unexplained. */
  #findMoved({ moved: { wallet, amount } }: MoneyMoved): Amount {
    return this.#findTaken(
      ({ name }) => name.startsWith('futures') === (wallet === 'futures'),
      negate(amount),
      this.#moved,
    );
  }

  /** What was taken and not reported, the oldest first, as far as it comes to what is found; what it comes to. */
  #findTaken(isOf: (taken: { readonly name: string }) => boolean, found: Amount, into: Set<string>): Amount {
    const keys: string[] = [];
    let sum = zero;
    for (const [key, taken] of this.#parts.money.charges) {
      if (!isOf(taken) || this.#reported.has(key) || this.#moved.has(key)) continue;
      keys.push(key);
      sum = add(sum, taken.amount);
      if (isCut(subtract(sum, found))) break;
    }
    for (const key of keys) into.add(key);
    return sum;
  }
}

/** Wallets keep digits that accounts do not print. */
function isCut(difference: Amount): boolean {
  return difference === cutOf(difference, difference);
}

function isCharge(event: Event): event is MarginAccountChanged {
  return event.kind === 'marginAccount' && event.reason === 'interestTaken';
}

function keyOfEvent({ product, account }: MarginAccountChanged): string {
  return keyOfAccount(nameOfAccount(product, account), account);
}

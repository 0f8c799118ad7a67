import { chargesOf } from '../../src/core/ledger/entry.ts';
import type { Amount } from '../../src/core/base/amount.ts';
import { add, formatAmount, subtract, zero } from '../../src/core/base/amount.ts';
import type { ChargeFound, Event, MarginAccountChanged } from '../../src/core/model/event.ts';
import type { MarginAccountView } from '../../src/core/model/margin.ts';
import { marginNameOf } from '../../src/core/model/margin.ts';
import type { StampedEvent } from '../../src/core/model/stamped-event.ts';
import type { StateView } from '../../src/core/state/view.ts';
import { isFuturesAccount } from '../../src/exchange/matching/product-accounts.ts';
import type { Breaches } from './breaches.ts';
import { accountAsRead } from './check-margin.ts';
import type { Marks } from './marks.ts';
import type { SimExchange } from './sim-exchange.ts';
import { placeOf } from './traded.ts';

/** Funding or interest that the exchange took for one position. */
interface Taken {
  readonly place: string;
  /** Of the margin account. */
  readonly name: string;
  readonly amount: Amount;
  readonly elapsedMs: number;
}

export interface ChargeParts {
  readonly exchange: SimExchange;
  readonly breaches: Breaches;
  readonly marks: Marks;
  readonly elapsedMs: () => number;
}

/**
 * Funding and interest as the exchange took them, held against what the trader booked of each report: I4. What was taken while no
 * report could arrive is derived from looks at the account, or stays a difference that is told.
 */
export class ChargeCheck {
  readonly #parts: ChargeParts;
  /** By the account as it was afterwards. */
  readonly #taken = new Map<string, Taken>();
  /** Reported to the present process and to those before it, as far as their records were kept. */
  #reported = new Set<string>();

  constructor(parts: ChargeParts) {
    this.#parts = parts;
    const { exchange } = parts;
    exchange.onCharging((take) => {
      const before = new Map(this.#accounts().map((one) => [one.name, one.account]));
      const outcomes = take();
      for (const outcome of outcomes) {
        if (outcome.kind !== 'margin' || outcome.reason !== 'interestTaken') continue;
        if (!exchange.accounts.includes(outcome.account)) continue;
        const account = accountAsRead(exchange, outcome.view);
        const name = nameOf(isFuturesAccount(outcome.account), account);
        const instrument = outcome.charged ?? account.instrument ?? account.positions[0]?.instrument;
        const known = before.get(name);
        if (known === undefined || instrument === undefined) continue;
        before.set(name, account);
        this.#taken.set(keyOf(name, account), {
          place: placeOf(instrument, account.mode),
          name,
          amount: subtract(known.balance, account.balance),
          elapsedMs: parts.elapsedMs(),
        });
      }
    });
  }

  /** A new process begins with what the disk kept. */
  restart(history: readonly StampedEvent[]): void {
    this.#reported = new Set();
    for (const { event } of history) {
      if (isCharge(event)) this.#reported.add(keyOfEvent(event));
      else if (event.kind === 'chargeFound') this.#find(event);
    }
  }

  /** The trader has taken this event in. */
  after(event: Event, view: StateView): void {
    const { breaches, marks } = this.#parts;
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
    const taken = this.#taken.get(key);
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

  /** In the end the charges of each position are those that were reported; in the quiet, which began at `quietMs`, all were. */
  checkEnd(view: StateView, quietMs: number): void {
    const { breaches, marks } = this.#parts;
    const sums = new Map<string, Amount>();
    for (const [key, { place, amount, elapsedMs }] of this.#taken) {
      if (this.#reported.has(key)) sums.set(place, add(sums.get(place) ?? zero, amount));
      else if (elapsedMs > quietMs)
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

  /** What was taken of the account and not reported, the oldest first, as far as it comes to what is found; what it comes to. */
  #find({ account, shares }: ChargeFound): Amount {
    const name = marginNameOf(account);
    const found = shares.reduce((sum, { amount }) => add(sum, amount), zero);
    const keys: string[] = [];
    let sum = zero;
    for (const [key, taken] of this.#taken) {
      if (taken.name !== name || this.#reported.has(key)) continue;
      keys.push(key);
      sum = add(sum, taken.amount);
      if (sum === found) break;
    }
    for (const key of keys) this.#reported.add(key);
    return sum;
  }

  #accounts(): readonly { readonly name: string; readonly account: MarginAccountView }[] {
    const { exchange } = this.#parts;
    return exchange.accounts.flatMap((owner) =>
      exchange.world.core.exchange.marginAccounts(owner).map((view) => {
        const account = accountAsRead(exchange, view);
        return { name: nameOf(isFuturesAccount(owner), account), account };
      }),
    );
  }
}

function isCharge(event: Event): event is MarginAccountChanged {
  return event.kind === 'marginAccount' && event.reason === 'interestTaken';
}

function nameOf(isFutures: boolean, account: MarginAccountView): string {
  return marginNameOf({ product: isFutures ? 'futures' : 'margin', ...account });
}

function keyOf(name: string, { balance, updatedAt }: MarginAccountView): string {
  return `${name} ${formatAmount(balance)} at ${updatedAt}`;
}

function keyOfEvent({ product, account }: MarginAccountChanged): string {
  return keyOf(nameOf(product === 'futures', account), account);
}

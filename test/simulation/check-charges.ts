import { isSameButCut } from '../../src/core/ledger/printed.ts';
import { chargesOf } from '../../src/core/ledger/entry.ts';
import type { Amount } from '../../src/core/base/amount.ts';
import { add, formatAmount, negate, subtract, zero } from '../../src/core/base/amount.ts';
import type {
  ChargeFound,
  DifferenceFound,
  Event,
  MarginAccountChanged,
  MoneyMoved,
} from '../../src/core/model/event.ts';
import { marginNameOf } from '../../src/core/model/margin.ts';
import type { StampedEvent } from '../../src/core/model/stamped-event.ts';
import type { StateView } from '../../src/core/state/view.ts';
import type { Breaches } from './breaches.ts';
import type { ExchangeCharge, ExchangeMoney } from './exchange-money.ts';
import { keyOfAccount, nameOfAccount } from './exchange-money.ts';
import type { Marks } from './marks.ts';
import { placeOf } from './traded.ts';

export interface ChargeParts {
  readonly money: ExchangeMoney;
  /** Orders that nothing tells of. */
  readonly hidden: ReadonlySet<string>;
  readonly breaches: Breaches;
  readonly marks: Marks;
  readonly elapsedMs: () => number;
  /** Milliseconds from the beginning to a time of the exchange's clock, as long as that is not set. */
  readonly elapsedAt: (time: number) => number;
}

/** How far clocks are apart, and looks from what they show. */
const slackMs = 8_000;

/**
 * Funding and interest as the exchange took them, held against what the trader booked of each report: I4. What was taken while no
 * report could arrive is derived from looks at the account: what comes of it for all accounts that were found together is exact, and the
 * share of each an estimate by rates and present prices. Where margin moved in the same gap it is told as unexplained; else it is derived.
 */
export class ChargeCheck {
  readonly #parts: ChargeParts;
  /** Reported to the present process and to those before it, as far as their records were kept. */
  #reported = new Set<string>();
  /** Called unexplained by these. */
  #moved = new Set<string>();
  /** By how much derived shares are apart from what was taken, by place. */
  #apart = new Map<string, Amount>();
  /** The same of the step that is handled, over all places. */
  #apartNow = zero;
  /** Rows of wallets that differ: since when they do by so much. */
  readonly #rows = new Map<string, { readonly amount: Amount; readonly elapsedMs: number }>();

  constructor(parts: ChargeParts) {
    this.#parts = parts;
  }

  /** A new process begins with what the disk kept. */
  restart(history: readonly StampedEvent[]): void {
    this.#reported = new Set();
    this.#moved = new Set();
    this.#apart = new Map();
    this.#apartNow = zero;
    for (const { event } of history) {
      if (isCharge(event)) this.#reported.add(keyOfEvent(event));
      else if (event.kind === 'chargeFound') this.#find(event);
      else if (event.kind === 'moneyMoved') this.#findMoved(event);
    }
  }

  /** The trader has taken this event in. */
  after(event: Event, view: StateView): void {
    const { breaches, marks, money } = this.#parts;
    if (event.kind === 'differenceFound') this.#row(event);
    else if (event.kind === 'moneyMoved') this.#checkMoved(event);
    else if (event.kind === 'chargeFound') {
      marks.hit(`branch/${event.charged} derived`);
      this.#apartNow = add(this.#apartNow, this.#find(event));
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

  /** A step is over: all that was derived of one look was shown. */
  afterStep(): void {
    if (!isCut(this.#apartNow))
      this.#parts.breaches.add(
        'I4',
        `derived charges are ${formatAmount(this.#apartNow)} more than was taken`,
      );
    this.#apartNow = zero;
  }

  /** What the exchange took of each position, as far as it was reported or derived, in the shares that were derived. */
  charged(): ReadonlyMap<string, Amount> {
    const sums = new Map(this.#apart);
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

  #row({ difference: { key, amount = zero } }: DifferenceFound): void {
    const known = this.#rows.get(key);
    if (known === undefined || !isCut(subtract(known.amount, amount)))
      this.#rows.set(key, { amount, elapsedMs: this.#parts.elapsedMs() });
  }

  #checkMoved(event: MoneyMoved): void {
    const { breaches, marks, hidden, money, elapsedAt } = this.#parts;
    const { wallet, currency, amount, entry, time } = event.moved;
    const before = new Set(this.#moved);
    const taken = this.#findMoved(event);
    // What somebody traded without a trace is money that moved, too.
    if (hidden.size > 0) marks.hit('branch/charge unexplained');
    else if (!isCut(add(taken, amount)))
      breaches.add(
        'I18',
        `${formatAmount(amount)} ${currency} of the ${wallet} wallet are called ${entry}, and nothing moved but ${formatAmount(taken)} of charges`,
      );
    else {
      marks.hit('branch/charge unexplained');
      const names = [...this.#moved.difference(before)].map((key) => money.charges.get(key)?.name);
      const fromMs = elapsedAt(time) - slackMs;
      const untilMs = (this.#rows.get(`balance ${wallet} ${currency}`)?.elapsedMs ?? 0) + slackMs;
      const isMixed = money.marginMoves.some(
        ({ name, elapsedMs }) => names.includes(name) && elapsedMs >= fromMs && elapsedMs <= untilMs,
      );
      if (!isMixed)
        breaches.add(
          'I4',
          `a charge of ${formatAmount(taken)} ${currency} was called ${entry}, and no margin moved beside it`,
        );
    }
  }

  /** Returns by how much more was derived than was taken. */
  #find({ account, shares }: ChargeFound): Amount {
    const name = marginNameOf(account);
    const found = shares.reduce((sum, { amount }) => add(sum, amount), zero);
    const taken = this.#findTaken((one) => one.name === name, found, this.#reported);
    const apart = (place: string, amount: Amount): void =>
      void this.#apart.set(place, add(this.#apart.get(place) ?? zero, amount));
    for (const { instrument, amount } of shares) apart(placeOf(instrument, account.mode), amount);
    for (const { place, amount } of taken) apart(place, negate(amount));
    return subtract(found, sumOf(taken));
  }

  /** What was taken in the same outage as something else moved is called unexplained. Returns what of it was charged. */
  #findMoved({ moved: { wallet, amount } }: MoneyMoved): Amount {
    const isOf = ({ name }: ExchangeCharge): boolean => name.startsWith('futures') === (wallet === 'futures');
    return sumOf(this.#findTaken(isOf, negate(amount), this.#moved));
  }

  /** What was taken and not reported, the oldest first: as much of it as comes nearest to what is found. */
  #findTaken(
    isOf: (taken: ExchangeCharge) => boolean,
    found: Amount,
    into: Set<string>,
  ): readonly ExchangeCharge[] {
    const open = [...this.#parts.money.charges].filter(
      ([key, taken]) => isOf(taken) && !this.#reported.has(key) && !this.#moved.has(key),
    );
    let [sum, nearest, count] = [zero, sizeOf(found), 0];
    open.forEach(([, { amount }], index) => {
      sum = add(sum, amount);
      const away = sizeOf(subtract(sum, found));
      if (away < nearest) [nearest, count] = [away, index + 1];
    });
    const taken = open.slice(0, count);
    for (const [key] of taken) into.add(key);
    return taken.map(([, one]) => one);
  }
}

function sumOf(charges: readonly ExchangeCharge[]): Amount {
  return charges.reduce((sum, { amount }) => add(sum, amount), zero);
}

function sizeOf(amount: Amount): Amount {
  return amount < 0n ? negate(amount) : amount;
}

/** Wallets keep digits that accounts do not print. */
function isCut(difference: Amount): boolean {
  return isSameButCut(difference, zero);
}

function isCharge(event: Event): event is MarginAccountChanged {
  return event.kind === 'marginAccount' && event.reason === 'interestTaken';
}

function keyOfEvent({ product, account }: MarginAccountChanged): string {
  return keyOfAccount(nameOfAccount(product, account), account);
}

import { isSameButCut } from '../../src/core/ledger/printed.ts';
import { chargesOf } from '../../src/core/ledger/entry.ts';
import { walletOf } from '../../src/core/ledger/wallet-moves.ts';
import type { Amount } from '../../src/core/base/amount.ts';
import { add, formatAmount, negate, subtract, zero } from '../../src/core/base/amount.ts';
import type {
  ChargeFound,
  DifferenceEnded,
  DifferenceFound,
  Event,
  MarginAccountChanged,
  MoneyMoved,
} from '../../src/core/model/event.ts';
import type { Instruments } from '../../src/core/model/instrument.ts';
import { marginNameOf } from '../../src/core/model/margin.ts';
import type { StampedEvent } from '../../src/core/model/stamped-event.ts';
import type { StateView } from '../../src/core/state/view.ts';
import type { Breaches } from './breaches.ts';
import type { StateCheck } from './check-state.ts';
import type { ExchangeCharge, ExchangeMoney } from './exchange-money.ts';
import { keyOfAccount, nameOfAccount } from './exchange-money.ts';
import type { Marks } from './marks.ts';
import { placeOf } from './traded.ts';

/** Money that came into a wallet, or left it. */
export interface WalletMoney {
  readonly wallet: 'spot' | 'futures';
  readonly currency: string;
  readonly amount: Amount;
}

/** Currency of every margin account of the simulation. */
const marginCurrency = 'USDT';

export interface ChargeParts {
  readonly instruments: Instruments;
  readonly state: StateCheck;
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
/** So long looks have to show a difference until it is booked, and the way of the last of them. */
const shownMs = 90_000 + slackMs;

/**
 * Funding and interest as the exchange took them, held against what the trader booked of each report: I4. What was taken while no
 * report could arrive is derived from looks at the account: what comes of it for all accounts that were found together is exact, and the
 * share of each an estimate by rates and present prices. Where margin moved in the same gap it is informed of as unexplained; else it is derived.
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
  /** Money that came or went by hand. */
  readonly #money: WalletMoney[] = [];
  /** What of that, and of fees that were reported otherwise than they were taken, a `moneyMoved` has reported. */
  #noted = new Set<string>();
  /** When each finding of charges or money was first shown: what was taken later is no part of it, when a restart reads it again. */
  readonly #shownAt = new Map<string, number>();
  /** When money of a wallet was booked last: what is left of a difference is shown anew from then on. */
  readonly #bookedMs = new Map<string, number>();
  /** Rows of wallets that differ: since when they do by so much, and when they ended. */
  readonly #rows = new Map<string, { amount: Amount; elapsedMs: number; endedMs?: number }>();

  constructor(parts: ChargeParts) {
    this.#parts = parts;
  }

  /** A new process begins with what the disk kept. */
  restart(history: readonly StampedEvent[]): void {
    this.#reported = new Set();
    this.#moved = new Set();
    this.#noted = new Set();
    this.#apart = new Map();
    this.#apartNow = zero;
    for (const { event } of history) {
      if (isCharge(event)) this.#reported.add(keyOfEvent(event));
      else if (event.kind === 'chargeFound') this.#find(event);
      else if (event.kind === 'moneyMoved' && !isAccepted(event)) this.#findMoved(event);
    }
  }

  /** The trader has taken this event in. */
  after(event: Event, view: StateView): void {
    const { breaches, marks, money } = this.#parts;
    if (event.kind === 'differenceFound') this.#row(event);
    else if (event.kind === 'differenceEnded') this.#rowEnded(event);
    else if (event.kind === 'moneyMoved' && !isAccepted(event)) this.#checkMoved(event);
    else if (event.kind === 'chargeFound') {
      marks.hit(`branch/${event.charged} derived`);
      this.#apartNow = add(this.#apartNow, this.#find(event));
      // As much may be taken again, and margin have moved since the first time.
      const { product, currency } = event.account;
      this.#rows.delete(`balance ${walletOf(product)} ${currency}`);
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

  /** Somebody put money in, or took it out. */
  moved(money: WalletMoney): void {
    this.#money.push(money);
  }

  /** Money that came or went without a trade: by hand, or into an account that was liquidated at once. */
  get #movedMoney(): readonly (readonly [string, WalletMoney])[] {
    const drawn = this.#parts.money.drawn.map(
      (amount, index) =>
        [`drawn ${index}`, { wallet: 'futures', currency: marginCurrency, amount: negate(amount) }] as const,
    );
    return [...this.#money.map((one, index) => [`money ${index}`, one] as const), ...drawn];
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

  /** Sum of what was taken and neither reported, derived nor called unexplained, whatever its sign. */
  missed(): Amount {
    let sum = zero;
    for (const [key, { amount }] of this.#parts.money.charges)
      if (!this.#reported.has(key) && !this.#moved.has(key)) sum = add(sum, sizeOf(amount));
    return sum;
  }

  /** In the end the charges of each position are those that were reported; in the quiet, which began at `quietMs`, all were. */
  checkEnd(view: StateView, quietMs: number): void {
    const { breaches, marks, money, hidden } = this.#parts;
    const sums = this.charged();
    const untold = this.untold(view);
    for (const [key, charge] of money.charges) {
      const { elapsedMs, name } = charge;
      if (this.#reported.has(key) || this.#isBorne(charge)) continue;
      const isQuiet = elapsedMs > quietMs;
      if (!isQuiet && untold.has(`${name.startsWith('futures') ? 'futures' : 'spot'} ${marginCurrency}`))
        continue;
      // What somebody traded without a trace is explained together with it.
      if (this.#moved.has(key) || (hidden.size > 0 && !isQuiet)) marks.hit('branch/charge missed');
      else if (isQuiet) breaches.add('I4', `what was taken of ${key} in the quiet was not reported`);
      else breaches.add('I4', `what was taken of ${key} was neither reported nor found by looks`);
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

  /** Whether a liquidation took all that the account had left after a charge: as much less was its loss, and nobody can tell the two apart. */
  #isBorne({ place, elapsedMs }: ExchangeCharge): boolean {
    const { money, elapsedAt } = this.#parts;
    return [...money.borneOf, ...money.drawnOf].some((key) => {
      const trade = money.trades.get(key);
      return (
        trade !== undefined &&
        placeOf(trade.instrument, trade.account) === place &&
        elapsedAt(trade.fill.time) >= elapsedMs
      );
    });
  }

  #row({ difference: { key, amount = zero } }: DifferenceFound): void {
    const elapsedMs = this.#parts.elapsedMs();
    const known = this.#rows.get(key);
    // A row that only goes on as another kind ends and begins at one moment.
    const isOver = (known?.endedMs ?? elapsedMs) < elapsedMs;
    if (known === undefined || isOver || !isCut(subtract(known.amount, amount)))
      this.#rows.set(key, { amount, elapsedMs });
    else delete known.endedMs;
  }

  /** What differs by as much later is looked at anew. */
  #rowEnded({ key }: DifferenceEnded): void {
    const known = this.#rows.get(key);
    if (known !== undefined) known.endedMs = this.#parts.elapsedMs();
  }

  #checkMoved(event: MoneyMoved): void {
    const { breaches, marks, hidden, money, elapsedAt } = this.#parts;
    const { wallet, currency, amount, entry, time } = event.moved;
    const before = new Set(this.#moved);
    this.#bookedMs.set(`${wallet} ${currency}`, this.#parts.elapsedMs());
    const { other, taken, isWhole } = this.#findMoved(event);
    // What somebody traded without a trace is money that moved, too.
    if (hidden.size > 0) marks.hit('branch/charge unexplained');
    else if (!isWhole)
      breaches.add(
        'I18',
        `${formatAmount(amount)} ${currency} of the ${wallet} wallet are called ${entry}, and nothing moved but ${formatAmount(taken)} of charges`,
      );
    else if (other !== zero) marks.hit(`branch/money ${entry}`);
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
  #find(event: ChargeFound): Amount {
    const { account, shares } = event;
    const name = marginNameOf(account);
    const found = shares.reduce((sum, { amount }) => add(sum, amount), zero);
    const shownAt = this.#shown(event);
    const isOf = (one: ExchangeCharge): boolean => one.name === name && one.elapsedMs <= shownAt;
    const taken = this.#findTaken(isOf, found, this.#reported);
    const apart = (place: string, amount: Amount): void =>
      void this.#apart.set(place, add(this.#apart.get(place) ?? zero, amount));
    for (const { instrument, amount } of shares) apart(placeOf(instrument, account.mode), amount);
    for (const { place, amount } of taken) apart(place, negate(amount));
    return subtract(found, sumOf(taken));
  }

  /**
   * What of charges, of money that was moved by hand, and of fees that a history reported otherwise comes to what is called moved. Where no
   * part of it does, that of charges alone.
   */
  #findMoved(event: MoneyMoved): { other: Amount; taken: Amount; isWhole: boolean } {
    const { wallet, currency, amount } = event.moved;
    const shownAt = this.#shown(event);
    const isOf = ({ name, elapsedMs }: ExchangeCharge): boolean =>
      currency === marginCurrency &&
      name.startsWith('futures') === (wallet === 'futures') &&
      elapsedMs <= shownAt;
    const isOpen = ([key, one]: readonly [string, WalletMoney]): boolean =>
      !this.#noted.has(key) && one.wallet === wallet && one.currency === currency;
    for (const some of this.#partsOf(isOpen)) {
      const other = some.reduce((sum, [, one]) => add(sum, one.amount), zero);
      const left = subtract(other, amount);
      const found = new Set<string>();
      const taken = sumOf(this.#findTaken(isOf, left, found));
      if (!isCut(subtract(left, taken), 1 + some.length + found.size)) continue;
      for (const key of found) this.#moved.add(key);
      for (const [key] of some) this.#noted.add(key);
      return { other, taken, isWhole: true };
    }
    return { other: zero, taken: sumOf(this.#findTaken(isOf, negate(amount), this.#moved)), isWhole: false };
  }

  #shown({ kind, receiveTime }: ChargeFound | MoneyMoved): number {
    const key = `${kind} ${receiveTime}`;
    const at = this.#shownAt.get(key) ?? this.#parts.elapsedMs();
    this.#shownAt.set(key, at);
    return at;
  }

  /**
   * Wallets and currencies that differ by money of which nothing is reported yet, as `wallet currency`. A difference that has had its amount for
   * less than the looks need is open, whatever it is of.
   */
  untold({ wallets }: StateView): ReadonlySet<string> {
    const names = [...this.#movedMoney, ...this.#fees()]
      .filter(([key]) => !this.#noted.has(key))
      .map(([, { wallet, currency }]) => `${wallet} ${currency}`);
    const open = wallets.differences.map(({ wallet, currency }) => `${wallet} ${currency}`);
    const now = this.#parts.elapsedMs();
    for (const [name, bookedMs] of this.#bookedMs) if (now - bookedMs < shownMs) open.push(name);
    const young = wallets.differences
      .filter(({ since }) => now - this.#parts.elapsedAt(since) < shownMs)
      .map(({ wallet, currency }) => `${wallet} ${currency}`);
    return new Set(names).intersection(new Set(open)).union(new Set(young));
  }

  /**
   * What may have moved together beside trades and charges: some of the money that somebody moved, and fees of executions one after the
   * other. What came before the first look of a session is in it, and no difference shows it.
   */
  *#partsOf(
    isOpen: (one: readonly [string, WalletMoney]) => boolean,
  ): Generator<readonly (readonly [string, WalletMoney])[]> {
    const moved = this.#movedMoney.filter(isOpen);
    const tradeId = ([key]: readonly [string, WalletMoney]): number =>
      Number(this.#parts.money.trades.get(key)?.fill.tradeId);
    const fees = [...this.#fees()].filter(isOpen).toSorted((one, other) => tradeId(one) - tradeId(other));
    // Of a loss that the exchange bore a larger fee is a larger part that it bore, where the margin was used up by it alone.
    const { borneOf } = this.#parts.money;
    const isBorne = ([key]: readonly [string, WalletMoney]): boolean => borneOf.has(key);
    for (let parts = 0; parts < 2 ** Math.min(moved.length, 8); parts++) {
      const some = moved.filter((_, index) => ((parts >> index) & 1) === 1);
      yield some;
      for (let from = 0; from < fees.length; from++)
        for (let to = fees.length; to > from; to--) {
          const within = fees.slice(from, to);
          yield [...some, ...within];
          if (within.some(isBorne)) yield [...some, ...within.filter((one) => !isBorne(one))];
        }
    }
  }

  /** What fees that a history reported are more than what was taken, by the key of the execution. */
  *#fees(): Generator<readonly [string, WalletMoney]> {
    const { state, money, instruments } = this.#parts;
    for (const [key, fee] of state.orders.notedFees) {
      const trade = money.trades.get(key);
      if (trade === undefined) continue;
      const { type, feeCurrency: currency } = instruments.at(trade.instrument).spec;
      const wallet = type === 'futures' ? 'futures' : 'spot';
      yield [key, { wallet, currency, amount: subtract(fee, trade.fill.fee) }];
    }
  }

  /**
   * What was taken and not reported, the oldest first: as much of it as comes nearest to what is found. Where that is not all, those that follow
   * one another and are: older ones may be in the first look of all, which no difference shows.
   */
  #findTaken(
    isOf: (taken: ExchangeCharge) => boolean,
    found: Amount,
    into: Set<string>,
  ): readonly ExchangeCharge[] {
    const open = [...this.#parts.money.charges].filter(
      ([key, taken]) => isOf(taken) && !this.#reported.has(key) && !this.#moved.has(key),
    );
    let [taken, nearest] = nearestOf(open, found);
    for (let from = 1; from < open.length && !isCut(nearest); from++) {
      const [later, away] = nearestOf(open.slice(from), found);
      if (isCut(away)) [taken, nearest] = [later, away];
    }
    for (const [key] of taken) into.add(key);
    return taken.map(([, one]) => one);
  }
}

type KeyedCharge = readonly [string, ExchangeCharge];

/** The first so many charges whose sum comes nearest to what is found, and how far that is away. */
function nearestOf(open: readonly KeyedCharge[], found: Amount): [readonly KeyedCharge[], Amount] {
  let [sum, nearest, count] = [zero, sizeOf(found), 0];
  open.forEach(([, { amount }], index) => {
    sum = add(sum, amount);
    const away = sizeOf(subtract(sum, found));
    if (away < nearest) [nearest, count] = [away, index + 1];
  });
  return [open.slice(0, count), nearest];
}

function sumOf(charges: readonly ExchangeCharge[]): Amount {
  return charges.reduce((sum, { amount }) => add(sum, amount), zero);
}

function sizeOf(amount: Amount): Amount {
  return amount < 0n ? negate(amount) : amount;
}

/** Wallets keep digits that accounts do not print: of each amount that is in the difference. */
function isCut(difference: Amount, amounts = 1): boolean {
  return isSameButCut((difference / BigInt(amounts)) as Amount, zero);
}

/** An operator takes what was unexplained for moved by himself: two entries that come to nothing. */
function isAccepted({ moved }: MoneyMoved): boolean {
  return moved.why.includes('that were unexplained are accepted');
}

function isCharge(event: Event): event is MarginAccountChanged {
  return event.kind === 'marginAccount' && event.reason === 'interestTaken';
}

function keyOfEvent({ product, account }: MarginAccountChanged): string {
  return keyOfAccount(nameOfAccount(product, account), account);
}

import type { Amount } from '../base/amount.ts';
import { add, subtract, zero } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import { later } from '../base/clock.ts';
import type { CarriedWallet, CarriedWallets, SeenWallet } from '../model/carried-state.ts';
import type { ReadTarget } from '../model/command.ts';
import type { WalletName } from '../model/difference.ts';
import type { ReadAnswered, WalletTransfer } from '../model/event.ts';
import type { InstrumentId, Instruments } from '../model/instrument.ts';
import type { MarginAccountView, MarginMode } from '../model/margin.ts';
import { marginKeyOf, marginNameOf } from '../model/margin.ts';
import type { Balance } from '../model/market.ts';
import type { MarginProductName } from '../model/product.ts';
import type { LedgerEntry } from './entry.ts';
import type { KnownWallet, WalletEntry } from './known-wallet.ts';
import { dropAnchor, expectedOf, openKnown, promote, settleUnsure, slack } from './known-wallet.ts';
import { cutOf, isSameButCut } from './printed.ts';
import type { WalletMove } from './wallet-moves.ts';
import { movesOf, walletOf, wallets } from './wallet-moves.ts';

/** Part of a wallet that nothing explains: what complete looks at the account show beyond what was booked. */
export type WalletDifference = NonNullable<CarriedWallet['difference']> & {
  readonly wallet: WalletName;
  readonly currency: string;
};

/** A transfer of which the wallet is known. */
export type TransferOfWallet = WalletTransfer & { readonly wallet: WalletName };

/** Part of the totals that others may see. */
export type WalletsView = Pick<
  WalletTotals,
  | 'differences'
  | 'isProven'
  | 'hasBooked'
  | 'tradedAfter'
  | 'mostHeld'
  | 'hasTraded'
  | 'hasAdopted'
  | 'hasCharge'
>;

/** Answers of the look under way that show money. */
interface Look {
  balances: readonly Balance[] | undefined;
  readonly accounts: Map<MarginProductName, readonly MarginAccountView[]>;
  from: Micros;
  until: Micros;
}

/** Moves of one currency between two looks; beyond, a busy account is compared from a later look on. */
const movesMax = 4_096;
/**
 * Every wallet as complete looks at the account showed it, margin accounts counted in, and what was booked since. What they differ by
 * nothing explains. The reads of a look are of no one moment: a look during which a currency moved is not counted for it.
 */
export class WalletTotals {
  readonly #instruments: Instruments;
  #isOff = false;
  /** Reads of the look under way that have no answer yet. */
  readonly #asked = new Set<string>();
  #begunAt = 0 as Micros;
  /** Number of the last move; times of the venue are as good as our measure of its clock, the order of what was heard is certain. */
  #order = 0;
  /** Count of reports that had come when the look under way began. */
  #heardBefore = 0;
  #looks: Partial<Record<WalletName, Look>> = {};
  readonly #known = new Map<string, KnownWallet>();
  /** The last complete look at a wallet: what it did not list was nothing. */
  readonly #last: Partial<Record<WalletName, Pick<SeenWallet, 'from' | 'until' | 'of' | 'order'>>> = {};
  /** End of the charges that are booked, by margin account, whatever reports come late. */
  readonly #chargedUntil = new Map<string, Micros>();

  constructor(instruments: Instruments) {
    this.#instruments = instruments;
  }

  /** Differences that nothing explains, as the last look showed them. */
  get differences(): readonly WalletDifference[] {
    return [...this.#known].flatMap(([key, { difference }]) =>
      difference === undefined ? [] : [{ ...difference, ...partsOf(key) }],
    );
  }

  /** Whether every currency was looked at while it stood still, as a second look has shown. */
  get isProven(): boolean {
    return this.#known.values().every(({ anchor, unsure }) => anchor !== undefined && unsure === undefined);
  }

  /** A run or a session began, or a session ended: questions of before have no answer. A backtest has no account to compare. */
  beginRun(mode?: string): void {
    if (mode !== undefined) this.#isOff = mode === 'backtest';
    this.#asked.clear();
    this.#looks = {};
  }

  /** A read of a look is about to leave. */
  asked(what: ReadTarget, at: Micros): void {
    if (this.#isOff || !isOfLook(what)) return;
    if (this.#asked.size === 0) {
      this.#begunAt = at;
      this.#heardBefore = this.#order;
    }
    this.#asked.add(nameOf(what));
  }

  /** Takes an answer; the last one of a look ends it. `offset`: how far the venue's clock is ahead. */
  answered({ what, askedAt, receiveTime, ...answer }: ReadAnswered, offset: Micros): void {
    if (askedAt < this.#begunAt || !this.#asked.delete(nameOf(what))) return;
    if (what.of === 'balances' || what.of === 'marginAccounts') {
      const look = (this.#looks[walletOf(what.product)] ??= openLook());
      look.from = Math.min(look.from, later(askedAt, offset)) as Micros;
      look.until = Math.max(look.until, later(receiveTime, offset)) as Micros;
      if (what.of === 'balances') look.balances = answer.balances;
      else look.accounts.set(what.product, answer.marginAccounts ?? []);
    }
    if (this.#asked.size > 0) return;
    for (const wallet of wallets) this.#compare(wallet, this.#looks[wallet]);
    this.#looks = {};
  }

  /** An entry was booked. `isLate`: a history brought it, and no report had told of it. */
  booked(entry: LedgerEntry, isLate = false): void {
    if (this.#known.size === 0) return;
    for (const move of movesOf(entry, this.#instruments)) {
      // The first look shows what was before it as it is, whatever was booked of it.
      const { first } = this.#known.get(keyOf(move.wallet, move.currency)) ?? {};
      if (entry.kind !== 'correction' || first === undefined || move.time > first) this.#add(move, isLate);
      if (entry.kind !== 'transfer' && entry.kind !== 'unexplained' && entry.kind !== 'correction') continue;
      // The next look shows what is left of it.
      const known = this.#known.get(keyOf(move.wallet, move.currency));
      if (known !== undefined) known.difference = undefined;
    }
  }

  /**
   * Something moved within a wallet: a look at that time is not of one moment. `reportedAt`: when its report came, by the venue's clock. The time
   * that an account has may be one of long before: it stays where margin of orders comes and goes.
   */
  touched(product: MarginProductName, currency: string, time: Micros, reportedAt: Micros): void {
    if (this.#known.size === 0) return;
    const still = { wallet: walletOf(product), currency, amount: zero, lots: 0, isCharge: false };
    this.#add({ ...still, time });
    if (time < reportedAt - slack) this.#add({ ...still, time: reportedAt });
  }

  /** Books what looks found that a margin account was charged up to a time. */
  chargesFound(
    name: string,
    { product, currency }: Pick<MarginKey, 'product' | 'currency'>,
    until: Micros,
  ): void {
    this.#chargedUntil.set(name, until);
    const known = this.#known.get(keyOf(walletOf(product), currency));
    if (known !== undefined) known.difference = undefined;
  }

  /** Whether what a report tells of was booked before it came. */
  isCharged(name: string, at: Micros): boolean {
    return at <= (this.#chargedUntil.get(name) ?? -1);
  }

  /** Whether exactly this was booked since the look that differences are counted from. */
  hasBooked({ wallet, currency, amount, time }: TransferOfWallet): boolean {
    const moves = this.#known.get(keyOf(wallet, currency))?.moves ?? [];
    return moves.some(
      (move) => move.amount === amount && move.time === time && move.instrument === undefined,
    );
  }

  /** Signed lots that a position changed by after a time, which the look that it is compared with does not lie after. */
  tradedAfter(instrument: InstrumentId, mode: MarginMode, time: Micros): number {
    return this.#movesOfPosition(instrument, mode)
      .filter((move) => move.time > time)
      .reduce((sum, { lots }) => sum + lots, 0);
  }

  /** Lots that a position was at most, whichever way, from a time until now, when it is `lots`. */
  mostHeld(instrument: InstrumentId, mode: MarginMode, from: Micros, lots: number): number {
    let [held, most] = [lots, Math.abs(lots)];
    const since = this.#movesOfPosition(instrument, mode).filter(({ time }) => time > from);
    for (const move of since.toSorted((one, other) => other.time - one.time)) {
      held -= move.lots;
      most = Math.max(most, Math.abs(held));
    }
    return most;
  }

  hasTraded(instrument: InstrumentId, mode: MarginMode, after: Micros): boolean {
    return this.#movesOfPosition(instrument, mode).some(({ lots, time }) => lots !== 0 && time > after);
  }

  /** Whether a position was taken over as the venue has it after a time. */
  hasAdopted(instrument: InstrumentId, mode: MarginMode, after: Micros): boolean {
    return this.#movesOfPosition(instrument, mode).some(
      ({ isAdopted, time }) => isAdopted === true && time > after,
    );
  }

  /** Whether a charge of a position at about that time is booked. */
  hasCharge(instrument: InstrumentId, mode: MarginMode, from: Micros, until: Micros): boolean {
    return this.#movesOfPosition(instrument, mode).some(
      ({ isCharge, time }) => isCharge && time >= from && time <= until,
    );
  }

  carry(): CarriedWallets | undefined {
    if (this.#known.size === 0) return undefined;
    const rows = [...this.#known].map(([key, known]) => ({
      ...partsOf(key),
      ...known,
      moves: [...known.moves],
    }));
    const charged = [...this.#chargedUntil].map(([account, until]) => ({ account, until }));
    return { rows, charged, last: { ...this.#last }, order: this.#order };
  }

  takeWallets({ rows, charged, last, order }: CarriedWallets): void {
    this.#order = order;
    for (const { wallet, currency, anchor, next, first, unsure, difference, moves } of rows)
      this.#known.set(keyOf(wallet, currency), {
        anchor,
        next,
        first,
        unsure,
        difference,
        moves: [...moves],
      });
    for (const { account, until } of charged) this.#chargedUntil.set(account, until);
    Object.assign(this.#last, last);
  }

  #movesOfPosition(instrument: InstrumentId, mode: MarginMode): readonly WalletEntry[] {
    const { product, currency } = marginKeyOf(this.#instruments.at(instrument), mode);
    const moves = this.#known.get(keyOf(walletOf(product), currency))?.moves ?? [];
    return moves.filter((move) => move.instrument === instrument && move.mode === mode);
  }

  #add({ wallet, currency, position, ...move }: WalletMove, isLate = false): void {
    const { time } = move;
    const known = this.#knownOf(wallet, currency);
    if (known === undefined || (known.anchor?.isFirst === true && time <= known.anchor.from)) return;
    // The looks that agreed have it: it was before the first of them, or one of them had shown that it was missing.
    if (isLate && known.anchor !== undefined && time <= known.anchor.from - slack) return;
    this.#order += 1;
    known.moves.push({ order: this.#order, ...move, ...position });
    if (known.moves.length <= movesMax) return;
    // What is left of them does not lead from the anchor to a later look.
    known.moves.splice(0, movesMax / 2);
    dropAnchor(known);
  }

  #knownOf(wallet: WalletName, currency: string): KnownWallet | undefined {
    const key = keyOf(wallet, currency);
    let known = this.#known.get(key);
    const last = this.#last[wallet];
    if (known === undefined && last !== undefined) {
      known = openKnown();
      known.next = { total: zero, accounts: [], isFirst: true, ...last };
      this.#known.set(key, known);
    }
    return known;
  }

  #compare(wallet: WalletName, look: Look | undefined): void {
    if (look?.balances === undefined) return;
    const { from, until } = look;
    const of = [...look.accounts.keys()].toSorted().join(' ');
    const last = { from, until, of, order: this.#order };
    const seen = new Map<string, { total: Amount; accounts: { name: string; balance: Amount }[] }>();
    const seenOf = (currency: string) => {
      const found = seen.get(currency) ?? { total: zero, accounts: [] };
      seen.set(currency, found);
      return found;
    };
    for (const { currency, available, reserved } of look.balances)
      if (available !== zero || reserved !== zero) seenOf(currency).total = add(available, reserved);
    for (const [product, accounts] of look.accounts)
      for (const account of accounts) {
        const found = seenOf(account.currency);
        found.total = add(found.total, account.balance);
        found.accounts.push({ name: marginNameOf({ product, ...account }), balance: account.balance });
      }
    for (const key of this.#known.keys()) {
      const { wallet: whose, currency } = partsOf(key);
      if (whose === wallet) seenOf(currency);
    }
    for (const [currency, found] of seen) this.#compareOne(keyOf(wallet, currency), { ...found, ...last });
    this.#last[wallet] = last;
  }

  #compareOne(key: string, seen: Omit<SeenWallet, 'isFirst'>): void {
    const known = this.#known.get(key) ?? openKnown();
    this.#known.set(key, known);
    promote(known);
    // What was heard before is in it, and so is what is found to have been long before; the time of a margin account says no such thing.
    const isUnclear = ({ order, time, amount }: WalletEntry): boolean =>
      order > this.#heardBefore && (amount === zero || time > seen.from - slack);
    if (known.moves.some(isUnclear)) return;
    const { anchor } = known;
    if (anchor === undefined || anchor.of !== seen.of) {
      dropAnchor(known);
      known.next = { ...seen, isFirst: true };
      return;
    }
    settleUnsure(known, anchor.total, seen.total);
    const { moves } = known;
    const expected = expectedOf(anchor.total, moves);
    const amount = subtract(seen.total, expected);
    if (amount === cutOf(amount, expected)) {
      known.difference = undefined;
      known.next = { ...seen, isFirst: false };
      return;
    }
    const isBefore = known.difference !== undefined && isSameButCut(known.difference.amount, amount);
    const before = isBefore ? known.difference : undefined;
    known.difference = {
      amount,
      total: seen.total,
      from: anchor.from,
      since: before?.since ?? seen.from,
      seenAt: seen.from,
      shownBy: before === undefined ? later(seen.until, slack) : before.shownBy,
      looks: (before?.looks ?? 0) + 1,
      // Margin that is put in or taken out later is no part of it.
      accounts: before?.accounts ?? this.#accountsBetween(anchor, seen, moves),
    };
  }

  /** Change of each margin account that was not booked. */
  #accountsBetween(
    anchor: SeenWallet,
    seen: Pick<SeenWallet, 'accounts'>,
    moves: readonly WalletEntry[],
  ): SeenWallet['accounts'] {
    const sums = new Map<string, Amount>(seen.accounts.map(({ name, balance }) => [name, balance]));
    const take = (name: string, amount: Amount): void =>
      void sums.set(name, subtract(sums.get(name) ?? zero, amount));
    for (const { name, balance } of anchor.accounts) take(name, balance);
    for (const { instrument, mode, amount } of moves) {
      if (instrument === undefined || mode === undefined) continue;
      take(marginNameOf(marginKeyOf(this.#instruments.at(instrument), mode)), amount);
    }
    return [...sums].flatMap(([name, balance]) => (balance === zero ? [] : [{ name, balance }]));
  }
}

type MarginKey = Parameters<typeof marginNameOf>[0];

function openLook(): Look {
  return { balances: undefined, accounts: new Map(), from: Infinity as Micros, until: 0 as Micros };
}

function nameOf(what: ReadTarget): string {
  if (what.of === 'orderHistory') return `${what.of} ${what.clientOrderId}`;
  return isOfLook(what) ? `${what.of} ${what.product ?? ''}` : what.of;
}

function isOfLook(
  what: ReadTarget,
): what is Exclude<ReadTarget, { of: 'fundingRates' | 'transfers' | 'book' }> {
  return what.of !== 'fundingRates' && what.of !== 'transfers' && what.of !== 'book';
}

function keyOf(wallet: WalletName, currency: string): string {
  return `${wallet} ${currency}`;
}

function partsOf(key: string): { readonly wallet: WalletName; readonly currency: string } {
  const [wallet, currency = ''] = key.split(' ');
  return { wallet: wallet as WalletName, currency };
}

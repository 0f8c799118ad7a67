import type { Amount } from '../../core/base/amount.ts';
import { add, negate, subtract, zero } from '../../core/base/amount.ts';
import type { Micros } from '../../core/base/clock.ts';
import type { LedgerEntry } from '../../core/ledger/index.ts';
import { isSameButCut, movesOf } from '../../core/ledger/index.ts';
import type { WalletName } from '../../core/model/difference.ts';
import { walletKey } from '../../core/model/difference.ts';
import type { Event } from '../../core/model/event.ts';
import type { Instruments } from '../../core/model/instrument.ts';

/** Least and most by which closing balances may differ from what is expected; zero is between them. */
export interface Reach {
  readonly least: Amount;
  readonly most: Amount;
}

export const noReach: Reach = { least: zero, most: zero };

type OpenedAt = ReadonlyMap<WalletName, Micros>;

/**
 * Money of before the opening balances that was booked after them, together with money of after them: only the sum is known. By wallet and
 * currency it says how far the part of before may be from what an audit takes it for.
 */
export class BeforeOpening {
  readonly #instruments: Instruments;
  /** Beginning of each difference, and its amount when the opening balances were taken. */
  readonly #found = new Map<string, { readonly since: Micros; readonly amount: Amount }>();
  readonly #reaches = new Map<string, Reach>();
  /** Changes by corrections of executions of before. */
  readonly #corrected = new Map<string, Reach>();
  /** Unexplained money of after the opening balances, the other way round. */
  readonly #moved = new Map<string, Reach>();

  constructor(instruments: Instruments) {
    this.#instruments = instruments;
  }

  /** Takes an event and what it booked; `openedAt`: times of the opening balances, of the wallets whose are known. */
  observe(event: Event, entries: readonly LedgerEntry[], openedAt: OpenedAt): void {
    switch (event.kind) {
      case 'differenceFound':
        return this.#difference(event.difference, openedAt);
      case 'differenceEnded':
        return void this.#found.delete(event.key);
      case 'chargeFound':
        return this.#charged(entries, openedAt);
      case 'executionCorrected':
        return this.#correction(entries, openedAt);
      case 'moneyMoved':
        return this.#unexplained(event.moved, openedAt);
      default:
    }
  }

  /** Reaches by wallet and currency, where there are any. */
  result(): ReadonlyMap<string, Reach> {
    const all = new Map(this.#reaches);
    for (const [key, { least, most }] of this.#corrected) {
      // Books that a correction made wrong are made right by money that is booked the other way round; a right correction leaves no difference.
      const moved = this.#moved.get(key) ?? noReach;
      widen(all, key, least > moved.least ? least : moved.least);
      widen(all, key, most < moved.most ? most : moved.most);
    }
    return all;
  }

  #difference({ key, since, amount = zero }: DifferenceOf, openedAt: OpenedAt): void {
    const isOpened = [...openedAt.keys()].some((wallet) => key.startsWith(`balance ${wallet} `));
    if (isOpened && !this.#found.has(key)) this.#found.set(key, { since, amount });
  }

  /** Shares of a charge by the time of each are an estimate: what is counted may have been before, and the other way round. */
  #charged(entries: readonly LedgerEntry[], openedAt: OpenedAt): void {
    const moves = entries.flatMap((entry) => movesOf(entry, this.#instruments));
    for (const { wallet, currency } of moves.slice(0, 1)) {
      const begin = openedAt.get(wallet);
      if (begin === undefined) return;
      const key = walletKey(wallet, currency);
      const found = this.#found.get(`balance ${key}`)?.since ?? Infinity;
      if (found > begin && moves.every(({ time }) => time > begin)) return;
      for (const { amount, time } of moves) widen(this.#reaches, key, time > begin ? negate(amount) : amount);
    }
  }

  #correction(entries: readonly LedgerEntry[], openedAt: OpenedAt): void {
    for (const entry of entries) {
      // The trade is taken back and booked anew: the change is the sum of both.
      const changes = new Map<string, Amount>();
      for (const { wallet, currency, amount, time } of movesOf(entry, this.#instruments)) {
        if (time > (openedAt.get(wallet) ?? 0)) continue;
        const key = walletKey(wallet, currency);
        changes.set(key, add(changes.get(key) ?? zero, amount));
      }
      for (const [key, change] of changes) widen(this.#corrected, key, change);
    }
  }

  /** Money of a gap that began before the opening balances is not counted: what the difference grew by since is of after them. */
  #unexplained({ entry, wallet, currency, amount, time }: MovedOf, openedAt: OpenedAt): void {
    const begin = openedAt.get(wallet);
    if (begin === undefined || entry !== 'unexplained') return;
    const key = walletKey(wallet, currency);
    if (time > begin) return widen(this.#moved, key, negate(amount));
    const grown = subtract(amount, this.#found.get(`balance ${key}`)?.amount ?? zero);
    if (!isSameButCut(grown, zero)) widen(this.#reaches, key, grown);
  }
}

type DifferenceOf = Extract<Event, { readonly kind: 'differenceFound' }>['difference'];
type MovedOf = Extract<Event, { readonly kind: 'moneyMoved' }>['moved'];

function widen(reaches: Map<string, Reach>, key: string, by: Amount): void {
  const { least, most } = reaches.get(key) ?? noReach;
  reaches.set(key, by < 0n ? { least: add(least, by), most } : { least, most: add(most, by) });
}

/** The part of a difference that a reach explains. */
export function partWithin(difference: Amount, { least, most }: Reach): Amount {
  if (difference < least) return least;
  return difference > most ? most : difference;
}

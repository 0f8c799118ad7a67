import type { Amount } from '../base/amount.ts';
import { add, subtract, zero } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import { later, millis } from '../base/clock.ts';
import type { CarriedWallet, SeenWallet } from '../model/carried-state.ts';
import { cutOf } from './printed.ts';

/** A change of a wallet that was booked. */
export type WalletEntry = CarriedWallet['moves'][number];

/** One currency of a wallet: what looks showed of it, and what was booked since. */
export interface KnownWallet {
  /** Amounts that a complete look showed and that bookings explained. */
  anchor: SeenWallet | undefined;
  /** The same of the last look: whether something moved during it shows the next one. */
  next: SeenWallet | undefined;
  /** Up to when what was booked is in the first look that is counted from. */
  first: Micros | undefined;
  /** Up to when what was booked may be in the anchor: the next look that agrees shows which of it is. */
  unsure: Micros | undefined;
  difference: CarriedWallet['difference'];
  moves: WalletEntry[];
}

/** Moves during the first look whose order settles what is in it; with more of them a later look is the first. */
const unsureMax = 64;
/** How far our measure of the venue's clock may be off, by a header cut to whole seconds: what moved so near to a look may be in it or not. */
export const slack = millis(1_000);

/** The last look counts unless something moved during it, as is known now. */
export function promote(known: KnownWallet): void {
  const { next } = known;
  if (next === undefined) return;
  known.next = undefined;
  const since = known.moves.filter(({ order }) => order > next.order);
  if (!next.isFirst) {
    // It agreed with what had arrived: what arrived since is not in it, whenever that was.
    Object.assign(known, { anchor: next, unsure: undefined, moves: since });
    return;
  }
  // What is found late is in the first look there was: nothing showed yet that it was not.
  const after = since.filter(({ time }) => time > next.from - slack);
  const end = later(next.until, slack);
  const unsure = after.filter(({ time }) => time <= end);
  // A busy account never stands still: its first look counts, too, and the order of what moved tells what is in it.
  const isSettled = known.anchor === undefined && unsure.every(isOfSpot);
  if (unsure.length > 0 && (!isSettled || unsure.length > unsureMax)) return;
  known.anchor = next;
  known.unsure = unsure.length > 0 ? end : undefined;
  known.first = unsure.length > 0 ? ((next.from - slack) as Micros) : end;
  known.moves = after;
}

/** A look that agrees shows what of the moves during the first look was in it already: all before one of them, in the order of time. */
export function settleUnsure(known: KnownWallet, opening: Amount, total: Amount): void {
  const { unsure, moves } = known;
  if (unsure === undefined) return;
  const during = moves.filter(({ time }) => time <= unsure).toSorted((one, other) => one.time - other.time);
  for (let count = 0; count <= during.length; count++) {
    const within = new Set(during.slice(0, count));
    const rest = moves.filter((move) => !within.has(move));
    const expected = expectedOf(opening, rest);
    const amount = subtract(total, expected);
    if (amount !== cutOf(amount, expected)) continue;
    known.moves = rest;
    known.unsure = undefined;
    known.first = during[count - 1]?.time ?? known.first;
    return;
  }
}

/** Sum that a wallet should hold after moves. */
export function expectedOf(total: Amount, moves: readonly WalletEntry[]): Amount {
  return moves.reduce((sum, { amount }) => add(sum, amount), total);
}

/** Whether it changed a balance at one moment: a look at margin accounts is of several. */
function isOfSpot({ amount, instrument }: WalletEntry): boolean {
  return instrument === undefined && amount !== zero;
}

export function dropAnchor(known: KnownWallet): void {
  known.anchor = undefined;
  known.unsure = undefined;
  known.difference = undefined;
}

export function openKnown(): KnownWallet {
  return {
    anchor: undefined,
    next: undefined,
    first: undefined,
    unsure: undefined,
    difference: undefined,
    moves: [],
  };
}

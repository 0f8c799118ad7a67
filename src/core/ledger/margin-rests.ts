import type { Amount } from '../base/amount.ts';
import { add, negate, subtract, zero } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import type {
  CarriedLiquidation,
  CarriedMargin,
  CarriedRest,
  CarriedRestFill as RestFill,
} from '../model/carried-state.ts';
import type { InstrumentId, Instruments } from '../model/instrument.ts';
import type { MarginAccountView } from '../model/margin.ts';
import { isOfBefore, marginKeyOf, marginNameOf } from '../model/margin.ts';
import { chargedFee } from './printed.ts';
import type { FillEntry, LiquidationEntry } from './entry.ts';

/** Money of a margin account when it was last seen with something in it, and its fills since. */
interface Rest {
  /** Latest balance that was not nothing, and its time at the venue. */
  balance: Amount;
  at: Micros;
  /** Time at which the venue opened the account; unknown of one that an older version carried. */
  createdAt: Micros | undefined;
  /** Signed, in base currency. */
  positions: ReadonlyMap<InstrumentId, Amount>;
  /** Fills of that time and later: those of the same time may be in the balance already. */
  fills: readonly RestFill[];
  /** Profit that is booked to executions of before the balance which were found after those fills: it is a part of what these lost. */
  misplaced: Amount;
  /** Whether a later look showed it empty. */
  isEmpty: boolean;
}

/** More fills between two reports of an account than any liquidation has; beyond, nothing is known of what it held. */
const fillsMax = 1_000;

/**
 * Finds what the venue did not take at a liquidation. The fills of one may come to a larger loss than the margin was; an account never
 * pays more than it holds, and what is left below zero when its last position is closed is the loss of the venue. Reports and fills may
 * come in either order: both have the time of the venue, and which fills of one time a report has in it is told by the positions that
 * are left. An execution of before that is found late has opened a part of what they closed: what our books let it lose was theirs. Source:
 * v3-gaps, section 8.1.
 */
export class MarginRests {
  readonly #instruments: Instruments;
  readonly #rests = new Map<string, Rest>();
  /** Ending of the account before the one of the same name: it has ended, and what tells how may come later than what shows the next one. */
  readonly #former = new Map<string, Rest>();
  /** Last liquidation of each account. */
  readonly #liquidated = new Map<string, Lost>();
  /** Shares that come to it by executions that were found since. */
  #late: LiquidationEntry[] = [];

  constructor(instruments: Instruments) {
    this.#instruments = instruments;
  }

  /** An account was seen: `isOpen` is `false` where the venue closed it. */
  seen(name: string, account: MarginAccountView, isOpen: boolean): void {
    const { balance, positions, updatedAt, createdAt } = account;
    const last = this.#rests.get(name);
    if (last?.createdAt !== undefined && isOfBefore(account, { createdAt: last.createdAt })) return;
    if (!isOpen || (balance === zero && positions.length === 0)) {
      if (last !== undefined) last.isEmpty = true;
      return;
    }
    const known = this.#endFormer(name, last, createdAt);
    if (known !== undefined && known.at > updatedAt) return;
    const fills = known?.fills.filter(({ time }) => time >= updatedAt) ?? [];
    // A balance of later has in it what its fills lost, and what was misplaced of it.
    const misplaced = fills.length === 0 ? zero : (known?.misplaced ?? zero);
    const held = new Map(positions.map(({ instrument, quantity }) => [instrument, quantity]));
    this.#rests.set(name, {
      balance,
      at: updatedAt,
      createdAt,
      positions: held,
      fills,
      misplaced,
      isEmpty: false,
    });
  }

  filled({ trade, account, strategy, realized }: FillEntry): void {
    if (account === 'spot') return;
    const { time, side, quantity } = trade;
    const instrument = this.#instruments.at(trade.instrument);
    const name = marginNameOf(marginKeyOf(instrument, account));
    const lots = instrument.quantityAmount(quantity);
    const size = side === 'buy' ? lots : negate(lots);
    const rests = this.#isOfFormer(name, { instrument: instrument.id, time, size })
      ? this.#former
      : this.#rests;
    const rest = rests.get(name);
    const place = { strategy, account, instrument: instrument.id, time };
    const lost = this.#liquidated.get(name);
    if (lost?.losses.some((one) => isOpened(one, { ...place, size })) === true) {
      this.#late.push({ kind: 'liquidation', ...place, amount: this.#owedAnew(lost, realized) });
      return;
    }
    if (rest === undefined) return;
    if (isInBalance(rest, place)) {
      if (rest.fills.some((one) => isOpened(one, { ...place, size })))
        rest.misplaced = add(rest.misplaced, realized);
      return;
    }
    const result = subtract(realized, chargedFee(instrument, trade));
    rest.fills = [...rest.fills, { ...place, size, result }];
    if (rest.fills.length > fillsMax) rests.delete(name);
  }

  /** Losses that venues took over since the last call, by strategy and instrument: in shares of what their fills lost. */
  takeLiquidations(): readonly LiquidationEntry[] {
    const found = this.#late.filter(({ amount }) => amount !== zero);
    this.#late = [];
    for (const rests of [this.#former, this.#rests])
      for (const [name, rest] of rests) {
        const lost = rest.isEmpty ? lostOf(rest) : undefined;
        if (lost === undefined) continue;
        found.push(...shared(lost.losses, lost.owed));
        rests.delete(name);
        this.#liquidated.set(name, lost);
      }
    return found;
  }

  carry(): Pick<CarriedMargin, 'rests' | 'former' | 'liquidated'> {
    const liquidated = [...this.#liquidated].map(([name, lost]) => ({ name, ...lost }));
    return {
      rests: carried(this.#rests),
      ...(this.#former.size > 0 && { former: carried(this.#former) }),
      ...(liquidated.length > 0 && { liquidated }),
    };
  }

  /** Takes over what another run's books carried. */
  takeRests(
    rests: readonly CarriedRest[],
    liquidated: readonly CarriedLiquidation[] = [],
    former: readonly CarriedRest[] = [],
  ): void {
    this.#rests.clear();
    for (const one of rests) this.#rests.set(one.name, taken(one));
    for (const one of former) this.#former.set(one.name, taken(one));
    for (const { name, ...lost } of liquidated) this.#liquidated.set(name, lost);
  }

  /** The account that is known so far; `undefined`, once it is of before one that the venue opened at this time. */
  #endFormer(name: string, known: Rest | undefined, createdAt: Micros): Rest | undefined {
    if (known?.createdAt === undefined) return known;
    if (!isOfBefore({ createdAt: known.createdAt, updatedAt: known.at }, { createdAt })) return known;
    this.#former.set(name, { ...known, isEmpty: true });
    return undefined;
  }

  /** Whether an execution is of the account before: it was before the present one, or closes at the same time what that one held. */
  #isOfFormer(name: string, fill: Pick<RestFill, 'instrument' | 'time' | 'size'>): boolean {
    const former = this.#former.get(name);
    const createdAt = this.#rests.get(name)?.createdAt;
    if (former === undefined || createdAt === undefined || fill.time > createdAt) return false;
    const open = openIn(former, fill.instrument);
    return fill.time < createdAt || (open !== zero && open < zero !== fill.size < zero);
  }

  /** Returns by how much more the venue bore, as so much of a loss was booked to an execution of before. */
  #owedAnew(lost: Lost, misplaced: Amount): Amount {
    const owed = subtract(lost.owed, misplaced);
    const more = owed < zero ? negate(lost.owed) : negate(misplaced);
    lost.owed = add(lost.owed, more);
    return more;
  }
}

function carried(rests: ReadonlyMap<string, Rest>): readonly CarriedRest[] {
  return [...rests].map(([name, { positions, ...rest }]) => ({
    name,
    ...rest,
    positions: [...positions].map(([instrument, size]) => ({ instrument, size })),
  }));
}

function taken({ name: _name, positions, createdAt, ...rest }: CarriedRest): Rest {
  const held = new Map(positions.map(({ instrument, size }) => [instrument, size]));
  return { ...rest, createdAt, positions: held };
}

/** Position that its fills leave, signed. */
function openIn({ positions, fills }: Rest, instrument: InstrumentId): Amount {
  const own = fills.filter((one) => one.instrument === instrument);
  return own.reduce((left, { size }) => add(left, size), positions.get(instrument) ?? zero);
}

interface Lost {
  readonly losses: readonly RestFill[];
  owed: Amount;
}

/** Whether a fill is in the balance: it is of before, or later fills close all of the position without it. */
function isInBalance(
  { at, positions, fills }: Rest,
  { instrument, time }: Pick<RestFill, 'instrument' | 'time'>,
): boolean {
  if (time !== at) return time < at;
  const later = fills.filter((one) => one.time > at && one.instrument === instrument);
  if (later.length === 0) return false;
  return later.reduce((left, { size }) => add(left, size), positions.get(instrument) ?? zero) === zero;
}

/** Whether an execution opened a part of what a later fill closed. */
function isOpened(closing: Pick<RestFill, 'instrument' | 'time' | 'size'>, opening: typeof closing): boolean {
  const { instrument, time, size } = opening;
  return closing.instrument === instrument && closing.time > time && closing.size < zero !== size < zero;
}

/** Debt when the last position was closed; `undefined` where nothing was, or where a fill that closed it is still to come. */
function lostOf({ fills, at, ...rest }: Rest): Lost | undefined {
  const inOrder = fills.toSorted((a, b) => a.time - b.time);
  const later = inOrder.findIndex(({ time }) => time > at);
  for (let from = later < 0 ? inOrder.length : later; from >= 0; from--) {
    const lost = closedBy(inOrder.slice(from), rest);
    if (lost !== undefined) return lost === 'nothing' ? undefined : lost;
  }
  return undefined;
}

/** `undefined`: with these fills a position is still open. Fills after the last position was closed at a loss are of the next ones. */
function closedBy(
  fills: readonly RestFill[],
  { balance, positions, misplaced }: Pick<Rest, 'balance' | 'positions' | 'misplaced'>,
): Lost | 'nothing' | undefined {
  const open = new Map([...positions].filter(([, size]) => size !== zero));
  let left = add(balance, misplaced);
  for (const [index, { instrument, size, result }] of fills.entries()) {
    left = add(left, result);
    const now = add(open.get(instrument) ?? zero, size);
    if (now === zero) open.delete(instrument);
    else open.set(instrument, now);
    if (open.size > 0 || left >= zero) continue;
    const losses = fills.slice(0, index + 1).filter((fill) => fill.result < zero);
    return { losses, owed: negate(left) };
  }
  return open.size === 0 ? 'nothing' : undefined;
}

/** The last takes what is left, so that nothing is lost. */
function shared(losses: readonly RestFill[], owed: Amount): readonly LiquidationEntry[] {
  const all = losses.reduce((sum, { result }) => add(sum, result), zero);
  let left = owed;
  return losses.map(({ strategy, account, instrument, time, result }, index) => {
    const isLast = index === losses.length - 1;
    const amount = isLast ? left : (((owed * result) / all) as Amount);
    left = subtract(left, amount);
    return { kind: 'liquidation', strategy, account, instrument, time, amount };
  });
}

import type { Amount } from '../base/amount.ts';
import { add, negate, subtract, zero } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import type { Instruments } from '../model/instrument.ts';
import type { MarginAccountView } from '../model/margin.ts';
import { marginKeyOf, marginNameOf } from '../model/margin.ts';
import { chargedFee } from './printed.ts';
import type { FillEntry, LiquidationEntry } from './entry.ts';

/** What a margin account held when it was last seen with something in it, and what its fills brought since. */
interface Rest {
  /** Latest balance that was not nothing, and its time at the venue. */
  balance: Amount;
  at: Micros;
  /** Sum of results less fees of fills after that time. */
  results: Amount;
  /** Whether a later look showed it empty. */
  isEmpty: boolean;
  /** Fills that lost, since then. */
  losses: Loss[];
}

interface Loss extends Pick<LiquidationEntry, 'strategy' | 'account' | 'instrument' | 'time'> {
  readonly amount: Amount;
}

/** More losing fills between two reports of an account than any liquidation has; beyond, the first bears the rest. */
const lossesMax = 1_000;

/**
 * Finds what the venue did not take at a liquidation. The fills of one may come to a larger loss than the margin was; an account never
 * pays more than it holds, and what is left below zero when it is empty is the loss of the venue. Reports and fills may come in either
 * order: both have the time of the venue. Source: v3-gaps, section 8.1.
 */
export class MarginRests {
  readonly #instruments: Instruments;
  readonly #rests = new Map<string, Rest>();

  constructor(instruments: Instruments) {
    this.#instruments = instruments;
  }

  /** An account was seen: `isOpen` is `false` where the venue closed it. */
  seen(name: string, { balance, positions, updatedAt }: MarginAccountView, isOpen: boolean): void {
    const known = this.#rests.get(name);
    if (!isOpen || (balance === zero && positions.length === 0)) {
      if (known !== undefined) known.isEmpty = true;
      return;
    }
    if (known !== undefined && known.at > updatedAt) return;
    this.#rests.set(name, { balance, at: updatedAt, results: zero, isEmpty: false, losses: [] });
  }

  filled({ trade, account, strategy, realized }: FillEntry): void {
    if (account === 'spot') return;
    const instrument = this.#instruments.at(trade.instrument);
    const rest = this.#rests.get(marginNameOf(marginKeyOf(instrument, account)));
    if (rest === undefined || trade.time <= rest.at) return;
    const result = subtract(realized, chargedFee(instrument, trade));
    rest.results = add(rest.results, result);
    if (result >= 0n || rest.losses.length >= lossesMax) return;
    const { time } = trade;
    rest.losses.push({ strategy, account, instrument: instrument.id, time, amount: negate(result) });
  }

  /** What venues took over since the last call, by strategy and instrument: in shares of what their fills lost. */
  take(): readonly LiquidationEntry[] {
    const found: LiquidationEntry[] = [];
    for (const rest of this.#rests.values()) {
      const owed = negate(add(rest.balance, rest.results));
      if (!rest.isEmpty || owed <= zero || rest.losses.length === 0) continue;
      found.push(...shared(rest.losses, owed));
      rest.results = subtract(rest.results, negate(owed));
      rest.losses = [];
    }
    return found;
  }
}

/** The last takes what is left, so that nothing is lost. */
function shared(losses: readonly Loss[], owed: Amount): readonly LiquidationEntry[] {
  const all = losses.reduce((sum, { amount }) => sum + amount, 0n);
  let left = owed;
  return losses.map(({ amount: lost, ...of }, index) => {
    const isLast = index === losses.length - 1;
    const amount = isLast ? left : (((owed * lost) / all) as Amount);
    left = subtract(left, amount);
    return { kind: 'liquidation', ...of, amount };
  });
}

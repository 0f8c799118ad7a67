import type { Amount } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import type { CorrectionCause, MovedMoney } from '../model/difference.ts';
import type { MoneyMoved, OwnTrade } from '../model/event.ts';
import type { InstrumentId } from '../model/instrument.ts';
import type { Charge, PositionAccount } from '../model/margin.ts';

/**
 * One execution, booked once in the life of the ledger. Its fee is in the fee currency of the instrument. `settlement`: the one by which
 * the venue closed a position of a contract that expired.
 */
export interface FillEntry {
  readonly kind: 'fill' | 'settlement';
  readonly strategy: string;
  readonly account: PositionAccount;
  readonly trade: OwnTrade;
  /**
   * Profit that it realised, fee left out, in quote currency: in a margin account of the one position that the venue nets all
   * strategies to, on spot of the position of the strategy.
   */
  readonly realized: Amount;
  /** Whether no trade history has shown it yet, so that it may be corrected. */
  readonly open?: true;
}

/** Funding or interest of one holder of a position; below 0 it was received. */
export interface ChargeEntry extends Charge {}

/** Position that stood at the venue before the journal began, or that own trades do not explain: at the average price of the venue. */
export interface OpeningEntry {
  readonly kind: 'opening';
  readonly strategy: string;
  readonly account: PositionAccount;
  readonly instrument: InstrumentId;
  /** Signed lots. */
  readonly lots: number;
  /** As `FillEntry.realized`: below the position it reduces. */
  readonly realized: Amount;
  readonly time: Micros;
}

/** Loss of a liquidation that the venue bore: margin pays no more than it holds. Above 0, in the currency of the margin. */
export interface LiquidationEntry {
  readonly kind: 'liquidation';
  readonly strategy: string;
  readonly account: PositionAccount;
  readonly instrument: InstrumentId;
  readonly amount: Amount;
  readonly time: Micros;
}

/**
 * An execution that was booked is corrected: it never was, or its fee or other terms are as the trade history tells. The figures are then
 * those of books in which it never stood, or stood as it is.
 */
export interface CorrectionEntry {
  readonly kind: 'correction';
  readonly cause: CorrectionCause;
  readonly strategy: string;
  readonly account: PositionAccount;
  /** As it was booked. */
  readonly trade: OwnTrade;
  /** As it is; `undefined` where it never was. */
  readonly holds: OwnTrade | undefined;
  /** Change of the realised profit, fees left out; measured as `FillEntry.realized`. */
  readonly realized: Amount;
  readonly time: Micros;
}

/** Money that moved between wallets, in or out, as the venue's own history names it; no strategy gained or lost it. */
export interface TransferEntry extends Omit<MovedMoney, 'entry'> {
  readonly kind: 'transfer';
}

/** Money that came or went, and that nothing explains. */
export interface UnexplainedEntry extends Omit<MovedMoney, 'entry'> {
  readonly kind: 'unexplained';
}

/** Change that one event made in the books: to one strategy and account, or to a wallet. */
export type LedgerEntry =
  | FillEntry
  | ChargeEntry
  | OpeningEntry
  | LiquidationEntry
  | CorrectionEntry
  | TransferEntry
  | UnexplainedEntry;

/** Entry that money makes which moved without a trade or a charge. */
export function entryOfMove({
  moved: { entry: kind, ...what },
}: MoneyMoved): TransferEntry | UnexplainedEntry {
  return { kind, ...what };
}

/** The charges among what an event booked. */
export function chargesOf(entries: readonly LedgerEntry[]): readonly ChargeEntry[] {
  return entries.filter(
    (entry): entry is ChargeEntry => entry.kind === 'funding' || entry.kind === 'interest',
  );
}

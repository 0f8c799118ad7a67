import type { Amount } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import type { OwnTrade } from './account-event.ts';
import type { InstrumentId } from './instrument.ts';
import type { PositionAccount } from './margin.ts';
import type { ClientOrderId } from './order.ts';
import type { Product } from './product.ts';

/**
 * Kinds of differences between our books and complete reads of the venue. `execution`: one of ours that the venue's history does not
 * have; `unseenExecution`: lots that an order executed, of which no trade is known; `terms`: a fee, price or quantity that the history
 * tells otherwise; `order`: a live order that is not ours; `otherGodwit`: live orders of another daemon of this kind; `position` and `margin`: of a margin account; `balance`: money that entries
 * do not explain; `charge`: funding or interest that nothing explains; `book`: levels of a book that reads show otherwise; `money`: more unexplained money than the limit allows.
 */
export const differenceKinds = [
  'execution',
  'unseenExecution',
  'terms',
  'order',
  'otherGodwit',
  'position',
  'margin',
  'balance',
  'charge',
  'book',
  'money',
] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

/** One open difference. */
export interface Difference {
  /** Identity of the row: the same difference found again has the same key. */
  readonly key: string;
  readonly kind: DifferenceKind;
  readonly product: Product;
  readonly instrument?: InstrumentId | undefined;
  readonly currency?: string | undefined;
  readonly strategy?: string | undefined;
  readonly clientOrderId?: ClientOrderId | undefined;
  /** One sentence without a full stop: what our books say, and what the venue says. */
  readonly cause: string;
  /** Size in `unit`: what the venue has more than our books; `undefined` where it is no amount. */
  readonly amount?: Amount | undefined;
  /** Currency of `amount`, or `lots` of the instrument in base currency or contracts. */
  readonly unit?: string | undefined;
  /** Wall time at which it was first seen. */
  readonly since: Micros;
  /** How many complete reads in a row have shown it. */
  readonly reads: number;
  /** Orders that it holds back: orders that do more than reduce, or all. */
  readonly holds?: 'reducing' | 'halted' | undefined;
  /** Wall time before which no rule acts on it; `undefined` where none does. */
  readonly actsAt?: Micros | undefined;
}

/** Why an execution is corrected: it never was, or the trade history tells it otherwise. */
export type CorrectionCause = 'withdrawn' | 'fee' | 'terms';

/** A correction of an execution that was booked. */
export interface Correction {
  readonly cause: CorrectionCause;
  readonly strategy: string;
  /** As it was booked. */
  readonly trade: OwnTrade;
  /** As it is; `undefined` where it never was. */
  readonly holds: OwnTrade | undefined;
  readonly why: string;
}

/** Wallets of an account. Spot and margin trading are paid from one, contracts from another. */
export type WalletName = 'spot' | 'futures';

/** Key of money by wallet and currency. */
export function walletKey(wallet: WalletName, currency: string): string {
  return `${wallet} ${currency}`;
}

/** Money that came into a wallet or left it without a trade or a charge. */
export interface MovedMoney {
  /** `transfer`: the wallet's own history names it; `unexplained`: nothing does. */
  readonly entry: 'transfer' | 'unexplained';
  readonly wallet: WalletName;
  readonly currency: string;
  /** Above 0 where it came in. */
  readonly amount: Amount;
  /** When it moved by the venue's clock, or was found. */
  readonly time: Micros;
  readonly why: string;
}

/** An execution that was booked from a report and that no history has confirmed or denied yet. */
export interface OpenExecution {
  readonly trade: OwnTrade;
  readonly strategy: string;
  readonly account: PositionAccount;
  /** Wall time of the report. */
  readonly since: Micros;
}

/** Identity of an execution: a trade with ourselves has one number and two sides. */
export function executionKey({
  instrument,
  side,
  tradeId,
}: Pick<OwnTrade, 'instrument' | 'side' | 'tradeId'>): string {
  return `${instrument} ${side} ${tradeId}`;
}

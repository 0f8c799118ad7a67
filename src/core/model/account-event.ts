import { fail } from '../base/assert.ts';
import type { Amount } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import type { Lane, ReadTarget } from './command.ts';
import type { EventTimes } from './event-times.ts';
import type { InstrumentId } from './instrument.ts';
import type {
  MarginAccountView,
  MarginChange,
  MarginMode,
  MarginReason,
  MarginReportType,
} from './margin.ts';
import type { Balance, Level } from './market.ts';
import type { ClientOrderId, Fill, VenueOrder } from './order.ts';
import type { MarginProductName } from './product.ts';

export type AccountEvent =
  | OrderReport
  | OrderRejected
  | CancelRejected
  | BalancesChanged
  | MarginAccountChanged
  | MarginRejected
  | ReadAnswered
  | CommandSettled;

/** Source: v3-gaps, section 2.3; API v2, "Socket order report". */
export const reportTypes = [
  'status',
  'new',
  'canceled',
  'rejected',
  'expired',
  'suspended',
  'trade',
  'replaced',
] as const;
export type ReportType = (typeof reportTypes)[number];

/** The venue reports one of our orders. `fill` is there when `reportType` is `trade`. */
export interface OrderReport extends EventTimes {
  readonly kind: 'orderReport';
  readonly reportType: ReportType;
  readonly order: VenueOrder;
  readonly fill: Fill | undefined;
}

/** The venue refused a new order or a replacement: it does not exist. Only sent when the refusal is certain. */
export interface OrderRejected extends EventTimes {
  readonly kind: 'orderRejected';
  readonly clientOrderId: ClientOrderId;
  /** For a refused replacement: the order that was to be replaced. */
  readonly originalClientOrderId: ClientOrderId | undefined;
  /** The venue's error code, such as 20001. */
  readonly code: number;
  readonly why: string;
}

/** The venue refused a cancel. It proves nothing about the order (faults, section 1.3). */
export interface CancelRejected extends EventTimes {
  readonly kind: 'cancelRejected';
  readonly clientOrderId: ClientOrderId;
  readonly code: number;
  readonly why: string;
}

/** Balances as the venue reports them. A complete list replaces what was known. */
export interface BalancesChanged extends EventTimes {
  readonly kind: 'balances';
  /** Wallet of the balances: that of spot and margin trading when left out, or that of contracts, which is kept apart. */
  readonly wallet?: 'futures' | undefined;
  readonly complete: boolean;
  readonly balances: readonly Balance[];
}

/** The venue reports a margin account, with its positions: the whole of it as it is now. */
export interface MarginAccountChanged extends EventTimes {
  readonly kind: 'marginAccount';
  readonly product: MarginProductName;
  readonly reportType: MarginReportType;
  readonly reason: MarginReason;
  readonly account: MarginAccountView;
  /** Instrument of the position that funding or interest was taken for, where the report says so. */
  readonly charged?: InstrumentId | undefined;
}

/** The venue refused a change of a margin account, which stands as it was. Only sent when the refusal is certain. */
export interface MarginRejected extends EventTimes {
  readonly kind: 'marginRejected';
  readonly strategy: string;
  readonly change: MarginChange;
  /** The venue's error code, such as 20033. */
  readonly code: number;
  readonly why: string;
}

/**
 * The answer to a read, or a part of it: a long one comes in several events of one `commandId`. `orders` and `fills` of all its parts
 * together are complete for what was asked.
 */
export interface ReadAnswered extends EventTimes {
  readonly kind: 'readAnswered';
  readonly commandId: number;
  readonly what: ReadTarget;
  /** When the read left, by wall time: an answer shows nothing that happened after this. */
  readonly askedAt: Micros;
  readonly orders: readonly VenueOrder[];
  readonly fills: readonly OwnTrade[];
  readonly balances: readonly Balance[];
  /** There exactly when margin accounts were asked for: all that are open. */
  readonly marginAccounts?: readonly MarginAccountView[] | undefined;
  /** There exactly when funding rates were asked for. */
  readonly fundingRates?: readonly FundingRate[] | undefined;
  /** There exactly when transfers were asked for: those that succeeded. */
  readonly transfers?: readonly WalletTransfer[] | undefined;
  /** There when a book was asked for and the answer can be read. */
  readonly book?: ReadBook | undefined;
  /** There when further parts follow. The command may still end without them: what was asked is not answered then. */
  readonly more?: true | undefined;
}

/** The parts of an answer as one. */
export function joinedAnswer(parts: readonly ReadAnswered[]): ReadAnswered {
  const last = parts.at(-1) ?? fail('an answer has no part');
  if (parts.length === 1) return last;
  return {
    ...last,
    orders: parts.flatMap(({ orders }) => orders),
    fills: parts.flatMap(({ fills }) => fills),
  };
}

/** A book as a read shows it. */
export interface ReadBook {
  /** When it changed last, by the venue's clock. */
  readonly time: Micros;
  /** Best first. */
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  /** The most levels that a side of such an answer may have: one of so many may go on. */
  readonly depth: number;
}

/** Money that came into a wallet by a transfer, or below 0 left it. */
export interface WalletTransfer {
  /** `undefined` where the venue does not tell between which it moved; the amount is above 0 then. */
  readonly wallet: 'spot' | 'futures' | undefined;
  readonly currency: string;
  readonly amount: Amount;
  readonly time: Micros;
}

/** One settlement of funding: longs pay this fraction of the worth of their position at the mark price, shorts get it. */
export interface FundingRate {
  readonly time: Micros;
  readonly rate: Amount;
}

/** A row of the own trade history. */
export interface OwnTrade extends Fill {
  readonly instrument: InstrumentId;
  readonly clientOrderId: ClientOrderId;
  readonly venueOrderId: string;
  readonly side: 'buy' | 'sell';
  /** There when a margin account was traded. */
  readonly marginMode?: MarginMode | undefined;
}

/**
 * How a command ended on the wire. `acknowledged`: the venue answered yes. `refused`: it answered no.
 * `limited`: it answered 429 and did nothing. `unanswered`: silence, a reset, a 5xx or an unreadable reply;
 * an order is then unknown.
 */
export interface CommandSettled extends EventTimes {
  readonly kind: 'commandSettled';
  readonly commandId: number;
  readonly lane: Lane;
  readonly outcome: 'acknowledged' | 'refused' | 'limited' | 'unanswered';
  /** For orders and cancels, which one; none for reads and changes of margin. */
  readonly clientOrderId: ClientOrderId | undefined;
}

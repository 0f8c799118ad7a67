import type { Lots, Ticks, InstrumentId } from '../../../core/model/instrument.ts';
import type { Micros } from '../../../core/base/clock.ts';
import type { ReportType } from '../../../core/model/event.ts';
import type { Balance } from '../../../core/model/market.ts';
import type {
  MarginAccountView,
  MarginReason,
  MarginReport,
  MarginReportType,
} from '../../../core/model/margin.ts';
import type { ListMark } from '../../../core/model/order-list.ts';
import type { Side, VenueOrder, Fill } from '../../../core/model/order.ts';
import type { AccountId } from './command.ts';

/** One execution, as reported to both sides and to the public. */
export interface Execution {
  readonly number: number;
  /** The number as text. */
  readonly tradeId: string;
  readonly price: Ticks;
  readonly quantity: Lots;
}

/** Outcomes of a command, in the order they happened. */
export type Outcome =
  | ReportOutcome
  | RefusedOutcome
  | TradeOutcome
  | LevelOutcome
  | BalanceOutcome
  | StatusOutcome
  | MarginOutcome;

/** Something happened to an account's order. `fill` is there when `reportType` is `trade`. */
export interface ReportOutcome {
  readonly kind: 'report';
  readonly account: AccountId;
  readonly reportType: ReportType;
  readonly order: VenueOrder;
  readonly fill: Fill | undefined;
  /** There when the order belongs to a list. */
  readonly list?: ListMark | undefined;
  /** There when the order is traded on margin. */
  readonly margin?: MarginReport | undefined;
}

/** Why the core refuses. The wire maps each to a documented error code. */
export type RefusalCode =
  | 'SYMBOL_NOT_WORKING'
  | 'BAD_QUANTITY'
  | 'BAD_PRICE'
  | 'TIME_IN_FORCE_INVALID'
  | 'EXPIRE_TIME_INVALID'
  | 'ORDER_TYPE_INVALID'
  | 'DUPLICATE_CLIENT_ORDER_ID'
  | 'INSUFFICIENT_FUNDS'
  | 'POSITION_LIMIT'
  | 'ORDER_LIMIT'
  | 'ORDER_NOT_FOUND'
  | 'NOT_CHANGED'
  | 'FAT_FINGER'
  | 'LIST_INVALID'
  | 'LIST_BOUND'
  | 'MARGIN_NOT_FOUND'
  | 'MARGIN_NOT_CHANGED'
  | 'MARGIN_FORBIDDEN'
  | 'CLOSE_ONLY'
  | 'AMR_WITHOUT_ACCOUNT';

export interface RefusedOutcome {
  readonly kind: 'refused';
  readonly account: AccountId;
  readonly clientOrderId: string | undefined;
  readonly code: RefusalCode;
  readonly why: string;
}

/** A public trade. */
export interface TradeOutcome {
  readonly kind: 'trade';
  readonly instrument: InstrumentId;
  readonly tradeId: number;
  readonly price: Ticks;
  readonly quantity: Lots;
  /** The taker's side. */
  readonly side: Side;
  readonly time: Micros;
}

/** The total at a price is now `quantity` (0: the level is gone). One per level that changed in the command. */
export interface LevelOutcome {
  readonly kind: 'level';
  readonly instrument: InstrumentId;
  readonly side: Side;
  readonly price: Ticks;
  readonly quantity: Lots;
}

/** The account's balance of a currency is now this. One per currency that changed in the command. */
export interface BalanceOutcome extends Balance {
  readonly kind: 'balance';
  readonly account: AccountId;
}

export interface StatusOutcome {
  readonly kind: 'status';
  readonly instrument: InstrumentId;
}

/** Something happened to a margin account, which is now like `view`. After everything else the command came to. */
export interface MarginOutcome {
  readonly kind: 'margin';
  readonly account: AccountId;
  readonly reportType: MarginReportType;
  readonly reason: MarginReason;
  readonly view: MarginAccountView;
  /** Instrument of the position that funding or interest was taken for, where that is known. */
  readonly charged?: InstrumentId | undefined;
}

/** The numbers with which a venue refuses. Source: v3-gaps, section 9. An exceeded order limit has no documented number. */
export const refusalNumbers: Readonly<Record<RefusalCode, number>> = {
  INSUFFICIENT_FUNDS: 20_001,
  POSITION_LIMIT: 20_001,
  ORDER_NOT_FOUND: 20_002,
  DUPLICATE_CLIENT_ORDER_ID: 20_008,
  NOT_CHANGED: 20_009,
  SYMBOL_NOT_WORKING: 20_010,
  FAT_FINGER: 20_045,
  TIME_IN_FORCE_INVALID: 20_048,
  ORDER_TYPE_INVALID: 20_049,
  BAD_QUANTITY: 2_012,
  BAD_PRICE: 2_022,
  EXPIRE_TIME_INVALID: 10_001,
  LIST_INVALID: 10_001,
  LIST_BOUND: 600,
  ORDER_LIMIT: 600,
  MARGIN_NOT_FOUND: 20_032,
  MARGIN_NOT_CHANGED: 20_033,
  CLOSE_ONLY: 20_034,
  MARGIN_FORBIDDEN: 20_040,
  AMR_WITHOUT_ACCOUNT: 10_025,
};

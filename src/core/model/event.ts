import type { Amount } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import type { AccountEvent } from './account-event.ts';
import type { CarriedState } from './carried-state.ts';
import type {
  CancelOrderCommand,
  NewOrderCommand,
  ReadCommand,
  ReplaceOrderCommand,
  ChangeMarginCommand,
} from './command.ts';
import type { Denial } from './denial.ts';
import type { Correction, Difference, MovedMoney } from './difference.ts';
import type { EventTimes } from './event-times.ts';
import type { EvidenceMarks } from './evidence-halt.ts';
import type { InstrumentId, InstrumentStatus } from './instrument.ts';
import type { Intent } from './intent.ts';
import type { LossKind, LossLatch, LossScope, ProfitCourse, ProfitMark } from './loss.ts';
import type { Charge, MarginAccountKey, MarginChange } from './margin.ts';
import type { MarketEvent } from './market-event.ts';
import type { OperatorAct } from './operator.ts';
import type { ClientOrderId, OrderState, VenueOrderState } from './order.ts';
import type { SeriesEvent } from './series.ts';
import type { TradingMode } from './trading-mode.ts';

export type {
  MarketEvent,
  MarketData,
  BookSnapshot,
  BookUpdate,
  BookStale,
  TradesPrinted,
  TickerChanged,
  CandlesChanged,
  ContractInfo,
  FlatLevels,
} from './market-event.ts';
export type { EventTimes } from './event-times.ts';
export type { StaleReason } from './market.ts';
export type {
  SeriesColumn,
  SeriesDeclaration,
  SeriesEvent,
  SeriesRow,
  SeriesStale,
  SeriesValue,
  SeriesValues,
} from './series.ts';
export { seriesColumnsMax, seriesMax, seriesNameShape } from './series.ts';
export type { TradingMode } from './trading-mode.ts';
export { reportTypes } from './account-event.ts';
export type {
  AccountEvent,
  ReportType,
  OrderReport,
  OrderRejected,
  CancelRejected,
  BalancesChanged,
  MarginAccountChanged,
  MarginRejected,
  ReadAnswered,
  OwnTrade,
  FundingRate,
  WalletTransfer,
  ReadBook,
  CommandSettled,
} from './account-event.ts';

/**
 * Everything that can happen. State is a fold over these, and nothing else writes it.
 *
 * Every event carries `exchangeTime` (when the venue says it happened; our own events repeat `receiveTime`) and
 * `receiveTime` (when it reached us). Both are wall time.
 */
export type Event =
  | MarketEvent
  | SeriesEvent
  | AccountEvent
  | SessionEvent
  | VerdictEvent
  | ComparisonEvent
  | ControlEvent;

// Session market data.

export type SessionEvent = SessionUp | SessionDown | InstrumentChanged | ClockMeasured;

/** Which connection: market data, or orders and reports. */
export type SessionName = 'market' | 'trading';

export interface SessionUp extends EventTimes {
  readonly kind: 'sessionUp';
  readonly session: SessionName;
}

export interface SessionDown extends EventTimes {
  readonly kind: 'sessionDown';
  readonly session: SessionName;
  readonly why: string;
}

export interface InstrumentChanged extends EventTimes {
  readonly kind: 'instrumentChanged';
  readonly instrument: InstrumentId;
  readonly status: InstrumentStatus;
}

/** The venue's clock was measured: what it stamps, and what it compares with its clock, is judged by this from now on. */
export interface ClockMeasured extends EventTimes {
  readonly kind: 'clockMeasured';
  /** Our wall time plus this is the venue's. */
  readonly offset: Micros;
}

// Our own verdicts on intents, and what the order manager wants to know.

export type VerdictEvent =
  | OrderPending
  | CancelPending
  | ReplacePending
  | ReadPending
  | MarginPending
  | OrderDenied
  | MarginDenied
  | MarginFound
  | ChargeFound
  | OrderUnknown
  | OrderProvenAbsent
  | OrderFoundAlive
  | OrderAssigned;

/** Our controls accepted an order: it counts in every limit from here on. */
export interface OrderPending extends EventTimes {
  readonly kind: 'orderPending';
  readonly command: NewOrderCommand;
}

export interface CancelPending extends EventTimes {
  readonly kind: 'cancelPending';
  readonly command: CancelOrderCommand;
}

export interface ReplacePending extends EventTimes {
  readonly kind: 'replacePending';
  readonly command: ReplaceOrderCommand;
}

export interface ReadPending extends EventTimes {
  readonly kind: 'readPending';
  readonly command: ReadCommand;
}

/** Our controls accepted a change of a margin account. */
export interface MarginPending extends EventTimes {
  readonly kind: 'marginPending';
  readonly command: ChangeMarginCommand;
}

/** We refused a change of a margin account. No byte left. */
export interface MarginDenied extends EventTimes {
  readonly kind: 'marginDenied';
  readonly strategy: string;
  readonly change: MarginChange;
  readonly denial: Denial;
}

/**
 * The venue shows something of a margin account that nothing of ours explains: its margin was changed from outside, a position
 * does not agree with the trades that were booked, or it was there before the journal began. What a position differs by is booked
 * to `external`.
 */
export interface MarginFound extends EventTimes {
  readonly kind: 'marginFound';
  readonly finding: 'externalMargin' | 'positionMismatch' | 'positionBefore';
  readonly account: MarginAccountKey;
  /** Instrument of a position. */
  readonly position: InstrumentId | undefined;
  /** Signed: what the position at the venue has more than own trades came to; 0 for margin. */
  readonly lots: number;
  /** Price at which these lots are booked: the average one of the position at the venue; where they close own lots, that of the market. */
  readonly price: Amount | undefined;
  /** Whether new orders of the product are denied until an operator clears it. */
  readonly halts: boolean;
  readonly why: string;
}

/**
 * Funding or interest that no report told of: complete looks at the account show what was taken, and public rates, or wallet and
 * margin together, that it was a charge.
 */
export interface ChargeFound extends EventTimes {
  readonly kind: 'chargeFound';
  readonly charged: Charge['kind'];
  readonly account: MarginAccountKey;
  /** Each in the currency of the margin; below 0 it was received. Times are the venue's. */
  readonly shares: readonly Pick<Charge, 'instrument' | 'amount' | 'time'>[];
  /** End of the charges that are booked: later reports of it change nothing. */
  readonly until: Micros;
  readonly why: string;
}

/** We refused an intent, at the controls or (with the command already pending) at the gate. No byte left. */
export interface OrderDenied extends EventTimes {
  readonly kind: 'orderDenied';
  readonly strategy: string;
  readonly action: Exclude<Intent['action'], 'changeMargin'>;
  /** The id the intent named: the new one for place and replace. Empty for cancelAll. */
  readonly clientOrderId: ClientOrderId;
  /** For a replacement: the order that stays as it is. */
  readonly originalClientOrderId: ClientOrderId | undefined;
  readonly denial: Denial;
}

/** Sent, and no answer: the order may live. Its worst case counts until evidence ends this. */
export interface OrderUnknown extends EventTimes {
  readonly kind: 'orderUnknown';
  readonly clientOrderId: ClientOrderId;
  readonly why: string;
}

/** Two complete agreeing reads, the second late enough: the order never came to be. Its id stays a tombstone. */
export interface OrderProvenAbsent extends EventTimes {
  readonly kind: 'orderProvenAbsent';
  readonly clientOrderId: ClientOrderId;
}

/**
 * The venue lists an order as active that was reported ended, in two lists in a row, or one under our prefix that we do not
 * know: it lives. An order of ours is cancelled.
 */
export interface OrderFoundAlive extends EventTimes {
  readonly kind: 'orderFoundAlive';
  readonly clientOrderId: ClientOrderId;
  /** As the venue lists it. */
  readonly state: VenueOrderState;
  /** State that the order had been taken for; `undefined` when it was not known. */
  readonly believed: OrderState | undefined;
}

/**
 * A live order that none of ours placed is given to a strategy by a row of `orders.others`, or taken from it again since that row is
 * gone. What it executes from now on is booked to its strategy.
 */
export interface OrderAssigned extends EventTimes {
  readonly kind: 'orderAssigned';
  readonly clientOrderId: ClientOrderId;
  /** `external` where it is taken from the strategy that had it. */
  readonly strategy: string;
  readonly why: string;
}

// Comparison of our books with the venue.

export type ComparisonEvent = DifferenceFound | DifferenceEnded | ExecutionCorrected | MoneyMoved;

/** A difference between our books and a complete read: a new one, or the state of a known one after one more read. */
export interface DifferenceFound extends EventTimes {
  readonly kind: 'differenceFound';
  readonly difference: Difference;
}

/** A difference is no more, or a rule has acted on it. */
export interface DifferenceEnded extends EventTimes {
  readonly kind: 'differenceEnded';
  readonly key: string;
  readonly why: string;
}

/** An execution that was booked never was, or was of other terms: the ledger takes a correction. */
export interface ExecutionCorrected extends EventTimes {
  readonly kind: 'executionCorrected';
  readonly correction: Correction;
}

/** Money of a wallet moved without a trade or a charge: the ledger takes a transfer or an unexplained entry. */
export interface MoneyMoved extends EventTimes {
  readonly kind: 'moneyMoved';
  readonly moved: MovedMoney;
}

// Control.

export type ControlEvent =
  | IntentDeclared
  | StrategyTimer
  | StrategyStopped
  | StrategyStarted
  | StrategyNoted
  | ModeChanged
  | OperatorActed
  | ProfitMarked
  | ProfitCourseMarked
  | LossLimitReached
  | LossLimitCleared
  | RunStarted
  | StateCarried;

/** A strategy wants something. */
export interface IntentDeclared extends EventTimes {
  readonly kind: 'intent';
  readonly intent: Intent;
}

/** A timer that a strategy set is due. */
export interface StrategyTimer extends EventTimes {
  readonly kind: 'strategyTimer';
  readonly strategy: string;
  readonly timerId: number;
}

/** A strategy threw, hung or was unloaded; from here on none of its intents is accepted. */
export interface StrategyStopped extends EventTimes {
  readonly kind: 'strategyStopped';
  readonly strategy: string;
  readonly why: string;
}

/** A strategy that was stopped begins anew, in the same run. */
export interface StrategyStarted extends EventTimes {
  readonly kind: 'strategyStarted';
  readonly strategy: string;
}

/** A line a strategy wrote to its log. */
export interface StrategyNoted extends EventTimes {
  readonly kind: 'strategyNoted';
  readonly strategy: string;
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly text: string;
}

export interface ModeChanged extends EventTimes, EvidenceMarks {
  readonly kind: 'modeChanged';
  readonly mode: TradingMode;
  readonly why: string;
  /** A latched mode stays until an operator clears it. */
  readonly latched: boolean;
  /** Own orders that only reduce stay at the venue while the halt lasts. */
  readonly keepsExits?: boolean | undefined;
}

/** An operator asked for something. What it leads to are events of their own. */
export interface OperatorActed extends EventTimes {
  readonly kind: 'operatorActed';
  readonly act: OperatorAct;
  /** Operator who asked, as the interface names him. */
  readonly who: string;
  /** The reason given; may be empty. */
  readonly why: string;
}

/** From where losses of a scope count from now on: a day began, or the profit is higher than ever. */
export interface ProfitMarked extends EventTimes {
  readonly kind: 'profitMarked';
  readonly mark: ProfitMark;
}

/** The profit of the run is higher than ever, or further below its peak than ever, in a quote currency. */
export interface ProfitCourseMarked extends EventTimes {
  readonly kind: 'profitCourseMarked';
  readonly course: ProfitCourse;
}

/** A limit on loss was reached. */
export interface LossLimitReached extends EventTimes {
  readonly kind: 'lossLimitReached';
  readonly latch: LossLatch;
}

/** A limit on loss no longer holds: its time is over, or an operator cleared it. Losses count anew. */
export interface LossLimitCleared extends EventTimes, LossScope {
  readonly kind: 'lossLimitCleared';
  readonly limit: LossKind;
  readonly why: string;
  /** Where the profit stands; `undefined` when it cannot be valued yet. */
  readonly profit: Amount | undefined;
  /** It was reached by an execution that was corrected: trades are counted as if that had never been, and not anew. */
  readonly recounted?: true | undefined;
}

/** The first event of every run. */
export interface RunStarted extends EventTimes {
  readonly kind: 'runStarted';
  /** Base 36 of the start second; part of every client order id of the run. */
  readonly run: string;
  readonly mode: 'backtest' | 'sim' | 'paper' | 'live';
}

/**
 * Result of all events before this one. A state that knows nothing takes it over, any other knows it already:
 * so a restart and a strategy's replica need only the last of these and what came after it.
 */
export interface StateCarried extends EventTimes {
  readonly kind: 'stateCarried';
  readonly state: CarriedState;
}

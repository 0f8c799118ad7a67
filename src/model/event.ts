import type { Micros } from '../base/clock.ts';
import type {
  CancelOrderCommand,
  Lane,
  NewOrderCommand,
  ReadCommand,
  ReadTarget,
  ReplaceOrderCommand,
} from './command.ts';
import type { Denial } from './denial.ts';
import type { InstrumentId, InstrumentStatus } from './instrument.ts';
import type { Intent } from './intent.ts';
import type { Balance, Candle, MarketTrade, Ticker } from './market.ts';
import type { ClientOrderId, Fill, VenueOrder } from './order.ts';

/**
 * Everything that can happen. State is a fold over these, and nothing else writes it.
 *
 * Every event carries `exchangeTime` (when the venue says it happened; our own events repeat `receiveTime`) and
 * `receiveTime` (when it reached us). Both are wall time.
 */
export type Event = MarketEvent | AccountEvent | SessionEvent | VerdictEvent | ControlEvent;

interface Times {
  readonly exchangeTime: Micros;
  readonly receiveTime: Micros;
}

// Market facts.

export type MarketEvent =
  | BookSnapshot
  | BookUpdate
  | BookStale
  | TradesPrinted
  | TickerChanged
  | CandlesChanged;

/**
 * Levels in flat triples from `start` to `end` in `levels`: side (0 bid, 1 ask), price in ticks, total size in
 * lots (0 deletes). The array may be shared by many events; nobody writes it after publication.
 */
interface BookLevels extends Times {
  readonly instrument: InstrumentId;
  readonly sequence: number;
  readonly levels: Float64Array;
  readonly start: number;
  readonly end: number;
}

/** The whole book. */
export interface BookSnapshot extends BookLevels {
  readonly kind: 'bookSnapshot';
}

/** Changed levels; the sequencer has proved that it follows the last one. */
export interface BookUpdate extends BookLevels {
  readonly kind: 'bookUpdate';
}

export type StaleReason = 'gap' | 'disconnected' | 'silent' | 'malformed' | 'refused';

/** The book of an instrument may not be traded on until the next snapshot. */
export interface BookStale extends Times {
  readonly kind: 'bookStale';
  readonly instrument: InstrumentId;
  readonly reason: StaleReason;
  /** For a gap: the sequence that was due and the one that came; otherwise 0. */
  readonly expected: number;
  readonly found: number;
}

/** Public trades, oldest first. `snapshot` marks history sent on subscription. */
export interface TradesPrinted extends Times {
  readonly kind: 'trades';
  readonly instrument: InstrumentId;
  readonly snapshot: boolean;
  readonly trades: readonly MarketTrade[];
}

export interface TickerChanged extends Times {
  readonly kind: 'ticker';
  readonly instrument: InstrumentId;
  readonly ticker: Ticker;
}

export interface CandlesChanged extends Times {
  readonly kind: 'candles';
  readonly instrument: InstrumentId;
  readonly snapshot: boolean;
  readonly candles: readonly Candle[];
}

// Account facts.

export type AccountEvent =
  | OrderReport
  | OrderRejected
  | CancelRejected
  | BalancesChanged
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

/** The venue tells of one of our orders. `fill` is there when `reportType` is `trade`. */
export interface OrderReport extends Times {
  readonly kind: 'orderReport';
  readonly reportType: ReportType;
  readonly order: VenueOrder;
  readonly fill: Fill | undefined;
}

/** The venue refused a new order or a replacement: it does not exist. Only sent when the refusal is certain. */
export interface OrderRejected extends Times {
  readonly kind: 'orderRejected';
  readonly clientOrderId: ClientOrderId;
  /** For a refused replacement: the order that was to be replaced. */
  readonly originalClientOrderId: ClientOrderId | undefined;
  /** The venue's error code, such as 20001. */
  readonly code: number;
  readonly why: string;
}

/** The venue refused a cancel. It proves nothing about the order (faults, section 1.3). */
export interface CancelRejected extends Times {
  readonly kind: 'cancelRejected';
  readonly clientOrderId: ClientOrderId;
  readonly code: number;
  readonly why: string;
}

/** Balances as the venue tells them. A complete list replaces what was known. */
export interface BalancesChanged extends Times {
  readonly kind: 'balances';
  readonly complete: boolean;
  readonly balances: readonly Balance[];
}

/** The answer to a read. `orders` and `fills` are complete for what was asked. */
export interface ReadAnswered extends Times {
  readonly kind: 'readAnswered';
  readonly commandId: number;
  readonly what: ReadTarget;
  /** When the read left, by wall time: an answer tells nothing of what happened after this. */
  readonly askedAt: Micros;
  readonly orders: readonly VenueOrder[];
  readonly fills: readonly OwnTrade[];
  readonly balances: readonly Balance[];
}

/** A row of the own trade history. */
export interface OwnTrade extends Fill {
  readonly instrument: InstrumentId;
  readonly clientOrderId: ClientOrderId;
  readonly venueOrderId: string;
  readonly side: 'buy' | 'sell';
}

/**
 * How a command ended on the wire. `acknowledged`: the venue answered yes. `refused`: it answered no.
 * `limited`: it answered 429 and did nothing. `unanswered`: silence, a reset, a 5xx or an unreadable reply;
 * an order is then unknown.
 */
export interface CommandSettled extends Times {
  readonly kind: 'commandSettled';
  readonly commandId: number;
  readonly lane: Lane;
  readonly outcome: 'acknowledged' | 'refused' | 'limited' | 'unanswered';
  /** For orders and cancels, which one. */
  readonly clientOrderId: ClientOrderId | undefined;
}

// Session facts.

export type SessionEvent = SessionUp | SessionDown | InstrumentChanged;

/** Which connection: market data, or orders and reports. */
export type SessionName = 'market' | 'trading';

export interface SessionUp extends Times {
  readonly kind: 'sessionUp';
  readonly session: SessionName;
}

export interface SessionDown extends Times {
  readonly kind: 'sessionDown';
  readonly session: SessionName;
  readonly why: string;
}

export interface InstrumentChanged extends Times {
  readonly kind: 'instrumentChanged';
  readonly instrument: InstrumentId;
  readonly status: InstrumentStatus;
}

// Our own verdicts on intents, and what the order manager wants to know.

export type VerdictEvent =
  | OrderPending
  | CancelPending
  | ReplacePending
  | ReadPending
  | OrderDenied
  | OrderUnknown
  | OrderProvenAbsent;

/** Our controls accepted an order: it counts in every limit from here on. */
export interface OrderPending extends Times {
  readonly kind: 'orderPending';
  readonly command: NewOrderCommand;
}

export interface CancelPending extends Times {
  readonly kind: 'cancelPending';
  readonly command: CancelOrderCommand;
}

export interface ReplacePending extends Times {
  readonly kind: 'replacePending';
  readonly command: ReplaceOrderCommand;
}

export interface ReadPending extends Times {
  readonly kind: 'readPending';
  readonly command: ReadCommand;
}

/** We refused an intent, at the controls or (with the command already pending) at the gate. No byte left. */
export interface OrderDenied extends Times {
  readonly kind: 'orderDenied';
  readonly strategy: string;
  readonly action: Intent['action'];
  /** The id the intent named: the new one for place and replace. Empty for cancelAll. */
  readonly clientOrderId: ClientOrderId;
  /** For a replacement: the order that stays as it is. */
  readonly originalClientOrderId: ClientOrderId | undefined;
  readonly denial: Denial;
}

/** Sent, and no answer: the order may live. Its worst case counts until evidence ends this. */
export interface OrderUnknown extends Times {
  readonly kind: 'orderUnknown';
  readonly clientOrderId: ClientOrderId;
  readonly why: string;
}

/** Two complete agreeing reads, the second late enough: the order never came to be. Its id stays a tombstone. */
export interface OrderProvenAbsent extends Times {
  readonly kind: 'orderProvenAbsent';
  readonly clientOrderId: ClientOrderId;
}

// Control.

export type ControlEvent =
  | IntentDeclared
  | StrategyTimer
  | StrategyStopped
  | StrategyNoted
  | ModeChanged
  | RunStarted;

/** A strategy wants something. */
export interface IntentDeclared extends Times {
  readonly kind: 'intent';
  readonly intent: Intent;
}

/** A timer that a strategy set is due. */
export interface StrategyTimer extends Times {
  readonly kind: 'strategyTimer';
  readonly strategy: string;
  readonly timerId: number;
}

/** A strategy threw, hung or was unloaded; from here on none of its intents is accepted. */
export interface StrategyStopped extends Times {
  readonly kind: 'strategyStopped';
  readonly strategy: string;
  readonly why: string;
}

/** A line a strategy wrote to its log. */
export interface StrategyNoted extends Times {
  readonly kind: 'strategyNoted';
  readonly strategy: string;
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly text: string;
}

/** `active`: all commands. `reducing`: cancels, reads and orders that shrink a position. `halted`: cancels and reads. */
export type TradingMode = 'active' | 'reducing' | 'halted';

export interface ModeChanged extends Times {
  readonly kind: 'modeChanged';
  readonly mode: TradingMode;
  readonly why: string;
  /** A latched mode stays until an operator clears it. */
  readonly latched: boolean;
}

/** The first event of every run. */
export interface RunStarted extends Times {
  readonly kind: 'runStarted';
  /** Base 36 of the start second; part of every client order id of the run. */
  readonly run: string;
  readonly mode: 'backtest' | 'sim' | 'paper' | 'live';
}

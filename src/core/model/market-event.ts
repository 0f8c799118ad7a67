import type { Amount } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import type { EventTimes } from './event-times.ts';
import type { InstrumentId } from './instrument.ts';
import type { Candle, MarketTrade, StaleReason, Ticker } from './market.ts';

export type MarketEvent =
  | BookSnapshot
  | BookUpdate
  | BookStale
  | TradesPrinted
  | TickerChanged
  | CandlesChanged
  | ContractInfo;

/**
 * Event of the market: every market event but the one that takes a book out of use, which is our own finding, and what a contract
 * shows of itself, which comes every few seconds and is kept whole.
 */
export type MarketData = Exclude<MarketEvent, BookStale | ContractInfo>;

/**
 * Levels in flat triples from `start` to `end` in `levels`: side (0 bid, 1 ask), price in ticks, total size in
 * lots (0 deletes). The array may be shared by many events; it is not written after publication.
 */
export interface FlatLevels extends EventTimes {
  readonly instrument: InstrumentId;
  readonly sequence: number;
  readonly levels: Float64Array;
  readonly start: number;
  readonly end: number;
  /** The single orders behind it, where the recording has them: see `orderActions`. All of this event, and no other's. */
  readonly orders?: Float64Array;
}

/** The whole book. */
export interface BookSnapshot extends FlatLevels {
  readonly kind: 'bookSnapshot';
}

/** Changed levels; the sequencer has proved that it follows the last one. */
export interface BookUpdate extends FlatLevels {
  readonly kind: 'bookUpdate';
}

/** The book of an instrument may not be traded on until the next snapshot. */
export interface BookStale extends EventTimes {
  readonly kind: 'bookStale';
  readonly instrument: InstrumentId;
  readonly reason: StaleReason;
  /** For a gap: the sequence that was due and the one that came; otherwise 0. */
  readonly expected: number;
  readonly found: number;
}

/** Public trades, oldest first. `snapshot` marks history sent on subscription. */
export interface TradesPrinted extends EventTimes {
  readonly kind: 'trades';
  readonly instrument: InstrumentId;
  readonly snapshot: boolean;
  readonly trades: readonly MarketTrade[];
  /** Executions of orders that no book shows, where the recording has them: see `orderActions`. */
  readonly orders?: Float64Array;
}

export interface TickerChanged extends EventTimes {
  readonly kind: 'ticker';
  readonly instrument: InstrumentId;
  readonly ticker: Ticker;
}

export interface CandlesChanged extends EventTimes {
  readonly kind: 'candles';
  readonly instrument: InstrumentId;
  readonly snapshot: boolean;
  readonly candles: readonly Candle[];
  /** Set on candles that a run has built from trades, told to a replica that begins within it: the running one of a kind is the last. */
  readonly built?: true | undefined;
}

/** Figures that a contract shows of itself. Source: v3-gaps, sections 1.3 and 4.5 (futures/info). */
export interface ContractInfo extends EventTimes {
  readonly kind: 'contractInfo';
  readonly instrument: InstrumentId;
  readonly markPrice: Amount;
  readonly indexPrice: Amount;
  /**
   * Rate that the next settlement will take as things stand: a fraction of the notional value, which longs pay and shorts get. This and
   * the next three are `undefined` where the venue says nothing of them, as of contracts that expire.
   */
  readonly fundingRate: Amount | undefined;
  /** When it is taken. */
  readonly nextFundingAt: Micros | undefined;
  /** The rate that was settled last. */
  readonly lastFundingRate: Amount | undefined;
  /** In units of the underlying. */
  readonly openInterest: Amount | undefined;
}

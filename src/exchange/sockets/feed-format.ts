import type { Candle, CandlePeriod } from '../../core/model/market.ts';
import type { BookChange, KeptTrade, MarketState } from '../base/index.ts';

/** A current value: `mark` differs when the value differs from the last one sent, `text` is its wire form. */
export interface Current {
  readonly mark: string;
  readonly text: string;
}

/** `snapshot` is sent to a new subscriber, `update` to all, `data` to both. */
export type FrameKind = 'snapshot' | 'update' | 'data';

/** A payload with the symbol (or currency) it is about. */
export interface Keyed {
  readonly key: string;
  readonly text: string;
}

interface Format {
  /** The channel's name in its version; with `target`, what identifies the feed. */
  readonly name: string;
  /** The currency that values are converted to, where a channel has one. */
  readonly target: string | undefined;
  /** Payloads as one whole message. */
  message(kind: FrameKind, payloads: readonly Keyed[]): string;
}

/** The full book: a snapshot, then changes with consecutive sequence numbers. */
interface BookFormat extends Format {
  readonly kind: 'book';
  snapshot(market: MarketState): string;
  update(market: MarketState, change: BookChange): string;
}

/** Public trades, oldest first. */
export interface TradesFormat extends Format {
  readonly kind: 'trades';
  trades(market: MarketState, trades: readonly KeptTrade[]): string;
}

/** Candles of one period, oldest first; the running one is repeated. */
export interface CandlesFormat extends Format {
  readonly kind: 'candles';
  readonly period: CandlePeriod;
  candles(market: MarketState, candles: readonly Candle[]): string;
}

/** Whole values, sent on change at a cadence. */
export interface DataFormat extends Format {
  readonly kind: 'data';
  /** 0: at the cadence of the full book. */
  readonly everyMs: number;
  /** Whether one message carries several symbols. */
  readonly batch: boolean;
  /** The value of `key` now, or undefined when there is none (yet). */
  current(key: string): Current | undefined;
}

/** How one channel of one version of the API puts market state into messages. */
export type FeedFormat = BookFormat | TradesFormat | CandlesFormat | DataFormat;

/** Identifies the feed of a format: subscribers of the same feed share frames. */
export function feedKey(format: FeedFormat): string {
  return format.target === undefined ? format.name : `${format.name} ${format.target}`;
}

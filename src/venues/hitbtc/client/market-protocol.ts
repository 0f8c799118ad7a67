import type { Scope } from '../budgets/api.ts';
import type { Channel } from '../../../core/model/frame.ts';
import type { InstrumentId } from '../../../core/model/instrument.ts';
import type { CandlePeriod } from '../../../core/model/market.ts';

/** What is wanted of one instrument. */
export interface FeedWish {
  readonly instrument: InstrumentId;
  readonly book: boolean;
  readonly trades: boolean;
  readonly ticker: boolean;
  readonly candles: readonly CandlePeriod[];
}

/** One kind of stream. */
export type Feed =
  | { readonly kind: 'book' }
  | { readonly kind: 'trades' }
  | { readonly kind: 'ticker' }
  | { readonly kind: 'candles'; readonly period: CandlePeriod };

/** How a version of the API spells subscriptions on its public socket. */
export interface MarketProtocol {
  readonly channel: Channel;
  /** Below `ws_url`. */
  readonly path: string;
  /** The limit its messages count against. */
  readonly scope: Scope;
  /** Symbols one message may name. */
  readonly symbolsMax: number;
  /** `history`: how many past trades or candles to ask for. */
  subscribe(id: string, feed: Feed, symbols: readonly string[], history: number): string;
  unsubscribe(id: string, feed: Feed, symbols: readonly string[]): string;
}

import type { Amount } from '../base/amount.ts';
import type { Denial } from '../model/denial.ts';
import type { ContractInfo, SessionName, StaleReason, TradingMode } from '../model/event.ts';
import type { Instrument, InstrumentStatus } from '../model/instrument.ts';
import type { LossKind } from '../model/loss.ts';
import type {
  Charge,
  MarginAccountView,
  MarginChange,
  MarginMode,
  MarginReason,
  PositionView,
} from '../model/margin.ts';
import type { Balance, BookView, Candle, MarketTrade, Ticker } from '../model/market.ts';
import type { Fill, Order } from '../model/order.ts';
import type { MarginProductName } from '../model/product.ts';
import type { Position } from '../ledger/index.ts';
import type { SeriesRow } from '../model/event.ts';

/** Something the strategy should know before it trusts what it sees. */
export type Outage =
  /** A declared book may not be traded on until the next `onBook`. */
  | { readonly of: 'book'; readonly symbol: string; readonly reason: StaleReason }
  /** A declared series has had no row for too long, or its file cannot be read; the next `onSeries` ends it. */
  | { readonly of: 'series'; readonly series: string; readonly why: string }
  | { readonly of: 'session'; readonly session: SessionName; readonly up: boolean; readonly why: string }
  | { readonly of: 'instrument'; readonly symbol: string; readonly status: InstrumentStatus }
  | { readonly of: 'mode'; readonly mode: TradingMode; readonly why: string }
  /** An operator paused the strategy, or lets it go on. */
  | { readonly of: 'pause'; readonly paused: boolean; readonly why: string }
  /** A limit on the loss of this strategy or of the account was reached; `over`: it holds no longer. */
  | {
      readonly of: 'loss';
      readonly limit: LossKind;
      readonly currency: string;
      readonly over: boolean;
      readonly why: string;
    };

/** Funding or interest taken of the strategy's own position. */
export interface FundingCharge {
  readonly symbol: string;
  readonly account: MarginMode;
  /** In the currency of the margin; below 0 it was paid to the strategy. */
  readonly amount: Amount;
  readonly kind: Charge['kind'];
}

/** Why a change of margin was refused: a code of ours, or the number of the venue's error. */
export interface MarginRefusal {
  readonly code: string;
  readonly why: string;
}

/** The names of all handlers. */
export const handlerNames: ReadonlySet<string> = new Set<keyof StrategyHandlers>([
  'onStart',
  'onStop',
  'onTicker',
  'onContract',
  'onSeries',
  'onBook',
  'onTrade',
  'onCandle',
  'onOrder',
  'onFill',
  'onBalance',
  'onPosition',
  'onMargin',
  'onMarginRefused',
  'onMarginCall',
  'onFunding',
  'onLiquidation',
  'onTimer',
  'onOutage',
]);

/**
 * Handlers of a strategy. All are optional and synchronous: a handler that returns a promise stops the
 * strategy, and so does one that throws. A book is a view, valid until the handler returns; all else is a copy or
 * cannot be written to.
 */
export interface StrategyHandlers {
  onStart?(): void;
  /** The last call. Intents made here still count; afterwards none is accepted. */
  onStop?(): void;
  onTicker?(ticker: Ticker): void;
  /** A declared contract shows its mark and index price and its funding rate. */
  onContract?(info: ContractInfo): void;
  /** A row of a declared series became known. Rows of before the start are not repeated here: `market.series` has the last of them. */
  onSeries?(row: SeriesRow): void;
  /** A declared book changed. */
  onBook?(book: BookView): void;
  /** A declared public trade happened. History sent on subscription is not repeated here: see `market.trades`. */
  onTrade?(trade: MarketTrade, instrument: Instrument): void;
  /** A declared candle closed: the first fact of a later candle proves it. A bar by trades, volume, value or range closes with a trade. */
  onCandle?(candle: Candle): void;
  /**
   * One of the strategy's own orders changed, or one of its intents was refused by us (`denial`).
   * For a refused cancel `order` is the order as it stands; a refused order or replacement has an id of its own and is
   * `denied`. What it should have replaced stands as it was, but for one case: a venue that replaces no orders cancels that one
   * first, so a replacement which is denied afterwards leaves it under cancel or `canceled`.
   */
  onOrder?(order: Order, denial: Denial | undefined): void;
  /** One of the strategy's own orders was executed. Each trade comes once, before `onOrder` and `onPosition`. */
  onFill?(fill: Fill, order: Order): void;
  /** A balance of the account changed, of spot or of the wallet of contracts. */
  onBalance?(balance: Balance, wallet: 'spot' | 'futures'): void;
  /** An execution changed the strategy's own position, on spot or in a margin account. */
  onPosition?(position: Position): void;
  /** The venue reported a margin account of a product that the strategy declares, whoever changed it. */
  onMargin?(account: MarginAccountView, reason: MarginReason, product: MarginProductName): void;
  /** A change of margin that the strategy asked for was refused, by us or by the venue: the account stands as it was. */
  onMarginRefused?(change: MarginChange, refusal: MarginRefusal): void;
  /** The equity of an account fell to where the venue calls for margin. */
  onMarginCall?(account: MarginAccountView, product: MarginProductName): void;
  /** Funding or interest was taken for what the strategy holds. */
  onFunding?(charge: FundingCharge): void;
  /** The venue closed a position for want of margin: as it was before. What the strategy lost comes by `onFill`. */
  onLiquidation?(position: PositionView): void;
  /** A timer of the strategy is due; `name` is what it was set with. */
  onTimer?(name: string): void;
  onOutage?(outage: Outage): void;
}

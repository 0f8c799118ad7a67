import type { Amount } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import type { InstrumentId, Lots, Ticks } from './instrument.ts';
import type { Side } from './order.ts';

/** One public trade. `side` is the taker's. Source: API v3, "Public trade". */
export interface MarketTrade {
  readonly tradeId: string;
  readonly price: Ticks;
  readonly quantity: Lots;
  readonly side: Side;
  readonly time: Micros;
}

/**
 * One ticker. Best prices are on the grid; the 24-hour values are exact amounts, because they may keep the scale
 * of a former tick size (v3-gaps, section 11). Source: API v3, "Ticker"; v3-gaps, section 1.3.
 */
export interface Ticker {
  readonly instrument: InstrumentId;
  readonly time: Micros;
  readonly bid: Ticks | undefined;
  readonly bidQuantity: Lots | undefined;
  readonly ask: Ticks | undefined;
  readonly askQuantity: Lots | undefined;
  readonly last: Amount | undefined;
  readonly open: Amount | undefined;
  readonly high: Amount | undefined;
  readonly low: Amount | undefined;
  /** 24-hour volume in base currency. */
  readonly volume: Amount | undefined;
  /** 24-hour volume in quote currency. */
  readonly volumeQuote: Amount | undefined;
}

/** Candle periods of the documents. Source: API v3, "price/history". */
export const candlePeriods = ['M1', 'M3', 'M5', 'M15', 'M30', 'H1', 'H4', 'D1', 'D7', '1M'] as const;
export type CandlePeriod = (typeof candlePeriods)[number];

/**
 * Bars of one's own: time of any length (`45m`), N trades (`tick:100`), N units of base currency (`volume:2.5`) or of quote currency
 * (`value:100000`), N ticks of price (`range:20`).
 */
export type OwnBar =
  | `${number}${'s' | 'm' | 'h' | 'd' | 'w'}`
  | `${'tick' | 'volume' | 'value' | 'range'}:${number}`;

/** Kind and size of bars: a candle period of the venue, or bars of one's own. See docs/bars.md. */
export type BarSpec = CandlePeriod | OwnBar;

/** One candle. A running candle is sent again with its current totals under the same `time`. */
export interface Candle {
  readonly instrument: InstrumentId;
  readonly period: BarSpec;
  /** Start of the period; of bars by trades, volume, value or range the time of the first trade, each later than the one before. */
  readonly time: Micros;
  readonly open: Amount;
  readonly close: Amount;
  readonly min: Amount;
  readonly max: Amount;
  readonly volume: Amount;
  readonly volumeQuote: Amount;
  /**
   * Set on a candle that a run on bars has made: no price of its time is known. `begun`: the next one, which stands at the
   * last close and gives way when the data have none for its time. `missing`: one that the data lack and the scenario
   * asked for (`missing: flat`).
   */
  readonly unpriced?: 'begun' | 'missing' | undefined;
  /** Time of the last trade, on a closed bar by trades, volume, value or range; such a bar has no other end. */
  readonly end?: Micros | undefined;
  /** Number of its trades, where it is made of trades. */
  readonly trades?: number | undefined;
  /** Set where the data begin or end within it, or trades of it are lost. */
  readonly incomplete?: true | undefined;
}

/**
 * Question for candles of a venue's history, which come the oldest first, the one under way last. It resolves with none where the venue
 * refuses to tell them, and with `undefined` where it did not answer. It never rejects.
 */
export type AskCandles = (
  instrument: InstrumentId,
  period: CandlePeriod,
  count: number,
) => Promise<readonly Candle[] | undefined>;

/**
 * Amount of a currency that new orders of an account with leverage may take: equity times leverage, less what positions and orders
 * use. Of the base currency: what may still be sold, held or not.
 */
export type BuyingPower = Amount | 'unlimited';

/** Balance of one currency on the trading account. Source: API v3, "Balances". */
export interface Balance {
  readonly currency: string;
  readonly available: Amount;
  readonly reserved: Amount;
  /** There when new orders may take something else than what is available. */
  readonly buyingPower?: BuyingPower;
}

/** One price level. */
export interface Level {
  readonly price: Ticks;
  readonly quantity: Lots;
}

/**
 * Trust that a book deserves. `empty`: no snapshot yet. `live`: sequence unbroken. `stale`: a gap, an
 * outage or silence; levels are the last known and must not be traded on.
 */
export type BookStatus = 'empty' | 'live' | 'stale';

/**
 * Cause that takes a book out of use. `crossed`: its sides met for longer than a moment, so that something of it was lost; `differs`: reads of
 * it show other levels.
 */
export type StaleReason =
  | 'gap'
  | 'disconnected'
  | 'silent'
  | 'malformed'
  | 'refused'
  | 'late'
  | 'crossed'
  | 'differs';

/** Why a book may not be traded on: what took it out of use, that its sides meet, or that none has come yet. */
export type UnfitBook = StaleReason | 'empty';

/** The read-only face of an order book. Getters are cheap; `levels` allocates. Valid until the next event. */
export interface BookView {
  readonly instrument: InstrumentId;
  readonly status: BookStatus;
  /** Best bid not below best ask: a state consumers must see, and the gate refuses. */
  readonly crossed: boolean;
  /** Why it may not be traded on; `undefined` while it is live and its sides stand apart. */
  readonly unfit: UnfitBook | undefined;
  /** Since when, by wall time; 0 while none has come. */
  readonly unfitSince: Micros;
  readonly sequence: number;
  readonly exchangeTime: Micros;
  readonly receiveTime: Micros;
  readonly bestBid: Ticks | undefined;
  readonly bestBidQuantity: Lots;
  readonly bestAsk: Ticks | undefined;
  readonly bestAskQuantity: Lots;
  /** How many levels stand on a side. */
  depth(side: Side): number;
  /** The total quantity at a price, 0 when there is none. */
  quantityAt(side: Side, price: Ticks): Lots;
  /** The best `count` levels of a side, best first. */
  levels(side: Side, count: number): readonly Level[];
}

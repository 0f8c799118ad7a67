import type { Observable } from 'rxjs';
import type { z } from 'zod';
import type { Amount } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import type { MarginReported } from '../bus/index.ts';
import type { ContractInfo } from '../model/event.ts';
import type { Instrument, InstrumentId } from '../model/instrument.ts';
import type {
  MarginAccountView,
  MarginMode,
  OpenMarginAccount,
  PositionAccount,
  PositionView,
} from '../model/margin.ts';
import type { Balance, BarSpec, BookView, Candle, MarketTrade, Ticker } from '../model/market.ts';
import type { ContingencyType } from '../model/order-list.ts';
import type { ClientOrderId, Order, OrderType, Side, TimeInForce } from '../model/order.ts';
import type { MarginProductName } from '../model/product.ts';
import type { Position } from '../ledger/index.ts';
import type { SeriesRow } from '../model/event.ts';
import type { Duration } from './duration.ts';
import type { SeriesRequest, SeriesRowOf } from './series-request.ts';

/** Everything a strategy sees. It never sees a promise, a socket, a key or a wire name. */
export interface StrategyContext<Params, Kept = never> {
  readonly name: string;
  /** The validated parameters, frozen. */
  readonly params: Params;
  /**
   * The converter between decimal text and ticks and lots, by symbol, or by what books, candles, tickers, orders and
   * positions have as `instrument`: `instrument(book.instrument).symbol`. Throws `BadInput` for an unknown symbol.
   */
  readonly instrument: (which: string | InstrumentId) => Instrument;
  readonly market: Market;
  readonly orders: Orders;
  readonly balances: Balances;
  readonly margin: Margin;
  /** Position of this strategy, from its own fills: bought on spot, or by a margin account of that mode. */
  readonly position: (symbol: string, account?: PositionAccount) => Position;
  /** Its positions, of any account, after each execution; emitted after `onPosition`. */
  readonly positions$: () => Observable<Position>;
  readonly clock: {
    /** When the event being handled came, by the venue's clock as far as it was measured. */ now(): Micros;
  };
  readonly timers: StrategyTimers;
  /** The strategy's own random numbers, forked from the seed of the run. */
  readonly random: StrategyRandom;
  readonly log: StrategyLog;
  /** Value that survives a restart, when the definition declares `state`. */
  readonly kept: KeptValue<Kept>;
}

/** Market data of declared feeds; asking for one that `feeds` does not declare throws `BadInput`. */
export interface Market {
  book(symbol: string): BookView;
  ticker(symbol: string): Ticker | undefined;
  /** Mark and index price and the coming funding rate of a contract; `undefined` until it was reported. */
  contract(symbol: string): ContractInfo | undefined;
  /**
   * The latest row of a declared series; `undefined` before the first one. Asked for by what was declared, with its columns, the values
   * have their types: `market.series(fearGreed)?.values.value` is a number.
   */
  series(name: string): SeriesRow | undefined;
  series<C extends z.ZodObject>(declared: SeriesRequest<C>): SeriesRowOf<C> | undefined;
  /** The most recent public trades, oldest first. */
  trades(symbol: string): readonly MarketTrade[];
  lastTrade(symbol: string): MarketTrade | undefined;
  /** Oldest first; the last one is still running. */
  candles(symbol: string, period: BarSpec): readonly Candle[];
  /** The same as RxJS Observables, emitted after the handlers of an event. A throw in one stops this strategy only. */
  books$(symbol: string): Observable<BookView>;
  trades$(symbol: string): Observable<MarketTrade>;
  tickers$(symbol: string): Observable<Ticker>;
  /** Closed candles, as `onCandle` gets them. */
  candles$(symbol: string, period: BarSpec): Observable<Candle>;
  /** Rows of a declared series, as `onSeries` gets them. */
  series$(name: string): Observable<SeriesRow>;
  series$<C extends z.ZodObject>(declared: SeriesRequest<C>): Observable<SeriesRowOf<C>>;
}

/** A price: whole ticks, or a plain decimal text that must lie on the grid. */
export type PriceLike = number | string;
/** A quantity: whole lots, or a plain decimal text that must lie on the grid. */
export type QuantityLike = number | string;

/** An exact amount: plain decimal text, or an `Amount`. */
export type AmountLike = string | Amount;

/** Terms of every order. */
export interface OrderTerms {
  readonly symbol: string;
  readonly side: Side;
  readonly price?: PriceLike | undefined;
  readonly timeInForce?: TimeInForce | undefined;
  readonly expireTime?: Micros | undefined;
  /** Fee rates asked for; they can only raise the fee. */
  readonly takeRate?: AmountLike | undefined;
  readonly makeRate?: AmountLike | undefined;
}

/** Terms of every order that names its quantity. */
export interface QuantityTerms extends OrderTerms {
  readonly quantity: QuantityLike;
  /** `limit` when there is a price, else `market`. Stop orders must say which. */
  readonly type?: OrderType | undefined;
  readonly stopPrice?: PriceLike | undefined;
  readonly postOnly?: boolean | undefined;
  readonly closePosition?: undefined;
}

/** An order that is paid from the balance. */
export interface SpotOrderRequest extends QuantityTerms {
  readonly product?: 'spot' | undefined;
  readonly marginMode?: undefined;
  readonly reduceOnly?: undefined;
  readonly marginAuto?: undefined;
}

/** An order that a margin account pays: `futures` for a contract, `margin` for any other symbol. */
export interface MarginOrderRequest<
  Name extends MarginProductName = MarginProductName,
> extends QuantityTerms {
  readonly product: Name;
  /** The account of the symbol (`isolated`, when left out) or that of its quote currency (`cross`). */
  readonly marginMode?: MarginMode | undefined;
  /** A fill never makes the position larger nor flips it. */
  readonly reduceOnly?: boolean | undefined;
  /** The order opens its account and reserves the margin. */
  readonly marginAuto?: boolean | undefined;
}

/** An order that closes the whole position when the market reaches its stop price; it names no quantity. */
export interface ClosePositionRequest extends OrderTerms {
  readonly product: MarginProductName;
  readonly marginMode?: MarginMode | undefined;
  readonly type: 'stopMarket';
  readonly stopPrice: PriceLike;
  readonly closePosition: true;
  readonly price?: undefined;
  readonly quantity?: undefined;
  readonly postOnly?: undefined;
  readonly reduceOnly?: undefined;
  readonly marginAuto?: undefined;
}

export type PlaceRequest = SpotOrderRequest | MarginOrderRequest | ClosePositionRequest;

export type ListedOrders =
  | readonly SpotOrderRequest[]
  | readonly MarginOrderRequest<'margin'>[]
  | readonly MarginOrderRequest<'futures'>[];

/** Orders that are placed as one: all or none. Source: API v3, "POST /api/3/spot/order/list". */
export interface PlaceListRequest {
  /**
   * `oneTriggerOneCancelOther`: the other two wait for the first to fill, then one cancels the other (a bracket).
   * `oneTriggerOther`: the others wait for the first to fill. `oneCancelOther`: the first to execute ends the others.
   * `allOrNone`: all execute at once, or all expire.
   */
  readonly contingency: ContingencyType;
  /** Two or three, of one product; of a `oneTrigger...` list the first is the one the others wait for. */
  readonly orders: ListedOrders;
}

export interface ReplaceRequest {
  /** The new total quantity, executed part included. */
  readonly quantity: QuantityLike;
  readonly price?: PriceLike | undefined;
  readonly stopPrice?: PriceLike | undefined;
}

/**
 * Intents. Each returns at once; the verdict is an event (`onOrder`). A number that is not whole throws
 * `BadInput`, which stops a strategy that does not catch it; everything else is judged by the order controls.
 */
export interface Orders {
  place(request: PlaceRequest): ClientOrderId;
  /** Returns the ids in the order of the request. Each order has its own verdict; one denial denies all. */
  placeList(request: PlaceListRequest): readonly ClientOrderId[];
  /** Asks for a cancel. Asking again before the verdict does nothing. */
  cancel(id: ClientOrderId): void;
  /**
   * Returns the id of the replacement. Both count as open until the answer; then the replacement is `new` and the old order
   * `canceled`, also when the venue could not place the replacement (`rejected`). At a venue that replaces no orders the old one is
   * cancelled, and once it has ended the replacement leaves as a new order of what was not executed; it may still be denied then.
   */
  replace(id: ClientOrderId, request: ReplaceRequest): ClientOrderId;
  /** Cancels all live orders of this strategy, on one symbol or on all. */
  cancelAll(symbol?: string): void;
  /** Own orders that may be live, those just asked for included, oldest first. */
  open(symbol?: string): readonly Order[];
  openCount(symbol?: string): number;
  get(id: ClientOrderId): Order | undefined;
}

/** The balances of spot, which pay margin orders too; those of contracts are a wallet of their own. */
export interface Balances {
  get(currency: string): Balance;
  all(): readonly Balance[];
  futures(currency: string): Balance;
}

/**
 * Margin accounts and their positions as the venue last reported them. They belong to all strategies of the run together; what this
 * one holds is `position(symbol, mode)` of the context. Symbols of contracts are futures, all others are margin trading.
 */
export interface Margin {
  /** The account of a symbol (`isolated`), or of its quote currency (`cross`); `undefined` when it is not open. */
  account(symbol: string, mode?: MarginMode): MarginAccountView | undefined;
  accounts(): readonly OpenMarginAccount[];
  /** Entry, profit, liquidation and margin call price, leverage; `undefined` when there is no position. */
  position(symbol: string, mode?: MarginMode): PositionView | undefined;
  /** Makes the margin of an account this large: opens it, or closes it at 0. */
  set(symbol: string, setting: MarginSetting): void;
  /** Adds to the margin, or takes from it. Changes that are on their way count. */
  add(symbol: string, amount: AmountLike, mode?: MarginMode): void;
  remove(symbol: string, amount: AmountLike, mode?: MarginMode): void;
  /** Sets the leverage of an isolated account of contracts. */
  setLeverage(symbol: string, leverage: number | string): void;
  /**
   * Closes what this strategy holds, by a reduce-only order: a limit order where a price is named, else a market order with
   * time in force `IOC`. Returns the id of the order.
   */
  close(symbol: string, how?: CloseRequest): ClientOrderId;
  /** Every report of a margin account, emitted after `onMargin`. */
  accounts$(): Observable<MarginReported>;
}

export interface MarginSetting {
  readonly balance: AmountLike;
  /** `isolated` when left out. */
  readonly marginMode?: MarginMode | undefined;
}

export interface CloseRequest {
  /** `isolated` when left out. */
  readonly marginMode?: MarginMode | undefined;
  /** A limit. Without it a market order leaves, which is denied unless `orders.marketOrders` is on. */
  readonly price?: PriceLike | undefined;
}

/** A timer that was set; `cancel` may be called at any time. */
export interface StrategyTimerHandle {
  readonly timerId: number;
  cancel(): void;
}

export interface StrategyTimers {
  /** `onTimer(name)` again and again: `every(seconds(5), 'look')`. Throws `BadInput` below 1 ms, and for a plain number. */
  every(interval: Duration, name: string): StrategyTimerHandle;
  /** `onTimer(name)` once: `after(millis(500), 'soon')`. */
  after(delay: Duration, name: string): StrategyTimerHandle;
}

export interface StrategyRandom {
  uint32(): number;
  float(): number;
  between(low: number, high: number): number;
  chance(probability: number): boolean;
  normal(): number;
  exponential(mean: number): number;
}

/** Fields beside a line of the log. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Lines for the journal and the operator. Long texts are cut, floods are dropped and counted. */
export interface StrategyLog {
  debug(text: string, fields?: LogFields): void;
  info(text: string, fields?: LogFields): void;
  warn(text: string, fields?: LogFields): void;
  error(text: string, fields?: LogFields): void;
}

/** One value that survives a restart. */
export interface KeptValue<Value> {
  /** The value written last, perhaps by an earlier run; `undefined` when there is none. */
  read(): Value | undefined;
  write(value: Value): void;
}

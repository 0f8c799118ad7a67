import type { Amount } from '../../core/base/amount.ts';
import type { Micros } from '../../core/base/clock.ts';
import type { BookSnapshot, BookUpdate, TradesPrinted } from '../../core/model/event.ts';
import type { Instrument, InstrumentId, Lots, Ticks } from '../../core/model/instrument.ts';
import type { MarketTrade } from '../../core/model/market.ts';
import type { ClientOrderId, OrderType, Side, TimeInForce } from '../../core/model/order.ts';

/** An order as a fill model sees it. The same object for as long as the order lives; it changes as the order fills. */
export interface ModelOrder {
  readonly clientOrderId: ClientOrderId;
  readonly instrument: InstrumentId;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  /** In ticks; `undefined` takes at any price. */
  readonly price: Ticks | undefined;
  readonly quantity: Lots;
  /** Executed so far. */
  readonly cumulative: Lots;
  readonly remaining: Lots;
  readonly createdAt: Micros;
}

/** One execution that an order would have now. */
export interface PlannedFill {
  readonly price: number;
  readonly lots: number;
}

/** The best prices of a market in ticks; -Infinity and Infinity while a side is empty. */
export interface TopOfBook {
  readonly bestBid: number;
  readonly bestAsk: number;
}

/**
 * A resting order executes, as maker and at its own price. Answers how many lots did: none of an order that another
 * execution of the same event has ended. To be called inside `onMarket` and `onTrade` only.
 */
export type FillResting = (order: ModelOrder, lots: number) => number;

/** Parts that a fill model is made from. */
export interface FillModelSetup {
  readonly instrument: Instrument;
  readonly fill: FillResting;
}

/**
 * When orders of one instrument fill, at which price and in which size. Everything else (admission, funds, lists, stop
 * prices, expiry, reports) is the same for all fill models and not theirs to know.
 *
 * Resting orders fill through the callback instead of a list that is asked for afterwards: a fill can end other orders
 * of the same list, and these must not fill in the same event.
 */
export interface FillModel {
  /** Best prices now: positions are valued at their middle. */
  readonly book: TopOfBook;
  /** The book has changed, or trades were printed, which `onTrade` then receives one by one. */
  onMarket(event: BookUpdate | BookSnapshot | TradesPrinted): void;
  /** A public trade. Between two of them stop orders fire. */
  onTrade(trade: MarketTrade): void;
  /** An order begins to rest with what is left of it, behind all that stands at its price. */
  onNew(order: ModelOrder): void;
  /** An order rests no longer: it is filled, canceled, expired or replaced. */
  onEnd(order: ModelOrder): void;
  /** The executions an order would have if it arrived now, best price first; changes nothing. */
  fills(order: ModelOrder): readonly PlannedFill[];
  /** An order has had these executions. */
  onTaken?(order: ModelOrder, fills: readonly PlannedFill[]): void;
}

export type OpenFillModel = (setup: FillModelSetup) => FillModel;

/** An instrument and its best prices. */
export interface PricedMarket {
  readonly instrument: Instrument;
  readonly book: TopOfBook;
}

/** The middle of the recorded book, exact; `undefined` while a side is empty. */
export function midPrice({ instrument, book }: PricedMarket): Amount | undefined {
  const { bestBid, bestAsk } = book;
  if (!Number.isFinite(bestBid) || !Number.isFinite(bestAsk)) return undefined;
  return instrument.midAmount(bestBid as Ticks, bestAsk as Ticks);
}

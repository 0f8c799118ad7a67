import type { InstrumentId, Lots, Ticks } from './instrument.ts';
import type { MarginChange } from './margin.ts';
import type { ContingencyType } from './order-list.ts';
import type { ClientOrderId, OrderRequest } from './order.ts';

/** Wish of a strategy. An intent is an event like any other: the verdict is always another event. */
export type Intent =
  | PlaceIntent
  | PlaceListIntent
  | CancelIntent
  | ReplaceIntent
  | CancelAllIntent
  | ChangeMarginIntent;

export interface PlaceIntent {
  readonly action: 'place';
  readonly strategy: string;
  readonly request: OrderRequest;
}

/** Orders that depend on each other: all are sent in one message, or none. Each verdict is one order's. */
export interface PlaceListIntent {
  readonly action: 'placeList';
  readonly strategy: string;
  readonly contingency: ContingencyType;
  /** Each names the whole list in `list`. */
  readonly requests: readonly OrderRequest[];
}

export interface CancelIntent {
  readonly action: 'cancel';
  readonly strategy: string;
  readonly clientOrderId: ClientOrderId;
}

export interface ReplaceIntent {
  readonly action: 'replace';
  readonly strategy: string;
  readonly clientOrderId: ClientOrderId;
  readonly newClientOrderId: ClientOrderId;
  /** The new total quantity, executed part included. Source: v3-gaps, section 10 ("Replace"). */
  readonly quantity: Lots;
  readonly price: Ticks | undefined;
  readonly stopPrice: Ticks | undefined;
  /** Id that the program which asked for the replacement gave it. */
  readonly alias?: string | undefined;
}

/** Cancels every live order of the strategy, on one instrument or on all. */
export interface CancelAllIntent {
  readonly action: 'cancelAll';
  readonly strategy: string;
  readonly instrument: InstrumentId | undefined;
}

/** Opens a margin account, changes its margin or its leverage, or closes it. */
export interface ChangeMarginIntent {
  readonly action: 'changeMargin';
  readonly strategy: string;
  readonly change: MarginChange;
}

import type { Amount } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import type { InstrumentId, Ticks } from './instrument.ts';

/** Source: API v3, "Margin order", margin_mode. */
export const marginModes = ['isolated', 'cross'] as const;
export type MarginMode = (typeof marginModes)[number];

/** What a margin order has beyond a spot order. Source: API v3, "Margin order". */
export interface MarginMark {
  readonly mode: MarginMode;
  /** A fill never makes the position larger nor flips it. */
  readonly reduceOnly: boolean;
  /** A stop market order that closes the whole position, or is canceled. */
  readonly closePosition: boolean;
  /** Its account is opened, and the margin reserved, by the order. */
  readonly auto: boolean;
}

/** What a report of a margin order carries beyond that of a spot order. */
export interface MarginReport extends MarginMark {
  /** The position an execution belongs to. */
  readonly positionId: number | undefined;
  /** What an execution realized, fee not counted. */
  readonly pnl: Amount | undefined;
  readonly liquidation: boolean;
}

/** Source: v3-gaps, section 2.4; API v2, "Margin account report"; API v3, "AMR rules". */
export const marginReasons = [
  'status',
  'created',
  'updated',
  'marginChanged',
  'openTrade',
  'closeTrade',
  'flipTrade',
  'closed',
  'reopened',
  'liquidated',
  'interestTaken',
  'amrChanged',
] as const;
export type MarginReason = (typeof marginReasons)[number];
export type MarginReportType = 'status' | 'created' | 'updated' | 'closed';

/** A position as it was at one moment. */
export interface PositionView {
  readonly id: number;
  readonly instrument: InstrumentId;
  readonly mode: MarginMode;
  readonly leverage: Amount;
  /** In base currency (contracts for futures), negative for a short one. */
  readonly quantity: Amount;
  readonly pnl: Amount;
  readonly feeCumulative: Amount;
  /** The average price of what is open. */
  readonly entry: Amount;
  /** Undefined where no price leads there. */
  readonly marginCall: Ticks | undefined;
  readonly liquidation: Ticks | undefined;
  readonly createdAt: Micros;
  readonly updatedAt: Micros;
  readonly auto: boolean;
  readonly amr: boolean;
}

/** A margin account as it was at one moment. Source: API v3, "Margin account". */
export interface MarginAccountView {
  readonly mode: MarginMode;
  /** Undefined for cross margin. */
  readonly instrument: InstrumentId | undefined;
  readonly currency: string;
  readonly leverage: Amount | undefined;
  readonly balance: Amount;
  readonly reservedOrders: Amount;
  readonly reservedPositions: Amount;
  /** Equity at which a margin call is sent, and at which positions are liquidated. */
  readonly callMargin: Amount;
  readonly liquidationMargin: Amount;
  readonly positions: readonly PositionView[];
  readonly called: boolean;
  readonly auto: boolean;
  readonly amr: boolean;
  readonly createdAt: Micros;
  readonly updatedAt: Micros;
}

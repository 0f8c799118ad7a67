import type { Amount } from '../../../core/base/amount.ts';
import type { FundingRules } from '../../funding-rules.ts';

/**
 * In which order the price of a bar visits its extremes. `nearest`: the one nearer to the open first, the low if both
 * are as near. `pessimistic`: towards a resting stop that the bar meets; otherwise, with a position, first where it
 * gains (so that what trails it is raised before the price turns); otherwise away from a resting limit order (so that
 * an entry comes last); otherwise as `nearest`.
 */
export const barPaths = ['nearest', 'highFirst', 'lowFirst', 'pessimistic'] as const;
export type BarPath = (typeof barPaths)[number];

/**
 * When a closed bar is published, and where market orders then fill. `nextOpen`: at its end; they fill at the open of the
 * next one, which nothing that decides has seen. `open`: with the open of the next one, at which they fill. `close`: at its
 * end; they fill at its close.
 */
export const barMarketRules = ['nextOpen', 'open', 'close'] as const;
export type BarMarketRule = (typeof barMarketRules)[number];

/** Cost of an execution, exact: all parts are added. */
export interface BarFees {
  /** Share of the notional; the instrument's own rates (taker, or maker for limit orders that rested) when `undefined`. */
  readonly rate: Amount | undefined;
  /** Per execution. */
  readonly fixed: Amount;
  /** Per lot, the smallest step of a quantity: a contract where one is traded. */
  readonly perLot: Amount;
}

/** Spot: cash and holdings, nothing below zero. Margin: positions either way against locked margin. */
export type BarAccountRules =
  | { readonly kind: 'spot' }
  | {
      readonly kind: 'margin';
      /** Locked per open lot, or `undefined`: `entry notional * rate / leverage`. */
      readonly perLot: Amount | undefined;
      readonly rate: Amount;
      readonly leverage: Amount;
      /** The largest position either way, in lots. */
      readonly lotsMax: number;
      /** Positions are closed when equity is at or below `rate` times the locked margin; never when `undefined`. */
      readonly liquidation: { readonly rate: Amount } | undefined;
      readonly funding: FundingRules | undefined;
    };

/** The whole fill rule of a bar venue. */
export interface BarRules {
  readonly market: BarMarketRule;
  /** Treatment of periods without a bar: left out, or published at their end as flat candles that are marked `missing`. */
  readonly missing: 'leave' | 'flat';
  readonly path: BarPath;
  /** Whether a limit order fills when the price reaches it, or only when it goes beyond. */
  readonly limits: 'reach' | 'through';
  /** Whether the four points of the path are published as tickers. */
  readonly points: boolean;
  /** Whether every published price comes with a quote (a book of one level a side), or only the first. */
  readonly quotes: 'each' | 'first';
  /** Share of the price by which market and stop executions are worse. */
  readonly slippage: Amount;
  /** `entries`: executions that reduce a position do not slip. */
  readonly slippageOn: 'all' | 'entries';
  readonly fees: BarFees;
  readonly account: BarAccountRules;
}

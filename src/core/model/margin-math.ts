import type { Amount } from '../base/amount.ts';
import { add, multiply, parseAmount, subtract, zero } from '../base/amount.ts';
import type { Instrument, Lots, Ticks } from './instrument.ts';

const one = parseAmount('1');
const factorScale = 10n ** 8n;

/** Demands of margin trading on an instrument. Source: v3-gaps, section 8 ("Shapes", config). */
export interface MarginRule {
  /** The greatest leverage a position may be opened with. */
  readonly leverage: Amount;
  /** Factors by which leverage may grow until a margin call is sent, and until the position is liquidated. */
  readonly callMultiplier: Amount;
  readonly liquidationMultiplier: Amount;
  /** Interest that a position pays per period for what it borrows, as a fraction of its volume; none when absent. */
  readonly interestRate?: Amount | undefined;
  /** Cost of a liquidation beyond the fee, as a fraction of its volume; at most the margin that is left. */
  readonly forceCloseRate?: Amount | undefined;
  /** The greatest volume of a position opened at a leverage; unlimited when absent or `undefined`. */
  readonly volumeMax?: ((leverage: Amount) => Amount | undefined) | undefined;
}

/** Leverage of the symbol, with the multipliers seen on live hosts. Source: v3-gaps, section 8 ("Shapes"). */
export function defaultMarginRule({ spec }: Instrument): MarginRule | undefined {
  const isContract = spec.type === 'futures';
  if (!isContract && !spec.marginTrading) return undefined;
  return {
    leverage: parseAmount(spec.maxInitialLeverage ?? '10'),
    callMultiplier: parseAmount(isContract ? '1.2' : '1.5'),
    liquidationMultiplier: parseAmount('2'),
  };
}

/** Terms that margin amounts are computed from. */
export interface MarginTerms {
  readonly leverage: Amount;
  readonly takeRate: Amount;
}

/** Margin that an open order of that volume reserves: V × ((1 + f) / L + 2f). Source: v3-gaps, section 8.1. */
export function orderMargin(volume: Amount, { leverage, takeRate }: MarginTerms): Amount {
  const fee = multiply(volume, takeRate);
  return add(divide(add(volume, fee), leverage), add(fee, fee));
}

/** The least margin of a position opened at that volume: V × ((1 + f) / L + f). */
export function positionMargin(volume: Amount, { leverage, takeRate }: MarginTerms): Amount {
  const fee = multiply(volume, takeRate);
  return add(divide(add(volume, fee), leverage), fee);
}

/** The equity at which leverage has grown by `multiplier`: V × (1 / (L × multiplier) + f). */
export function boundary(volume: Amount, terms: MarginTerms, multiplier: Amount): Amount {
  return add(divide(volume, multiply(terms.leverage, multiplier)), multiply(volume, terms.takeRate));
}

/** Position that a boundary price is computed for. */
export interface Exposure {
  readonly instrument: Instrument;
  /** Signed. */
  readonly quantity: Lots;
  /** Amount paid for it, or received when it is short. */
  readonly cost: Amount;
  /** Margin, with the results of other positions that share it. */
  readonly margin: Amount;
  readonly terms: MarginTerms;
  readonly multiplier: Amount;
}

/**
 * The price at which margin and result together are down to the boundary, cut to the tick; `undefined` when the
 * margin covers the whole loss. What the price is multiplied by is cut to eight decimals: so the published example
 * of a very distant boundary comes out to the tick. Source: v3-gaps, section 8.1.
 */
export function boundaryPrice(exposure: Exposure): Ticks | undefined {
  const { instrument, quantity, cost, margin, terms, multiplier } = exposure;
  const grown = multiply(terms.leverage, multiplier);
  // share = 1 / grown + f, multiplied by `grown` so that nothing is divided early.
  const share = add(one, multiply(terms.takeRate, grown));
  const isLong = quantity > 0;
  const numerator = isLong ? subtract(cost, margin) : add(cost, margin);
  const denominator = isLong ? subtract(grown, share) : add(grown, share);
  if (numerator <= zero || denominator <= zero) return undefined;
  const factor = (grown * factorScale) / denominator;
  const oneTick = instrument.notional(1 as Ticks, Math.abs(quantity) as Lots);
  const ticks = (numerator * factor) / (oneTick * factorScale);
  return ticks > 0n ? (Number(ticks) as Ticks) : undefined;
}

/** The result of a position at a price: what it is worth now less what was paid. */
export function resultAt(instrument: Instrument, quantity: Lots, cost: Amount, price: Ticks): Amount {
  const worth = instrument.notional(price, Math.abs(quantity) as Lots);
  return quantity > 0 ? subtract(worth, cost) : subtract(cost, worth);
}

/** `a / b`, both at scale 24, cut towards zero below 10^-24. */
export function divide(a: Amount, b: Amount): Amount {
  return ((a * one) / b) as Amount;
}

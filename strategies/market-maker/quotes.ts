/** What the two prices depend on. Prices in ticks, inventory as a share of the cap from -1 to 1. */
export interface QuoteInputs {
  /** Mid price of everybody else's orders, in ticks; may be a half. */
  readonly mid: number;
  readonly inventory: number;
  /** Deviation of the mid price over the horizon, in ticks. */
  readonly deviation: number;
  /** Best prices of everybody else, in ticks. */
  readonly bestBid: number;
  readonly bestAsk: number;
  /** What a fill costs in fees, in ticks; negative for a rebate. */
  readonly feeTicks: number;
}

export interface QuoteRules {
  readonly halfSpreadTicksMin: number;
  /** Half spread in deviations. */
  readonly spreadFactor: number;
  /** How far a full inventory moves both prices, in half spreads. */
  readonly skewFactor: number;
}

/** Two prices in whole ticks; the bid is below the ask and neither takes liquidity. */
export interface Quotes {
  readonly bid: number;
  readonly ask: number;
}

/**
 * Prices around a reservation price: the mid, moved against the inventory, so that the side that sheds it is the
 * likelier one. The form is Avellaneda and Stoikov's; linear in the deviation, so that it is free of the scale of
 * ticks and lots. A quote never costs more in fees than it earns in spread, and never crosses the touch.
 */
export function quotesOf(inputs: QuoteInputs, rules: QuoteRules): Quotes {
  const { mid, bestBid, bestAsk } = inputs;
  const half =
    Math.max(rules.halfSpreadTicksMin, rules.spreadFactor * inputs.deviation) + Math.max(0, inputs.feeTicks);
  const inventory = Math.max(-1, Math.min(1, inputs.inventory));
  const reservation = mid - inventory * rules.skewFactor * half;
  return {
    bid: Math.max(1, Math.min(Math.floor(reservation - half), bestAsk - 1)),
    ask: Math.max(2, Math.ceil(reservation + half), bestBid + 1),
  };
}

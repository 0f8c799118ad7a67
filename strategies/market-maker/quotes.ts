/** What the two prices depend on. Prices in ticks, inventory as a share of the cap from -1 to 1. */
export interface QuoteInputs {
  /** Mid price of the orders of others, in ticks; may be a half. */
  readonly mid: number;
  readonly inventory: number;
  /** The position in quotes: how many times the size of one is held, negative when short. */
  readonly held: number;
  /** Deviation of the mid price over the horizon, in ticks. */
  readonly deviation: number;
  /** Best prices of others, in ticks. */
  readonly bestBid: number;
  readonly bestAsk: number;
  /** What a fill costs in fees, in ticks; negative for a rebate. */
  readonly feeTicks: number;
}

export interface QuoteRules {
  readonly model: 'linear' | 'avellaneda-stoikov';
  /** Aversion to risk: per tick and quote held. */
  readonly gamma: number;
  /** How fast fills become rarer away from the mid: `exp(-kappa x distance in ticks)`. */
  readonly kappa: number;
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

interface Centre {
  readonly reservation: number;
  readonly half: number;
}

/**
 * Prices around a reservation price: the mid, moved against the inventory, so that the side that sheds it is the
 * likelier one. A quote never costs more in fees than it earns in spread, and never crosses the touch.
 */
export function quotesOf(inputs: QuoteInputs, rules: QuoteRules): Quotes {
  const { bestBid, bestAsk } = inputs;
  const { reservation, half } =
    rules.model === 'linear' ? linear(inputs, rules) : avellanedaStoikov(inputs, rules);
  return {
    bid: Math.max(1, Math.min(Math.floor(reservation - half), bestAsk - 1)),
    ask: Math.max(2, Math.ceil(reservation + half), bestBid + 1),
  };
}

/** Linear in the deviation, so that it is free of the scale of ticks and lots. */
function linear(inputs: QuoteInputs, rules: QuoteRules): Centre {
  const half =
    Math.max(rules.halfSpreadTicksMin, rules.spreadFactor * inputs.deviation) + Math.max(0, inputs.feeTicks);
  const inventory = Math.max(-1, Math.min(1, inputs.inventory));
  return { reservation: inputs.mid - inventory * rules.skewFactor * half, half };
}

/**
 * Avellaneda and Stoikov (Quantitative Finance 8, 2008), with a horizon that moves along in place of the time
 * that is left of a day: `r = s - q x gamma x variance`, `spread = gamma x variance + 2 / gamma x ln(1 + gamma / kappa)`.
 */
function avellanedaStoikov(inputs: QuoteInputs, rules: QuoteRules): Centre {
  const { gamma, kappa } = rules;
  const risk = gamma * inputs.deviation * inputs.deviation;
  const best = risk / 2 + Math.log1p(gamma / kappa) / gamma;
  const half = Math.max(rules.halfSpreadTicksMin, best) + Math.max(0, inputs.feeTicks);
  return { reservation: inputs.mid - inputs.held * risk, half };
}

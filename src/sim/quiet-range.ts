import type { Ticks } from '../core/model/instrument.ts';
import { boundaryPrice } from '../core/model/margin-math.ts';
import type { MarginAccount, MarginPosition, ExchangeMarket } from '../exchange/matching/index.ts';

/** Prices in ticks; both ends are outside. */
export interface PriceRange {
  readonly low: number;
  readonly high: number;
}

const all: PriceRange = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
const none: PriceRange = { low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY };

/** Boundary prices are cut to the tick and computed with eight decimals: so much further away nothing can come of a price. */
const slackTicks = 2;
const slackShare = 1e-6;

/**
 * Between which mark prices no position of a market comes to a margin call, as the accounts are now: then nothing need be
 * computed as the price moves. Empty where positions share an account, or where a margin call stands.
 */
export function quietRange({ exposed }: ExchangeMarket): PriceRange {
  let { low, high } = all;
  for (const account of exposed) {
    const range = rangeOf(account);
    low = Math.max(low, range.low);
    high = Math.min(high, range.high);
  }
  return { low, high };
}

function rangeOf(account: MarginAccount): PriceRange {
  const [position, ...others] = account.positions.values();
  if (position === undefined || others.length > 0 || account.called) return none;
  const price = callPrice(account, position);
  const isLong = position.quantity > 0;
  if (price === undefined) return isLong && position.cost > account.balance ? none : all;
  const slack = slackTicks + price * slackShare;
  return isLong ? { ...all, low: price + slack } : { ...all, high: price - slack };
}

function callPrice({ balance }: MarginAccount, position: MarginPosition): Ticks | undefined {
  const { market, quantity, cost, terms, rule } = position;
  const { instrument } = market;
  const multiplier = rule.callMultiplier;
  return boundaryPrice({ instrument, quantity, cost, margin: balance, terms, multiplier });
}

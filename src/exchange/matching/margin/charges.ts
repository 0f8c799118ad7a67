import type { Amount } from '../../../core/base/amount.ts';
import { multiply, negate, subtract, zero } from '../../../core/base/amount.ts';
import type { Lots } from '../../../core/model/instrument.ts';
import type {
  SettleFundingCommand,
  TakeInterestCommand,
  MarginAccount,
  MarginPosition,
} from '../accounts/index.ts';
import type { ExchangeState } from '../state/index.ts';

/**
 * Takes one period of interest: every position pays the rate of its symbol on the volume it was opened with, to the
 * exchange that lends. Source: API v2, "Margin account report" (interestTaken); rate and base: docs/assumptions.md.
 */
export function takeInterest(
  exchange: ExchangeState,
  { instrument: only }: Pick<TakeInterestCommand, 'instrument'>,
): void {
  for (const account of exchange.margin.all()) {
    for (const position of account.positions.values()) {
      const { cost, rule, market } = position;
      if (only !== undefined && market.instrument.id !== only) continue;
      const interest = multiply(cost, rule.interestRate ?? zero);
      if (interest > zero) charge(exchange, account, position, interest);
      if (interest > zero) exchange.margin.moved.add(exchange.market(market.instrument.id));
    }
  }
}

/**
 * Settles funding of a contract: longs pay `rate` × quantity × price, shorts get as much. The exchange stands between
 * them, and for participants without margin. Source: v3-gaps, section 4.5.
 */
export function settleFunding(
  exchange: ExchangeState,
  { instrument, price, rate }: SettleFundingCommand,
): void {
  const market = exchange.market(instrument);
  for (const account of market.exposed) {
    const position = account.positions.get(instrument);
    if (position === undefined) continue;
    const quantity: number = position.quantity;
    const worth = market.instrument.notional(price, Math.abs(quantity) as Lots);
    const paid = multiply(worth, rate);
    if (paid !== zero) charge(exchange, account, position, quantity > 0 ? paid : negate(paid));
  }
  if (market.exposed.size > 0) exchange.margin.moved.add(market);
}

/** What an account pays the exchange for a position, or gets of it: it comes from the margin at once. */
function charge(
  exchange: ExchangeState,
  account: MarginAccount,
  position: MarginPosition,
  amount: Amount,
): void {
  account.balance = subtract(account.balance, amount);
  account.updatedAt = exchange.now;
  position.updatedAt = exchange.now;
  exchange.margin.lend(account.currency, amount);
  exchange.margin.noteAmount(account, 'interestTaken');
}

import type { Amount } from '../../core/base/amount.ts';
import { multiply, negate, subtract, zero } from '../../core/base/amount.ts';
import type { Lots } from '../../core/model/instrument.ts';
import type { SettleFundingCommand } from './command.ts';
import type { Desk } from './desk.ts';
import type { MarginAccount } from './margin-account.ts';

/**
 * Takes one period of interest: every position pays the rate of its symbol on the volume it was opened with, to the
 * house that lends. Source: API v2, "Margin account report" (interestTaken); rate and base: docs/assumptions.md.
 */
export function takeInterest(desk: Desk): void {
  for (const account of desk.margin.all()) {
    for (const { cost, rule, market } of account.positions.values()) {
      const interest = multiply(cost, rule.interestRate ?? zero);
      if (interest > zero) charge(desk, account, interest);
      if (interest > zero) desk.margin.moved.add(desk.market(market.instrument.id));
    }
  }
}

/**
 * Settles funding of a contract: longs pay `rate` × quantity × price, shorts get as much. The house stands between
 * them, and for participants without margin. Source: v3-gaps, section 4.5.
 */
export function settleFunding(desk: Desk, { instrument, price, rate }: SettleFundingCommand): void {
  const market = desk.market(instrument);
  for (const account of market.exposed) {
    const quantity: number = account.positions.get(instrument)?.quantity ?? 0;
    const worth = market.instrument.notional(price, Math.abs(quantity) as Lots);
    const paid = multiply(worth, rate);
    if (paid !== zero) charge(desk, account, quantity > 0 ? paid : negate(paid));
  }
  if (market.exposed.size > 0) desk.margin.moved.add(market);
}

/** What an account pays the house, or gets of it: it comes from the margin at once. */
function charge(desk: Desk, account: MarginAccount, amount: Amount): void {
  account.balance = subtract(account.balance, amount);
  account.updatedAt = desk.now;
  desk.margin.lend(account.currency, amount);
  desk.margin.note(account, 'updated', 'interestTaken');
}

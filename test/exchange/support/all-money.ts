import { formatAmount } from '../../../src/core/base/amount.ts';
import type { Amount } from '../../../src/core/base/amount.ts';
import type { AccountId } from '../../../src/exchange/matching/accounts/command.ts';
import { marginAccountOf } from '../../../src/exchange/matching/accounts/command.ts';
import type { ExchangeServer } from '../../../src/exchange/server/server.ts';

/** Everything that every account has anywhere, with what the exchange took and what came and went: never changes. */
export function allMoney({ wallet, accounts, core }: ExchangeServer, currency: string): string {
  const { context } = wallet;
  let total: bigint = context.held.total(currency) + context.derivatives.total(currency);
  for (const { id } of accounts.all) {
    const product = marginAccountOf(id as AccountId);
    for (const owner of [id as AccountId, product]) {
      const { available, reserved } = core.exchange.balance(owner, currency);
      total += available + reserved;
    }
    for (const view of core.exchange.marginAccounts(product))
      if (view.currency === currency) total += view.balance;
  }
  const { received, sent, fees, kept } = context.flow(currency);
  return formatAmount(
    (total +
      core.exchange.collectedFees(currency) +
      core.exchange.exchangeFunds(currency) -
      received +
      sent +
      fees +
      kept) as Amount,
  );
}

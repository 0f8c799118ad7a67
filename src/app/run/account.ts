import type { Amount } from '../../core/base/amount.ts';
import { add, zero } from '../../core/base/amount.ts';
import type { Micros } from '../../core/base/clock.ts';
import { ConfigError } from '../../core/config/error.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import type { Balance } from '../../core/model/market.ts';
import type { SessionHolding } from '../../research/report/index.ts';
import { productsOf } from '../../research/scenario/margin-checks.ts';
import { marginSetupOf } from '../../research/scenario/margin-setup.ts';
import { amountsAnywhere } from '../../research/scenario/sources.ts';
import { fundingNotes } from '../../research/scenario/terms.ts';
import type { MarginDeps } from '../../sim/index.ts';
import { marginSetupFor } from './margin-setup.ts';
import { amountsOf, assumedOnly, balancesOf, openingBalances } from './opening-balances.ts';
import { fundingPaid, paidNotes } from './position-notes.ts';
import type { ConfiguredScenario } from './scenario.ts';
import type { LoadedStrategy } from './strategy-plans.ts';

/**
 * Money of a run at the start, and its margin and futures accounts. Throws `ConfigError` when a strategy trades what the venue of the
 * scenario does not offer.
 */
export function openingAccount(
  loaded: ConfiguredScenario,
  instruments: Instruments,
  strategies: readonly LoadedStrategy[],
): { readonly balances: readonly Balance[]; readonly margin: MarginDeps | undefined } {
  const { account, config, scenario } = loaded;
  if (account === 'configuration')
    return {
      balances: openingBalances(config.backtest.balances, instruments, strategies),
      margin: marginSetupFor(config, instruments, strategies),
    };
  checkProducts(loaded, strategies);
  return {
    balances: balancesOf(scenario.balances),
    margin: marginSetupOf(loaded, instruments, balancesOf(scenario.futuresBalances ?? {})),
  };
}

/** Money of both accounts at the start, by currency, where the scenario says it; otherwise the first reading shows it. */
export function namedOpening({
  account,
  scenario: { balances, futuresBalances = {} },
}: ConfiguredScenario): ReadonlyMap<string, Amount> | undefined {
  if (account === 'configuration') return undefined;
  const sum = new Map(amountsAnywhere(amountsOf(balances)));
  for (const [currency, amount] of amountsAnywhere(amountsOf(futuresBalances)))
    sum.set(currency, add(sum.get(currency) ?? zero, amount));
  return sum;
}

/** Reason why shares of the equity say nothing, when the money of the account is only assumed. */
export function noSharesOf({ account, config }: ConfiguredScenario): string | undefined {
  const isAssumed = account === 'configuration' && Object.keys(config.backtest.balances).length === 0;
  return isAssumed ? assumedOnly : undefined;
}

/** Sentences on the funding of contracts, where the scenario says what they pay: whether any is given, and what was paid. */
export function fundingRemarks(
  loaded: ConfiguredScenario,
  holdings: readonly SessionHolding[],
  { start, closed }: { readonly start: Micros; readonly closed: Micros },
): readonly string[] {
  if (loaded.account === 'configuration' || holdings.length === 0) return [];
  return [...fundingNotes(loaded, start, closed), ...paidNotes(fundingPaid(holdings))];
}

function checkProducts({ scenario, file }: ConfiguredScenario, strategies: readonly LoadedStrategy[]): void {
  for (const { plan, products } of strategies) {
    const offered = productsOf(scenario);
    const missing = products.find((product) => !offered.includes(product));
    if (missing === undefined) continue;
    throw new ConfigError(
      `${file}: products: expected ${missing} among them, because strategy ${plan.name} trades it, found ${offered.join(', ')}`,
    );
  }
}

import type { Instruments } from '../model/instrument.ts';
import type { StrategyEntry } from '../orders/limits.ts';
import type { StrategyHost } from '../strategy/host.ts';
import type { StrategyPlan } from './trader-parts.ts';

/** What the order manager must know of each strategy: limits, and the books it declared as its inputs. */
export function strategyEntries(
  plans: readonly StrategyPlan[],
  hosts: readonly StrategyHost[],
  instruments: Instruments,
): readonly StrategyEntry[] {
  return plans.map((plan, index) => ({
    name: plan.name,
    tag: plan.tag,
    limits: plan.limits,
    inputs: (hosts[index]?.feeds ?? [])
      .filter((feed) => feed.book === true)
      .map((feed) => instruments.get(feed.symbol).id),
  }));
}

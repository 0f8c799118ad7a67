import type { InstrumentId, Instruments } from '../model/instrument.ts';
import type { StrategyEntry } from '../orders/base/limits.ts';
import type { FeedRequest, StrategyHost } from '../strategy/framework.ts';
import type { StrategyPlan } from './parts.ts';

/** Entries of strategies for the order manager: limits, what it declared, and what its orders are priced from. */
export function strategyEntries(
  plans: readonly StrategyPlan[],
  hosts: readonly StrategyHost[],
  instruments: Instruments,
): readonly StrategyEntry[] {
  return plans.map((plan, index) => {
    const feeds = hosts[index]?.feeds ?? [];
    const idOf = ({ symbol }: FeedRequest): InstrumentId => instruments.get(symbol).id;
    return {
      name: plan.name,
      tag: plan.tag,
      limits: plan.limits,
      needs: needsOf(feeds, instruments),
      declared: feeds.map(idOf),
      products: hosts[index]?.products,
      hedges: hedgesOf(feeds, idOf),
    };
  });
}

/** Instruments that orders are priced from besides their own, by instrument; only where there is anything. */
function needsOf(
  feeds: readonly FeedRequest[],
  instruments: Instruments,
): ReadonlyMap<InstrumentId, readonly InstrumentId[]> {
  const needs = new Map<InstrumentId, readonly InstrumentId[]>();
  for (const { symbol, needs: named = [] } of feeds) {
    const { id } = instruments.get(symbol);
    const others = named.map((one) => instruments.get(one).id).filter((one) => one !== id);
    if (others.length > 0) needs.set(id, [...new Set([...(needs.get(id) ?? []), ...others])]);
  }
  return needs;
}

/** The symbols that a strategy holds against one another. */
function hedgesOf(
  feeds: readonly FeedRequest[],
  idOf: (feed: FeedRequest) => InstrumentId,
): readonly (readonly InstrumentId[])[] {
  const named = feeds.filter(({ hedge }) => hedge !== undefined);
  const groups = Map.groupBy(named, ({ hedge }) => hedge);
  return [...groups.values()].map((group) => [...new Set(group.map(idOf))]);
}

/** Every instrument of which a strategy declares a feed. */
export function followedBy(
  hosts: readonly Pick<StrategyHost, 'feeds'>[],
  instruments: Instruments,
): ReadonlySet<InstrumentId> {
  return new Set(hosts.flatMap(({ feeds }) => feeds.map(({ symbol }) => instruments.get(symbol).id)));
}

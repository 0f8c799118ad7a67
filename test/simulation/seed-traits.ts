import { castOf } from './cast.ts';
import type { FaultKind } from './fault-kinds.ts';
import { planFaults } from './fault-plan.ts';
import { faultyName } from './faulty.ts';
import { lossesOf } from './losses.ts';
import { limitsOfSeed, readingOf } from './seed-limits.ts';
import { tradedOf } from './traded.ts';

/** What a seed has that others lack: kinds of faults in its plan, products, limits, strategies. */
export type SeedTrait = FaultKind | SeedPart;

type SeedPart =
  | 'margin'
  | 'futures'
  | 'lists'
  | 'crossMargin'
  | 'secondContract'
  | 'feesInBase'
  | 'version 2'
  | 'losses'
  | 'few orders of the account'
  | 'few orders of a strategy'
  | 'slow replacements'
  | 'small exposure'
  | 'several strategies'
  | 'a faulty strategy'
  | 'few unknown orders'
  | 'poor'
  | 'carried often'
  | 'no market orders'
  | 'small leverage'
  | 'few symbols beside';

/** Draws as the simulation does, and simulates nothing. */
export function traitsOf(seed: number, minutes: number): ReadonlySet<SeedTrait> {
  const { api, ...traded } = tradedOf(seed);
  const limits = limitsOfSeed(seed);
  const { account, strategy } = lossesOf(seed);
  const roles = castOf(seed);
  const { isPoor, unknownOrdersMax, carryEvery } = readingOf(seed);
  const parts: readonly (readonly [SeedPart, boolean])[] = [
    ...(Object.entries(traded) as [SeedPart & keyof typeof traded, boolean][]),
    ['version 2', api === 'v2'],
    ['losses', Object.keys(account).length + Object.keys(strategy).length > 0],
    ['few orders of the account', limits.openOrdersAccountMax < 100],
    ['few orders of a strategy', limits.openOrdersMax < 100],
    ['slow replacements', limits.replaceMsMin > 0],
    ['small exposure', limits.exposureMax !== undefined],
    ['several strategies', roles.length > 1],
    ['a faulty strategy', roles.some(({ name }) => name === faultyName)],
    ['no market orders', !limits.marketOrders],
    ['small leverage', limits.leverageMax !== undefined && traded.margin],
    ['few symbols beside', limits.symbolsBeside !== undefined && roles.length > 1],
    ['few unknown orders', unknownOrdersMax <= 1],
    ['poor', isPoor],
    ['carried often', carryEvery <= 40],
  ];
  return new Set<SeedTrait>([
    ...planFaults(seed, Math.round(minutes * 60_000)).map(({ kind }) => kind),
    ...parts.flatMap(([name, has]) => (has ? [name] : [])),
  ]);
}

/** Seeds in the order in which a defect is looked for: first those with most of what it needs, then those with most of all. */
export function inOrder(
  seeds: readonly number[],
  minutes: number,
  needs: readonly SeedTrait[],
): readonly number[] {
  return seeds
    .map((seed) => {
      const traits = traitsOf(seed, minutes);
      return { seed, has: needs.filter((one) => traits.has(one)).length, count: traits.size };
    })
    .sort((a, b) => b.has - a.has || b.count - a.count || a.seed - b.seed)
    .map(({ seed }) => seed);
}

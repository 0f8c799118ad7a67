import { BadInput } from '../../core/base/errors.ts';
import type { LaunchDeps, LaunchedWorker } from '../../core/strategy/framework.ts';
import { launchGroup, launchWorker, StrategyLate } from '../../core/strategy/framework.ts';
import type { Config } from '../config/schema.ts';
import type { LoadedStrategy, PlanSetting } from './strategy-plans.ts';
import { loadOne, StrategyError } from './strategy-plans.ts';

type StrategyConfig = Config['strategies'][number];

/** Workers that load at once: more would take the time of each other, and `loadMs` counts for each. */
const loadsAtOnce = 4;

/**
 * Loads every configured strategy; those in workers four at once, those of a group in one worker. Throws `StrategyError` (one
 * sentence) when one is not as it must be, `StrategyLate` when it takes too long: of several the first in the configuration. The
 * others are discarded.
 */
export async function loadStrategies(
  configs: Config['strategies'],
  setting: PlanSetting,
): Promise<readonly LoadedStrategy[]> {
  // Modules in the trader's thread may know each other: they load in the order of the configuration.
  const isAtOnce = setting.host === undefined && configs.every(({ host }) => host === 'worker');
  return loadAll(configs, {
    atOnce: isAtOnce ? loadsAtOnce : 1,
    load: (config, launch) => loadOne(config, setting.host === undefined ? { ...setting, launch } : setting),
    discard: (one) => one.discard(),
  });
}

export interface LoadingDeps<Loaded> {
  /** Strategies, or groups of them, that load at once; four when left out. */
  readonly atOnce?: number;
  /** Loads one; where it has a worker, by `launch`, which those of a group must all call. */
  readonly load: (config: StrategyConfig, launch: typeof launchWorker) => Promise<Loaded>;
  readonly discard: (one: Loaded) => Promise<void>;
}

/** Loads strategies as `loadStrategies` does, in a manner of its own. */
export async function loadAll<Loaded>(
  configs: Config['strategies'],
  { atOnce = loadsAtOnce, load, discard }: LoadingDeps<Loaded>,
): Promise<readonly Loaded[]> {
  const loaded = new Map<StrategyConfig, Loaded>();
  const failures = new Map<StrategyConfig, Error>();
  const rest = unitsOf(configs).values();
  const loadUnits = async (): Promise<void> => {
    for (const unit of rest) {
      if (failures.size > 0) return;
      const together = new LaunchTogether(unit.length);
      const launch = unit.length > 1 ? together.launch : launchWorker;
      const one = async (config: StrategyConfig): Promise<void> => {
        try {
          loaded.set(config, await load(config, launch));
        } catch (error) {
          failures.set(config, error instanceof Error ? error : new Error(String(error)));
          together.giveUp(error);
        }
      };
      await Promise.all(unit.map(one));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, loadUnits));
  const [failure] = inOrder(configs, failures);
  const all = inOrder(configs, loaded);
  if (failure === undefined) return all;
  await Promise.all(all.map(discard));
  if (failure instanceof BadInput && !(failure instanceof StrategyLate))
    throw new StrategyError(failure.message, { cause: failure });
  throw failure;
}

function inOrder<Result>(
  configs: readonly StrategyConfig[],
  results: Map<StrategyConfig, Result>,
): readonly Result[] {
  return configs.flatMap((config) => results.get(config) ?? []);
}

/** Strategies that load together: those of one group, where workers run them, and each other one alone. */
function unitsOf(configs: readonly StrategyConfig[]): readonly (readonly StrategyConfig[])[] {
  const units: StrategyConfig[][] = [];
  const groups = new Map<string, StrategyConfig[]>();
  for (const config of configs) {
    const group = config.isolation?.group;
    const others = group === undefined ? undefined : groups.get(group);
    if (others !== undefined) {
      others.push(config);
      continue;
    }
    const unit = [config];
    units.push(unit);
    if (group !== undefined) groups.set(group, unit);
  }
  for (const [group, members] of groups) checkGroup(group, members);
  return units;
}

/** A group is one thread: it cannot run a part elsewhere, nor with other rights. */
function checkGroup(group: string, members: readonly StrategyConfig[]): void {
  const inThread = members.find(({ host }) => host !== 'worker');
  if (inThread !== undefined)
    throw new StrategyError(
      `strategy ${inThread.name}: expected host: worker in the group ${group}, found ${inThread.host}`,
    );
  const [first] = members;
  const other = members.find(({ trust }) => trust !== first?.trust);
  if (other !== undefined)
    throw new StrategyError(
      `strategy ${other.name}: expected trust: ${first?.trust}, as all of the group ${group}, found ${other.trust}`,
    );
}

/** Launches strategies in one worker, as soon as so many of them are there. */
class LaunchTogether {
  readonly #count: number;
  readonly #settings: LaunchDeps[] = [];
  readonly #launched = Promise.withResolvers<readonly LaunchedWorker[]>();

  constructor(count: number) {
    this.#count = count;
    // Where none waits for it, nobody is there to take a failure.
    this.#launched.promise.catch(() => {});
  }

  readonly launch = async (setting: LaunchDeps): Promise<LaunchedWorker> => {
    const of = this.#settings.push(setting) - 1;
    if (this.#settings.length === this.#count)
      launchGroup(this.#settings).then(this.#launched.resolve, this.#launched.reject);
    return (await this.#launched.promise)[of] as LaunchedWorker;
  };

  /** Lets none wait any longer: one of them does not come. */
  giveUp(error: unknown): void {
    this.#launched.reject(error);
  }
}

import { BadInput } from '../../core/base/errors.ts';
import { StrategyLate } from '../../core/strategy/framework.ts';
import type { Config } from '../config/schema.ts';
import type { LoadedStrategy, PlanSetting } from './strategy-plans.ts';
import { loadOne, StrategyError } from './strategy-plans.ts';

/** Workers that load at once: more would take the time of each other, and `loadMs` counts for each. */
const loadsAtOnce = 4;

/**
 * Loads every configured strategy; those in workers four at once. Throws `StrategyError` (one
 * sentence) when one is not as it must be, `StrategyLate` when it takes too long: of several the first in the configuration. The
 * others are discarded.
 */
export async function loadStrategies(
  configs: Config['strategies'],
  setting: PlanSetting,
): Promise<readonly LoadedStrategy[]> {
  // Modules in the trader's thread may know each other: they load in the order of the configuration.
  const isAtOnce = setting.host === undefined && configs.every(({ host }) => host === 'worker');
  const lanes = isAtOnce ? loadsAtOnce : 1;
  const loaded: (LoadedStrategy | undefined)[] = configs.map(() => undefined);
  const failures: (Error | undefined)[] = configs.map(() => undefined);
  const rest = configs.entries();
  const load = async (): Promise<void> => {
    for (const [i, config] of rest) {
      if (failures.some((one) => one !== undefined)) return;
      try {
        loaded[i] = await loadOne(config, setting);
      } catch (error) {
        failures[i] = error instanceof Error ? error : new Error(String(error));
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, load));
  const failure = failures.find((one) => one !== undefined);
  const all = loaded.filter((one) => one !== undefined);
  if (failure === undefined) return all;
  await Promise.all(all.map((one) => one.discard()));
  if (failure instanceof BadInput && !(failure instanceof StrategyLate))
    throw new StrategyError(failure.message, { cause: failure });
  throw failure;
}

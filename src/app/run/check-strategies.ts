import type { Clock } from '../../core/base/clock.ts';
import { BadInput } from '../../core/base/errors.ts';
import type { Config } from '../config/schema.ts';
import { strategyTag } from '../../core/model/client-order-id.ts';
import { launchWorker } from '../../core/strategy/launch-worker.ts';
import { StrategyError } from './strategy-error.ts';

/**
 * Whether the configured strategies can be loaded, take their parameters and declare feeds that are well formed. Each is
 * tried in a thread of its own, which then ends: what its code does while it loads stays there. Throws `StrategyError`.
 */
export async function checkStrategies(
  { strategies, orders, run: { seed } }: Pick<Config, 'strategies' | 'orders' | 'run'>,
  clock: Clock,
): Promise<void> {
  const names = new Set<string>();
  for (const { name, path, params, host, trust: given } of strategies) {
    if (names.has(name)) throw new StrategyError(`strategy ${name} is listed twice`);
    names.add(name);
    const tag = strategyTag(name);
    // In the thread of the run a strategy may do what it likes.
    const trust = host === 'thread' ? 'full' : given;
    const trial = { path, params, name, seed, idPrefix: orders.idPrefix, run: '0', tag, stateOptions: {} };
    try {
      const worker = await launchWorker({ ...trial, trust, specs: undefined, clock, print: () => {} });
      await worker.terminate();
    } catch (error) {
      if (error instanceof BadInput) throw new StrategyError(error.message, { cause: error });
      throw error;
    }
  }
}

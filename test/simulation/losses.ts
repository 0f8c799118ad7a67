import type { z } from 'zod';
import { strategyLimits } from '../../src/core/orders/base/options.ts';
import { orderOptions } from '../../src/core/orders/options.ts';
import { CounterRandom } from '../../src/app/virtual/counter-random.ts';
import { drillOf } from './seed-limits.ts';

/** As a configuration has them, by currency. */
export type LossLimits = z.output<typeof orderOptions>['loss'];

/** Limits on loss of a seed: those of the account, and those of its strategy. */
export interface SeedLosses {
  readonly account: LossLimits;
  readonly strategy: LossLimits;
}

/** Two seeds of five have limits on loss, small enough that fees alone come to them; drills of what is asked for and of what halts have none, which would hold it back. */
export function lossesOf(seed: number): SeedLosses {
  const random = new CounterRandom(seed, 'losses');
  const drill = drillOf(seed);
  if (!random.chance(0.4) || drill === 'asked' || drill === 'stops') return { account: {}, strategy: {} };
  const whose = random.pick(['account', 'strategy', 'both'] as const);
  return {
    account: orderOptions.parse({ loss: whose === 'strategy' ? {} : limitsOf(random) }).loss,
    strategy: strategyLimits.parse({ loss: whose === 'account' ? {} : limitsOf(random) }).loss,
  };
}

function limitsOf(random: CounterRandom): object {
  const what = random.pick(['day', 'drawdown', 'losingTrades', 'all'] as const);
  const limits = {
    ...((what === 'day' || what === 'all') && { day: amount(random) }),
    ...((what === 'drawdown' || what === 'all') && { drawdown: amount(random) }),
    ...((what === 'losingTrades' || what === 'all') && { losingTrades: random.between(1, 4) }),
    action: random.chance(0.6) ? 'reducing' : 'halted',
    ...(random.chance(0.4) && { cooldownMs: random.between(3_000, 30_000) }),
  };
  return { USDT: limits };
}

function amount(random: CounterRandom): string {
  return (random.between(20, 400) / 100).toFixed(2);
}

import { CounterRandom } from './counter-random.ts';

/** Limits that some seeds have, so that they are met there and leave the others free. */
export interface SeedLimits {
  readonly openOrdersAccountMax: number;
  /** Of each strategy. */
  readonly openOrdersMax: number;
  readonly replaceMsMin: number;
  /** USDT. */
  readonly exposureMax: number | undefined;
}

export function limitsOfSeed(seed: number): SeedLimits {
  const random = new CounterRandom(seed, 'limits');
  return {
    openOrdersAccountMax: random.chance(0.3) ? 8 : 22_500,
    openOrdersMax: random.chance(0.3) ? 6 : 200,
    replaceMsMin: random.chance(0.3) ? 1_500 : 0,
    exposureMax: random.chance(0.3) ? 900 : undefined,
  };
}

import { CounterRandom } from './counter-random.ts';

/** Limits that some seeds have, so that they are met there and leave the others free. */
export interface SeedLimits {
  readonly openOrdersAccountMax: number;
  /** Of each strategy. */
  readonly openOrdersMax: number;
  readonly replaceMsMin: number;
  /** USDT. */
  readonly exposureMax: number | undefined;
  /** Of an order on spot: units of the symbol, and USDT; `undefined`: as in every seed. */
  readonly quantityMax: Readonly<Record<string, string>> | undefined;
  readonly notionalMax: string | undefined;
  /** Whether market orders may leave at all. */
  readonly marketOrders: boolean;
  /** Of a margin account. */
  readonly leverageMax: number | undefined;
  /** Symbols that strategies beside the first may trade; `undefined`: all that they follow. */
  readonly symbolsBeside: readonly string[] | undefined;
}

/** Of what drills draw. */
export const drillStream = 'drills';

/** One seed of eight has spells of a careless workload, and limits on the size of an order that it comes to. */
export function isCareless(seed: number): boolean {
  return new CounterRandom(seed, 'slips').chance(0.125);
}

/** Three seeds of ten have odd faults, and limits that no other seed has. */
export function isOdd(seed: number): boolean {
  return new CounterRandom(seed, 'odd').chance(0.3);
}

/** Kinds of drills: seeds with nothing but faults that each make one rare situation, one after the other. */
export type DrillKind = 'rare' | 'waits' | 'asked';

/**
 * One seed of eighteen is a drill of rare situations, one of twenty-five of what waits, and one of twenty of what is asked for; its account
 * has money of a currency that nobody trades. Seeds with odd faults are none.
 */
export function drillOf(seed: number): DrillKind | undefined {
  if (isOdd(seed)) return undefined;
  if (new CounterRandom(seed, drillStream).chance(0.08)) return 'rare';
  if (new CounterRandom(seed, `${drillStream}/away`).chance(0.06)) return 'waits';
  return new CounterRandom(seed, `${drillStream}/greed`).chance(0.08) ? 'asked' : undefined;
}

/** Lots of the limit on quantity of a careless seed. */
export const carelessLots = 300;

export function limitsOfSeed(seed: number): SeedLimits {
  const random = new CounterRandom(seed, 'limits');
  const more = new CounterRandom(seed, 'limits/more');
  const isSmall = isCareless(seed);
  const isByLots = more.chance(0.5);
  const rare = new CounterRandom(seed, 'limits/odd');
  const ifOdd = isOdd(seed);
  return {
    marketOrders: !(ifOdd && rare.chance(0.3)),
    leverageMax: ifOdd && rare.chance(0.6) ? 3 : undefined,
    symbolsBeside: ifOdd && rare.chance(0.6) ? ['ETHUSDT'] : undefined,
    quantityMax: isSmall && isByLots ? { ETHUSDT: '0.03', BTCUSDT: '0.003' } : undefined,
    notionalMax: isSmall && !isByLots ? '90' : undefined,
    openOrdersAccountMax: random.chance(0.3) ? 8 : 22_500,
    openOrdersMax: random.chance(0.3) ? 6 : 200,
    replaceMsMin: random.chance(0.3) ? 1_500 : 0,
    exposureMax: random.chance(0.3) ? 900 : undefined,
  };
}

import { CounterRandom } from '../../src/app/virtual/counter-random.ts';

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
export type DrillKind = 'rare' | 'waits' | 'asked' | 'stops';

/**
 * One seed of eighteen is a drill of rare situations, one of twenty-five of what waits, one of twenty of what is asked for (its account
 * has money of a currency that nobody trades), and one of twenty-five of what halts: it trades on margin, and no other limit holds orders
 * back. Seeds with odd faults are none.
 */
export function drillOf(seed: number): DrillKind | undefined {
  if (isOdd(seed)) return undefined;
  if (new CounterRandom(seed, drillStream).chance(0.08)) return 'rare';
  if (new CounterRandom(seed, `${drillStream}/away`).chance(0.06)) return 'waits';
  if (new CounterRandom(seed, `${drillStream}/greed`).chance(0.08)) return 'asked';
  return new CounterRandom(seed, `${drillStream}/stops`).chance(0.07) ? 'stops' : undefined;
}

/** Lots of the limit on quantity of a careless seed. */
export const carelessLots = 300;

/** How a seed reads what the documents leave open, what its trader is set to, and how far the machines' clocks are apart. */
export interface SeedReading {
  readonly socketsCount: 'messages' | 'connections';
  readonly isPoor: boolean;
  /** Of the clock of the trader's machine: µs, and its pace. */
  readonly clock: { readonly offset: number; readonly rate: number };
  readonly unknownOrdersMax: number;
  /** Records between two carried states. */
  readonly carryEvery: number;
}

export function readingOf(seed: number): SeedReading {
  const random = new CounterRandom(seed, 'interpretation');
  const isOfStops = drillOf(seed) === 'stops';
  const socketsCount = random.chance(0.15) ? 'messages' : 'connections';
  const isPoor = random.chance(0.4) && !isOfStops;
  const unknownOrdersMax = random.chance(0.35) || isOfStops ? 1 : 4;
  const offset = random.between(-900_000, 900_000);
  const rate = 1 + random.between(-50, 50) / 1e6;
  // In half of the seeds a restart mostly begins with a state that was carried over within the run before.
  const carryEvery = new CounterRandom(seed, 'carry').pick([40, 200, 1_000, 1_000]);
  return {
    socketsCount,
    isPoor,
    unknownOrdersMax,
    clock: { offset, rate },
    carryEvery: isOfStops ? 40 : carryEvery,
  };
}

export function limitsOfSeed(seed: number): SeedLimits {
  const random = new CounterRandom(seed, 'limits');
  const more = new CounterRandom(seed, 'limits/more');
  const isOfStops = drillOf(seed) === 'stops';
  const isSmall = isCareless(seed) && !isOfStops;
  const isByLots = more.chance(0.5);
  const rare = new CounterRandom(seed, 'limits/odd');
  const ifOdd = isOdd(seed);
  return {
    marketOrders: !(ifOdd && rare.chance(0.3)),
    leverageMax: ifOdd && rare.chance(0.6) ? 3 : undefined,
    symbolsBeside: ifOdd && rare.chance(0.6) ? ['ETHUSDT'] : undefined,
    quantityMax: isSmall && isByLots ? { ETHUSDT: '0.03', BTCUSDT: '0.003' } : undefined,
    notionalMax: isSmall && !isByLots ? '90' : undefined,
    openOrdersAccountMax: random.chance(0.3) && !isOfStops ? 8 : 22_500,
    openOrdersMax: random.chance(0.3) && !isOfStops ? 6 : 200,
    replaceMsMin: random.chance(0.3) ? 1_500 : 0,
    exposureMax: random.chance(0.3) && !isOfStops ? 900 : undefined,
  };
}

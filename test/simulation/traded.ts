import type { InstrumentId } from '../../src/core/model/instrument.ts';
import type { MarginMode, PositionAccount } from '../../src/core/model/margin.ts';
import type { Product } from '../../src/core/model/product.ts';
import { CounterRandom } from '../../src/app/virtual/counter-random.ts';
import { drillOf } from './seed-limits.ts';

/** What the workload of a seed trades beside single orders on spot. */
export interface Traded {
  readonly margin: boolean;
  readonly futures: boolean;
  /** Orders that are placed as one. */
  readonly lists: boolean;
  /** The account of the currency, too, where the symbol of spot is traded on margin. */
  readonly crossMargin: boolean;
  /** A second contract, which shares the account of its currency with the first. */
  readonly secondContract: boolean;
  /** Fees of a symbol of spot are taken in its base currency. */
  readonly feesInBase: boolean;
  /** The version of the streams that market data come by. Contracts are in the third alone. */
  readonly api: 'v2' | 'v3';
}

export const symbols = ['ETHUSDT', 'BTCUSDT'] as const;
/** What orders of a symbol are priced from besides its own book. */
export const pricedFrom: Readonly<Record<string, readonly string[]>> = { ETHUSDT: ['BTCUSDT'] };
/** The symbol of spot that is traded on margin too, on an isolated account. */
export const marginSymbol = 'ETHUSDT';
/** The perpetual contract: traded on an isolated account and on the one of its currency. */
export const contractSymbol = 'ETHUSDT_PERP';
/** Traded on the account of its currency alone. */
export const secondContractSymbol = 'BTCUSDT_PERP';
/** Its fees are in base currency in some seeds: it is not traded on margin. */
export const feeSymbol = 'BTCUSDT';

/** Two seeds of five trade spot alone, and single orders alone do three of five. */
export function tradedOf(seed: number): Traded {
  const random = new CounterRandom(seed, 'products');
  const draw = random.float();
  const more = new CounterRandom(seed, 'products/more');
  const futures = draw >= 0.6;
  const margin = draw >= 0.8 || (draw >= 0.4 && draw < 0.6) || drillOf(seed) === 'stops';
  return {
    margin,
    futures,
    lists: random.chance(0.4),
    crossMargin: margin && more.chance(0.5),
    secondContract: futures && more.chance(0.5),
    feesInBase: more.chance(0.4),
    api: !futures && new CounterRandom(seed, 'products/api').chance(0.35) ? 'v2' : 'v3',
  };
}

export function productsOf({ margin, futures }: Traded): readonly Product[] {
  return ['spot', ...(margin ? (['margin'] as const) : []), ...(futures ? (['futures'] as const) : [])];
}

/** Every symbol that a seed trades. */
export function symbolsOf({ futures, secondContract }: Traded): readonly string[] {
  return [
    ...symbols,
    ...(futures ? [contractSymbol] : []),
    ...(secondContract ? [secondContractSymbol] : []),
  ];
}

/** The margin accounts that a seed trades on. */
export function accountsOf({
  margin,
  futures,
  crossMargin,
  secondContract,
}: Traded): readonly TradedAccount[] {
  const rows: readonly (readonly [boolean, string, TradedAccount['product'], MarginMode])[] = [
    [margin, marginSymbol, 'margin', 'isolated'],
    [crossMargin, marginSymbol, 'margin', 'cross'],
    [futures, contractSymbol, 'futures', 'isolated'],
    [futures, contractSymbol, 'futures', 'cross'],
    [secondContract, secondContractSymbol, 'futures', 'cross'],
  ];
  return rows.flatMap(([isTraded, symbol, product, mode]) => (isTraded ? [{ symbol, product, mode }] : []));
}

export interface TradedAccount {
  readonly symbol: string;
  readonly product: Exclude<Product, 'spot'>;
  readonly mode: MarginMode;
}

/** Names a position: that of an instrument in an account. */
export function placeOf(instrument: InstrumentId | number, account: PositionAccount): string {
  return `${instrument} ${account}`;
}

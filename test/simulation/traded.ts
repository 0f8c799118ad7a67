import type { InstrumentId } from '../../src/core/model/instrument.ts';
import type { MarginMode, PositionAccount } from '../../src/core/model/margin.ts';
import type { Product } from '../../src/core/model/product.ts';
import { CounterRandom } from './counter-random.ts';

/** What the workload of a seed trades beside single orders on spot. */
export interface Traded {
  readonly margin: boolean;
  readonly futures: boolean;
  /** Orders that are placed as one. */
  readonly lists: boolean;
}

export const symbols = ['ETHUSDT', 'BTCUSDT'] as const;
/** What orders of a symbol are priced from besides its own book. */
export const pricedFrom: Readonly<Record<string, readonly string[]>> = { ETHUSDT: ['BTCUSDT'] };
/** The symbol of spot that is traded on margin too, on an isolated account. */
export const marginSymbol = 'ETHUSDT';
/** The perpetual contract: traded on an isolated account and on the one of its currency. */
export const contractSymbol = 'ETHUSDT_PERP';

/** Two seeds of five trade spot alone, and single orders alone do three of five. */
export function tradedOf(seed: number): Traded {
  const random = new CounterRandom(seed, 'products');
  const draw = random.float();
  return {
    margin: draw >= 0.8 || (draw >= 0.4 && draw < 0.6),
    futures: draw >= 0.6,
    lists: random.chance(0.4),
  };
}

export function productsOf({ margin, futures }: Traded): readonly Product[] {
  return ['spot', ...(margin ? (['margin'] as const) : []), ...(futures ? (['futures'] as const) : [])];
}

/** Every symbol that a seed trades. */
export function symbolsOf({ futures }: Traded): readonly string[] {
  return futures ? [...symbols, contractSymbol] : symbols;
}

/** The margin accounts that a seed trades on. */
export function accountsOf({ margin, futures }: Traded): readonly TradedAccount[] {
  const isolated = (symbol: string, product: TradedAccount['product']): TradedAccount => ({
    symbol,
    product,
    mode: 'isolated',
  });
  return [
    ...(margin ? [isolated(marginSymbol, 'margin')] : []),
    ...(futures
      ? [
          isolated(contractSymbol, 'futures'),
          { symbol: contractSymbol, product: 'futures', mode: 'cross' } as const,
        ]
      : []),
  ];
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

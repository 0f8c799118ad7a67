import type { PlaceRequest, StrategyContext } from '../../src/core/strategy/context.ts';
import type { Traded } from './traded.ts';
import { contractSymbol, marginSymbol } from './traded.ts';

type Context = StrategyContext<unknown>;

/** What a strategy of the simulation may trade. */
export interface OddWish {
  /** Of spot. */
  readonly symbols: readonly string[];
  readonly traded: Traded;
  /** Whether it declared margin and contracts. */
  readonly isFirst: boolean;
}

/** An order that no rule lets out, but for the market order and the one on margin without an account: those are for limits and books. */
export function wishOddly(context: Context, { symbols, traded, isFirst }: OddWish): void {
  const { random, orders } = context;
  const symbol = symbols[random.between(0, symbols.length - 1)] ?? marginSymbol;
  const side = random.chance(0.5) ? 'buy' : 'sell';
  const quantity = random.between(50, 120);
  if (!isFirst && traded.margin && random.chance(0.5)) {
    const terms = sized(context, marginSymbol, side, quantity);
    orders.place({ symbol: marginSymbol, side, ...terms, product: 'margin', marginAuto: true });
    return;
  }
  const draw = random.between(0, 5);
  if (draw < 3) {
    orders.place({ symbol, side, type: 'market', quantity });
    return;
  }
  const price = nearOf(context, symbol, side);
  if (price === undefined) return;
  if (draw === 3) orders.place({ symbol, side, type: 'limit', quantity, price, stopPrice: price } as never);
  else if (draw === 4) orders.place({ symbol, side, type: 'limit', quantity } as never);
  else if (isFirst && traded.futures) wishContract(context, side, quantity);
}

/** A contract without margin, or one that is to be closed by an order that waits for no price. */
function wishContract(context: Context, side: 'buy' | 'sell', quantity: number): void {
  const { orders, position } = context;
  const terms = sized(context, contractSymbol, side, quantity);
  orders.place({ symbol: contractSymbol, side, ...terms });
  for (const marginMode of ['isolated', 'cross'] as const) {
    const held = position(contractSymbol, marginMode).quantity;
    const order = { symbol: contractSymbol, side: held > 0 ? 'sell' : 'buy', type: 'market' } as const;
    if (held !== 0) orders.place({ ...order, product: 'futures', marginMode, closePosition: true } as never);
  }
}

function sized(
  context: Context,
  symbol: string,
  side: 'buy' | 'sell',
  quantity: number,
): Pick<PlaceRequest, 'price' | 'quantity'> & { readonly price: number; readonly quantity: number } {
  return { price: nearOf(context, symbol, side) ?? 1, quantity };
}

function nearOf({ market }: Context, symbol: string, side: 'buy' | 'sell'): number | undefined {
  const { bestBid, bestAsk } = market.book(symbol);
  return side === 'buy' ? bestBid : bestAsk;
}

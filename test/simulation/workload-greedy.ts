import type { Order } from '../../src/core/model/order.ts';
import type { StrategyContext } from '../../src/core/strategy/context.ts';

type Context = StrategyContext<unknown>;

/** Lots of the limit on a position, the same of both symbols of spot. */
const positionLots = 1_500;

/** Asks for about as much as the limit on a position or the funds leave: by a new order, or by a larger one in the place of another. */
export function wishGreedily(context: Context, symbol: string): void {
  const { random, orders, market } = context;
  const { bestBid, bestAsk } = market.book(symbol);
  if (bestBid === undefined || bestAsk === undefined) return;
  const open = orders.open(symbol).filter(isReplaceable);
  const one = open[random.between(0, Math.max(0, open.length - 1))];
  if (one === undefined || random.chance(0.5)) {
    const [side, price] = random.chance(0.5)
      ? (['buy', bestBid - 60] as const)
      : (['sell', bestAsk + 60] as const);
    orders.place({ symbol, side, price, quantity: random.between(50, positionLots) });
    return;
  }
  if (one.price === undefined) return;
  const left = one.quantity - one.cumulative;
  const room = positionLots - worstOf(context, symbol, one.side);
  const quantity =
    one.quantity + (random.chance(0.5) ? room + random.between(1, left) : random.between(50, left + 50));
  orders.replace(one.clientOrderId, { quantity, price: one.price + (one.side === 'buy' ? -1 : 1) });
}

/** Lots of a position once all that works on a side has executed. */
function worstOf({ orders, position }: Context, symbol: string, side: Order['side']): number {
  const held = position(symbol).quantity;
  return orders
    .open(symbol)
    .filter((one) => one.side === side)
    .reduce((sum, { quantity, cumulative }) => sum + quantity - cumulative, side === 'buy' ? held : -held);
}

function isReplaceable({ state, price, replacePending, margin }: Order): boolean {
  const isLive = state === 'new' || state === 'partiallyFilled';
  return isLive && price !== undefined && replacePending === undefined && margin === undefined;
}

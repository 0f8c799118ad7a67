import type { PlaceListRequest, SpotOrderRequest, StrategyContext } from '../../src/core/strategy/context.ts';
import { symbols } from './traded.ts';

type Context = StrategyContext<unknown>;

/** Orders that are placed as one, of spot or on the isolated account of a symbol; now and then one of them is too large. */
export function placeListed(context: Context, symbol: string, product: 'spot' | 'margin' | 'futures'): void {
  const request = listOf(context, symbol);
  if (request === undefined) return;
  if (product === 'spot') context.orders.placeList(request);
  // A list of all or none is of several symbols.
  else if (request.contingency !== 'allOrNone') {
    const orders = request.orders.map((order) => ({ ...order, product }));
    context.orders.placeList({ contingency: request.contingency, orders: orders as never });
  }
}

function listOf(
  context: Context,
  symbol: string,
): (PlaceListRequest & { orders: readonly SpotOrderRequest[] }) | undefined {
  const { random } = context;
  const draw = random.float();
  if (draw < 0.15) return allOrNone(context);
  const { bestBid, bestAsk } = context.market.book(symbol);
  if (bestBid === undefined || bestAsk === undefined) return undefined;
  const isSale = random.chance(0.5);
  const [away, side, other] = isSale ? ([1, 'sell', 'buy'] as const) : ([-1, 'buy', 'sell'] as const);
  const own = isSale ? bestAsk : bestBid;
  const quantity = random.between(50, 200) * (random.chance(0.05) ? 1_000 : 1);
  const gain = own + away * random.between(20, 400);
  const loss = own - away * random.between(300, 900);
  const exits: readonly SpotOrderRequest[] = [
    { symbol, side, price: gain, quantity },
    { symbol, side, type: 'stopLimit', stopPrice: loss, price: loss - away * 60, quantity },
  ];
  if (draw < 0.5) return { contingency: 'oneCancelOther', orders: exits };
  const crossing = random.chance(0.6) ? (isSale ? bestAsk + 30 : bestBid - 30) : isSale ? bestBid : bestAsk;
  const first: SpotOrderRequest = { symbol, side: other, price: crossing, quantity };
  if (draw < 0.75)
    return { contingency: 'oneTriggerOther', orders: [first, { symbol, side, price: gain, quantity }] };
  return { contingency: 'oneTriggerOneCancelOther', orders: [first, ...exits] };
}

function allOrNone({
  random,
  market,
}: Context): (PlaceListRequest & { orders: readonly SpotOrderRequest[] }) | undefined {
  const orders: SpotOrderRequest[] = [];
  for (const symbol of symbols) {
    const { bestAsk } = market.book(symbol);
    if (bestAsk === undefined) return undefined;
    // Where one of them asks for more than the touch shows, none executes.
    const quantity = random.between(20, 120) * (random.chance(0.3) ? 4 : 1);
    orders.push({ symbol, side: 'buy', price: bestAsk, quantity, timeInForce: 'FOK' });
  }
  return { contingency: 'allOrNone', orders };
}

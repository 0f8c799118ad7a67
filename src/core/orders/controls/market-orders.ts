import type { Control } from '../candidate.ts';
import { deny, isMarketLike } from '../candidate.ts';

/** Market types: only if switched on, with both sides of the book there and a narrow spread. */
export const marketOrders: Control = ({ instrument, request }, view, memory) => {
  if (!isMarketLike(request.type)) return undefined;
  const { options } = memory;
  if (!options.marketOrders)
    return deny('MARKET_ORDERS_OFF', `orders of type ${request.type} are switched off`);
  const { bestBid, bestAsk } = view.book(instrument.id);
  if (bestBid === undefined || bestAsk === undefined) {
    return deny('REFERENCE_PRICE_MISSING', `the book of ${instrument.symbol} has not both sides`);
  }
  // spread / mid <= percent / 100, in whole numbers: the mid is half the sum.
  const spread = bestAsk - bestBid;
  if (spread * 20_000 <= (bestAsk + bestBid) * Math.round(options.marketSpreadPercentMax * 100))
    return undefined;
  return deny(
    'MARKET_SPREAD_MAX',
    `expected a spread of at most ${options.marketSpreadPercentMax} %, found ${spread} ticks at ${instrument.priceText(bestBid)}`,
  );
};

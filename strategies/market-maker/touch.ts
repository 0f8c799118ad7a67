import type { BookView, Order, Side } from 'godwit/strategy';

/** How deep we look behind our own quote for the touch of others. */
const levelsMax = 4;

/**
 * The best price on a side without our own order, in ticks; `undefined` when only we stand there. Quoting around
 * a mid price that is half our own would let the quotes chase themselves.
 */
export function othersBest(book: BookView, side: Side, own: Order | undefined): number | undefined {
  const best = side === 'buy' ? book.bestBid : book.bestAsk;
  if (best === undefined || own === undefined || own.price !== best) return best;
  const ownLots = own.quantity - own.cumulative;
  const lots = side === 'buy' ? book.bestBidQuantity : book.bestAskQuantity;
  if (lots > ownLots) return best;
  return book.levels(side, levelsMax).find((level) => level.price !== best)?.price;
}

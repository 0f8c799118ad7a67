import type { BookView, Side } from 'godwit/strategy';

/**
 * How the best levels lean: 1 when only bids stand, -1 when only asks do, 0 when both weigh the same. A level counts
 * less the further back it stands: half at the second, a third at the third.
 */
export function imbalanceOf(book: BookView, levels: number): number {
  const bids = weightOf(book, 'buy', levels);
  const asks = weightOf(book, 'sell', levels);
  return bids + asks === 0 ? 0 : (bids - asks) / (bids + asks);
}

function weightOf(book: BookView, side: Side, levels: number): number {
  return book.levels(side, levels).reduce((sum, { quantity }, at) => sum + quantity / (at + 1), 0);
}

import type { Lots, Ticks } from '../model/instrument.ts';

/** Which way a side is ordered: the best bid is the highest price, the best ask the lowest. */
export type LadderDirection = 'bid' | 'ask';

/**
 * One side of a book: prices in ticks with the total quantity standing there, in lots.
 *
 * Two implementations behind one face: `SortedSide` (small, any spread of prices) and `RingSide` (fast near the
 * touch, about half a mebibyte). They answer alike, level for level.
 */
export interface LadderSide {
  readonly direction: LadderDirection;
  /** How many levels stand here. */
  readonly size: number;
  /** The best price, or `undefined` when the side is empty. Constant time. */
  readonly best: Ticks | undefined;
  /** The quantity at the best price, 0 when the side is empty. Constant time. */
  readonly bestQuantity: Lots;
  /** Sets the total at a price; 0 deletes the level. Returns what stood there before, 0 for none. */
  set(price: Ticks, lots: Lots): Lots;
  /**
   * Sets levels of flat triples (side, price, size) from `start` on while they are of the side that begins there, at
   * most up to `end`. Returns where it stopped. The same as `set` for each, in a fraction of its time.
   */
  setRun(levels: Float64Array, start: number, end: number): number;
  /** The total at a price, 0 when there is none. */
  quantityAt(price: Ticks): Lots;
  clear(): void;
  /** Visits levels from the best outwards until `visit` answers false. */
  forEach(visit: (price: Ticks, lots: Lots) => boolean | void): void;
}

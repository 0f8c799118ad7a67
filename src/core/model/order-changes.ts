/** Side of a level or an order in a flat array: 0 bid, 1 ask. */
export type BookSide = 0 | 1;

/** Numbers per change in a flat array: action, order, side (0 bid, 1 ask), price in ticks, lots. */
export const orderStride = 5;

/**
 * Changes of single orders of the recorded market, in the order in which they happened: the optional part of an event
 * that tells more than its levels do. Who wants books reads the levels and never this.
 *
 * An order is a number from 1, given by the reader of the recording, and kept as long as the order lives. A change in
 * place that keeps the order's priority is one that `leaves` with the lots it lost; one that loses priority leaves whole
 * and `joins` again. A snapshot has every order as one that joins, oldest first within each level.
 */
export const orderActions = {
  /** The order stands at the end of the queue of its price, with these lots. */
  joins: 0,
  /** It lost these lots without a trade; with all of them it is gone. */
  leaves: 1,
  /** It lost these lots to a taker. Order 0: one that the recording never showed, because it is older. */
  executes: 2,
  /** A taker took these lots of an order that no book shows. The order is 0. */
  hidden: 3,
} as const;

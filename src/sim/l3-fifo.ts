import { BadInput } from '../base/errors.ts';

/** The queue model in which places are not estimated: the recording tells single orders, first in, first out. */
export const l3Fifo = 'l3-fifo';

/** Throws `BadInput` when the data of a run has no single orders. */
export function needOrders(orders: boolean | undefined): void {
  if (orders === true) return;
  throw new BadInput(
    `queue ${l3Fifo}: expected data with single orders (lobster, databento market by order, or a pack made of them), found levels only; take another queue model`,
  );
}

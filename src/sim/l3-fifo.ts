import { BadInput } from '../core/base/errors.ts';

/** The queue model without estimates: places come from the single orders of the recording, first in, first out. */
export const l3Fifo = 'l3-fifo';

/** The same, for orders beside the recording: `l3-fifo-strict` fills none because a taker went on to a worse price. */
export const l3Rules = [l3Fifo, 'l3-fifo-strict'] as const;

export type L3Rule = (typeof l3Rules)[number];

export function isL3Rule(name: string): name is L3Rule {
  return l3Rules.some((rule) => rule === name);
}

/** Throws `BadInput` when the data of a run has no single orders. */
export function needOrders(orders: boolean | undefined): void {
  if (orders === true) return;
  throw new BadInput(
    `queue ${l3Fifo}: expected data with single orders (lobster, databento market by order, or a pack made of them), found levels only; take another queue model`,
  );
}

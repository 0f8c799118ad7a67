import type { Micros } from '../../base/clock.ts';
import { isTerminal } from '../../model/order-life.ts';
import type { InstrumentId } from '../../model/instrument.ts';
import type { Order } from '../../model/order.ts';
import { listedOrder } from '../../state/order-entry.ts';
import type { StateView } from '../../state/index.ts';
import type { HeldExit, Memory } from './memory.ts';

/**
 * Replacements that wait for the end of their order at a venue that offers none, as pending orders: the state has no entry of them.
 * Of one strategy or of all, on one instrument or on all. Limits count what one adds to its order while that lives, and the whole
 * of it afterwards: no other order may take its place meanwhile.
 */
export function waitingOrders(
  { held }: Memory,
  strategy?: string,
  instrument?: InstrumentId,
): readonly Order[] {
  if (held.length === 0) return none;
  return held.flatMap((one) => {
    const order = waitingOrder(one);
    if (order === undefined || (strategy !== undefined && order.strategy !== strategy)) return [];
    return instrument === undefined || order.instrument === instrument ? [order] : [];
  });
}

/** How many of them wait although the order that they replace has ended: until then that one is counted. */
export function waitingCount(
  view: StateView,
  memory: Memory,
  strategy?: string,
  instrument?: InstrumentId,
): number {
  let count = 0;
  for (const { originalClientOrderId: id } of waitingOrders(memory, strategy, instrument)) {
    const original = id === undefined ? undefined : view.order(id);
    if (original === undefined || isTerminal(original.state)) count += 1;
  }
  return count;
}

const none: readonly Order[] = [];

function waitingOrder({ intent, requests, original }: HeldExit): Order | undefined {
  const request = requests[0];
  if (intent.action !== 'replace' || original === undefined || request === undefined) return undefined;
  const whole = { ...request, quantity: intent.quantity };
  return { ...listedOrder(whole, intent.strategy, 0 as Micros), originalClientOrderId: original };
}

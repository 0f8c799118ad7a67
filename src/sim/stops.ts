import { firesRising } from '../exchange/matching/triggers.ts';
import type { Ticks } from '../core/model/instrument.ts';
import type { QueueOrder } from './queue-order.ts';

/**
 * Stop and take-profit orders of one instrument that wait for its last price. They fire when it is at or beyond their
 * stop price: rising ones before falling ones, the nearest first, then the oldest.
 */
export class Stops {
  /** The last price: of recorded trades, and of executions of ours. */
  last: Ticks | undefined = undefined;
  readonly #waiting: QueueOrder[] = [];

  add(order: QueueOrder): void {
    this.#waiting.push(order);
  }

  /** Whether the order waited here. */
  remove(order: QueueOrder): boolean {
    const at = this.#waiting.indexOf(order);
    if (at >= 0) this.#waiting.splice(at, 1);
    return at >= 0;
  }

  /** Takes out the order that fires first at the last price; `undefined` when none does. */
  take(): QueueOrder | undefined {
    const { last } = this;
    if (this.#waiting.length === 0 || last === undefined) return undefined;
    let first: QueueOrder | undefined;
    for (const order of this.#waiting) if (isDue(order, last) && isBefore(order, first)) first = order;
    if (first !== undefined) this.remove(first);
    return first;
  }
}

function isRising({ request }: QueueOrder): boolean {
  return firesRising(request.type, request.side);
}

function isDue(order: QueueOrder, last: Ticks): boolean {
  const stopPrice = order.request.stopPrice as Ticks;
  return isRising(order) ? stopPrice <= last : stopPrice >= last;
}

/** Whether `order`, which is younger, fires before `other`. */
function isBefore(order: QueueOrder, other: QueueOrder | undefined): boolean {
  if (other === undefined) return true;
  const rising = isRising(order);
  if (rising !== isRising(other)) return rising;
  const mine = order.request.stopPrice as Ticks;
  const its = other.request.stopPrice as Ticks;
  return rising ? mine < its : mine > its;
}

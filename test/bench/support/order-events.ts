import type { Event, OrderReport } from '../../../src/core/model/event.ts';
import { filled, pending } from '../../core/journal/support/events.ts';

/** Orders placed, partly filled and canceled, one after the other: event number `index` of them. */
export function orderEvent(index: number): Event {
  const order = Math.floor(index / 3);
  if (index % 3 === 0) return pending(order);
  return index % 3 === 1 ? filled(order) : canceled(order);
}

function canceled(index: number): OrderReport {
  const one = filled(index);
  return { ...one, reportType: 'canceled', order: { ...one.order, state: 'canceled' }, fill: undefined };
}

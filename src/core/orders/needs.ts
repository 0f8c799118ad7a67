import type { NewOrderCommand, NewOrderListCommand, ReplaceOrderCommand } from '../model/command.ts';
import type { InstrumentId, Lots } from '../model/instrument.ts';
import type { ClientOrderId, Order } from '../model/order.ts';
import type { StateView } from '../state/view.ts';
import type { Candidate } from './candidate.ts';
import { reducingDenial } from './controls/trading-status.ts';
import type { Memory } from './memory.ts';

/**
 * The instruments whose books what is about to leave needs: those of its orders, and those that these are priced from, but for
 * orders that only reduce. Source: faults, I9 and X33.
 */
export function inputsOf(
  command: NewOrderCommand | NewOrderListCommand | ReplaceOrderCommand,
  view: StateView,
  memory: Memory,
): readonly InstrumentId[] {
  const needs = memory.strategies.get(command.strategy)?.limits.needs;
  const inputs: InstrumentId[] = [];
  for (const id of idsOf(command)) {
    const order = view.order(id);
    if (order === undefined) continue;
    const { instrument } = order;
    if (!inputs.includes(instrument)) inputs.push(instrument);
    const others = needs?.[instrument];
    if (others === undefined || others.length === 0 || isReducing(order, view, memory)) continue;
    for (const other of others) if (!inputs.includes(other)) inputs.push(other);
  }
  return inputs;
}

/** The ids of the orders that it would bring to life. */
function idsOf(
  command: NewOrderCommand | NewOrderListCommand | ReplaceOrderCommand,
): readonly ClientOrderId[] {
  if (command.kind === 'newOrder') return [command.request.clientOrderId];
  if (command.kind === 'replaceOrder') return [command.newClientOrderId];
  return command.requests.map(({ clientOrderId }) => clientOrderId);
}

/** Whether a live order makes its strategy's position smaller; one of a strategy that is not in this run does not. */
export function isReducing(order: Order, view: StateView, memory: Memory): boolean {
  const candidate = asCandidate(order, view, memory);
  if (candidate === undefined) return false;
  return reducingDenial(candidate, view, memory, { code: 'MODE_REDUCING', why: '' }) === undefined;
}

/** As if it were placed now: its own lots are not counted beside it. */
export function asCandidate(order: Order, view: StateView, memory: Memory): Candidate | undefined {
  const strategy = memory.strategies.get(order.strategy);
  if (strategy === undefined) return undefined;
  const instrument = view.instruments.at(order.instrument);
  const lots = (order.quantity - order.cumulative) as Lots;
  return { strategy, instrument, request: order, lots, replaces: order };
}

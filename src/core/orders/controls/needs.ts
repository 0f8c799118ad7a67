import type { NewOrderCommand, NewOrderListCommand, ReplaceOrderCommand } from '../../model/command.ts';
import type { InstrumentId, Lots } from '../../model/instrument.ts';
import type { ClientOrderId, Order } from '../../model/order.ts';
import type { StateView } from '../../state/index.ts';
import type { Candidate } from '../base/candidate.ts';
import { reducingDenial } from './trading-status.ts';
import type { Memory } from '../base/memory.ts';

type Raising = NewOrderCommand | NewOrderListCommand | ReplaceOrderCommand;

/** An order that a command would bring to life. */
interface Leaving {
  readonly instrument: InstrumentId;
  readonly clientOrderId: ClientOrderId;
}

/**
 * The instruments whose books what is about to leave needs: those of its orders, and those that these are priced from, but for
 * orders that only reduce. Source: faults, I9 and X33.
 */
export function inputsOf(command: Raising, view: StateView, memory: Memory): readonly InstrumentId[] {
  const needs = memory.strategies.get(command.strategy)?.limits.needs;
  if (command.kind === 'newOrder') return inputsOfOne(command.request, needs, view, memory);
  if (command.kind === 'replaceOrder') {
    const { instrument, newClientOrderId: clientOrderId } = command;
    return inputsOfOne({ instrument, clientOrderId }, needs, view, memory);
  }
  const inputs = command.requests.flatMap((request) => inputsOfOne(request, needs, view, memory));
  return [...new Set(inputs)];
}

/** An order is looked up only where it is priced from others: the lookup of a new id takes longer than all else here. */
function inputsOfOne(
  { instrument, clientOrderId }: Leaving,
  needs: readonly (readonly InstrumentId[] | undefined)[] | undefined,
  view: StateView,
  memory: Memory,
): readonly InstrumentId[] {
  const others = needs?.[instrument];
  if (others === undefined || others.length === 0) return [instrument];
  const order = view.order(clientOrderId);
  if (order !== undefined && reducesPosition(order, view, memory)) return [instrument];
  return [instrument, ...others];
}

/** Whether a live order makes its strategy's position smaller; one of a strategy that is not in this run does not. */
export function reducesPosition(order: Order, view: StateView, memory: Memory): boolean {
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

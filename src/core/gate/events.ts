import type { Micros } from '../base/clock.ts';
import type {
  CancelOrderCommand,
  CancelOrdersCommand,
  NewOrderCommand,
  NewOrderListCommand,
  ReadCommand,
  ReplaceOrderCommand,
  ChangeMarginCommand,
} from '../model/command.ts';
import type { Denial } from '../model/denial.ts';
import type { Event, OrderDenied } from '../model/event.ts';
import type { ClientOrderId } from '../model/order.ts';

/** The denial of a command that was already pending, of each order where it is about several: no byte of it left. */
export function commandDenied(
  now: Micros,
  command:
    | NewOrderCommand
    | NewOrderListCommand
    | CancelOrderCommand
    | CancelOrdersCommand
    | ReplaceOrderCommand,
  denial: Denial,
): readonly Event[] {
  if (command.kind === 'cancelOrders')
    return command.cancels.flatMap((one) => commandDenied(now, one, denial));
  const { strategy } = command;
  const denialOf = (action: OrderDenied['action'], clientOrderId: ClientOrderId, original?: ClientOrderId) =>
    ({
      kind: 'orderDenied',
      exchangeTime: now,
      receiveTime: now,
      strategy,
      action,
      clientOrderId,
      originalClientOrderId: original,
      denial,
    }) as const;
  switch (command.kind) {
    case 'newOrder':
      return [denialOf('place', command.request.clientOrderId)];
    case 'newOrderList':
      return command.requests.map(({ clientOrderId }) => denialOf('place', clientOrderId));
    case 'replaceOrder':
      return [denialOf('replace', command.newClientOrderId, command.clientOrderId)];
    case 'cancelOrder':
      return [denialOf('cancel', command.clientOrderId)];
  }
}

/** The denial of a change of margin that was already pending: no byte of it left. */
export function deniedMargin(now: Micros, { strategy, change }: ChangeMarginCommand, denial: Denial): Event {
  return { kind: 'marginDenied', exchangeTime: now, receiveTime: now, strategy, change, denial };
}

/** A read that never left counts as unanswered and may be asked again. */
export function unansweredRead(now: Micros, command: ReadCommand): Event {
  return {
    kind: 'commandSettled',
    exchangeTime: now,
    receiveTime: now,
    commandId: command.commandId,
    lane: 'read',
    outcome: 'unanswered',
    clientOrderId: undefined,
  };
}

/** Trading stops until an operator clears it. */
export function halted(now: Micros, why: string): Event {
  return { kind: 'modeChanged', exchangeTime: now, receiveTime: now, mode: 'halted', why, latched: true };
}

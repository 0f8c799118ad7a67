import type { Micros } from '../base/clock.ts';
import type {
  CancelOrderCommand,
  NewOrderCommand,
  ReadCommand,
  ReplaceOrderCommand,
} from '../model/command.ts';
import type { Denial } from '../model/denial.ts';
import type { Event } from '../model/event.ts';

/** The denial of a command that was already pending: no byte of it left. */
export function denied(
  now: Micros,
  command: NewOrderCommand | CancelOrderCommand | ReplaceOrderCommand,
  denial: Denial,
): Event {
  const place = command.kind === 'newOrder';
  const replace = command.kind === 'replaceOrder';
  return {
    kind: 'orderDenied',
    exchangeTime: now,
    receiveTime: now,
    strategy: command.strategy,
    action: place ? 'place' : replace ? 'replace' : 'cancel',
    clientOrderId: place
      ? command.request.clientOrderId
      : replace
        ? command.newClientOrderId
        : command.clientOrderId,
    originalClientOrderId: replace ? command.clientOrderId : undefined,
    denial,
  };
}

/** A read that never left counts as one that nobody answered; whoever asked may ask again. */
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

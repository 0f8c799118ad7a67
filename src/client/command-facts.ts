import type { Micros } from '../base/clock.ts';
import type { Command } from '../model/command.ts';
import type { CancelRejected, OrderRejected } from '../model/event.ts';
import type { ClientOrderId } from '../model/order.ts';

/** New orders and replacements use the trading socket; cancels have no method there by the document, nor need reads. */
export function leavesBySocket(command: Command): boolean {
  return command.kind === 'newOrder' || command.kind === 'replaceOrder';
}

/** The order a command is about: for a replacement the new one. */
export function idOf(command: Command): ClientOrderId | undefined {
  switch (command.kind) {
    case 'newOrder':
      return command.request.clientOrderId;
    case 'replaceOrder':
      return command.newClientOrderId;
    case 'cancelOrder':
      return command.clientOrderId;
    case 'read':
      return undefined;
  }
}

/** The event that tells of a certain no; a refused read has none. */
export function rejectionOf(
  command: Command,
  code: number,
  why: string,
  now: Micros,
): OrderRejected | CancelRejected | undefined {
  const times = { exchangeTime: now, receiveTime: now };
  switch (command.kind) {
    case 'newOrder': {
      const { clientOrderId } = command.request;
      return { kind: 'orderRejected', clientOrderId, originalClientOrderId: undefined, code, why, ...times };
    }
    case 'replaceOrder': {
      const { newClientOrderId: clientOrderId, clientOrderId: originalClientOrderId } = command;
      return { kind: 'orderRejected', clientOrderId, originalClientOrderId, code, why, ...times };
    }
    case 'cancelOrder':
      return { kind: 'cancelRejected', clientOrderId: command.clientOrderId, code, why, ...times };
    case 'read':
      return undefined;
  }
}

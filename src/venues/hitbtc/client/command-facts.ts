import type { Micros } from '../../../core/base/clock.ts';
import type { Command } from '../../../core/model/command.ts';
import { orderIdOf } from '../../../core/model/command.ts';
import type { CancelRejected, OrderRejected } from '../../../core/model/event.ts';
import type { ClientOrderId } from '../../../core/model/order.ts';

/** New orders and replacements use the trading socket; cancels have no method there by the document, nor need reads. */
export function leavesBySocket(command: Command): boolean {
  return command.kind !== 'cancelOrder' && command.kind !== 'read';
}

/** The order a command is about; a read is about none. */
export function idOf(command: Command): ClientOrderId | undefined {
  return command.kind === 'read' ? undefined : orderIdOf(command);
}

/** The events that tell of a certain no, one for each order of a list; a refused read has none. */
export function rejectionsOf(
  command: Command,
  code: number,
  why: string,
  now: Micros,
): readonly (OrderRejected | CancelRejected)[] {
  const times = { exchangeTime: now, receiveTime: now };
  const rejected = (clientOrderId: ClientOrderId, originalClientOrderId?: ClientOrderId): OrderRejected => ({
    kind: 'orderRejected',
    clientOrderId,
    originalClientOrderId,
    code,
    why,
    ...times,
  });
  switch (command.kind) {
    case 'newOrder':
      return [rejected(command.request.clientOrderId)];
    case 'newOrderList':
      return command.requests.map(({ clientOrderId }) => rejected(clientOrderId));
    case 'replaceOrder':
      return [rejected(command.newClientOrderId, command.clientOrderId)];
    case 'cancelOrder':
      return [{ kind: 'cancelRejected', clientOrderId: command.clientOrderId, code, why, ...times }];
    case 'read':
      return [];
  }
}

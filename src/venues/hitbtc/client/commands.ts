import type { Micros } from '../../../core/base/clock.ts';
import type { Command } from '../../../core/model/command.ts';
import { orderIdOf } from '../../../core/model/command.ts';
import type { CancelRejected, MarginRejected, OrderRejected } from '../../../core/model/event.ts';
import type { ClientOrderId } from '../../../core/model/order.ts';

/** New orders and replacements use the trading socket; cancels have no method there by the document, nor need reads. */
export function leavesBySocket(command: Command): boolean {
  return command.kind !== 'cancelOrder' && command.kind !== 'read' && command.kind !== 'changeMargin';
}

/** The events of a certain refusal, one for each order of a list; a refused read has none. */
export function rejectionsOf(
  command: Command,
  code: number,
  why: string,
  now: Micros,
): readonly (OrderRejected | CancelRejected | MarginRejected)[] {
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
    case 'changeMargin': {
      const { strategy, change } = command;
      return [{ kind: 'marginRejected', strategy, change, code, why, ...times }];
    }
    case 'read':
      return [];
  }
}

/** What a reply about one order means for the command it answers. */
export type ReplyMeaning = 'whole' | 'part' | 'foreign';

/**
 * Which replies are still to come. A list is answered once for each of its orders, all under one id; anything else
 * once. Source: v3-gaps, section 2.3 (spot_new_order_list).
 */
export class ListReplies {
  readonly #missing = new Map<number, Set<ClientOrderId>>();

  /** A reply was about `clientOrderId`: whether the command is answered by now. */
  met(command: Command, clientOrderId: ClientOrderId): ReplyMeaning {
    if (command.kind !== 'newOrderList') return clientOrderId === orderIdOf(command) ? 'whole' : 'foreign';
    const ids = command.requests.map((request) => request.clientOrderId);
    if (!ids.includes(clientOrderId)) return 'foreign';
    const missing = this.#missing.get(command.commandId) ?? new Set(ids);
    this.#missing.set(command.commandId, missing);
    missing.delete(clientOrderId);
    return missing.size === 0 ? 'whole' : 'part';
  }

  /** The command is settled. */
  forget(commandId: number): void {
    this.#missing.delete(commandId);
  }
}

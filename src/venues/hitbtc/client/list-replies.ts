import type { Command } from '../../../core/model/command.ts';
import type { ClientOrderId } from '../../../core/model/order.ts';
import { idOf } from './command-facts.ts';

/** What a reply about one order means for the command it answers. */
export type ReplyMeaning = 'whole' | 'part' | 'foreign';

/**
 * Which replies are still to come. A list is answered once for each of its orders, all under one id; anything else
 * once. Source: v3-gaps, section 2.3 (spot_new_order_list).
 */
export class ListReplies {
  readonly #missing = new Map<number, Set<ClientOrderId>>();

  /** A reply told of `clientOrderId`: whether the command is answered by now. */
  met(command: Command, clientOrderId: ClientOrderId): ReplyMeaning {
    if (command.kind !== 'newOrderList') return clientOrderId === idOf(command) ? 'whole' : 'foreign';
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

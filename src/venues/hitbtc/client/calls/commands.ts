import { fail } from '../../../../core/base/assert.ts';
import type { Micros } from '../../../../core/base/clock.ts';
import type { Command } from '../../../../core/model/command.ts';
import { orderIdOf } from '../../../../core/model/command.ts';
import type { CancelRejected, MarginRejected, OrderRejected } from '../../../../core/model/event.ts';
import type { Instruments } from '../../../../core/model/instrument.ts';
import type { ClientOrderId } from '../../../../core/model/order.ts';
import { productOf } from '../../../../core/model/product.ts';
import { encodeLeverage } from '../../wire/resources/margin-request.ts';
import { encodeNewOrderList, encodeReplacement } from '../../wire/resources/order-request.ts';
import { encodeV3NewOrder, encodeV3Request } from '../../wire/v3/order-requests.ts';

/**
 * New orders and replacements use the trading socket; cancels have no method there by the document, nor need reads. A margin
 * account is set over REST, its leverage alone by a method of the socket.
 */
export function leavesBySocket(command: Command): boolean {
  if (command.kind === 'changeMargin') return command.change.balance === undefined;
  return command.kind !== 'cancelOrder' && command.kind !== 'cancelOrders' && command.kind !== 'read';
}

/** Encodes such a command for the trading socket. Source: v3-gaps, sections 2.3 to 2.5. */
export function encodeCommand(command: Command, instruments: Instruments): string {
  const { commandId } = command;
  switch (command.kind) {
    case 'newOrder':
      return encodeV3NewOrder(command.request, instruments.at(command.request.instrument), commandId);
    case 'newOrderList': {
      const [first] = command.requests;
      const product =
        first === undefined ? 'spot' : productOf(instruments.at(first.instrument), first.margin);
      return encodeV3Request(
        `${product}_new_order_list`,
        encodeNewOrderList(command, instruments),
        commandId,
      );
    }
    case 'replaceOrder': {
      const replacement = encodeReplacement('v3', command, instruments.at(command.instrument));
      return encodeV3Request(`${command.product ?? 'spot'}_replace_order`, replacement, commandId);
    }
    case 'changeMargin': {
      const { instrument, leverage } = command.change;
      if (instrument === undefined || leverage === undefined)
        fail('a change of margin that changes nothing was to be sent', { commandId });
      const { symbol } = instruments.at(instrument);
      return encodeV3Request('futures_set_leverage', encodeLeverage(symbol, leverage), commandId);
    }
    case 'cancelOrder':
    case 'cancelOrders':
    case 'read':
      return fail('the trading socket has no such command', { kind: command.kind });
  }
}

/** The events of a certain refusal, one for each order of it; a refused read has none. */
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
    case 'cancelOrders':
      return command.cancels.flatMap((one) => rejectionsOf(one, code, why, now));
    case 'changeMargin': {
      const { strategy, change } = command;
      return [{ kind: 'marginRejected', strategy, change, code, why, ...times }];
    }
    case 'read':
      return [];
  }
}

/** Meaning of a reply about one order for the command it answers. */
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

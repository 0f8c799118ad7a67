import type { Micros } from '../base/clock.ts';
import { SmallMap } from '../base/small-map.ts';
import type { NewOrderCommand, ReplaceOrderCommand } from '../model/command.ts';
import type { ClientOrderId } from '../model/order.ts';

/** A new order or a replacement that the gate has and nobody has answered. */
export interface Sent {
  readonly command: NewOrderCommand | ReplaceOrderCommand;
  readonly clientOrderId: ClientOrderId;
  /** For a replacement: the order it replaces. */
  readonly original: ClientOrderId | undefined;
  /** When the gate got it, by `uptime`; it left at that time or a little later. */
  readonly at: Micros;
}

/** What is on its way, by client order id, oldest first. Bounded by the open-order limits. */
export class InFlight {
  readonly #sent = new SmallMap<string, Sent>();
  readonly #byCommand = new SmallMap<number, Sent>();
  readonly #byOriginal = new SmallMap<string, Sent>();

  get size(): number {
    return this.#sent.size;
  }

  add(command: NewOrderCommand | ReplaceOrderCommand, at: Micros): void {
    const replace = command.kind === 'replaceOrder';
    const sent: Sent = {
      command,
      clientOrderId: replace ? command.newClientOrderId : command.request.clientOrderId,
      original: replace ? command.clientOrderId : undefined,
      at,
    };
    this.#sent.set(sent.clientOrderId, sent);
    this.#byCommand.set(command.commandId, sent);
    if (sent.original !== undefined) this.#byOriginal.set(sent.original, sent);
  }

  get(clientOrderId: ClientOrderId): Sent | undefined {
    return this.#sent.get(clientOrderId);
  }

  /** What left under one command and has no answer: one, or the orders of a list. */
  ofCommand(commandId: number): readonly Sent[] {
    const sent = this.#byCommand.get(commandId);
    if (sent === undefined) return [];
    const list = listOf(sent);
    return list === undefined ? [sent] : list.flatMap((id) => this.#sent.get(id) ?? []);
  }

  /** The replacement of `original` that is on its way, if there is one. */
  replacementOf(original: ClientOrderId): Sent | undefined {
    return this.#byOriginal.get(original);
  }

  /** Takes it out: it has been answered, denied or declared unknown. */
  take(clientOrderId: ClientOrderId): Sent | undefined {
    const sent = this.#sent.get(clientOrderId);
    if (sent === undefined) return undefined;
    this.#sent.delete(clientOrderId);
    if (listOf(sent)?.some((id) => this.#sent.get(id) !== undefined) !== true)
      this.#byCommand.delete(sent.command.commandId);
    if (sent.original !== undefined) this.#byOriginal.delete(sent.original);
    return sent;
  }

  /** The one that waits longest. */
  get oldest(): Sent | undefined {
    const id = this.#sent.oldestKey();
    return id === undefined ? undefined : this.#sent.get(id);
  }

  /** Those the gate got at or before `time`. */
  until(time: number): readonly Sent[] {
    const old: Sent[] = [];
    for (const sent of this.#sent.values()) if (sent.at <= time) old.push(sent);
    return old;
  }
}

/** The orders that left with this one. */
function listOf({ command }: Sent): readonly ClientOrderId[] | undefined {
  return command.kind === 'newOrder' ? command.request.list?.orders : undefined;
}

import type { NewOrderCommand, ReplaceOrderCommand } from '../model/command.ts';
import type { Intent, PlaceIntent, ReplaceIntent } from '../model/intent.ts';

/** Intents remembered at once; one is forgotten when its order leaves or is denied. */
const intentsMax = 100_000;

/**
 * The last look before the wire: what leaves must be, field for field, what a strategy declared, and leave once.
 * It keeps its own record of intents and trusts nothing the rooms between have done. Source: faults, control 18.
 */
export class Comparator {
  readonly #places = new Map<string, PlaceIntent>();
  readonly #replaces = new Map<string, ReplaceIntent>();

  remember(intent: Intent): void {
    if (intent.action === 'place') keep(this.#places, intent.request.clientOrderId, intent);
    else if (intent.action === 'replace') keep(this.#replaces, intent.newClientOrderId, intent);
  }

  forget(clientOrderId: string): void {
    this.#places.delete(clientOrderId);
    this.#replaces.delete(clientOrderId);
  }

  /** What differs between the command and its intent, or `undefined`. A match is used up: a second one differs. */
  differs(command: NewOrderCommand | ReplaceOrderCommand): string | undefined {
    return command.kind === 'newOrder' ? this.#newOrder(command) : this.#replaceOrder(command);
  }

  #newOrder(command: NewOrderCommand): string | undefined {
    const { request } = command;
    const intent = this.#places.get(request.clientOrderId);
    if (intent === undefined) return `no intent asked for the order ${request.clientOrderId}`;
    this.#places.delete(request.clientOrderId);
    const asked = intent.request;
    if (
      intent.strategy !== command.strategy ||
      asked.instrument !== request.instrument ||
      asked.side !== request.side ||
      asked.type !== request.type ||
      asked.timeInForce !== request.timeInForce ||
      asked.quantity !== request.quantity ||
      asked.price !== request.price ||
      asked.stopPrice !== request.stopPrice ||
      asked.expireTime !== request.expireTime ||
      asked.postOnly !== request.postOnly
    ) {
      return `the order ${request.clientOrderId} is not what its intent asked for`;
    }
    return undefined;
  }

  #replaceOrder(command: ReplaceOrderCommand): string | undefined {
    const intent = this.#replaces.get(command.newClientOrderId);
    if (intent === undefined) return `no intent asked for the replacement ${command.newClientOrderId}`;
    this.#replaces.delete(command.newClientOrderId);
    if (
      intent.strategy !== command.strategy ||
      intent.clientOrderId !== command.clientOrderId ||
      intent.quantity !== command.quantity ||
      intent.price !== command.price ||
      intent.stopPrice !== command.stopPrice
    ) {
      return `the replacement ${command.newClientOrderId} is not what its intent asked for`;
    }
    return undefined;
  }
}

function keep<Kind>(map: Map<string, Kind>, id: string, intent: Kind): void {
  if (map.size >= intentsMax) {
    const oldest = map.keys().next();
    if (oldest.done !== true) map.delete(oldest.value);
  }
  map.set(id, intent);
}

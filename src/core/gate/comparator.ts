import { SmallMap } from '../base/small-map.ts';
import type {
  NewOrderCommand,
  NewOrderListCommand,
  ReplaceOrderCommand,
  ChangeMarginCommand,
} from '../model/command.ts';
import type {
  Intent,
  PlaceIntent,
  PlaceListIntent,
  ReplaceIntent,
  ChangeMarginIntent,
} from '../model/intent.ts';
import type { MarginChange, MarginMark } from '../model/margin.ts';
import { isSameChange } from '../model/margin.ts';
import type { OrderRequest } from '../model/order.ts';

/** Intents remembered at once; one is forgotten when its order leaves or is denied. */
const intentsMax = 100_000;
const marginsMax = 1_000;

/**
 * The last check before the wire: what leaves must be, field for field, what a strategy declared, and leave once.
 * It keeps its own record of intents and trusts none of the steps between. Source: faults, control 18.
 */
export class Comparator {
  readonly #places = new SmallMap<string, PlaceIntent>();
  readonly #replaces = new SmallMap<string, ReplaceIntent>();
  /** Lists by the id of their first order. */
  readonly #lists = new SmallMap<string, PlaceListIntent>();
  /** Changes of margin that were asked for and have not left, the oldest first. */
  readonly #margins: ChangeMarginIntent[] = [];

  remember(intent: Intent): void {
    if (intent.action === 'place') keep(this.#places, intent.request.clientOrderId, intent);
    else if (intent.action === 'replace') keep(this.#replaces, intent.newClientOrderId, intent);
    else if (intent.action === 'placeList') keep(this.#lists, listIdOf(intent), intent);
    else if (intent.action === 'changeMargin') {
      this.#margins.push(intent);
      if (this.#margins.length > marginsMax) this.#margins.shift();
    }
  }

  forget(clientOrderId: string): void {
    this.#places.delete(clientOrderId);
    this.#replaces.delete(clientOrderId);
    this.#lists.delete(clientOrderId);
  }

  /** A change of margin was denied: it is forgotten. */
  forgetMargin(strategy: string, change: MarginChange): boolean {
    const at = this.#margins.findIndex(
      (one) => one.strategy === strategy && isSameChange(one.change, change),
    );
    if (at >= 0) this.#margins.splice(at, 1);
    return at >= 0;
  }

  /** Difference between the command and its intent, or `undefined`. A match is used up: a second one differs. */
  differs(
    command: NewOrderCommand | NewOrderListCommand | ReplaceOrderCommand | ChangeMarginCommand,
  ): string | undefined {
    if (command.kind === 'newOrder') return this.#newOrder(command);
    if (command.kind === 'changeMargin') {
      const isAsked = this.forgetMargin(command.strategy, command.change);
      return isAsked ? undefined : `no intent of ${command.strategy} asked for the change of margin`;
    }
    return command.kind === 'replaceOrder' ? this.#replaceOrder(command) : this.#newOrderList(command);
  }

  #newOrder(command: NewOrderCommand): string | undefined {
    const { request } = command;
    const replace = this.#replaces.get(request.clientOrderId);
    if (replace !== undefined) return this.#renewal(command, replace);
    const intent = this.#places.get(request.clientOrderId);
    if (intent === undefined) return `no intent asked for the order ${request.clientOrderId}`;
    this.#places.delete(request.clientOrderId);
    if (intent.strategy !== command.strategy || !same(intent.request, request)) {
      return `the order ${request.clientOrderId} is not what its intent asked for`;
    }
    return undefined;
  }

  /** A replacement that leaves as a new order, since the venue has none: of no more than was asked for. */
  #renewal({ strategy, request }: NewOrderCommand, intent: ReplaceIntent): string | undefined {
    this.#replaces.delete(request.clientOrderId);
    const isAsked =
      intent.strategy === strategy &&
      request.quantity <= intent.quantity &&
      intent.price === request.price &&
      intent.stopPrice === request.stopPrice;
    return isAsked ? undefined : `the order ${request.clientOrderId} is not what its intent asked for`;
  }

  #newOrderList({ strategy, contingency, requests }: NewOrderListCommand): string | undefined {
    const id = listIdOf({ requests });
    const intent = this.#lists.get(id);
    if (intent === undefined) return `no intent asked for the list ${id}`;
    this.#lists.delete(id);
    const isWhole =
      intent.strategy === strategy &&
      intent.contingency === contingency &&
      intent.requests.length === requests.length &&
      intent.requests.every((asked, at) => same(asked, requests[at]));
    return isWhole ? undefined : `the list ${id} is not what its intent asked for`;
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

function keep<Kind>(map: SmallMap<string, Kind>, id: string, intent: Kind): void {
  if (map.size >= intentsMax) {
    const oldest = map.oldestKey();
    if (oldest !== undefined) map.delete(oldest);
  }
  map.set(id, intent);
}

function same(asked: OrderRequest, leaving: OrderRequest | undefined): boolean {
  return (
    asked.clientOrderId === leaving?.clientOrderId &&
    asked.instrument === leaving.instrument &&
    asked.side === leaving.side &&
    asked.type === leaving.type &&
    asked.timeInForce === leaving.timeInForce &&
    asked.quantity === leaving.quantity &&
    asked.price === leaving.price &&
    asked.stopPrice === leaving.stopPrice &&
    asked.expireTime === leaving.expireTime &&
    asked.postOnly === leaving.postOnly &&
    asked.takeRate === leaving.takeRate &&
    asked.makeRate === leaving.makeRate &&
    (asked.margin === leaving.margin || sameMargin(asked.margin, leaving.margin))
  );
}

function sameMargin(asked: MarginMark | undefined, leaving: MarginMark | undefined): boolean {
  return (
    asked?.mode === leaving?.mode &&
    asked?.reduceOnly === leaving?.reduceOnly &&
    asked?.closePosition === leaving?.closePosition &&
    asked?.auto === leaving?.auto
  );
}

function listIdOf({ requests }: Pick<PlaceListIntent, 'requests'>): string {
  return requests[0]?.clientOrderId ?? '';
}

import type { Micros } from '../base/clock.ts';
import { SmallMap } from '../base/small-map.ts';
import type { NewOrderCommand, ReplaceOrderCommand } from '../model/command.ts';
import type { InstrumentId } from '../model/instrument.ts';
import type { Intent, PlaceIntent, ReplaceIntent } from '../model/intent.ts';
import type { ClientOrderId, Order, OrderRequest } from '../model/order.ts';
import { listedOrder } from './order-entry.ts';

/** Cancels kept without a verdict that strategies on this state asked for. */
const cancelsMax = 25_000;
/** Intents kept without a verdict; beyond, the oldest is forgotten. Only a fault leaves any. */
const intentsMax = 100_000;

/** A new order or a replacement between the call of a strategy and the answer of the venue. */
export class InFlightOrder {
  readonly clientOrderId: ClientOrderId;
  readonly strategy: string;
  /**
   * `proposed`: no verdict yet. `pending`: accepted, and not yet entered in the records. `sent`: the gate has it, and an answer is
   * awaited. Acknowledged and unknown orders have left the table; the records have them.
   */
  stage: 'proposed' | 'pending' | 'sent' = 'proposed';
  /** Request of the order. A replacement has one only where its strategy runs on this state. */
  request: OrderRequest | undefined;
  /** For a replacement: the order it replaces. */
  original: ClientOrderId | undefined;
  /** Wall time of the proposal, later of the verdict. */
  time: Micros;
  /** The intent as an event, while it has no verdict, and its place among all of them. */
  intent: PlaceIntent | ReplaceIntent | undefined;
  declared = 0;
  /** The number of the command it was sent by. */
  commandId = 0;
  /** When the gate got it, by `uptime`; it left at that time or a little later. */
  sentAt = 0 as Micros;

  constructor(clientOrderId: ClientOrderId, strategy: string, time: Micros) {
    this.clientOrderId = clientOrderId;
    this.strategy = strategy;
    this.time = time;
  }
}

/** The cancel of one order between the call of a strategy and the verdict. */
interface ProposedCancel {
  /** The strategy on this state that asked. */
  asker: string | undefined;
  intent: Intent | undefined;
  declared: number;
}

/**
 * The one table of orders in flight, oldest first.
 *
 * Events declare intents and answer them, alike in every replica. Two things come from beside the events: a strategy on this
 * state proposes before its intent is an event, so that it sees at once what it has asked for; and the order manager marks what
 * it sends, with monotonic time. The comparator of the gate keeps a record of its own.
 */
export class InFlightOrders {
  readonly #orders = new SmallMap<ClientOrderId, InFlightOrder>();
  readonly #cancels = new SmallMap<ClientOrderId, ProposedCancel>();
  /** Sent replacements, by the order they replace. */
  readonly #byOriginal = new SmallMap<ClientOrderId, InFlightOrder>();
  /** Intents under an id that has one already: each is denied, and the denial must find it. */
  readonly #duplicates: { readonly intent: Intent; readonly declared: number }[] = [];
  /** Accepted last, and not entered in the records: that waits until something is asked, when the order has left. */
  unentered: InFlightOrder | undefined;
  #declared = 0;
  #proposed = 0;
  #sent = 0;

  /** How many orders wait for a verdict. */
  get proposed(): number {
    return this.#proposed;
  }

  /** How many wait for an answer of the venue. */
  get sent(): number {
    return this.#sent;
  }

  // Written by strategies on this state.

  /** Takes what a strategy asks for. */
  propose(strategy: string, request: OrderRequest, original: ClientOrderId | undefined, time: Micros): void {
    const order = this.#add(request.clientOrderId, strategy, time);
    order.request = request;
    order.original = original;
  }

  /** Takes a cancel that a strategy asks for. False when it has done so already and there is no verdict. */
  proposeCancel(strategy: string, id: ClientOrderId): boolean {
    const cancel = this.#cancels.get(id);
    if (cancel?.asker !== undefined || this.#cancels.size >= cancelsMax) return false;
    if (cancel === undefined) this.#cancels.set(id, { asker: strategy, intent: undefined, declared: 0 });
    else cancel.asker = strategy;
    return true;
  }

  /** A strategy was notified of the verdict on its cancel, or of the end of the order. */
  cancelReported(strategy: string, id: ClientOrderId): void {
    const cancel = this.#cancels.get(id);
    if (cancel?.asker !== strategy) return;
    if (cancel.intent === undefined) this.#cancels.delete(id);
    else cancel.asker = undefined;
  }

  /** A strategy has ended: what it asked for and is no event is dropped. */
  drop(strategy: string): void {
    for (const order of this.#orders.values()) {
      const isDeclared = order.stage !== 'proposed' || order.intent !== undefined;
      if (order.strategy === strategy && !isDeclared) this.#remove(order);
    }
    for (const id of this.#cancels.keys()) this.cancelReported(strategy, id);
  }

  /** The order of that id which a strategy asked for, as pending. */
  proposal(id: ClientOrderId): Order | undefined {
    const order = this.#orders.get(id);
    return order?.stage === 'proposed' ? orderOf(order) : undefined;
  }

  /** Requests of a strategy on one instrument, or on all; oldest first. */
  proposals(strategy: string, instrument: InstrumentId | undefined): readonly Order[] {
    return this.#orders.values().flatMap((order) => {
      if (order.stage !== 'proposed' || order.strategy !== strategy) return [];
      if (instrument !== undefined && order.request?.instrument !== instrument) return [];
      return orderOf(order) ?? [];
    });
  }

  // Written by events.

  /** An intent became an event. */
  declare(intent: Intent): void {
    this.#declared += 1;
    if (intent.action === 'place') {
      this.#declare(intent.request.clientOrderId, intent);
    } else if (intent.action === 'replace') {
      this.#declare(intent.newClientOrderId, intent);
    } else if (intent.action === 'cancel') {
      this.#declareCancel(intent.clientOrderId, intent);
    } else if (intent.action === 'placeList') {
      // Each order of a list has a verdict of its own.
      const { strategy } = intent;
      for (const request of intent.requests) this.declare({ action: 'place', strategy, request });
    }
  }

  /** A new order was accepted. Returns its row for the records. */
  accept(request: OrderRequest, strategy: string, time: Micros): InFlightOrder {
    const id = request.clientOrderId;
    let order = this.find(id);
    const isOther = order !== undefined && order.strategy !== strategy;
    // A venue without replacements gets what a replacement asks for as a new order.
    if (order === undefined || isOther || this.#duplicates.length > 0) {
      // Under an id that is taken, as a rule: the records say so.
      this.answer(order?.intent?.action ?? 'place', id);
      order = new InFlightOrder(id, strategy, time);
    } else {
      this.#proposed -= 1;
    }
    order.stage = 'pending';
    order.intent = undefined;
    order.request = request;
    order.time = time;
    return order;
  }

  /** The records have the order. */
  entered(order: InFlightOrder): void {
    if (order.stage === 'pending' && this.#orders.get(order.clientOrderId) === order) this.#remove(order);
  }

  /** The row of an order without a verdict. */
  find(id: ClientOrderId): InFlightOrder | undefined {
    const order = this.#orders.get(id);
    return order?.stage === 'proposed' ? order : undefined;
  }

  /**
   * A verdict on `id`: removes and returns the intent that it answers. A denial that answers one is of our controls; a denial that
   * answers none is of the gate, and concerns an order that was accepted before.
   */
  answer(action: Intent['action'], id: ClientOrderId): Intent | undefined {
    const row = action === 'cancel' ? this.#cancels.get(id) : this.#orders.get(id);
    const intent = row?.intent;
    const isRow = row !== undefined && intent?.action === action;
    const duplicate = this.#answerDuplicate(action, id, isRow ? row.declared : Number.POSITIVE_INFINITY);
    if (duplicate !== undefined || !isRow) return duplicate;
    row.intent = undefined;
    if (row instanceof InFlightOrder) {
      if (row.stage === 'proposed') this.#remove(row);
    } else if (row.asker === undefined) {
      this.#cancels.delete(id);
    }
    return intent;
  }

  /** Every intent without a verdict, so that declaring them one by one makes this again. */
  intents(): readonly Intent[] {
    return [...this.#orders.values(), ...this.#cancels.values(), ...this.#duplicates]
      .toSorted((one, other) => one.declared - other.declared)
      .flatMap(({ intent }) => intent ?? []);
  }

  // Written by the order manager.

  /** A command was handed to the gate. */
  send(command: NewOrderCommand | ReplaceOrderCommand, uptime: Micros): void {
    const replaces = command.kind === 'replaceOrder';
    const id = replaces ? command.newClientOrderId : command.request.clientOrderId;
    const order = this.#orders.get(id) ?? this.#add(id, command.strategy, uptime);
    if (order.stage === 'proposed') this.#proposed -= 1;
    if (order.stage !== 'sent') this.#sent += 1;
    order.stage = 'sent';
    order.commandId = command.commandId;
    order.sentAt = uptime;
    if (replaces) {
      order.original = command.clientOrderId;
      this.#byOriginal.set(command.clientOrderId, order);
    } else {
      order.request = command.request;
    }
  }

  /** The order, if an answer is awaited. */
  sentOrder(id: ClientOrderId): InFlightOrder | undefined {
    const order = this.#orders.get(id);
    return order?.stage === 'sent' ? order : undefined;
  }

  /** The replacement of `original` that was sent. */
  replacementOf(original: ClientOrderId): InFlightOrder | undefined {
    return this.#byOriginal.get(original);
  }

  /** Orders that one command sent: one order, or the orders of a list. */
  ofCommand(commandId: number): readonly InFlightOrder[] {
    return this.#orders.values().filter((order) => order.stage === 'sent' && order.commandId === commandId);
  }

  /** Orders that were sent at or before `time`. */
  until(time: number): readonly InFlightOrder[] {
    return this.#orders.values().filter((order) => order.stage === 'sent' && order.sentAt <= time);
  }

  /** When the order that waits longest was sent; `undefined` when none waits. */
  get oldestSentAt(): Micros | undefined {
    if (this.#sent === 0) return undefined;
    const oldest = this.#orders.oldestKey();
    const first = oldest === undefined ? undefined : this.#orders.get(oldest);
    return first?.stage === 'sent' ? first.sentAt : this.until(Number.POSITIVE_INFINITY)[0]?.sentAt;
  }

  /** Takes an order out: it was answered, denied, or becomes unknown. `undefined` when no answer was awaited. */
  takeOrder(id: ClientOrderId): InFlightOrder | undefined {
    const order = this.sentOrder(id);
    if (order === undefined) return undefined;
    this.#sent -= 1;
    if (order.original !== undefined) this.#byOriginal.delete(order.original);
    this.#orders.delete(id);
    return order;
  }

  #add(id: ClientOrderId, strategy: string, time: Micros): InFlightOrder {
    const order = new InFlightOrder(id, strategy, time);
    this.#orders.set(id, order);
    this.#proposed += 1;
    return order;
  }

  #declare(id: ClientOrderId, intent: PlaceIntent | ReplaceIntent): void {
    const order = this.#orders.get(id) ?? this.#add(id, intent.strategy, 0 as Micros);
    if (order.stage !== 'proposed' || order.intent !== undefined) this.#duplicate(intent);
    else {
      order.intent = intent;
      order.declared = this.#declared;
    }
    if (this.#proposed > intentsMax) this.#evict();
  }

  #declareCancel(id: ClientOrderId, intent: Intent): void {
    const cancel = this.#cancels.get(id);
    if (cancel === undefined) {
      this.#cancels.set(id, { asker: undefined, intent, declared: this.#declared });
    } else if (cancel.intent === undefined) {
      cancel.intent = intent;
      cancel.declared = this.#declared;
    } else {
      this.#duplicate(intent);
    }
    const oldest = this.#cancels.size > intentsMax ? this.#cancels.oldestKey() : undefined;
    if (oldest !== undefined) this.#cancels.delete(oldest);
  }

  #duplicate(intent: Intent): void {
    this.#duplicates.push({ intent, declared: this.#declared });
    if (this.#duplicates.length > intentsMax) this.#duplicates.shift();
  }

  /** The oldest of them that answers, if it was declared before `than`. */
  #answerDuplicate(action: Intent['action'], id: ClientOrderId, than: number): Intent | undefined {
    if (this.#duplicates.length === 0) return undefined;
    const at = this.#duplicates.findIndex(({ intent }) => intent.action === action && idOf(intent) === id);
    const isOldest = at >= 0 && (this.#duplicates[at]?.declared ?? than) < than;
    return isOldest ? this.#duplicates.splice(at, 1)[0]?.intent : undefined;
  }

  #evict(): void {
    const oldest = this.#orders.values().find((order) => order.stage === 'proposed');
    if (oldest !== undefined) this.#remove(oldest);
  }

  #remove(order: InFlightOrder): void {
    if (order.stage === 'proposed') this.#proposed -= 1;
    this.#orders.delete(order.clientOrderId);
  }
}

/** A proposal as the strategy sees it: nearly always the verdict comes first, so it is made when it is asked for. */
function orderOf({ request, strategy, time, original }: InFlightOrder): Order | undefined {
  if (request === undefined) return undefined;
  return Object.freeze({ ...listedOrder(request, strategy, time), originalClientOrderId: original });
}

function idOf(intent: Intent): ClientOrderId | undefined {
  if (intent.action === 'place') return intent.request.clientOrderId;
  if (intent.action === 'replace') return intent.newClientOrderId;
  return intent.action === 'cancel' ? intent.clientOrderId : undefined;
}

import { millis } from '../../src/core/base/clock.ts';
import type { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import type { CancelOrderCommand } from '../../src/core/model/command.ts';
import type { Event } from '../../src/core/model/event.ts';
import { isTerminal } from '../../src/core/model/order-life.ts';
import type { ClientOrderId } from '../../src/core/model/order.ts';
import type { StateView } from '../../src/core/state/view.ts';
import type { Breaches } from './breaches.ts';
import { simOrderOptions } from './sim-trader.ts';

export interface CancelCheckParts {
  readonly time: VirtualClock;
  readonly breaches: Breaches;
  /** When the last byte of an order left, true time; undefined: never. */
  readonly sentAt: (id: string) => number | undefined;
}

/** One request cancels all orders of a symbol or of an account: `METHOD path`. */
const cancelsAll = /^DELETE \/api\/3\/(?:spot|margin|futures)\/order$/;
/** So long a cancel is waited for before another is asked for. */
const { answerMsMax } = simOrderOptions.reconcile;

/** How orders are cancelled, one at a time and together, and what becomes of those that never left. I3, I7, I16. */
export class CancelCheck {
  readonly #parts: CancelCheckParts;
  /** Cancels without an answer, by the order. */
  #open = new Map<ClientOrderId, { readonly commandId: number; readonly at: number }>();
  /**
   * Cancels of this step: those that leave alone after others of their symbol left together, and the instruments of those that did.
   * One that was asked for before them, as by a strategy that throws afterwards, is on its way already.
   */
  #alone: CancelOrderCommand[] = [];
  #together = new Set<string>();
  /** Commands that belong to a cancel of all. */
  #groups = new Set<number>();
  /** Orders that the reply to a cancel of all tells of, or that were refused, in this step; `undefined`: there was no reply. */
  #named: Set<string> | undefined;
  /** When orders of this process were admitted, true time. */
  #admitted = new Map<string, number>();
  /** Orders whose cancel was refused in this step. */
  #refused = new Set<ClientOrderId>();
  #downAt = 0;
  #upAt = 0;

  constructor(parts: CancelCheckParts) {
    this.#parts = parts;
  }

  restart(): void {
    this.#open = new Map();
    this.#groups = new Set();
    this.#admitted = new Map();
  }

  /** The trader has taken this event in. */
  after(event: Event, view: StateView): void {
    switch (event.kind) {
      case 'orderPending':
        this.#admitted.set(event.command.request.clientOrderId, this.#parts.time.now());
        return;
      case 'replacePending':
        this.#admitted.set(event.command.newClientOrderId, this.#parts.time.now());
        return;
      case 'orderUnknown':
        this.#unsent(event.clientOrderId);
        return;
      case 'cancelPending':
        this.#pending(event.command, view);
        return;
      case 'commandSettled':
        if (event.lane === 'cancel' && event.clientOrderId !== undefined)
          this.#settled(event.commandId, event.clientOrderId, event.outcome === 'acknowledged');
        return;
      case 'cancelRejected':
        this.#named?.add(event.clientOrderId);
        // It has its answer: whoever hears of it may ask for another before the command is settled.
        this.#open.delete(event.clientOrderId);
        this.#refused.add(event.clientOrderId);
        return;
      case 'orderDenied':
        if (event.action === 'cancel') this.#open.delete(event.clientOrderId);
        return;
      case 'sessionDown':
        if (event.session === 'trading') this.#downAt = this.#parts.time.now();
        return;
      case 'sessionUp':
        if (event.session === 'trading') this.#upAt = this.#parts.time.now();
        return;
      default:
    }
  }

  /** The answer to a request arrives: `status body`. */
  answered(request: string, answer: string): void {
    if (!cancelsAll.test(request) || !answer.startsWith('200 ')) return;
    const rows = JSON.parse(answer.slice('200 '.length)) as readonly { readonly client_order_id: string }[];
    this.#named = new Set([...(this.#named ?? []), ...rows.map((row) => row.client_order_id)]);
  }

  afterStep(view: StateView): void {
    for (const { clientOrderId: id } of this.#alone)
      this.#breach('I16', `order ${id} is cancelled alone, and others of its symbol together`);
    this.#alone = [];
    this.#together = new Set();
    this.#named = undefined;
    for (const id of this.#refused)
      if (view.order(id)?.cancelPending === true && !this.#open.has(id))
        this.#breach('I6', `the cancel of ${id} was refused, and it is shown as being canceled`);
    this.#refused = new Set();
    if (this.#open.size === 0) return;
    for (const id of this.#open.keys()) {
      const order = view.order(id);
      if (order === undefined || isTerminal(order.state)) this.#open.delete(id);
    }
  }

  #pending(command: CancelOrderCommand, view: StateView): void {
    const { clientOrderId: id, commandId, instrument, together } = command;
    const now = this.#parts.time.now();
    const order = view.order(id);
    const before = this.#open.get(id);
    if (before !== undefined && now - before.at < millis(answerMsMax))
      this.#breach(
        'I16',
        `a second cancel of ${id} is asked for ${(now - before.at) / 1_000} ms after the first`,
      );
    this.#open.set(id, { commandId, at: now });
    const mayNotBeThere = order?.state === 'pending' || order?.state === 'unknown';
    if (together === undefined) {
      if (!mayNotBeThere && order?.margin === undefined && this.#together.has(`${instrument}`))
        this.#alone.push(command);
      return;
    }
    this.#groups.add(commandId);
    if (order?.margin === undefined) this.#together.add(`${instrument}`);
    if (mayNotBeThere)
      this.#breach('I7', `order ${id} is ${order.state}, and no cancel of its own is asked for`);
  }

  #settled(commandId: number, id: ClientOrderId, isDone: boolean): void {
    if (this.#open.get(id)?.commandId === commandId) this.#open.delete(id);
    if (!this.#groups.delete(commandId) || !isDone || this.#named === undefined || this.#named.has(id))
      return;
    this.#breach(
      'I7',
      `the cancel of ${id} is called done, and the reply to the cancel of all does not tell of it`,
    );
  }

  /** An order whose session went while it waited to leave is refused, and not unknown. */
  #unsent(id: ClientOrderId): void {
    const at = this.#admitted.get(id);
    if (at === undefined || this.#parts.sentAt(id) !== undefined) return;
    if (this.#downAt >= at && this.#upAt < this.#downAt)
      this.#breach('I3', `order ${id} is called unknown, and no byte of it left before the session went`);
  }

  #breach(invariant: string, why: string): void {
    this.#parts.breaches.add(invariant, why);
  }
}

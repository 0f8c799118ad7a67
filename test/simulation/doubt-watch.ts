import type { Event } from '../../src/core/model/event.ts';
import { isTerminal } from '../../src/core/model/order-life.ts';
import type { ClientOrderId } from '../../src/core/model/order.ts';
import type { StateView } from '../../src/core/state/view.ts';
import type { Breaches } from './breaches.ts';

/** Histories that one look asks for at most: so many are never in doubt at once here. */
const idsMax = 50;

/**
 * The look at the account that begins after an order came into doubt asks for its history: the original of a replacement that is
 * unknown, was taken up or was refused, and an order whose cancel failed. Lists alone may be older than what became of it. I3, I6, I7.
 */
export class DoubtWatch {
  readonly #breaches: Breaches;
  /** Orders in doubt since the last look began, each with why. */
  #owed = new Map<ClientOrderId, string>();
  /** What the look that began in this step has to ask for and has not yet. */
  #due = new Map<ClientOrderId, string>();
  /** The last cancel of each order. */
  #cancels = new Map<ClientOrderId, number>();
  /** How many histories were asked for in this step. */
  #asked = 0;
  /** Balances were asked for in this step, as every look does that begins: a list that is asked for alone is a repetition. */
  #isLook = false;
  /** Since when trades were asked for in this step, and the orders whose history was. */
  #tradesSince: number | undefined;
  #evidence: ClientOrderId[] = [];
  /** A list of active orders was asked for, and nothing has answered or dropped it: another is a repetition. */
  #isOpen = false;
  /** The process has not had a session yet. */
  #isFresh = true;

  constructor(breaches: Breaches) {
    this.#breaches = breaches;
  }

  restart(): void {
    this.#owed = new Map();
    this.#due = new Map();
    this.#cancels = new Map();
    this.#isOpen = false;
    this.#isFresh = true;
  }

  /** The trader has taken this event in. */
  after(event: Event, view: StateView): void {
    switch (event.kind) {
      case 'sessionUp':
      case 'sessionDown':
        if (event.session !== 'trading') return;
        this.#isOpen = false;
        if (event.kind === 'sessionUp' && this.#isFresh) this.#takeUp(view);
        return;
      case 'orderUnknown':
        this.#unknown(event.clientOrderId, view);
        return;
      case 'orderRejected': {
        const original = event.originalClientOrderId;
        if (original !== undefined) this.#owe(original, `its replacement ${event.clientOrderId} was refused`);
        return;
      }
      case 'cancelPending':
        this.#cancels.set(event.command.clientOrderId, event.command.commandId);
        return;
      case 'commandSettled':
        if (event.lane === 'cancel' && event.outcome === 'unanswered' && event.clientOrderId !== undefined)
          if (this.#cancels.get(event.clientOrderId) === event.commandId)
            this.#failed(event.clientOrderId, view);
        return;
      case 'cancelRejected':
        this.#failed(event.clientOrderId, view);
        return;
      case 'readAnswered':
        if (event.what.of === 'activeOrders' && event.what.product === undefined) this.#isOpen = false;
        return;
      case 'readPending': {
        const { what } = event.command;
        if (what.of === 'activeOrders' && what.product === undefined) this.#begins();
        else if (what.of === 'orderHistory') this.#asks(what.clientOrderId);
        else if (what.of === 'tradeHistory') this.#tradesSince = what.since;
        else if (what.of === 'balances') this.#isLook = true;
        return;
      }
      default:
    }
  }

  /** A step is over: all reads of a look are asked for in the step in which it begins. */
  afterStep(view: StateView): void {
    this.#checkSince(view);
    if (!this.#isLook) for (const [id, why] of this.#due) this.#owed.set(id, why);
    else if (this.#due.size > 0 && this.#asked < idsMax)
      for (const [id, why] of this.#due)
        this.#breaches.add('I3', `a look began that does not ask what became of ${id}: ${why}`);
    this.#due = new Map();
    this.#asked = 0;
    this.#isLook = false;
    this.#tradesSince = undefined;
    this.#evidence = [];
  }

  /** What an order in doubt executed since it was last reported is among the trades that the look asks for. */
  #checkSince(view: StateView): void {
    const since = this.#tradesSince;
    if (since === undefined || !this.#isLook) return;
    for (const id of this.#evidence) {
      const order = view.order(id);
      if (order === undefined || order.updatedAt >= since) continue;
      this.#breaches.add(
        'I4',
        `a look asks what became of ${id}, reported at ${order.updatedAt}, and for trades since ${since} alone`,
      );
    }
  }

  #begins(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#due = this.#owed;
    this.#owed = new Map();
  }

  #asks(id: ClientOrderId): void {
    this.#asked += 1;
    this.#evidence.push(id);
    this.#due.delete(id);
  }

  /** What an earlier process left without an answer. */
  #takeUp(view: StateView): void {
    this.#isFresh = false;
    for (const { clientOrderId, state } of view.openOrders())
      if (state === 'unknown') this.#unknown(clientOrderId, view);
  }

  #unknown(id: ClientOrderId, view: StateView): void {
    // It is read anyway from now on.
    this.#owed.delete(id);
    const original = view.order(id)?.originalClientOrderId;
    if (original !== undefined) this.#owe(original, `its replacement ${id} is unknown`);
  }

  /** Of an order that has ended no cancel counts. */
  #failed(id: ClientOrderId, view: StateView): void {
    const order = view.order(id);
    if (order === undefined || isTerminal(order.state)) return;
    // An unknown order is read anyway, and may be found before.
    if (order.state !== 'unknown') this.#owe(id, 'its cancel failed');
  }

  #owe(id: ClientOrderId, why: string): void {
    this.#owed.set(id, why);
  }
}

import type { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import type { Event } from '../../src/core/model/event.ts';
import type { ClientOrderId } from '../../src/core/model/order.ts';
import { productOf } from '../../src/core/model/product.ts';
import type { StateView } from '../../src/core/state/view.ts';
import type { Breaches } from './breaches.ts';
import { simOrderOptions } from './sim-trader.ts';

/**
 * The history of an order is read for a reason: it is unknown, a cancel or a replacement of it failed, or a list that was
 * asked for after its last report does not show it, or an execution of it is in doubt. A list that is older than the report is no reason: I5.
 */
export class ReadCheck {
  readonly #time: VirtualClock;
  readonly #breaches: Breaches;
  readonly #reasons = new Set<string>();
  readonly #originals = new Map<string, string>();
  readonly #cancels = new Map<string, number>();
  /** When the trader was last informed of an order by a report, true time. */
  readonly #received = new Map<string, number>();
  /** Reads of the active orders on their way, by command. */
  readonly #lists = new Map<number, number>();

  constructor(time: VirtualClock, breaches: Breaches) {
    this.#time = time;
    this.#breaches = breaches;
  }

  /** A new process takes up whatever it finds in doubt. */
  restart(): void {
    this.#lists.clear();
  }

  /** The trader has taken this event in. */
  after(event: Event, view: StateView): void {
    const now = this.#time.now();
    switch (event.kind) {
      case 'orderReport': {
        const { clientOrderId, originalClientOrderId } = event.order;
        this.#received.set(clientOrderId, now);
        if (originalClientOrderId !== undefined) this.#received.set(originalClientOrderId, now);
        return;
      }
      case 'replacePending':
        this.#originals.set(event.command.newClientOrderId, event.command.clientOrderId);
        return;
      case 'cancelPending': {
        const { clientOrderId } = event.command;
        const count = (this.#cancels.get(clientOrderId) ?? 0) + 1;
        this.#cancels.set(clientOrderId, count);
        if (count >= simOrderOptions.cancelsMax) this.#reasons.add(clientOrderId);
        return;
      }
      case 'differenceFound':
        this.#doubt(event.difference.clientOrderId);
        return;
      case 'orderUnknown':
      case 'orderRejected':
      case 'cancelRejected':
      case 'orderDenied':
        this.#doubt(event.clientOrderId);
        return;
      case 'commandSettled':
        if (event.outcome !== 'acknowledged') this.#doubt(event.clientOrderId);
        return;
      case 'sessionUp':
        for (const { clientOrderId, state } of view.openOrders())
          if (state === 'pending' || state === 'unknown') this.#doubt(clientOrderId);
        return;
      case 'readPending':
        if (event.command.what.of === 'activeOrders') this.#lists.set(event.command.commandId, now);
        else if (event.command.what.of === 'orderHistory') this.#asked(event.command.what.clientOrderId);
        return;
      case 'readAnswered':
        if (event.what.of === 'activeOrders') this.#listed(event, view);
        return;
      default:
    }
  }

  #doubt(id: ClientOrderId | undefined): void {
    if (id === undefined) return;
    this.#reasons.add(id);
    const original = this.#originals.get(id);
    if (original !== undefined) this.#reasons.add(original);
  }

  /** A list of the active orders of a product: what it does not show, though it was reported before, may have ended. */
  #listed({ commandId, orders, what }: Extract<Event, { kind: 'readAnswered' }>, view: StateView): void {
    const asked = this.#lists.get(commandId);
    this.#lists.delete(commandId);
    if (asked === undefined) return;
    const shown = new Set<string>(orders.map(({ clientOrderId }) => clientOrderId));
    const listed = ('product' in what ? what.product : undefined) ?? 'spot';
    for (const { clientOrderId: id, instrument, margin } of view.openOrders())
      if (
        !shown.has(id) &&
        productOf(view.instruments.at(instrument), margin) === listed &&
        (this.#received.get(id) ?? 0) <= asked
      )
        this.#reasons.add(id);
  }

  #asked(id: string): void {
    if (!this.#reasons.has(id))
      this.#breaches.add(
        'I5',
        `the history of order ${id} is read, and only a list older than its report lacks it`,
      );
  }
}

import type { Clock, Micros } from '../../base/clock.ts';
import { millis } from '../../base/clock.ts';
import { SmallMap } from '../../base/small-map.ts';
import type { CancelGroup } from '../../model/command.ts';
import type { InstrumentId } from '../../model/instrument.ts';
import { isTerminal } from '../../model/order-life.ts';
import type { ClientOrderId, Order } from '../../model/order.ts';
import { tradedOn } from '../../model/product.ts';
import type { StateView } from '../../state/index.ts';
import type { Memory } from './memory.ts';
import type { Outbox } from './outbox.ts';
import { isOurs } from './owners.ts';
import { wholeScopes } from './together.ts';

interface Effort {
  /** Cancels since a read last showed the order alive. */
  count: number;
  /** The cancel on its way, or `undefined`. */
  commandId: number | undefined;
  sentAt: Micros;
  /** When the last one was seen to have failed; a look begun before that says nothing about it. */
  endedAt: Micros;
  /** Whether it must go: the look that its next cancel brings by failing does not wait for its share of reads. */
  isUrgent: boolean;
}

/** A group whose first cancel may still be to come. */
type OpenGroup = Omit<CancelGroup, 'first'> & { first: number | undefined };

/** Orders that are to go: those for which `which` holds, of a strategy or of all, on an instrument or on all. */
interface Going {
  readonly which: (order: Order) => boolean;
  readonly strategy: string | undefined;
  readonly instrument: InstrumentId | undefined;
  readonly isUrgent: boolean;
}

interface CancelDeps {
  readonly view: StateView;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly memory: Memory;
  /** Asks for a read of the order's history: a failed cancel proves nothing about it. `isUrgent`: it does not wait for its share. */
  readonly doubt: (clientOrderId: ClientOrderId, isUrgent: boolean) => void;
}

/**
 * Orders that are to go. One cancel at a time and at most a few without a read between them; a cancel that fails
 * brings a read, and an order the read shows alive is cancelled again. Source: faults, X10 and I7.
 */
export class Cancels {
  readonly #parts: CancelDeps;
  readonly #efforts = new SmallMap<ClientOrderId, Effort>();
  readonly #byCommand = new SmallMap<number, ClientOrderId>();

  constructor(parts: CancelDeps) {
    this.#parts = parts;
  }

  /** Whether a cancel is on its way and young enough to be waited for. */
  underWay(id: ClientOrderId): boolean {
    const effort = this.#efforts.get(id);
    if (effort?.commandId === undefined) return false;
    const { clock, memory } = this.#parts;
    return clock.uptime() - effort.sentAt < millis(memory.options.reconcile.answerMsMax);
  }

  /** Whether the order has had all its cancels and a read is due first. */
  exhausted(id: ClientOrderId): boolean {
    return (this.#efforts.get(id)?.count ?? 0) >= this.#parts.memory.options.cancelsMax;
  }

  isRequested(id: ClientOrderId): boolean {
    return this.#efforts.has(id);
  }

  /** Marks an order as one that is to go (even if it is not there yet) and cancels it now unless one is under way. */
  request(id: ClientOrderId): void {
    this.#effortFor(id);
    this.push(id);
  }

  /** Cancels an order, and its replacement as soon as that one is known. */
  requestWhole(order: Order): void {
    this.request(order.clientOrderId);
    const replacement =
      order.replacePending ?? this.#parts.view.inFlight.replacementOf(order.clientOrderId)?.clientOrderId;
    if (replacement !== undefined) this.request(replacement);
  }

  /**
   * Cancels every order of ours that may live: of one strategy or of all, on one instrument or on all. They must go: of each the first
   * cancel that fails is followed by a look that does not wait for its share of reads. Returns those of which no cancel was asked for
   * before.
   */
  requestAll(strategy?: string, instrument?: InstrumentId): readonly Order[] {
    return this.requestThose(() => true, strategy, instrument);
  }

  /** As `requestAll`, of the orders for which `which` holds. */
  requestThose(
    which: (order: Order) => boolean,
    strategy?: string,
    instrument?: InstrumentId,
  ): readonly Order[] {
    return this.#requestThose({ which, strategy, instrument, isUrgent: true });
  }

  /** Cancels as `requestAll` does, because a strategy wishes it: looks keep to their share. */
  wishAll(strategy: string, instrument?: InstrumentId): void {
    this.#requestThose({ which: () => true, strategy, instrument, isUrgent: false });
  }

  #requestThose({ which, strategy, instrument, isUrgent }: Going): readonly Order[] {
    const { view, memory } = this.#parts;
    const isGoing = (order: Order): boolean =>
      (strategy === undefined || order.strategy === strategy) &&
      (instrument === undefined || order.instrument === instrument) &&
      isOurs(order, view, memory) &&
      which(order);
    const fresh: Order[] = [];
    this.#sendTogether(isGoing, fresh);
    const going = view.openOrders(strategy, instrument).filter(isGoing);
    for (const order of going) if (!this.isRequested(order.clientOrderId)) fresh.push(order);
    if (isUrgent) for (const order of going) this.#effortFor(order.clientOrderId).isUrgent = true;
    for (const order of going) this.requestWhole(order);
    return fresh;
  }

  /** Cancels a requested order once more, if it may live, none is under way and it has cancels left. */
  push(id: ClientOrderId): void {
    const effort = this.#efforts.get(id);
    const order = this.#parts.view.order(id);
    if (effort === undefined || order === undefined || this.underWay(id)) return;
    if (isTerminal(order.state)) {
      this.over(id);
      return;
    }
    if (this.exhausted(id)) {
      this.#parts.doubt(id, false);
      return;
    }
    this.#send(order, effort);
  }

  /** The cancel with this command id ended without success. */
  failed(commandId: number): void {
    const id = this.#byCommand.get(commandId);
    if (id !== undefined) this.refused(id);
  }

  /**
   * The venue refused the cancel, or it never left (`left` is false), which counts for nothing: while no byte can leave,
   * an order must not use up its cancels. An order that was reported ended leaves no doubt.
   */
  refused(id: ClientOrderId, left = true): void {
    const order = this.#parts.view.order(id);
    if (order !== undefined && isTerminal(order.state)) {
      this.over(id);
      return;
    }
    const effort = this.#efforts.get(id);
    if (effort !== undefined) {
      this.#forgetCommand(effort);
      effort.endedAt = this.#parts.clock.uptime();
      if (!left) effort.count = Math.max(0, effort.count - 1);
    }
    const isUrgent = left && effort?.isUrgent === true;
    if (isUrgent) effort.isUrgent = false;
    this.#parts.doubt(id, isUrgent);
  }

  /** A complete look begun at `begunAt` (by `uptime`) showed the order alive: it may be cancelled afresh. */
  seenAlive(id: ClientOrderId, begunAt: Micros): void {
    const effort = this.#efforts.get(id);
    if (effort === undefined || this.underWay(id) || effort.endedAt > begunAt) return;
    this.#forgetCommand(effort);
    effort.count = 0;
    this.push(id);
  }

  /** The order has ended. */
  over(id: ClientOrderId): void {
    const effort = this.#efforts.get(id);
    if (effort === undefined) return;
    this.#forgetCommand(effort);
    this.#efforts.delete(id);
  }

  /** Something happened to the order: one that has ended needs no cancel. */
  overIfEnded(id: ClientOrderId): void {
    const order = this.#parts.view.order(id);
    if (order !== undefined && isTerminal(order.state)) this.over(id);
  }

  /**
   * Of many orders those that can go in one request; `fresh` gets those of them of which no cancel was asked for before. Until the
   * account has been compared there may be orders that are not known, and an order that the venue may not have yet is cancelled by its
   * own cancel.
   */
  #sendTogether(isGoing: (order: Order) => boolean, fresh: Order[]): void {
    const { view, memory } = this.#parts;
    const { options, capabilities, reconciled } = memory;
    if (!capabilities.cancelAll || !reconciled) return;
    if (!areAsMany(options.cancelTogether.from, view.openOrders(), isGoing)) return;
    for (const { scope, orders } of wholeScopes(isGoing, view, memory)) {
      const due = orders.filter(
        ({ clientOrderId: id, state }) =>
          state !== 'pending' && state !== 'unknown' && !this.underWay(id) && !this.exhausted(id),
      );
      if (due.length < 2) continue;
      const group = { first: undefined, count: due.length, scope };
      for (const order of due) {
        if (!this.isRequested(order.clientOrderId)) fresh.push(order);
        this.#send(order, this.#effortFor(order.clientOrderId), group);
      }
    }
  }

  #effortFor(id: ClientOrderId): Effort {
    let effort = this.#efforts.get(id);
    if (effort === undefined) {
      effort = { count: 0, commandId: undefined, sentAt: 0 as Micros, endedAt: 0 as Micros, isUrgent: false };
      this.#efforts.set(id, effort);
    }
    return effort;
  }

  #send(order: Order, effort: Effort, group?: OpenGroup): void {
    const { outbox, clock, view } = this.#parts;
    this.#forgetCommand(effort);
    const commandId = outbox.nextCommandId();
    if (group !== undefined) group.first ??= commandId;
    effort.count += 1;
    effort.commandId = commandId;
    effort.sentAt = clock.uptime();
    this.#byCommand.set(commandId, order.clientOrderId);
    outbox.pending({
      kind: 'cancelOrder',
      commandId,
      strategy: order.strategy,
      clientOrderId: order.clientOrderId,
      instrument: order.instrument,
      ...tradedOn(view.instruments.at(order.instrument), order),
      ...(group?.first !== undefined && { together: { ...group, first: group.first } }),
    });
  }

  #forgetCommand(effort: Effort): void {
    if (effort.commandId !== undefined) this.#byCommand.delete(effort.commandId);
    effort.commandId = undefined;
  }
}

/** Whether `which` holds of so many at least; no more are looked at than need be. */
function areAsMany(count: number, orders: readonly Order[], which: (order: Order) => boolean): boolean {
  let found = 0;
  for (const order of orders) if (which(order) && ++found === count) return true;
  return false;
}

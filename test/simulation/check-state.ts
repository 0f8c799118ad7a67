import type { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import { isTerminal } from '../../src/core/model/order-life.ts';
import type { Event, OrderFoundAlive } from '../../src/core/model/event.ts';
import type { InstrumentId, Instruments } from '../../src/core/model/instrument.ts';
import type { PositionAccount } from '../../src/core/model/margin.ts';
import { accountOf } from '../../src/core/model/margin.ts';
import type { ClientOrderId, Order, Side } from '../../src/core/model/order.ts';
import type { StampedEvent } from '../../src/core/model/stamped-event.ts';
import type { StateView } from '../../src/core/state/view.ts';
import type { Breaches } from './breaches.ts';
import type { ExchangeTrade } from './exchange-money.ts';
import type { Marks } from './marks.ts';
import type { Lies } from './reported-orders.ts';
import { ReportedOrders } from './reported-orders.ts';
import { placeOf } from './traded.ts';

export interface StateCheckParts {
  readonly time: VirtualClock;
  readonly breaches: Breaches;
  readonly marks: Marks;
  readonly instruments: Instruments;
  /** When the last byte of an order left, true time; undefined: never. */
  readonly sentAt: (id: string) => number | undefined;
  /** Whether the exchange ever had an order of that id. */
  readonly existed: (id: string) => boolean;
  /** Executions, as the exchange has them. */
  readonly executed: ReadonlyMap<string, ExchangeTrade>;
  readonly lies: Lies;
}

/** Compares a trader's state with the reports that it received, after every event: I1, I3, I4, I5, I13. */
export class StateCheck {
  readonly #parts: StateCheckParts;
  #orders: ReportedOrders;
  #ended = new Set<string>();
  /** Ended orders that live again: a verdict of the same step must say why. */
  readonly #back = new Set<ClientOrderId>();
  readonly #dead = new Set<string>();
  #last = 0;
  /** Orders have changed in this step. */
  #isChanged = false;
  /** How often the history of an order was read by the present process. */
  #looks = new Map<string, number>();

  constructor(parts: StateCheckParts) {
    this.#parts = parts;
    this.#orders = new ReportedOrders(parts.marks, parts.instruments, parts.executed, parts.lies);
  }

  /** A new process begins with what the disk kept. */
  restart(history: readonly StampedEvent[]): void {
    const { marks, instruments, executed, lies } = this.#parts;
    this.#orders = new ReportedOrders(marks, instruments, executed, lies);
    this.#ended = new Set();
    this.#looks = new Map();
    for (const { event } of history) this.#orders.fold(event);
    this.#last = history.at(-1)?.sequence ?? 0;
  }

  /** Orders called rejected or absent. */
  get calledDead(): ReadonlySet<string> {
    return this.#dead;
  }

  /** Reports that the present process received. */
  get orders(): ReportedOrders {
    return this.#orders;
  }

  /** The trader has taken this event in. */
  after({ sequence, event }: StampedEvent, view: StateView): void {
    const { breaches } = this.#parts;
    if (sequence !== this.#last + 1)
      breaches.add('I13', `event ${sequence} was shown after event ${this.#last}`);
    this.#last = sequence;
    this.#orders.fold(event);
    if (event.kind === 'orderRejected') this.#dead.add(event.clientOrderId);
    if (event.kind === 'readAnswered' && event.what.of === 'orderHistory') {
      const { clientOrderId } = event.what;
      this.#looks.set(clientOrderId, (this.#looks.get(clientOrderId) ?? 0) + 1);
    }
    if (event.kind === 'orderProvenAbsent') this.#checkAbsent(event.clientOrderId);
    if (event.kind === 'orderFoundAlive') this.#checkFound(event);
    for (const id of idsOf(event)) this.#checkOrder(id, view);
    if (!isOfOrders(event)) return;
    this.#checkSums(view);
    this.#isChanged = true;
  }

  /** A step is over: what nothing was reported is still unknown. */
  afterStep(view: StateView): void {
    for (const id of this.#back) {
      const state = view.order(id)?.state;
      if (this.#ended.has(id) && state !== undefined && !isTerminal(state))
        this.#parts.breaches.add('I5', `order ${id} had ended and is ${state} again`);
    }
    this.#back.clear();
    if (this.#isChanged) {
      this.#checkOpen(view);
      this.#checkBest(view);
    }
    this.#isChanged = false;
    for (const id of this.#orders.unknown) {
      if (this.#orders.order(id)?.unknown !== true) {
        this.#orders.unknown.delete(id);
        continue;
      }
      const state = view.order(id as ClientOrderId)?.state;
      if (state !== 'unknown')
        this.#parts.breaches.add('I3', `order ${id} went from unknown to ${state} without evidence`);
    }
  }

  #checkAbsent(id: string): void {
    const { time, sentAt, existed, breaches, marks } = this.#parts;
    marks.hit('branch/order proven absent');
    this.#dead.add(id);
    const sent = sentAt(id);
    if (sent !== undefined && time.now() - sent < 89_000_000)
      breaches.add('I3', `order ${id} was called absent ${(time.now() - sent) / 1_000} ms after it was sent`);
    const looks = this.#looks.get(id) ?? 0;
    if (looks < 2) breaches.add('I3', `order ${id} was called absent after ${looks} reads of its history`);
    if (existed(id)) breaches.add('I3', `order ${id} was called absent, and the exchange has had it`);
  }

  /** The one way back from an end: the exchange has left the order alive, and no report said so. */
  #checkFound({ clientOrderId: id, believed }: OrderFoundAlive): void {
    const { marks, breaches, existed } = this.#parts;
    marks.hit('branch/ended order found alive');
    if ((believed === 'filled' && !this.#orders.isLiedAbout(id)) || !existed(id))
      breaches.add('I5', `order ${id}, taken for ${believed}, was called alive, which it is not`);
    this.#ended.delete(id);
  }

  #checkOrder(id: ClientOrderId, view: StateView): void {
    const { breaches } = this.#parts;
    const order = view.order(id);
    if (order === undefined) return;
    const known = this.#orders.order(id);
    if (known !== undefined && order.cumulative < known.cumulative && !this.#orders.isLiedAbout(id))
      breaches.add('I4', `order ${id} executed ${known.cumulative}, and is shown with ${order.cumulative}`);
    if (
      known !== undefined &&
      order.cumulative > known.quantity &&
      known.strategy !== 'external' &&
      known.quantity > 0 &&
      !this.#orders.isLiedAbout(id)
    )
      breaches.add('I1', `order ${id} of ${known.quantity} lots executed ${order.cumulative}`);
    const terminal = isTerminal(order.state);
    if (terminal) this.#ended.add(id);
    else if (this.#ended.has(id)) this.#back.add(id);
  }

  /** Orders that may be live are those that no report, verdict or proof has ended, and what they may execute counts. */
  #checkOpen(view: StateView): void {
    const { breaches } = this.#parts;
    const open = new Map(this.#orders.open());
    for (const {
      clientOrderId: id,
      state,
      cumulative,
      quantity,
      originalClientOrderId,
      replacePending,
    } of view.openOrders()) {
      const next = replacePending === undefined ? undefined : view.order(replacePending)?.state;
      if (next !== undefined && isTerminal(next))
        breaches.add('I5', `order ${id} is being replaced by ${replacePending}, which is ${next}`);
      // By its trades alone nobody knows whether a replacement is filled: its quantity may count those of its original.
      const mayBeFilled = originalClientOrderId !== undefined && cumulative >= quantity;
      if (!open.delete(id) && !mayBeFilled)
        breaches.add('I5', `order ${id} is ${state}, and was reported ended`);
    }
    for (const [id] of open)
      if (view.order(id) !== undefined)
        breaches.add('I3', `order ${id} is ${view.order(id)?.state}, and nothing has ended it`);
  }

  /** The best own price on each side is that of an order that may rest: an order on the other side is held against it. */
  #checkBest(view: StateView): void {
    const open = view.openOrders();
    for (const { id } of this.#parts.instruments.all)
      for (const side of ['buy', 'sell'] as const) {
        const prices = open.flatMap((order) =>
          order.instrument === id && order.side === side && mayRest(order) ? [order.price ?? 0] : [],
        );
        const best = prices.length === 0 ? undefined : Math[side === 'buy' ? 'max' : 'min'](...prices);
        const known = view.bestOwnPrice(id, side);
        if (known !== best)
          this.#parts.breaches.add(
            'I19',
            `the best own ${side} price of instrument ${id} is called ${known}, that of the orders is ${best}`,
          );
      }
  }

  /** What may execute counts, whatever state it is in. */
  #checkSums(view: StateView): void {
    const sums = new Map<string, number>();
    const most = new Map<string, number>();
    for (const order of view.openOrders()) {
      const { instrument, side, quantity, cumulative, replacePending, originalClientOrderId, state } = order;
      // The quantity of a replacement is the new total: what the original executed is part of it.
      const original = originalClientOrderId === undefined ? undefined : view.order(originalClientOrderId);
      // What closes a whole position names no lots.
      const key = `${placeOf(instrument, accountOf(order))} ${side}`;
      const before = original?.cumulative ?? 0;
      const isReported = this.#orders.order(order.clientOrderId)?.reported === true;
      const executed = isReported ? Math.max(cumulative, before) : cumulative + before;
      const left = Math.max(0, quantity - executed);
      // One that was left alive beside it may have executed since, which is no part of it.
      const isNoted = state !== 'pending' && state !== 'unknown';
      most.set(key, (most.get(key) ?? 0) + (isNoted ? Math.max(0, quantity - cumulative) : left));
      // While nobody knows whether its replacement lives, both may execute.
      if (replacePending !== undefined && view.order(replacePending)?.state !== 'unknown') continue;
      // Known by its trades alone: how much of it the original had executed is not said yet.
      const halfNoted = original?.replacePending === order.clientOrderId && state !== 'pending';
      if (halfNoted && state !== 'unknown') continue;
      sums.set(key, (sums.get(key) ?? 0) + left);
    }
    for (const [key, lots] of sums) {
      const counted = workingOf(key, view);
      if (counted < lots)
        this.#parts.breaches.add('I3', `${lots} lots may execute on ${key}, limits count ${counted}`);
    }
    for (const [key, lots] of most) {
      const counted = workingOf(key, view);
      if (counted > lots)
        this.#parts.breaches.add('I3', `at most ${lots} lots may execute on ${key}, limits count ${counted}`);
    }
  }
}

/** Whether an order may stand in the book: one that waits for its stop price does not. */
function mayRest({ price, state, stopPrice }: Order): boolean {
  if (price === undefined || state === 'suspended') return false;
  return stopPrice === undefined || (state !== 'pending' && state !== 'unknown');
}

/** What limits count of an instrument, an account and a side. */
function workingOf(key: string, view: StateView): number {
  const [instrument, account, side] = key.split(' ');
  return view.workingLots(
    Number(instrument) as InstrumentId,
    side as Side,
    undefined,
    account as PositionAccount,
  );
}

function isOfOrders({ kind }: Event): boolean {
  return (
    kind.startsWith('order') ||
    kind.startsWith('replace') ||
    kind === 'readAnswered' ||
    kind === 'commandSettled'
  );
}

/** The orders an event tells of. */
function idsOf(event: Event): readonly ClientOrderId[] {
  switch (event.kind) {
    case 'orderReport': {
      const { clientOrderId, originalClientOrderId } = event.order;
      return originalClientOrderId === undefined ? [clientOrderId] : [clientOrderId, originalClientOrderId];
    }
    case 'readAnswered':
      return [
        ...event.orders.flatMap((order) =>
          order.originalClientOrderId === undefined
            ? [order.clientOrderId]
            : [order.clientOrderId, order.originalClientOrderId],
        ),
        ...event.fills.map((fill) => fill.clientOrderId),
      ];
    case 'orderRejected':
    case 'orderProvenAbsent':
    case 'orderFoundAlive':
    case 'orderUnknown':
    case 'orderDenied':
      return [event.clientOrderId];
    case 'orderPending':
      return [event.command.request.clientOrderId];
    default:
      return [];
  }
}

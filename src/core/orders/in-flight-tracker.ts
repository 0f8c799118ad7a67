import type { Cancel, Clock, Micros } from '../base/clock.ts';
import { later, millis } from '../base/clock.ts';
import type { NewOrderCommand, ReplaceOrderCommand } from '../model/command.ts';
import type {
  CommandSettled,
  OrderDenied,
  OrderRejected,
  OrderReport,
  ReadAnswered,
} from '../model/event.ts';
import { isTerminal, isWithdrawn } from '../model/order-life.ts';
import type { ClientOrderId, Order } from '../model/order.ts';
import type { InFlightOrder, StateView } from '../state/index.ts';
import type { Cancels } from './base/cancels.ts';
import type { FoundOrders } from './found.ts';
import type { OrderReservations } from './reservation-keeper.ts';
import type { Memory } from './base/memory.ts';
import type { MissingOrders } from './missing.ts';
import type { Outbox } from './base/outbox.ts';
import type { Watches } from './watches.ts';

interface TrackerDeps {
  readonly view: StateView;
  readonly memory: Memory;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly cancels: Cancels;
  readonly missing: MissingOrders;
  readonly found: FoundOrders;
  readonly orderReservations: OrderReservations;
  readonly watches: Watches;
}

/** Source: API v3, "Error codes". */
const tooManyRequests = 429;

/** Follows orders that were sent: answers settle them, silence makes them unknown. */
export class InFlightTracker {
  readonly #parts: TrackerDeps;
  /** Set while the oldest command on its way is watched, or was when the timer was set. */
  #cancelTimer: Cancel | undefined;

  constructor(parts: TrackerDeps) {
    this.#parts = parts;
  }

  /** A command was recorded and is with the gate: silence will be noticed. */
  sent(command: NewOrderCommand | ReplaceOrderCommand): void {
    const { orderReservations } = this.#parts;
    if (command.kind === 'newOrder') orderReservations.refresh(command.request.clientOrderId);
    else orderReservations.replacing(command);
    if (this.#cancelTimer === undefined) this.#watch();
  }

  reported({ order: reported, fill }: OrderReport): void {
    const { missing, found, orderReservations, cancels, view, watches } = this.#parts;
    const id = reported.clientOrderId;
    const sent = view.inFlight.takeOrder(id);
    const isFirst = sent !== undefined || missing.isUnknown(id);
    missing.reported(id);
    orderReservations.refresh(id);
    const original = reported.originalClientOrderId;
    if (original !== undefined) {
      // Every later report of a replacement names its original too, and says nothing about it.
      if (isFirst) found.stillListed.ended(original);
      orderReservations.refresh(original);
      cancels.overIfEnded(original);
    }
    if (isTerminal(reported.state)) found.stillListed.ended(id);
    // An order that executes after it was reported ended, and has more to execute, may live.
    else if (fill !== undefined && isWithdrawn(view.order(id)?.state)) watches.inDoubt();
    // Filled, and executed in part: one of the two is not so, and the history says which.
    if (reported.state === 'filled' && reported.cumulative < reported.quantity) {
      missing.doubt(id);
      watches.inDoubt();
    }
    if (sent !== undefined) this.#accepted(sent);
    cancels.overIfEnded(id);
    found.heard(id);
    cancels.push(id);
  }

  rejected({ clientOrderId, originalClientOrderId, code }: OrderRejected): void {
    const { view, watches } = this.#parts;
    const sent = view.inFlight.takeOrder(clientOrderId);
    this.#gone(clientOrderId, originalClientOrderId ?? sent?.original);
    if (sent === undefined) return;
    watches.unknown.answered(sent.sentAt);
    // What was turned away for its rate says nothing about the orders of the strategy.
    if (code !== tooManyRequests) watches.answered(sent.strategy, true);
  }

  /** A read shows orders: those that were sent have arrived, and those that ended need no cancel. */
  read({ orders }: ReadAnswered): void {
    const { missing, view, cancels } = this.#parts;
    for (const { clientOrderId: id } of orders) {
      const state = view.order(id)?.state;
      if (state === undefined || state === 'pending' || state === 'unknown') continue;
      const sent = view.inFlight.takeOrder(id);
      if (sent !== undefined) this.#accepted(sent);
      missing.known(id);
      cancels.overIfEnded(id);
    }
  }

  /** The gate gave a command up: no byte of it left. */
  denied(event: OrderDenied): void {
    const { view, cancels } = this.#parts;
    const { action, clientOrderId, originalClientOrderId, denial } = event;
    if (action === 'cancel') {
      cancels.refused(clientOrderId, false);
      return;
    }
    if (view.inFlight.takeOrder(clientOrderId) === undefined) return;
    const wasToGo = denial.code === 'CANCELED_UNSENT' && cancels.isRequested(clientOrderId);
    this.#gone(clientOrderId, originalClientOrderId);
    // Who wanted the replacement gone wants the order that it was to replace gone.
    if (wasToGo && originalClientOrderId !== undefined) cancels.request(originalClientOrderId);
  }

  /** Another order of its list was denied, so this one, pending already, never leaves. */
  withdrawn(clientOrderId: ClientOrderId): void {
    if (this.#parts.view.inFlight.takeOrder(clientOrderId) !== undefined)
      this.#gone(clientOrderId, undefined);
  }

  /** The answer to a command, or the want of one. */
  settled(event: CommandSettled): void {
    const { cancels, outbox } = this.#parts;
    const { inFlight } = this.#parts.view;
    if (event.outcome === 'acknowledged' || event.lane === 'read') return;
    if (event.lane === 'cancel') {
      cancels.failed(event.commandId);
      return;
    }
    if (event.outcome === 'refused') return;
    for (const sent of inFlight.ofCommand(event.commandId)) {
      if (event.outcome === 'unanswered') {
        this.#becomeUnknown(sent, 'the venue did not answer');
        continue;
      }
      inFlight.takeOrder(sent.clientOrderId);
      outbox.limited(sent.clientOrderId, sent.original);
      this.#gone(sent.clientOrderId, sent.original);
    }
  }

  /** Marks as unknown what the gate has certainly let go, the rest as soon as the gate can hold it no longer. */
  sessionLost(why: string): void {
    const { clock, memory, view } = this.#parts;
    const held = millis(memory.options.reconcile.sendDelayMsMax);
    const now = clock.uptime();
    for (const sent of view.inFlight.until(now - held)) this.#becomeUnknown(sent, why);
    for (const sent of view.inFlight.until(now)) {
      clock.after((sent.sentAt + held - now) as Micros, () => {
        if (view.inFlight.sentOrder(sent.clientOrderId) === sent) this.#becomeUnknown(sent, why);
      });
    }
  }

  /** Takes up what the state has of earlier runs and outages: pending orders that no answer will come for are unknown. */
  takeUp(): void {
    const { view, missing, orderReservations, outbox } = this.#parts;
    for (const order of view.openOrders().slice()) {
      const id = order.clientOrderId;
      if (view.inFlight.sentOrder(id) !== undefined || missing.isUnknown(id)) continue;
      if (order.state === 'pending') outbox.unknown(id, 'the run that sent it has ended');
      if (order.state === 'pending' || order.state === 'unknown') {
        missing.addUnknown(id, this.#sentBefore(order));
        if (order.originalClientOrderId !== undefined) missing.doubt(order.originalClientOrderId);
      }
      orderReservations.refresh(id);
    }
  }

  close(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #accepted(sent: InFlightOrder): void {
    const { watches } = this.#parts;
    watches.unknown.answered(sent.sentAt);
    watches.answered(sent.strategy, false);
  }

  #becomeUnknown(sent: InFlightOrder, why: string): void {
    const { clock, view, missing, watches, outbox, orderReservations, memory } = this.#parts;
    view.inFlight.takeOrder(sent.clientOrderId);
    watches.unknown.add(sent.clientOrderId, sent.sentAt);
    const held = millis(memory.options.reconcile.sendDelayMsMax);
    const sentBefore = Math.min(clock.uptime(), later(sent.sentAt, held)) as Micros;
    missing.addUnknown(sent.clientOrderId, sentBefore);
    if (sent.original !== undefined) missing.doubt(sent.original);
    outbox.unknown(sent.clientOrderId, why);
    orderReservations.refresh(sent.clientOrderId);
    watches.inDoubt();
  }

  /**
   * Latest time, by `uptime`, at which an order of this or an earlier run left. One of an earlier run counts from now: the
   * clock may have been set since, and its wall time would call it absent too early.
   */
  #sentBefore(order: Order): Micros {
    const { clock, memory } = this.#parts;
    if (!order.clientOrderId.startsWith(memory.runHead)) return clock.uptime();
    const age = Math.max(0, clock.now() - order.createdAt);
    const held = millis(memory.options.reconcile.sendDelayMsMax);
    return Math.min(clock.uptime(), clock.uptime() - age + held) as Micros;
  }

  #gone(id: ClientOrderId, original: ClientOrderId | undefined): void {
    const { orderReservations, missing, cancels } = this.#parts;
    missing.reported(id);
    orderReservations.gone(id);
    cancels.over(id);
    if (original !== undefined) {
      orderReservations.refresh(original);
      // A refused replacement may have cancelled the original (v3-gaps, section 10): read it.
      missing.doubt(original);
      this.#parts.watches.inDoubt();
    }
  }

  /**
   * Wakes when the oldest command has been silent for too long. Answers leave the timer alone: it wakes too early
   * then, and looks again.
   */
  #watch(): void {
    const { clock, memory, view } = this.#parts;
    const { oldestSentAt } = view.inFlight;
    if (oldestSentAt === undefined || this.#cancelTimer !== undefined) return;
    const { answerMsMax, sendDelayMsMax } = memory.options.reconcile;
    const patience = millis(answerMsMax + sendDelayMsMax);
    this.#cancelTimer = clock.after(Math.max(0, oldestSentAt + patience - clock.uptime()) as Micros, () => {
      this.#cancelTimer = undefined;
      for (const sent of view.inFlight.until(clock.uptime() - patience)) {
        this.#becomeUnknown(sent, 'no answer came');
      }
      this.#watch();
    });
  }
}

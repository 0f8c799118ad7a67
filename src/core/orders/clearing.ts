import type { ModeChanged, RunStarted } from '../model/event.ts';
import type { InstrumentId } from '../model/instrument.ts';
import type { Order } from '../model/order.ts';
import type { StateView } from '../state/view.ts';
import type { Cancels } from './cancels.ts';
import { onlyReduces } from './exits.ts';
import type { Memory } from './memory.ts';
import type { Outbox } from './outbox.ts';
import { tellProtection } from './protection.ts';
import { isOurs } from './together.ts';

interface ClearingParts {
  readonly view: StateView;
  readonly memory: Memory;
  readonly outbox: Outbox;
  readonly cancels: Cancels;
}

/** What is cancelled when trading or a strategy stops, what stays at the venue, and what is said of orders that protected a position. */
export class Clearing {
  readonly #parts: ClearingParts;
  /** Whether the venue keeps orders when the run has ended. */
  #outlives = false;

  constructor(parts: ClearingParts) {
    this.#parts = parts;
  }

  /** Orders that stay at the venue when the run ends, and may be live. */
  get kept(): readonly Order[] {
    const { view, memory } = this.#parts;
    return view.openOrders().filter(({ clientOrderId }) => memory.keptAtStop.has(clientOrderId));
  }

  /** What a backtest and a run on paper leave behind ends with them. */
  begin({ mode }: RunStarted): void {
    this.#outlives = mode === 'live' || mode === 'sim';
  }

  /** A halt cancels all; the end of a run keeps what `orders.onStop` says. */
  halted({ latched, unread, why }: ModeChanged): void {
    this.#parts.memory.keptAtStop.clear();
    if (latched || unread === true) this.cancelAll(`trading halts: ${why}`);
    else this.cancelEnded();
  }

  /** `why`: as it is told of orders that protected a position. */
  cancelAll(why: string, strategy?: string, instrument?: InstrumentId): void {
    this.#tell(this.#staying(strategy, instrument), why);
    this.#parts.cancels.requestAll(strategy, instrument);
  }

  /** Cancels one order, and what is to replace it. */
  cancelOne(order: Order, why: string): void {
    this.#tell([order], why);
    this.#parts.cancels.requestWhole(order);
  }

  /** Cancels the orders of a strategy that has ended, or of all, but for those that `orders.onStop` keeps. */
  cancelEnded(strategy?: string): void {
    const { memory, cancels, view } = this.#parts;
    const { options, keptAtStop } = memory;
    const { onStop } = options;
    // What the venue has not confirmed is cancelled: only that ends the doubt in time.
    const isKept = (order: Order): boolean =>
      order.state !== 'pending' &&
      order.state !== 'unknown' &&
      (onStop === 'keep' || onlyReduces(order, view));
    if (this.#outlives && onStop !== 'cancel')
      for (const order of this.#staying(strategy)) if (isKept(order)) keptAtStop.add(order.clientOrderId);
    const isGoing = ({ clientOrderId }: Order): boolean => !keptAtStop.has(clientOrderId);
    this.#tell(this.#staying(strategy).filter(isGoing), `orders.onStop: ${onStop}`);
    cancels.requestThose(isGoing, strategy);
  }

  #tell(going: readonly Order[], why: string): void {
    const { view, outbox } = this.#parts;
    if (this.#outlives) tellProtection(going, view, outbox, why);
  }

  /** Orders of this bot that may live and of which no cancel was asked for. */
  #staying(strategy?: string, instrument?: InstrumentId): readonly Order[] {
    const { view, memory, cancels } = this.#parts;
    return view
      .openOrders(strategy, instrument)
      .filter(({ clientOrderId: id }) => isOurs(id, memory.options) && !cancels.isRequested(id));
  }
}

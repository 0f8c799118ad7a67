import type { ModeChanged, RunStarted } from '../model/event.ts';
import { evidenceHaltOf } from '../model/evidence-halt.ts';
import type { InstrumentId } from '../model/instrument.ts';
import { isTerminal } from '../model/order-life.ts';
import type { Order } from '../model/order.ts';
import { productOf } from '../model/product.ts';
import type { StateView } from '../state/index.ts';
import type { Cancels } from './base/cancels.ts';
import { onlyReduces } from './controls/index.ts';
import type { Memory } from './base/memory.ts';
import type { Outbox } from './base/outbox.ts';
import { protectionText, tellProtection } from './protection.ts';
import { isOurs, ownershipOf } from './base/owners.ts';

interface ClearingDeps {
  readonly view: StateView;
  readonly memory: Memory;
  readonly outbox: Outbox;
  readonly cancels: Cancels;
}

/** Cancels when trading or a strategy stops: what stays at the venue, and what is said of orders that protected a position. */
export class Clearing {
  readonly #parts: ClearingDeps;
  /** Whether the venue keeps orders when the run has ended. */
  #outlives = false;

  constructor(parts: ClearingDeps) {
    this.#parts = parts;
  }

  /** Orders that stay at the venue when the run ends, and may be live. */
  get kept(): readonly Order[] {
    const { view, memory } = this.#parts;
    return view.openOrders().filter(({ clientOrderId }) => memory.keptAtStop.has(clientOrderId));
  }

  /** Begins a run; what a backtest and a run on paper leave behind ends with them. */
  beginRun({ mode }: RunStarted): void {
    this.#outlives = mode === 'live' || mode === 'sim';
  }

  /** A halt that waits for an operator cancels all, but for one by the kill file; it, a halt that evidence ends, and the end of a run keep what only reduces. */
  halted(event: ModeChanged): void {
    const evidence = evidenceHaltOf(event);
    if (evidence !== undefined) {
      // Where trading is halted without it, what goes and what stays is decided.
      const isFirst = this.#parts.view.modeWithout(evidence.halt).mode !== 'halted';
      if (evidence.begins && isFirst) this.cancelRaising(event.why);
      return;
    }
    if (event.latched && event.keepsExits === true) {
      this.cancelRaising(event.why, true);
      return;
    }
    this.#parts.memory.keptAtStop.clear();
    if (event.latched) this.cancelAll(`trading halts: ${event.why}`);
    else this.cancelEnded();
  }

  /**
   * Trading has halted, and what protects positions meanwhile stays, which is named order by order. `isByFile`: a sale on spot stays, too, whatever
   * its strategy holds, for the sentinel knows no strategy and leaves it.
   */
  cancelRaising(why: string, isByFile = false): void {
    const { memory, view, outbox } = this.#parts;
    const { keptAtStop } = memory;
    const known = new Set(keptAtStop);
    keptAtStop.clear();
    for (const order of this.#staying()) {
      const reduces = onlyReduces(order, view);
      if (!isConfirmed(order) || !(reduces || (isByFile && isSpotSale(order, view)))) continue;
      keptAtStop.add(order.clientOrderId);
      if (known.has(order.clientOrderId) || !reduces) continue;
      outbox.noteText(
        order.strategy,
        'info',
        `${protectionText(order, view)}; it stays while trading is halted`,
      );
    }
    this.#cancelOthers(`trading halts: ${why}`);
  }

  /** Trading goes on after such a halt: of what stayed, that goes which would no longer reduce only. `isByFile`: but for sales on spot. */
  haltOver(isByFile = false): void {
    const { memory, view } = this.#parts;
    const { keptAtStop } = memory;
    for (const id of keptAtStop) {
      const order = view.order(id);
      if (order === undefined || isTerminal(order.state) || (isByFile && isSpotSale(order, view))) continue;
      if (!onlyReduces(order, view)) this.cancelOne(order, 'it would no longer only reduce');
    }
    keptAtStop.clear();
  }

  /** `why`: as it is told of orders that protected a position. */
  cancelAll(why: string, strategy?: string, instrument?: InstrumentId): void {
    // The cancels leave first: of many orders it takes a while to say what each protected.
    this.#tell(this.#parts.cancels.requestAll(strategy, instrument), why);
  }

  /** Cancels one order, and what is to replace it. */
  cancelOne(order: Order, why: string): void {
    this.#tell([order], why);
    this.#parts.cancels.requestWhole(order);
  }

  /** Cancels the orders of a strategy that has ended, or of all, but for those that `orders.onStop` keeps. */
  cancelEnded(strategy?: string): void {
    const { memory, view } = this.#parts;
    const { options, keptAtStop } = memory;
    const { onStop } = options;
    const isKept = (order: Order): boolean =>
      // Others placed what is claimed, and it was there before the run.
      (order.adopted !== true && ownershipOf(order, view, memory).owner !== 'own') ||
      (onStop !== 'cancel' && isConfirmed(order) && (onStop === 'keep' || onlyReduces(order, view)));
    if (this.#outlives)
      for (const order of this.#staying(strategy)) if (isKept(order)) keptAtStop.add(order.clientOrderId);
    this.#cancelOthers(`orders.onStop: ${onStop}`, strategy);
  }

  /** Cancels all but what stays. */
  #cancelOthers(why: string, strategy?: string): void {
    const { memory, cancels } = this.#parts;
    const isGoing = ({ clientOrderId }: Order): boolean => !memory.keptAtStop.has(clientOrderId);
    this.#tell(cancels.requestThose(isGoing, strategy), why);
  }

  #tell(going: readonly Order[], why: string): void {
    const { view, outbox } = this.#parts;
    if (this.#outlives) tellProtection(going, view, outbox, why);
  }

  /** Orders of this bot that may live and of which no cancel was asked for. */
  #staying(strategy?: string): readonly Order[] {
    const { view, memory, cancels } = this.#parts;
    return view
      .openOrders(strategy)
      .filter((order) => isOurs(order, view, memory) && !cancels.isRequested(order.clientOrderId));
  }
}

function isSpotSale({ side, instrument, margin }: Order, view: StateView): boolean {
  return side === 'sell' && productOf(view.instruments.at(instrument), margin) === 'spot';
}

/** Whether the venue has confirmed an order. What it has not is cancelled: only that ends the doubt in time. */
function isConfirmed({ state }: Order): boolean {
  return state !== 'pending' && state !== 'unknown';
}

import type { Clock } from '../base/clock.ts';
import type { SlicedWork } from '../base/slices.ts';
import { eachInSlices } from '../base/slices.ts';
import { isTerminal } from '../model/order-life.ts';
import type { ClientOrderId, Order, VenueOrder } from '../model/order.ts';
import { externalStrategy } from '../ledger/index.ts';
import type { StateView } from '../state/index.ts';
import type { Cancels } from './base/cancels.ts';
import type { Differences } from './base/differences.ts';
import type { OrderReservations } from './reservation-keeper.ts';
import { onlyReduces } from './controls/index.ts';
import { leftText, protects, tellProtection } from './protection.ts';
import { LastLook } from './last-look.ts';
import type { Memory } from './base/memory.ts';
import type { OwnerSettings } from './base/owners.ts';
import { ownershipOf } from './base/owners.ts';
import type { OtherPolicy, SharedOptions } from './base/options.ts';
import type { Outbox } from './base/outbox.ts';
import type { Findings } from './base/reads.ts';
import { Others } from './others.ts';
import { StillListed } from './still-listed.ts';

interface FoundOrderDeps {
  readonly view: StateView;
  readonly memory: Memory;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly cancels: Cancels;
  readonly orderReservations: OrderReservations;
  readonly differences: Differences;
}

/** Act of a start on an order that lives: cancel it, keep it for its strategy, or what the policy says of an order of others. */
export type StartFate = 'cancel' | 'keep' | OtherPolicy;

/** The fate of an order of before the run. `isExit`: whether it only reduces what is held. */
export function fateAtStart(
  order: Pick<Order, 'clientOrderId' | 'originalClientOrderId'>,
  view: StateView,
  settings: OwnerSettings & { readonly options: Pick<SharedOptions, 'onStart'> },
  isExit: () => boolean,
): StartFate {
  const { owner, root } = ownershipOf(order, view, settings);
  if (owner !== 'own') return owner;
  const { onStart } = settings.options;
  if (root.startsWith(settings.runHead) || onStart === 'keep') return 'keep';
  return onStart === 'exits' && isExit() ? 'keep' : 'cancel';
}

/** Orders that live and that no strategy of this run asked for: of earlier runs, reported ended before, or not known at all. */
export class FoundOrders {
  readonly stillListed: StillListed;
  readonly lastLook: LastLook;
  readonly #others: Others;
  readonly #parts: FoundOrderDeps;

  constructor(parts: FoundOrderDeps) {
    const { view, clock, memory } = parts;
    this.#parts = parts;
    const stillListed = new StillListed({ view, clock, options: memory.options.reconcile });
    this.stillListed = stillListed;
    this.#others = new Others(parts);
    this.lastLook = new LastLook({ view, clock, stillListed, memory });
  }

  /** A complete look is over, and orders that it did not show are settled: takes what it shows, in slices. */
  *settle(findings: Findings): SlicedWork {
    const { cancels } = this.#parts;
    for (const order of yield* this.stillListed.settle(findings)) this.#alive(order);
    yield* this.#others.settle(findings);
    yield* eachInSlices(findings.active, ([id, order]) => {
      this.#clearUnknown(order);
      this.#clearEarlier(id);
      // Those that are to go are cancelled again.
      cancels.seenAlive(id, findings.begunAt);
    });
    this.lastLook.had(findings);
  }

  /** Something is heard of an order of an earlier run. What is held is known once the account was compared. */
  heard(id: ClientOrderId): void {
    const { memory } = this.#parts;
    if (id.startsWith(memory.runHead)) return;
    this.#others.reported(id);
    if (memory.reconciled || memory.options.onStart === 'cancel') this.#clearEarlier(id);
  }

  /** An order of an earlier run that lives is cancelled, unless the options keep it. */
  #clearEarlier(id: ClientOrderId): void {
    const { view, memory, cancels, outbox } = this.#parts;
    if (id.startsWith(memory.runHead)) return;
    this.#clearOffGrid(id);
    const order = view.order(id);
    if (order === undefined || isTerminal(order.state) || cancels.isRequested(id)) return;
    if (fateAtStart(order, view, memory, () => onlyReduces(order, view)) !== 'cancel') return;
    tellProtection([order], view, outbox, `orders.onStart: ${memory.options.onStart}`);
    cancels.request(id);
  }

  /** An own order of a finer grid than the venue has now can be neither kept nor replaced as it stands. */
  #clearOffGrid(id: ClientOrderId): void {
    const { view, memory, cancels, outbox } = this.#parts;
    const order = view.order(id);
    if (order === undefined || isTerminal(order.state) || cancels.isRequested(id)) return;
    const instrument = view.instruments.at(order.instrument);
    const { tickStep, lotStep, symbol, spec } = instrument;
    const { price = 0, stopPrice = 0, quantity } = order;
    if (price % tickStep === 0 && stopPrice % tickStep === 0 && quantity % lotStep === 0) return;
    // Whose it is costs more to find, and nearly every order is on the grid.
    if (ownershipOf(order, view, memory).owner !== 'own') return;
    const { tickSize, quantityIncrement, orderTick = tickSize, orderIncrement = quantityIncrement } = spec;
    const why = `${symbol} has tick size ${orderTick} and quantity increment ${orderIncrement} now`;
    if (protects(order, view)) tellProtection([order], view, outbox, why);
    else
      outbox.noteText(
        order.strategy,
        'warn',
        `${leftText(order, instrument)} is off the grid; it is being cancelled (${why})`,
      );
    cancels.request(id);
  }

  /** Two lists prove that an order lives which was reported ended: one of ours has to go. */
  #alive(listed: VenueOrder): void {
    const { view, memory, outbox, orderReservations, cancels } = this.#parts;
    const id = listed.clientOrderId;
    outbox.foundAlive(listed, view.order(id)?.state);
    orderReservations.refresh(id);
    if (ownershipOf(listed, view, memory).owner === 'own') cancels.request(id);
  }

  /** An id of this run that none of its strategies placed, or one of long ago that was forgotten: it has to go. */
  #clearUnknown(listed: VenueOrder): void {
    const { view, memory, outbox, cancels } = this.#parts;
    const id = listed.clientOrderId;
    if (!id.startsWith(memory.runHead) || cancels.isRequested(id)) return;
    if (view.order(id)?.strategy !== externalStrategy) return;
    outbox.foundAlive(listed, undefined);
    cancels.request(id);
  }
}

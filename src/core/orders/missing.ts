import { subtract, zero } from '../base/amount.ts';
import type { Clock, Micros } from '../base/clock.ts';
import { millis } from '../base/clock.ts';
import type { SlicedWork } from '../base/slices.ts';
import { eachInSlices } from '../base/slices.ts';
import { SmallMap } from '../base/small-map.ts';
import { marginKeyOf } from '../model/margin.ts';
import type { Balance } from '../model/market.ts';
import { isTerminal } from '../model/order-life.ts';
import type { ClientOrderId } from '../model/order.ts';
import type { StateView } from '../state/index.ts';
import type { Cancels } from './base/cancels.ts';
import type { Memory } from './base/memory.ts';
import type { OrderReservations } from './reservation-keeper.ts';
import type { SharedOptions } from './base/options.ts';
import type { Outbox } from './base/outbox.ts';
import type { Findings } from './base/reads.ts';

interface MissingDeps {
  readonly view: StateView;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly memory: Memory;
  readonly orderReservations: OrderReservations;
  readonly cancels: Cancels;
  readonly options: SharedOptions['reconcile'];
}

/**
 * Orders whose state is open: unknown ones, live ones that a list no longer shows, and ones whose cancel
 * failed. Each look at the account settles them or leaves them open; nothing else does.
 */
export class MissingOrders {
  readonly #parts: MissingDeps;
  readonly #unknown = new SmallMap<ClientOrderId, Missing>();
  readonly #unseen = new SmallMap<ClientOrderId, Missing>();
  /** Orders reported since the present look began: its lists may be older. Empty between looks. */
  readonly #heard = new Set<ClientOrderId>();
  #looking = false;
  /** To be read once; the answer, folded by the state, is all that is wanted. */
  readonly #doubted = new Set<ClientOrderId>();
  /** Doubted since the present look began: what it read of them may be older than the doubt. Empty between looks. */
  readonly #doubtedLate = new Set<ClientOrderId>();

  constructor(parts: MissingDeps) {
    this.#parts = parts;
  }

  get unsettled(): number {
    return this.#unknown.size + this.#unseen.size;
  }

  get doubted(): number {
    return this.#doubted.size;
  }

  isUnknown(id: ClientOrderId): boolean {
    return this.#unknown.has(id);
  }

  /** When the first of the open proofs may be completed, by `uptime`. */
  get provableAt(): number {
    let first = Number.POSITIVE_INFINITY;
    const absent = millis(this.#parts.options.absentMs);
    for (const { sentBefore } of this.#unknown.values()) first = Math.min(first, sentBefore + absent);
    for (const { sentBefore } of this.#unseen.values()) first = Math.min(first, sentBefore + absent);
    return first;
  }

  /** An order became unknown; no byte of it left after `sentBefore`. */
  addUnknown(clientOrderId: ClientOrderId, sentBefore: Micros): void {
    this.#doubted.delete(clientOrderId);
    if (!this.#unknown.has(clientOrderId)) {
      this.#unknown.set(clientOrderId, { clientOrderId, sentBefore, firstAbsence: undefined });
    }
  }

  /** A failed cancel or replacement leaves doubt about an order: its history is read in the next look that begins. */
  doubt(clientOrderId: ClientOrderId): void {
    if (this.#unknown.has(clientOrderId)) return;
    this.#doubted.add(clientOrderId);
    if (this.#looking) this.#doubtedLate.add(clientOrderId);
  }

  /** The order was reported. */
  reported(clientOrderId: ClientOrderId): void {
    if (this.#looking) this.#heard.add(clientOrderId);
    this.#unknown.delete(clientOrderId);
    this.#unseen.delete(clientOrderId);
  }

  /** A read shows an order that was unknown: it is not any more. */
  known(clientOrderId: ClientOrderId): void {
    this.#unknown.delete(clientOrderId);
  }

  /** A look begins. Returns whose histories it is to read, the longest waiting first. */
  beginLook(): readonly ClientOrderId[] {
    this.#looking = true;
    this.#heard.clear();
    this.#doubtedLate.clear();
    const ids = [...this.#doubted, ...this.#unknown.keys(), ...this.#unseen.keys()];
    return ids.slice(0, this.#parts.options.idsMax);
  }

  /** Settles what a complete look settles, in slices. */
  *settle(findings: Findings): SlicedWork {
    for (const id of findings.histories) if (!this.#doubtedLate.has(id)) this.#doubted.delete(id);
    this.#settleUnknown(findings);
    this.#settleUnseen(findings);
    yield* this.#findUnseen(findings);
    this.#looking = false;
    this.#heard.clear();
    this.#doubtedLate.clear();
  }

  #settleUnknown(findings: Findings): void {
    const { view, outbox, options } = this.#parts;
    for (const missing of this.#unknown.values()) {
      const { clientOrderId } = missing;
      const order = view.order(clientOrderId);
      if (order !== undefined && order.state !== 'unknown' && order.state !== 'pending') {
        this.#unknown.delete(clientOrderId);
        continue;
      }
      const unexplained = this.#reservedUnexplained(clientOrderId, findings.balances);
      const verdict = weigh(missing, findings, millis(options.absentMs), unexplained);
      if (verdict === 'absent') {
        this.#unknown.delete(clientOrderId);
        outbox.provenAbsent(clientOrderId);
        this.#ended(clientOrderId);
      } else if (findings.histories.has(clientOrderId)) {
        rotate(this.#unknown, missing);
      }
    }
  }

  #settleUnseen(findings: Findings): void {
    const { view, outbox, options } = this.#parts;
    for (const missing of this.#unseen.values()) {
      const { clientOrderId } = missing;
      const order = view.order(clientOrderId);
      if (order === undefined || isTerminal(order.state) || findings.active.has(clientOrderId)) {
        this.#unseen.delete(clientOrderId);
        continue;
      }
      const verdict = weigh(missing, findings, millis(options.absentMs), false);
      if (verdict === 'absent') {
        this.#unseen.delete(clientOrderId);
        outbox.vanished(order);
        this.#ended(clientOrderId);
      } else if (findings.histories.has(clientOrderId)) {
        rotate(this.#unseen, missing);
      }
    }
  }

  /**
   * Live orders that a complete list of active orders, asked for after their last report, does not show. Which came
   * first is decided by arrival: the venue's times are of another clock.
   */
  *#findUnseen({ active }: Findings): SlicedWork {
    const { view, clock } = this.#parts;
    yield* eachInSlices(view.openOrders(), ({ clientOrderId }) => {
      const order = view.order(clientOrderId);
      if (order === undefined || isTerminal(order.state) || active.has(clientOrderId)) return;
      if (order.state === 'pending' || order.state === 'unknown') return;
      if (this.#heard.has(clientOrderId) || this.#unseen.has(clientOrderId)) return;
      this.#unseen.set(clientOrderId, {
        clientOrderId,
        sentBefore: clock.uptime(),
        firstAbsence: undefined,
      });
    });
  }

  /** A look has ended an order, and its verdict is recorded. */
  #ended(clientOrderId: ClientOrderId): void {
    this.#parts.orderReservations.refresh(clientOrderId);
    this.#parts.cancels.overIfEnded(clientOrderId);
  }

  /** Whether the venue reserves more than the orders we know explain, by at least what this order would need. */
  #reservedUnexplained(id: ClientOrderId, balances: readonly Balance[]): boolean {
    const { memory, view } = this.#parts;
    const order = view.order(id);
    const key = order?.margin && marginKeyOf(view.instruments.at(order.instrument), order.margin.mode);
    const reservations =
      key === undefined ? memory.reservations.spot : memory.marginReservations[key.product];
    const own = reservations.of(id);
    if (own === undefined || own.amount <= 0n) return false;
    const shown =
      key === undefined
        ? balances.find(({ currency }) => currency === own.account)?.reserved
        : view.marginAccount(key)?.reservedOrders;
    return subtract(shown ?? zero, reservations.answered(own.account)) >= own.amount;
  }
}

/** Moves an entry behind the others, so that all get their turn when a look cannot read every history. */
function rotate(orders: SmallMap<ClientOrderId, Missing>, missing: Missing): void {
  orders.delete(missing.clientOrderId);
  orders.set(missing.clientOrderId, missing);
}

/** An order of which we do not know whether it lives. */
export interface Missing {
  readonly clientOrderId: ClientOrderId;
  /** No byte of it left after this, by `uptime`. For an order that was alive: when it was first missed. */
  readonly sentBefore: Micros;
  /** When a complete look first found nothing of it. */
  firstAbsence: Micros | undefined;
}

/**
 * Whether a complete look proves that an order does not live. Two agreeing looks are needed, the second begun at
 * least `absentAfter` after the send: silence, one empty list or one "not found" proves nothing.
 *
 * `'found'`: something was found. `'absent'`: the proof is complete. `'open'`: not yet, either way.
 * Source: faults, section 1 (1, 3).
 */
function weigh(
  missing: Missing,
  findings: Findings,
  absentAfter: Micros,
  reservedUnexplained: boolean,
): 'found' | 'absent' | 'open' {
  const { clientOrderId } = missing;
  if (!findings.histories.has(clientOrderId)) return 'open';
  if (findings.found.has(clientOrderId)) {
    missing.firstAbsence = undefined;
    return 'found';
  }
  if (reservedUnexplained) {
    missing.firstAbsence = undefined;
    return 'open';
  }
  if (missing.firstAbsence === undefined) {
    missing.firstAbsence = findings.begunAt;
    return 'open';
  }
  return findings.begunAt > missing.firstAbsence && findings.begunAt >= missing.sentBefore + absentAfter
    ? 'absent'
    : 'open';
}

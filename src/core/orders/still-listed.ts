import type { Clock, Micros } from '../base/clock.ts';
import { later, millis } from '../base/clock.ts';
import type { SlicedWork } from '../base/slices.ts';
import { eachInSlices } from '../base/slices.ts';
import { isTerminal } from '../model/order-life.ts';
import type { ClientOrderId, VenueOrder } from '../model/order.ts';
import type { StateView } from '../state/index.ts';
import type { SharedOptions } from './base/options.ts';
import type { Findings } from './base/reads.ts';

interface StillListedDeps {
  readonly view: StateView;
  readonly clock: Clock;
  readonly options: SharedOptions['reconcile'];
}

/**
 * Orders that were reported ended and that the list of active orders shows all the same. One list proves nothing: it may be
 * older than the end. An order that two lists in a row show, the second asked for well after the first was answered, lives
 * whatever the reports say. Source: faults, X12 and I5.
 */
export class StillListed {
  readonly #parts: StillListedDeps;
  /** When the first of the lists that show it was answered, by `uptime`. Bounded by the length of that list. */
  readonly #since = new Map<ClientOrderId, Micros>();

  constructor(parts: StillListedDeps) {
    this.#parts = parts;
  }

  /** The ids of those whose life is not proved yet. */
  get ids(): readonly ClientOrderId[] {
    return [...this.#since.keys()];
  }

  get size(): number {
    return this.#since.size;
  }

  /** When the next list may prove the first of them alive, by `uptime`. */
  get provableAt(): number {
    let first = Number.POSITIVE_INFINITY;
    for (const since of this.#since.values()) first = Math.min(first, this.#provenAfter(since));
    return first;
  }

  /** An order was reported ended (once more): lists answered before do not contradict it. */
  ended(clientOrderId: ClientOrderId): void {
    this.#since.delete(clientOrderId);
  }

  /** Takes what a complete look shows, in slices. Returns the orders that it proves alive, as the last list shows them. */
  *settle({ active, begunAt }: Findings): SlicedWork<readonly VenueOrder[]> {
    const { view, clock } = this.#parts;
    const proven: VenueOrder[] = [];
    for (const id of this.#since.keys()) if (!active.has(id)) this.#since.delete(id);
    yield* eachInSlices(active, ([id, row]) => {
      const known = view.order(id);
      if (known === undefined || !isTerminal(known.state)) {
        this.#since.delete(id);
        return;
      }
      const since = this.#since.get(id);
      if (since === undefined) {
        this.#since.set(id, clock.uptime());
      } else if (begunAt >= this.#provenAfter(since)) {
        this.#since.delete(id);
        proven.push(row);
      }
    });
    return proven;
  }

  #provenAfter(since: Micros): Micros {
    return later(since, millis(this.#parts.options.aliveMs));
  }
}

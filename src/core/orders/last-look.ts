import type { Clock, Micros } from '../base/clock.ts';
import type { ModeChanged, RunStarted } from '../model/event.ts';
import { mayBeLive } from '../model/order-life.ts';
import type { ClientOrderId, Order } from '../model/order.ts';
import type { StateView } from '../state/index.ts';
import type { Findings } from './base/reads.ts';
import type { Memory } from './base/memory.ts';
import { ourCount, oursOf } from './base/owners.ts';
import type { StillListed } from './still-listed.ts';

interface LastLookDeps {
  readonly view: StateView;
  readonly clock: Clock;
  readonly stillListed: StillListed;
  readonly memory: Pick<Memory, 'options' | 'runHead' | 'keptAtStop'>;
}

/**
 * The look at the account without which a halt is not over: begun when the last of our orders was reported ended, and showing
 * none of them. Reports alone do not prove that nothing lives (faults, X12). A backtest needs none.
 */
export class LastLook {
  readonly #parts: LastLookDeps;
  #needed = false;
  #wanted = false;
  #asked = false;
  /** Since when nothing of ours is known to be live, by `uptime`. */
  #emptySince: Micros | undefined;

  constructor(parts: LastLookDeps) {
    this.#parts = parts;
  }

  /** Whether such a look is wanted and has not been had. */
  get isDue(): boolean {
    return this.#wanted;
  }

  /** Whether the venue's own list has shown that nothing of ours lives, as far as it can be asked, or need not. */
  get isOver(): boolean {
    return !this.#wanted || !this.#parts.view.sessionUp('trading');
  }

  /** Orders that were reported ended and that the venue's last list shows all the same. */
  get listed(): readonly ClientOrderId[] {
    return this.#parts.stillListed.ids;
  }

  /** Count of orders that may live and are ours: own, adopted and claimed. */
  get ourCount(): number {
    return ourCount(this.#parts.view, this.#parts.memory);
  }

  /** The orders themselves. */
  get ours(): readonly Order[] {
    return oursOf(this.#parts.view, this.#parts.memory);
  }

  beginRun({ mode }: RunStarted): void {
    this.#needed = mode !== 'backtest';
  }

  changed({ mode }: ModeChanged): void {
    this.#wanted = this.#needed && mode === 'halted';
    this.#asked = false;
    this.#emptySince = undefined;
  }

  /** Called after every event while the look is due. Returns whether to look now. */
  follow(): boolean {
    const { view, clock, memory } = this.#parts;
    if (this.ourCount > liveAmong(memory.keptAtStop, view)) {
      this.#emptySince = undefined;
      this.#asked = false;
      return false;
    }
    this.#emptySince ??= clock.uptime();
    if (this.#asked || !view.sessionUp('trading')) return false;
    this.#asked = true;
    return true;
  }

  /** A complete look was had, and its orders are settled. */
  had({ begunAt, active }: Findings): void {
    const { stillListed, memory } = this.#parts;
    if (stillListed.size > 0) return;
    this.#asked = false;
    if (this.#emptySince === undefined || begunAt < this.#emptySince) return;
    this.#asked = true;
    for (const id of active.keys()) if (id.startsWith(memory.runHead) && !memory.keptAtStop.has(id)) return;
    this.#wanted = false;
  }
}

/** How many of the orders may be live. */
export function liveAmong(ids: ReadonlySet<ClientOrderId>, view: StateView): number {
  let count = 0;
  for (const id of ids) {
    const order = view.order(id);
    if (order !== undefined && mayBeLive(order.state)) count += 1;
  }
  return count;
}

import { millis } from '../../src/core/base/clock.ts';
import type { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import type { Event } from '../../src/core/model/event.ts';
import type { ClientOrderId, OrderRequest } from '../../src/core/model/order.ts';
import type { StateView } from '../../src/core/state/view.ts';
import type { Breaches } from './breaches.ts';
import type { Marks } from './marks.ts';
import type { SeedLimits } from './seed-limits.ts';

interface HeldStage {
  readonly time: VirtualClock;
  readonly breaches: Breaches;
  readonly marks: Marks;
  /** Of the process that runs, if one does. */
  readonly view: () => StateView | undefined;
  readonly limits: SeedLimits;
}

interface Held {
  readonly strategy: string;
  readonly request: OrderRequest;
  readonly process: StateView;
  /** What was open when it was asked for: times of orders do not tell, as a clock may step. */
  readonly beside: ReadonlySet<ClientOrderId>;
  /** By true time. */
  readonly began: number;
  /** Since when nothing that it may wait for is live, and there is a place for it. */
  readonly freeSince: number | undefined;
}

/** How often an order without a verdict is looked at. */
const everyMs = 500;
/** So long after own orders under cancel have ended it has left or is denied; the balance that they free may take a second. */
const freeMs = 3_000;
/** So long after it was asked for it is, whatever becomes of them. */
const mostMs = 17_000;

/** An order that waits for own orders under cancel leaves, or is denied, in time (I26). */
export class HeldWatch {
  readonly #stage: HeldStage;

  constructor(stage: HeldStage) {
    this.#stage = stage;
  }

  after(event: Event, view: StateView): void {
    if (event.kind !== 'intent' || event.intent.action !== 'place') return;
    const { request, strategy } = event.intent;
    if (view.inFlight.find(request.clientOrderId) === undefined) return;
    this.#stage.marks.hit('branch/exit held');
    const began = this.#stage.time.now();
    const beside = new Set(
      view.openOrders(undefined, request.instrument).map((order) => order.clientOrderId),
    );
    this.#follow({ strategy, request, process: view, beside, began, freeSince: undefined });
  }

  #follow(held: Held): void {
    const { time, breaches, marks, view } = this.#stage;
    const { strategy, request, process, beside, began } = held;
    time.after(millis(everyMs), () => {
      if (view() !== process) return;
      const { clientOrderId: id, instrument } = request;
      if (process.inFlight.find(id) === undefined) {
        if (process.order(id)?.state !== 'denied') marks.hit('branch/held exit left');
        return;
      }
      const now = time.now();
      // A cancel that failed waits for a read: the order is no less to go.
      const going = process
        .openOrders(undefined, instrument)
        .some((order) => beside.has(order.clientOrderId));
      const isFull = this.#isFull(process, strategy);
      if (isFull) marks.hit('branch/exit held for a place');
      const freeSince = going || isFull ? undefined : (held.freeSince ?? now);
      if (freeSince !== undefined && now - freeSince > millis(freeMs))
        breaches.add('I26', `exit ${id} is held ${freeMs} ms after all it waits for has ended`);
      else if (now - began > millis(mostMs))
        breaches.add('I26', `exit ${id} is held for more than ${mostMs} ms`);
      else this.#follow({ ...held, freeSince });
    });
  }

  /** Whether as many orders are open as may be: it waits for the end of any of them, wherever that stands. */
  #isFull(process: StateView, strategy: string): boolean {
    const { openOrdersMax, openOrdersAccountMax } = this.#stage.limits;
    return process.openCountBy(strategy) >= openOrdersMax || process.openCount() >= openOrdersAccountMax;
  }
}

import type { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import type { Event } from '../../src/core/model/event.ts';
import { accountOf } from '../../src/core/model/margin.ts';
import type { ClientOrderId, Order } from '../../src/core/model/order.ts';
import type { StateView } from '../../src/core/state/view.ts';
import type { Breaches } from './breaches.ts';
import type { Marks } from './marks.ts';
import type { WireCheck } from './check-wire.ts';
import type { Weather } from '../../src/app/virtual/weather.ts';

/** What a watch of halts looks at. */
export interface HaltStage {
  readonly time: VirtualClock;
  readonly breaches: Breaches;
  readonly marks: Marks;
  readonly wire: WireCheck;
  /** Of the process that runs, if one does. */
  readonly view: () => StateView | undefined;
  readonly weather: () => Weather;
}

interface Due {
  readonly at: number;
  readonly process: unknown;
  readonly ids: readonly ClientOrderId[];
}

/** After a halt or a limit on loss own orders are asked to go within five seconds (I7); what must halt does within one (I23). */
export class HaltWatch {
  readonly #stage: HaltStage;
  #cancels: readonly Due[] = [];
  #halt: { readonly at: number; readonly process: unknown; readonly why: string } | undefined;

  constructor(stage: HaltStage) {
    this.#stage = stage;
  }

  /** From now on the trader must halt. */
  expectHalt(why: string): void {
    const { time, view } = this.#stage;
    this.#halt ??= { at: time.now() + 1_000_000, process: view(), why };
  }

  after(event: Event, view: StateView): void {
    if (event.kind !== 'modeChanged' || event.mode !== 'halted') return;
    this.#stage.marks.hit('branch/halted');
    // One that evidence ends may be over before its second is.
    this.#halt = undefined;
    // The end of a run, and a halt that evidence ends, leave what only reduces.
    const ends = !event.latched;
    const ids = view
      .openOrders()
      .filter(
        ({ state, strategy }) => strategy !== 'external' && (state === 'new' || state === 'partiallyFilled'),
      )
      .filter((order) => !ends || !mayStay(order, view))
      .map(({ clientOrderId }) => clientOrderId);
    this.expectCancels(ids);
  }

  /** From now on these orders are to go. */
  expectCancels(ids: readonly ClientOrderId[]): void {
    const { time, view } = this.#stage;
    this.#cancels = [...this.#cancels, { at: time.now() + 5_000_000, process: view(), ids }];
  }

  afterStep(): void {
    const { time, breaches, view: viewOf } = this.#stage;
    const view = viewOf();
    const now = time.now();
    if (this.#halt !== undefined && now > this.#halt.at) {
      const { process, why } = this.#halt;
      this.#halt = undefined;
      if (process === view && view?.mode !== 'halted')
        breaches.add('I23', `trading goes on a second after this: ${why}`);
    }
    for (const due of this.#cancels) if (now > due.at) this.#checkCancels(due, view);
    this.#cancels = this.#cancels.filter(({ at }) => now <= at);
  }

  #checkCancels({ process, ids, at }: Due, view: StateView | undefined): void {
    const { breaches, wire, weather } = this.#stage;
    // While connections are refused nothing can leave.
    if (process !== view || view === undefined || weather().roads.rest.refusedTo > at - 5_000_000) return;
    for (const id of ids) {
      const state = view.order(id)?.state;
      const lives = state === 'new' || state === 'partiallyFilled';
      if (lives && !wire.cancelled.has(id))
        breaches.add(
          'I7',
          `order ${id} lives five seconds after a halt or a limit on loss, and no cancel has left`,
        );
    }
  }
}

/** Whether an order closes no more than its strategy, or the account, holds. */
export function mayStay(
  { instrument, strategy, side, margin, quantity, cumulative }: Order,
  view: StateView,
): boolean {
  const account = accountOf({ margin });
  const held = [view.position(instrument, strategy, account).quantity, view.netPosition(instrument, account)];
  const open = Math.max(...held.map((lots) => (side === 'buy' ? -lots : lots)));
  const isBound = margin?.reduceOnly === true || margin?.closePosition === true;
  return open > 0 && (isBound || quantity - cumulative <= open);
}

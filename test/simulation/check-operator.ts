import type { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import { ownerOf } from '../../src/core/model/client-order-id.ts';
import type { Event } from '../../src/core/model/event.ts';
import type { InstrumentId } from '../../src/core/model/instrument.ts';
import { accountOf } from '../../src/core/model/margin.ts';
import type { OperatorAct } from '../../src/core/model/operator.ts';
import { isOperatorOrder, operatorTag } from '../../src/core/model/operator.ts';
import type { Order, OrderRequest } from '../../src/core/model/order.ts';
import type { StampedEvent } from '../../src/core/model/stamped-event.ts';
import type { StateView } from '../../src/core/state/view.ts';
import type { Breaches } from './breaches.ts';
import type { Role } from './cast.ts';
import type { StateCheck } from './check-state.ts';
import type { HaltWatch } from './halt-watch.ts';
import { mayStay } from './halt-watch.ts';
import type { Marks } from './marks.ts';
import { placeOf } from './traded.ts';

export interface OperatorCheckParts {
  readonly time: VirtualClock;
  readonly breaches: Breaches;
  readonly marks: Marks;
  readonly state: StateCheck;
  readonly halts: HaltWatch;
  readonly roles: readonly Role[];
}

/**
 * What an operator's acts promise, by the acts alone: nothing that one forbids leaves from the moment on at which it was asked for,
 * replacements and what waits at the gate included; what is to go is canceled; and it holds over a restart that finds its record (I7).
 */
export class OperatorCheck {
  readonly #parts: OperatorCheckParts;
  #halted = false;
  #reducing = false;
  /** Paused strategies; `undefined`: all. */
  readonly #paused = new Set<string | undefined>();
  /** Strategies that were stopped until they are started. */
  readonly #off = new Set<string>();
  /** Parameters that were given last, by strategy. */
  readonly #params = new Map<string, string>();
  /** Those with which each strategy of the present process began. */
  readonly #begun = new Map<string, string>();
  readonly #byTag: ReadonlyMap<string, string>;

  constructor(parts: OperatorCheckParts) {
    this.#parts = parts;
    this.#byTag = new Map(parts.roles.map(({ tag, name }) => [tag, name]));
  }

  /** Whether he holds anything back. */
  get holds(): boolean {
    return this.#halted || this.#reducing || this.#paused.size > 0 || this.#off.size > 0;
  }

  get off(): readonly string[] {
    return [...this.#off];
  }

  /** A new process begins with what the disk kept; `isCleared`: he has it clear halts. */
  restart(history: readonly StampedEvent[], isCleared: boolean): void {
    this.#halted = false;
    this.#reducing = false;
    this.#paused.clear();
    this.#off.clear();
    this.#params.clear();
    this.#begun.clear();
    for (const { event } of history) {
      if (event.kind === 'operatorActed') this.#take(event.act);
      // As an earlier process began.
      else if (event.kind === 'modeChanged' && event.why === 'cleared by the operator')
        this.#halted = this.#reducing = false;
    }
    // What else cleared a halt is in the journal too.
    if (isCleared) this.#halted = this.#reducing = false;
    if (this.#paused.size > 0) this.#parts.marks.hit('branch/pause outlived a restart');
    if (this.#off.size > 0) this.#parts.marks.hit('branch/stop of a strategy outlived a restart');
  }

  /** He asks for it now; the trader has not taken it in. */
  asks(act: OperatorAct, view: StateView): void {
    this.#take(act);
    const { halts, marks } = this.#parts;
    const own = view.openOrders().filter(({ strategy, state }) => strategy !== 'external' && lives(state));
    const going = own.filter((order) => isGoing(act, order, view));
    if (going.length > 0) marks.hit(`branch/operator's ${act.act} finds orders`);
    halts.expectCancels(going.map(({ clientOrderId }) => clientOrderId));
  }

  /** A strategy begins, with these parameters. */
  begins(strategy: string, params: unknown): void {
    this.#begun.set(strategy, JSON.stringify(params));
    if (this.#off.has(strategy))
      this.#parts.breaches.add('I7', `strategy ${strategy} began, and the operator has stopped it`);
    const wanted = this.#params.get(strategy);
    if (wanted !== undefined && wanted !== JSON.stringify(params))
      this.#parts.breaches.add(
        'O4',
        `strategy ${strategy} began with ${JSON.stringify(params)}, given were ${wanted}`,
      );
  }

  /** The trader has taken this event in. */
  after(event: Event, view: StateView): void {
    const { breaches, roles } = this.#parts;
    if (event.kind === 'runStarted' && this.#reducing && view.mode === 'active')
      breaches.add('I7', 'the operator lets only orders out that reduce, which a restart forgot');
    if (event.kind === 'operatorActed' && event.act.act === 'resume' && event.act.strategy === undefined)
      for (const { name } of roles)
        if (this.#paused.size === 0 && view.paused(name) !== undefined)
          breaches.add('I7', `the operator let all go on, and ${name} is paused: ${view.paused(name)}`);
    if (event.kind !== 'orderPending') return;
    const { request, strategy } = event.command;
    if (!isOperatorOrder(request.clientOrderId)) {
      if (this.#reducing && !this.#halted) this.#checkReduces(request, strategy, view);
      return;
    }
    this.#parts.marks.hit('branch/operator closed a position');
    const held = this.#held(strategy, request);
    if (held <= 0 || request.quantity > held)
      breaches.add(
        'I7',
        `order ${request.clientOrderId} of ${request.quantity} lots is to close ${held} lots of ${strategy}`,
      );
  }

  /** While only what reduces is let out, all that works towards a position on spot comes to it at most. */
  #checkReduces(request: OrderRequest, strategy: string, view: StateView): void {
    const { clientOrderId: id, instrument, side, quantity, margin, list } = request;
    if (margin !== undefined || list !== undefined) return;
    const { quantity: lots } = view.position(instrument, strategy);
    const held = Math.max(this.#held(strategy, request), side === 'buy' ? -lots : lots);
    const working = view
      .openOrders(strategy, instrument)
      .filter((order) => order.side === side && order.margin === undefined && lives(order.state))
      .filter((order) => order.replacePending === undefined)
      .reduce((sum, order) => sum + order.quantity - order.cumulative, 0);
    if (quantity + working > held)
      this.#parts.breaches.add(
        'I7',
        `order ${id} of ${quantity} lots was admitted beside ${working} that work, and only ${held} lots can be reduced`,
      );
  }

  /** The bytes of orders leave. */
  sent(ids: readonly string[], view: StateView | undefined): void {
    if (!this.holds || view === undefined) return;
    for (const id of ids) {
      const why = this.#forbidden(id);
      if (why !== undefined) this.#parts.breaches.add('I7', `order ${id} left, and the operator ${why}`);
    }
  }

  #forbidden(id: string): string | undefined {
    if (this.#halted) return 'has halted trading';
    const tag = ownerOf(id)?.tag ?? '';
    const known = this.#parts.state.orders.order(id);
    if (this.#reducing && known !== undefined && known.quantity > 0) {
      const held = this.#held(known.strategy, known);
      if (held <= 0) return 'lets only orders out that reduce';
    }
    if (tag === operatorTag) return undefined;
    const strategy = this.#byTag.get(tag) ?? '';
    if (this.#paused.has(undefined) || this.#paused.has(strategy)) return `has paused ${strategy}`;
    return this.#off.has(strategy) ? `has stopped ${strategy}` : undefined;
  }

  #held(
    strategy: string,
    order: {
      readonly instrument: number;
      readonly side: string;
      readonly account?: string;
      readonly margin?: { readonly mode: string } | undefined;
    },
  ): number {
    const account = order.account ?? order.margin?.mode ?? 'spot';
    const place = placeOf(order.instrument as InstrumentId, account as never);
    const lots = this.#parts.state.orders.profits.lotsOf(strategy, place);
    return order.side === 'buy' ? -lots : lots;
  }

  #take(act: OperatorAct): void {
    switch (act.act) {
      case 'halt':
        this.#halted = true;
        return;
      case 'reduce':
        this.#reducing = true;
        this.#halted = false;
        return;
      case 'clear':
        this.#halted = false;
        this.#reducing = false;
        return;
      case 'pause':
      case 'flatten':
        this.#paused.add(act.strategy);
        return;
      case 'resume':
        if (act.strategy === undefined) this.#paused.clear();
        else this.#paused.delete(act.strategy);
        return;
      case 'stopStrategy':
        this.#off.add(act.strategy);
        return;
      case 'startStrategy':
        this.#off.delete(act.strategy);
        return;
      case 'setParams':
        this.#params.set(act.strategy, act.params);
        return;
      default:
    }
  }
}

function lives(state: Order['state']): boolean {
  return state === 'new' || state === 'partiallyFilled';
}

/** Whether an act is to end an order. */
function isGoing(act: OperatorAct, order: Order, view: StateView): boolean {
  switch (act.act) {
    case 'halt':
      return true;
    case 'reduce':
      return !mayStay(order, view) && !mayReduce(order, view);
    case 'cancel':
      return order.clientOrderId === act.clientOrderId;
    case 'cancelAll':
      return (
        (act.strategy === undefined || order.strategy === act.strategy) &&
        (act.instrument === undefined || order.instrument === act.instrument)
      );
    case 'flatten':
      return act.strategy === undefined || order.strategy === act.strategy;
    case 'stopStrategy':
      return order.strategy === act.strategy && !mayStay(order, view);
    default:
      return false;
  }
}

/** Whether the strategy of an order holds anything that the order would close. */
function mayReduce({ instrument, strategy, side, margin }: Order, view: StateView): boolean {
  const { quantity } = view.position(instrument, strategy, accountOf({ margin }));
  return side === 'buy' ? quantity < 0 : quantity > 0;
}

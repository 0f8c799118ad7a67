import type { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import type { Event } from '../../src/core/model/event.ts';
import type { Lots } from '../../src/core/model/instrument.ts';
import { isOperatorOrder } from '../../src/core/model/operator.ts';
import type { Position } from '../../src/core/ledger/position.ts';
import { externalStrategy } from '../../src/core/ledger/position.ts';
import { add } from '../../src/core/base/amount.ts';
import { venueLots } from '../../src/core/orders/margin/reducing.ts';
import type { StateView } from '../../src/core/state/view.ts';
import type { Breaches } from './breaches.ts';
import type { Marks } from './marks.ts';

/** So long a position that can be closed may stand without another order that closes it: a look, a refused order and a pause. Microseconds. */
const idleMax = 5_000_000;

/**
 * What `flatten` promises until it is taken back: while something is held that the venue has, too, and no order works on it, the operator's
 * own orders go on to close it. So it ends flat, however often one is refused or fills in part. O5.
 */
export class FlattenCheck {
  readonly #time: VirtualClock;
  readonly #breaches: Breaches;
  readonly #marks: Marks;
  /** Strategies that are being flattened; `undefined`: all. */
  readonly #scopes = new Set<string | undefined>();
  /** Since when a position has stood without an order that closes it. */
  readonly #idle = new Map<string, number>();
  #hasHeld = false;

  constructor({ time, breaches, marks }: { time: VirtualClock; breaches: Breaches; marks: Marks }) {
    this.#time = time;
    this.#breaches = breaches;
    this.#marks = marks;
  }

  /** A new process begins: what was flattened stays paused, and is not closed any further. */
  restart(): void {
    this.#scopes.clear();
    this.#idle.clear();
  }

  after(event: Event): void {
    if (event.kind === 'operatorActed') {
      const { act } = event;
      if (act.act === 'flatten') this.#scopes.add(act.strategy);
      else if (act.act === 'resume' && act.strategy === undefined) this.#scopes.clear();
      else if (act.act === 'resume') this.#scopes.delete(act.strategy);
      else return;
      this.#idle.clear();
      this.#hasHeld = false;
    }
    if (event.kind !== 'intent' || event.intent.action !== 'place') return;
    const { strategy, request } = event.intent;
    if (!isOperatorOrder(request.clientOrderId)) return;
    this.#idle.delete(`${strategy} ${request.instrument} ${request.margin?.mode ?? 'spot'}`);
  }

  afterStep(view: StateView): void {
    if (this.#scopes.size === 0) return;
    const now = this.#time.now();
    const held = view.positions().filter(({ strategy, quantity }) => this.#isIn(strategy) && quantity !== 0);
    if (held.length > 0) this.#hasHeld = true;
    else if (this.#hasHeld && !view.openOrders().some(({ strategy }) => this.#isIn(strategy))) {
      // What comes to light later is not what was to be closed.
      this.#marks.hit('branch/operator flattened all');
      this.#scopes.clear();
      this.#idle.clear();
      return;
    }
    for (const position of held) {
      const { strategy, instrument, account } = position;
      const key = `${strategy} ${instrument} ${account}`;
      const since = this.#idle.get(key);
      if (!isClosable(position, view)) this.#idle.delete(key);
      else if (since === undefined) this.#idle.set(key, now);
      else if (now - since > idleMax) {
        this.#idle.delete(key);
        this.#breaches.add(
          'O5',
          `${position.quantity} lots of ${strategy} in ${view.instruments.at(instrument).symbol} (${account}) stand ${(now - since) / 1_000_000} s without an order that closes them, and the operator flattens`,
        );
      }
    }
  }

  #isIn(strategy: string): boolean {
    return strategy !== externalStrategy && (this.#scopes.has(undefined) || this.#scopes.has(strategy));
  }
}

/** Whether nothing stands in the way: no own order works on it, the book has a price, and the venue has as much. */
function isClosable(position: Position, view: StateView): boolean {
  const { strategy, instrument: id, quantity, account } = position;
  const instrument = view.instruments.at(id);
  const { bestBid, bestAsk } = view.book(id);
  if (Math.abs(quantity) < 2 * instrument.lotStep || view.openOrders(strategy, id).length > 0) return false;
  if ((quantity > 0 ? bestBid : bestAsk) === undefined) return false;
  // An execution in doubt may be none.
  if (view.openExecutions.length + view.unknownCount() > 0) return false;
  if (account !== 'spot') {
    const there = venueLots(instrument, account, view);
    return there > 0 === quantity > 0 && Math.abs(there) >= 2 * instrument.lotStep;
  }
  const { available, reserved } = view.balance(instrument.spec.baseCurrency);
  const least = instrument.quantityAmount((2 * instrument.lotStep) as Lots);
  return quantity < 0 || add(available, reserved) >= least;
}

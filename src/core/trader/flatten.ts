import type { Cancel, Clock, Micros } from '../base/clock.ts';
import { millis, seconds } from '../base/clock.ts';
import { add, parseAmount } from '../base/amount.ts';
import { takesFeesInBase, externalStrategy } from '../ledger/index.ts';
import { divide } from '../model/margin-math.ts';
import { certainLots } from '../orders/controls/index.ts';
import { venueLots } from '../orders/margin/index.ts';
import type { OrderManager, OrderOptions } from '../orders/index.ts';
import { worstRate } from '../orders/base/reservations.ts';
import { ClientOrderIds } from '../model/client-order-id.ts';
import type { Event } from '../model/event.ts';
import type { Instrument, Lots, Ticks } from '../model/instrument.ts';
import { marginKeyOf } from '../model/margin.ts';
import { operatorTag } from '../model/operator.ts';
import type { ClientOrderId, OrderRequest } from '../model/order.ts';
import type { Position } from '../ledger/index.ts';
import type { StateView } from '../state/index.ts';

interface FlattenDeps {
  readonly view: StateView;
  readonly clock: Clock;
  readonly publish: (event: Event) => void;
  readonly orderOptions: Pick<OrderOptions, 'idPrefix'>;
  readonly run: string;
  readonly orders: Pick<OrderManager, 'lookSince'>;
}

/** How often positions are looked at, and how long after an order of ours the next one follows. */
const every = millis(100);
const pauseAfter = seconds(1);
/** So long positions wait for a complete look at the account; what is known is closed then: an emergency waits for no read. */
const lookMax = millis(1_500);
/** How far beyond the touch an order may execute, as a part of the price. */
const reach = 0.01;
const one = parseAmount('1');

/**
 * Closes the positions of strategies that an operator flattens: when nothing of theirs is live on a symbol, an order that takes
 * what the book offers within one percent, until nothing is held. The controls judge these orders as any other. One that they
 * deny, or the venue rejects, is tried with half the quantity.
 */
export class Flattener {
  readonly #parts: FlattenDeps;
  readonly #ids: ClientOrderIds;
  /** Strategies that are being flattened; `undefined` stands for all. */
  readonly #scopes = new Set<string | undefined>();
  /** Last order by strategy and instrument: when it was asked for, and for how many lots. */
  readonly #asked = new Map<string, { at: Micros; lots: number; id: ClientOrderId }>();
  #cancelTimer: Cancel | undefined;
  /** When it was last asked for, by `uptime`; `undefined` once balances and positions were read since. */
  #begunAt: number | undefined;
  /** When the last complete look began that it goes by, by `uptime`; `undefined` where none came in time. */
  #lookedAt: number | undefined;

  constructor(parts: FlattenDeps) {
    this.#parts = parts;
    this.#ids = new ClientOrderIds(parts.orderOptions.idPrefix, parts.run, operatorTag);
  }

  beginScope(strategy: string | undefined): void {
    this.#scopes.add(strategy);
    this.#begunAt = this.#parts.clock.uptime();
    this.#parts.orders.lookSince(this.#begunAt);
    this.#schedule();
  }

  /** The strategies trade again. */
  endScope(strategy: string | undefined): void {
    if (strategy === undefined) this.#scopes.clear();
    else this.#scopes.delete(strategy);
    if (this.#scopes.size === 0) this.close();
  }

  close(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #schedule(): void {
    this.#cancelTimer ??= this.#parts.clock.after(every, () => {
      this.#cancelTimer = undefined;
      if (this.#follow()) this.#schedule();
      else this.#scopes.clear();
    });
  }

  /** Whether something is still held or live. */
  #follow(): boolean {
    const { view } = this.#parts;
    // An order that is being cancelled may execute yet, in a symbol in which nothing was held before.
    let isOpen = view.openOrders().some(({ strategy }) => this.#isIn(strategy));
    for (const position of view.positions()) {
      const { strategy, instrument: id, quantity } = position;
      if (!this.#isIn(strategy)) continue;
      const live = view.openOrders(strategy, id).length;
      const instrument = view.instruments.at(id);
      // Less than the venue's increment cannot be sold.
      if (Math.abs(quantity) < instrument.lotStep && live === 0) continue;
      isOpen = true;
      if (live === 0 && this.#isRead()) this.#close(position, instrument);
    }
    return isOpen;
  }

  /** Whether balances and positions were read since it was asked for, or could not be in time. */
  #isRead(): boolean {
    const { clock, orders } = this.#parts;
    if (this.#begunAt === undefined) return true;
    this.#lookedAt = orders.lookSince(this.#begunAt);
    if (this.#lookedAt === undefined && clock.uptime() - this.#begunAt < lookMax) return false;
    this.#begunAt = undefined;
    return true;
  }

  #isIn(strategy: string): boolean {
    return strategy !== externalStrategy && (this.#scopes.has(undefined) || this.#scopes.has(strategy));
  }

  #close(position: Position, instrument: Instrument): void {
    const { strategy, quantity, account } = position;
    const { view, clock, publish } = this.#parts;
    const { lotStep, tickStep } = instrument;
    const key = `${strategy} ${instrument.symbol} ${account}`;
    const last = this.#asked.get(key);
    const now = clock.uptime();
    if (last !== undefined && now - last.at < pauseAfter) return;
    const side = quantity > 0 ? 'sell' : 'buy';
    const { bestBid, bestAsk } = view.book(instrument.id);
    const touch = side === 'sell' ? bestBid : bestAsk;
    if (touch === undefined) return;
    const before = last === undefined ? undefined : view.order(last.id);
    const isRefused = before?.state === 'denied' || before?.state === 'rejected';
    const shownBy =
      this.#lookedAt === undefined ? undefined : ((clock.now() + this.#lookedAt - now) as Micros);
    const held = heldLots(position, instrument, view, shownBy);
    const closable = Math.min(closableLots(position, instrument), held);
    if (closable < lotStep) {
      // What is in doubt is closed as soon as a further look shows it.
      this.#lookedAt = this.#parts.orders.lookSince(this.#lookedAt ?? now) ?? this.#lookedAt;
      return;
    }
    const most = last !== undefined && isRefused ? Math.floor(last.lots / 2) : closable;
    const lots = Math.max(lotStep, wholeSteps(Math.min(most, closable), lotStep));
    const price =
      side === 'sell'
        ? Math.max(tickStep, wholeSteps(touch * (1 - reach), tickStep))
        : Math.ceil((touch * (1 + reach)) / tickStep) * tickStep;
    const request: OrderRequest = {
      clientOrderId: this.#ids.next(),
      instrument: instrument.id,
      side,
      type: 'limit',
      timeInForce: 'IOC',
      quantity: lots as Lots,
      price: price as Ticks,
      stopPrice: undefined,
      expireTime: undefined,
      postOnly: false,
      ...(account !== 'spot' && {
        margin: { mode: account, reduceOnly: true, closePosition: false, auto: false },
      }),
    };
    this.#asked.set(key, { at: now, lots, id: request.clientOrderId });
    const time = clock.now();
    publish({
      kind: 'intent',
      exchangeTime: time,
      receiveTime: time,
      intent: { action: 'place', strategy, request },
    });
  }
}

/**
 * Lots of a position that the venue has, too: what is certain of it, and no more than its balance or its position there. A short position on
 * spot is bought back whatever the balance.
 */
function heldLots(
  { quantity, strategy, instrument: id, account }: Position,
  instrument: Instrument,
  view: StateView,
  shownBy: Micros | undefined,
): number {
  if (account !== 'spot') {
    // Orders of margin accounts only reduce: the venue itself closes no more than there is.
    if (view.marginAccount(marginKeyOf(instrument, account)) === undefined) return Math.abs(quantity);
    const there = venueLots(instrument, account, view);
    return there > 0 === quantity > 0 ? Math.min(Math.abs(quantity), Math.abs(there)) : 0;
  }
  const certain = Math.abs(certainLots(view, strategy, id, account, shownBy));
  if (quantity < 0) return certain;
  const { available, reserved } = view.balance(instrument.spec.baseCurrency);
  return Math.min(certain, Number(add(available, reserved) / instrument.quantityAmount(1 as Lots)));
}

/** All that is held; of a sale that pays its fee in base currency as much as leaves the fee, and one lot at least. */
function closableLots({ quantity, held, account }: Position, instrument: Instrument): number {
  if (quantity <= 0 || !takesFeesInBase(instrument, account)) return Math.abs(quantity);
  const most = divide(held, add(one, worstRate(instrument)));
  return Math.max(1, Number(most / instrument.quantityAmount(1 as Lots)));
}

function wholeSteps(count: number, step: number): number {
  return Math.floor(count / step) * step;
}

import type { Cancel, Clock, Micros } from '../base/clock.ts';
import { millis, seconds } from '../base/clock.ts';
import { add, parseAmount } from '../base/amount.ts';
import { takesFeesInBase } from '../ledger/valuation.ts';
import { divide } from '../model/margin-math.ts';
import { worstRate } from '../orders/reservations.ts';
import { ClientOrderIds } from '../model/client-order-id.ts';
import type { Event } from '../model/event.ts';
import type { Instrument, Lots, Ticks } from '../model/instrument.ts';
import { operatorTag } from '../model/operator.ts';
import type { ClientOrderId, OrderRequest } from '../model/order.ts';
import { externalStrategy } from '../ledger/position.ts';
import type { Position } from '../ledger/position.ts';
import type { StateView } from '../state/view.ts';

interface FlattenParts {
  readonly view: StateView;
  readonly clock: Clock;
  readonly publish: (event: Event) => void;
  readonly idPrefix: string;
  readonly run: string;
}

/** How often positions are looked at, and how long after an order of ours the next one follows. */
const every = millis(100);
const pauseAfter = seconds(1);
/** How far beyond the touch an order may execute, as a part of the price. */
const reach = 0.01;
const one = parseAmount('1');

/**
 * Closes the positions of strategies that an operator flattens: when nothing of theirs is live on a symbol, an order that takes
 * what the book offers within one percent, until nothing is held. The controls judge these orders as any other. One that they
 * deny, or the venue rejects, is tried with half the quantity.
 */
export class Flattener {
  readonly #parts: FlattenParts;
  readonly #ids: ClientOrderIds;
  /** Strategies that are being flattened; `undefined` stands for all. */
  readonly #scopes = new Set<string | undefined>();
  /** By strategy and instrument: when the last order was asked for, and for how many lots. */
  readonly #asked = new Map<string, { at: Micros; lots: number; id: ClientOrderId }>();
  #cancelTimer: Cancel | undefined;

  constructor(parts: FlattenParts) {
    this.#parts = parts;
    this.#ids = new ClientOrderIds(parts.idPrefix, parts.run, operatorTag);
  }

  begin(strategy: string | undefined): void {
    this.#scopes.add(strategy);
    this.#schedule();
  }

  /** The strategies trade again. */
  end(strategy: string | undefined): void {
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
    let isOpen = false;
    for (const position of view.positions()) {
      const { strategy, instrument: id, quantity } = position;
      if (!this.#isIn(strategy)) continue;
      const live = view.openOrders(strategy, id).length;
      const instrument = view.instruments.at(id);
      // Less than the venue's increment cannot be sold.
      if (Math.abs(quantity) < instrument.lotStep && live === 0) continue;
      isOpen = true;
      if (live === 0) this.#close(position, instrument);
    }
    return isOpen;
  }

  #isIn(strategy: string): boolean {
    return strategy !== externalStrategy && (this.#scopes.has(undefined) || this.#scopes.has(strategy));
  }

  #close(position: Position, instrument: Instrument): void {
    const { strategy, quantity, account } = position;
    const { view, clock, publish } = this.#parts;
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
    const { lotStep, tickStep } = instrument;
    const closable = closableLots(position, instrument);
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

/** All that is held; of a sale that pays its fee in base currency as much as leaves the fee, and one lot at least. */
function closableLots({ quantity, held, account }: Position, instrument: Instrument): number {
  if (quantity <= 0 || !takesFeesInBase(instrument, account)) return Math.abs(quantity);
  const most = divide(held, add(one, worstRate(instrument)));
  return Math.max(1, Number(most / instrument.quantityAmount(1 as Lots)));
}

function wholeSteps(count: number, step: number): number {
  return Math.floor(count / step) * step;
}

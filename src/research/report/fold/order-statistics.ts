import type { Event, OrderReport } from '../../../core/model/event.ts';
import { needsStopPrice } from '../../../core/model/order.ts';
import { isTerminal } from '../../../core/model/order-life.ts';
import type { InstrumentId, Lots, Ticks } from '../../../core/model/instrument.ts';
import type { BookView } from '../../../core/model/market.ts';
import type { ClientOrderId, Fill, OrderRequest, OrderType, Side } from '../../../core/model/order.ts';
import type { OrderTally } from './order-tally.ts';
import { Random } from '../../../core/base/random.ts';

/** An order of ours as execution statistics need it. */
export interface WatchedOrder {
  readonly strategy: string;
  readonly instrument: InstrumentId;
  readonly side: Side;
  readonly type: OrderType;
  readonly price: Ticks | undefined;
  readonly quantity: Lots;
  /** When our controls accepted it. */
  readonly decidedAt: number;
  /** From when its fills are measured: `decidedAt`, or the report that a suspended order was activated. */
  startedAt: number;
  /** Mid in ticks then; NaN when there was none. */
  mid: number;
  /** Whether it waits for its stop price, or for its primary order. */
  suspended: boolean;
  answered: boolean;
  filled: boolean;
}

export interface OrderWatchDeps {
  readonly book: ((instrument: InstrumentId) => BookView | undefined) | undefined;
  /** Mid in ticks now, NaN when there is none. */
  readonly mid: (instrument: InstrumentId) => number;
  /** What became of our orders, the event under way taken in. */
  readonly tally: Pick<OrderTally, 'isOpen'>;
}

const reasonsMax = 64;

/** Cost against the mid at the time of the decision or activation, weighted by value. */
class Slippage {
  #worth = 0;
  #cost = 0;
  count = 0;

  add(worth: number, basisPoints: number): void {
    this.#worth += worth;
    this.#cost += worth * basisPoints;
    this.count += 1;
  }

  /** Basis points; positive is a cost. NaN without any. */
  get mean(): number {
    return this.#cost / this.#worth;
  }
}

/** Follows every own order while it is open: how fast it was answered and filled, where in the queue it began. */
export class OrderStatistics {
  readonly #setting: OrderWatchDeps;
  readonly #open = new Map<ClientOrderId, WatchedOrder>();
  /** Microseconds from decision to the venue's first answer, and from there or activation to the first fill, by the times of the reports. */
  readonly acknowledged = new Reservoir('acknowledged');
  readonly timeToFill = new Reservoir('time to fill');
  /** What stood at the order's price when it began to rest, as a multiple of the order. */
  readonly queueAhead = new Reservoir('queue ahead');
  readonly makerSlippage = new Slippage();
  readonly takerSlippage = new Slippage();
  /** Refusals of the venue by code and text. */
  readonly rejections = new Map<string, number>();
  postOnlyExpired = 0;
  /** Commands that our controls let pass to the gate. */
  commands = 0;

  constructor(setting: OrderWatchDeps) {
    this.#setting = setting;
  }

  observe(event: Event): void {
    switch (event.kind) {
      case 'orderPending':
        this.commands += 1;
        this.#begin(event.command.strategy, event.command.request, event.receiveTime);
        return;
      case 'replacePending': {
        this.commands += 1;
        const { newClientOrderId, clientOrderId, strategy, instrument, side, quantity, price } =
          event.command;
        const type = this.#open.get(clientOrderId)?.type ?? 'limit';
        const request = { clientOrderId: newClientOrderId, instrument, side, quantity, price, type };
        this.#begin(strategy, request, event.receiveTime);
        return;
      }
      case 'cancelPending':
        this.commands += 1;
        return;
      case 'orderDenied':
      case 'orderProvenAbsent':
        if (event.kind === 'orderProvenAbsent' || event.action !== 'cancel')
          this.#open.delete(event.clientOrderId);
        return;
      case 'orderRejected': {
        this.#answer(event.clientOrderId, event.receiveTime);
        this.#open.delete(event.clientOrderId);
        const reason = `${event.code} ${event.why}`;
        if (this.rejections.size < reasonsMax || this.rejections.has(reason))
          this.rejections.set(reason, (this.rejections.get(reason) ?? 0) + 1);
        return;
      }
      case 'orderReport':
        this.#report(event);
        return;
      case 'readAnswered':
        // Orders that ended between sessions.
        for (const id of this.#open.keys()) if (!this.#setting.tally.isOpen(id)) this.#open.delete(id);
    }
  }

  /** The open order of that id. */
  order(id: ClientOrderId): WatchedOrder | undefined {
    return this.#open.get(id);
  }

  /** A fill of ours, reported at `time`; before the report that brought it is observed. */
  filled(id: ClientOrderId, fill: Fill, time: number): void {
    const order = this.#open.get(id);
    if (order === undefined) return;
    // The report that brings the fill may be the first one since the order was activated.
    if (order.suspended) this.#start(order, time);
    if (!order.filled) this.timeToFill.add(time - order.startedAt);
    order.filled = true;
    if (Number.isNaN(order.mid)) return;
    const away = ((fill.price - order.mid) / order.mid) * 10_000;
    const slippage = fill.taker ? this.takerSlippage : this.makerSlippage;
    slippage.add(fill.price * fill.quantity, order.side === 'buy' ? away : -away);
  }

  /** The best prices of our open orders by instrument, in ticks: bid and ask, NaN where there is none. */
  quotes(): ReadonlyMap<InstrumentId, { bid: number; ask: number }> {
    const quotes = new Map<InstrumentId, { bid: number; ask: number }>();
    for (const { instrument, side, price, answered } of this.#open.values()) {
      if (price === undefined || !answered) continue;
      let quote = quotes.get(instrument);
      if (quote === undefined) {
        quote = { bid: Number.NaN, ask: Number.NaN };
        quotes.set(instrument, quote);
      }
      if (side === 'buy') quote.bid = quote.bid >= price ? quote.bid : price;
      else quote.ask = quote.ask <= price ? quote.ask : price;
    }
    return quotes;
  }

  #begin(
    strategy: string,
    request: Pick<OrderRequest, 'clientOrderId' | 'instrument' | 'side' | 'type' | 'price' | 'quantity'>,
    decidedAt: number,
  ): void {
    const { clientOrderId, instrument, side, type, price, quantity } = request;
    const mid = this.#setting.mid(instrument);
    this.#open.set(clientOrderId, {
      strategy,
      instrument,
      side,
      type,
      price,
      quantity,
      decidedAt,
      startedAt: decidedAt,
      mid,
      // One with a stop price waits until a report says otherwise, be it the one that brings its fill.
      suspended: needsStopPrice(type),
      answered: false,
      filled: false,
    });
  }

  #start(order: WatchedOrder, time: number): void {
    order.suspended = false;
    order.startedAt = time;
    order.mid = this.#setting.mid(order.instrument);
  }

  #answer(id: ClientOrderId, time: number): WatchedOrder | undefined {
    const order = this.#open.get(id);
    if (order === undefined || order.answered) return undefined;
    order.answered = true;
    this.acknowledged.add(time - order.decidedAt);
    return order;
  }

  #report({ order: reported, reportType, receiveTime }: OrderReport): void {
    const first = this.#answer(reported.clientOrderId, receiveTime);
    const order = this.#open.get(reported.clientOrderId);
    if (order !== undefined) {
      if (reported.state === 'suspended') order.suspended = true;
      else if (order.suspended) this.#start(order, receiveTime);
    }
    if (first !== undefined && reported.state === 'new' && first.price !== undefined) {
      const ahead = this.#setting.book?.(first.instrument)?.quantityAt(first.side, first.price);
      if (ahead !== undefined) this.queueAhead.add(ahead / first.quantity);
    }
    if (reportType === 'expired' && reported.postOnly) this.postOnlyExpired += 1;
    if (reported.originalClientOrderId !== undefined) this.#open.delete(reported.originalClientOrderId);
    if (isTerminal(reported.state)) this.#open.delete(reported.clientOrderId);
  }
}

/** One bar of a histogram: how many values were from `from` (included) to `to`. */
export interface HistogramBin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** A fair sample of a stream of numbers in bounded memory: everything up to the capacity, then each value as likely. */
export class Reservoir {
  readonly #kept: number[] = [];
  readonly #capacity: number;
  readonly #random: Random;
  #count = 0;
  #sum = 0;

  /** `name` seeds the choice of what is kept: the same stream always leaves the same sample. */
  constructor(name: string, capacity = 4_096) {
    this.#capacity = capacity;
    this.#random = new Random(`report/${name}`);
  }

  add(value: number): void {
    this.#count += 1;
    this.#sum += value;
    if (this.#kept.length < this.#capacity) {
      this.#kept.push(value);
      return;
    }
    const place = Math.floor(this.#random.float() * this.#count);
    if (place < this.#capacity) this.#kept[place] = value;
  }

  /** How many values came, kept or not. */
  get count(): number {
    return this.#count;
  }

  /** Of all values that came; NaN without any. */
  get mean(): number {
    return this.#sum / this.#count;
  }

  /** The smallest kept value that at least `share` of the kept ones do not exceed (nearest rank); NaN without any. */
  quantile(share: number): number {
    const sorted = this.sorted();
    return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
  }

  /** What was kept, ascending. */
  sorted(): readonly number[] {
    return this.#kept.toSorted((a, b) => a - b);
  }
}

/**
 * Up to `bins` bars of one width from the smallest value to the 99.5th percentile; the last bar also counts what is
 * above. `values` ascending. One bar when nothing varied.
 */
export function histogramOf(values: readonly number[], bins = 24): readonly HistogramBin[] {
  const low = values[0];
  if (low === undefined) return [];
  const high = values[Math.max(0, Math.ceil(0.995 * values.length) - 1)] as number;
  const width = (high - low) / bins;
  // Also where values are so near that no width is left between them.
  if (!(width > 0)) return [{ from: low, to: values.at(-1) as number, count: values.length }];
  const counts = Array.from({ length: bins }, () => 0);
  for (const value of values) {
    const bin = Math.min(bins - 1, Math.floor((value - low) / width));
    counts[bin] = (counts[bin] as number) + 1;
  }
  return counts.map((count, i) => ({ from: low + i * width, to: low + (i + 1) * width, count }));
}

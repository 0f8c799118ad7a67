import { parseAmount, zero } from '../../src/core/base/amount.ts';
import { micros } from '../../src/core/base/clock.ts';
import type { Micros } from '../../src/core/base/clock.ts';
import { Random } from '../../src/core/base/random.ts';
import { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import type { Command, ReadTarget } from '../../src/core/model/command.ts';
import type { Event, MarketEvent } from '../../src/core/model/event.ts';
import type {
  Instrument,
  InstrumentId,
  InstrumentSpec,
  Lots,
  Ticks,
} from '../../src/core/model/instrument.ts';
import type { MarginChange } from '../../src/core/model/margin.ts';
import type { ClientOrderId, OrderRequest, Side } from '../../src/core/model/order.ts';
import type { Product } from '../../src/core/model/product.ts';
import type { OpenEngine } from '../../src/sim/engine.ts';
import type { Latency, LatencyWay } from '../../src/sim/latency.ts';
import { openShadowEngine } from '../../src/sim/fill-models/fifo/shadow-engine.ts';
import { simOptions } from '../../src/sim/options.ts';
import type { OutageWindow } from '../../src/sim/outages.ts';
import type { MarginDeps } from '../../src/sim/product-accounts.ts';
import { SimVenue } from '../../src/sim/venue.ts';
import { oneMarket } from './markets.ts';

export const instrument = 0 as InstrumentId;

export interface SimHarnessSetup {
  readonly options?: Record<string, unknown>;
  readonly latency?: Latency;
  readonly feed?: LatencyWay;
  readonly openEngine?: OpenEngine;
  readonly outages?: readonly OutageWindow[];
  readonly marketData?: 'recorded' | 'live';
  /** Whether market data tell single orders. */
  readonly orders?: boolean;
  readonly funds?: string;
  readonly spec?: Partial<InstrumentSpec>;
  readonly margin?: MarginDeps;
}

/** One side of a drawn book: price and size, price and size, ... */
export type Levels = readonly (readonly [price: number, size: number])[];

/** A simulated venue on a virtual clock that starts at 0, with everything it reported and when. */
export class SimHarness {
  readonly clock = new VirtualClock(micros(0));
  readonly market: Instrument;
  readonly venue: SimVenue;
  readonly noted: { at: number; event: Event }[] = [];
  #commandId = 0;
  #sequence = 0;

  constructor(setup: SimHarnessSetup = {}) {
    const available = parseAmount(setup.funds ?? '1000000');
    const none = { kind: 'constant', micros: 0 };
    const instruments = oneMarket(setup.spec);
    this.market = instruments.at(instrument);
    this.venue = new SimVenue({
      clock: this.clock,
      instruments,
      options: simOptions.parse({
        entryLatency: none,
        reportLatency: none,
        windowTicks: 1_024,
        ...setup.options,
      }),
      random: new Random('desk'),
      balances: ['AAA', 'BBB'].map((currency) => ({ currency, available, reserved: zero })),
      ...(setup.marketData === undefined ? {} : { marketData: setup.marketData }),
      ...(setup.latency === undefined ? {} : { latency: setup.latency }),
      openEngine: setup.openEngine ?? openShadowEngine,
      ...(setup.outages === undefined ? {} : { outages: setup.outages }),
      feed: setup.feed,
      margin: setup.margin,
      orders: setup.orders,
    });
    this.venue.events.subscribe((event) => this.noted.push({ at: this.clock.now(), event }));
    this.settle();
    this.noted.length = 0;
  }

  /** Lets everything that is due now happen. */
  settle(): void {
    this.clock.advanceTo(this.clock.now());
  }

  /** A fact at a time, as the driver would bring it; received `feed` later. */
  data(event: MarketEvent): void {
    this.clock.advanceTo(event.exchangeTime);
    this.venue.accept(event);
    this.settle();
  }

  book(bids: Levels, asks: Levels, kind: 'bookUpdate' | 'bookSnapshot' = 'bookUpdate', feed = 0): void {
    const levels = Float64Array.from([
      ...bids.flatMap(([price, size]) => [0, price, size]),
      ...asks.flatMap(([price, size]) => [1, price, size]),
    ]);
    this.#sequence += 1;
    const place = { instrument, sequence: this.#sequence, levels, start: 0, end: levels.length };
    this.data({ kind, ...place, ...this.#times(feed) });
  }

  trade(side: Side, quantity: number, price: number, feed = 0): void {
    const times = this.#times(feed);
    const trade = {
      tradeId: '1',
      price: price as Ticks,
      quantity: quantity as Lots,
      side,
      time: times.exchangeTime,
    };
    this.data({ kind: 'trades', instrument, snapshot: false, trades: [trade], ...times });
  }

  order(
    id: string,
    side: Side,
    order: Partial<Record<'price' | 'quantity' | 'stopPrice' | 'expireTime', number>> &
      Partial<Pick<OrderRequest, 'type' | 'timeInForce' | 'postOnly' | 'margin'>>,
  ): void {
    const request: OrderRequest = {
      clientOrderId: id as ClientOrderId,
      instrument,
      side,
      type: order.type ?? 'limit',
      timeInForce: order.timeInForce ?? 'GTC',
      quantity: order.quantity as Lots,
      price: order.price as Ticks | undefined,
      stopPrice: order.stopPrice as Ticks | undefined,
      expireTime: order.expireTime as Micros | undefined,
      postOnly: order.postOnly ?? false,
      ...(order.margin !== undefined && { margin: order.margin }),
    };
    this.send({ kind: 'newOrder', commandId: this.#commandId++, strategy: 'test', request });
  }

  cancel(id: string, product?: Product): void {
    const clientOrderId = id as ClientOrderId;
    this.send({
      kind: 'cancelOrder',
      commandId: this.#commandId++,
      strategy: 'test',
      clientOrderId,
      instrument,
      product,
    });
  }

  changeMargin(change: Partial<MarginChange> & Pick<MarginChange, 'product' | 'mode'>): void {
    const { mode } = change;
    this.send({
      kind: 'changeMargin',
      commandId: this.#commandId++,
      strategy: 'test',
      change: {
        instrument: mode === 'isolated' ? instrument : undefined,
        currency: 'BBB',
        balance: undefined,
        leverage: undefined,
        ...change,
      },
    });
  }

  read(what: ReadTarget): void {
    this.send({ kind: 'read', commandId: this.#commandId++, what });
  }

  send(command: Command): void {
    this.venue.send(command);
    this.settle();
  }

  /** Order reports so far in short, and forgets them: `mine new`, `mine trade 2@100`, `mine trade 1@100 filled`. */
  received(): string[] {
    const lines = this.noted.flatMap(({ event }) => {
      if (event.kind === 'orderRejected' || event.kind === 'cancelRejected')
        return [`${event.clientOrderId} ${event.kind} ${event.code}`];
      if (event.kind !== 'orderReport') return [];
      const { order, reportType, fill } = event;
      const detail = fill === undefined ? '' : ` ${fill.quantity}@${fill.price}`;
      return [`${order.clientOrderId} ${reportType}${detail}${order.state === 'filled' ? ' filled' : ''}`];
    });
    this.noted.length = 0;
    return lines;
  }

  /** The events of one kind reported so far. */
  only<Kind extends Event['kind']>(kind: Kind): Extract<Event, { kind: Kind }>[] {
    return this.noted.flatMap(({ event }) =>
      event.kind === kind ? [event as Extract<Event, { kind: Kind }>] : [],
    );
  }

  #times(feed: number): { exchangeTime: Micros; receiveTime: Micros } {
    const now = this.clock.now();
    return { exchangeTime: now, receiveTime: micros(now + feed) };
  }
}

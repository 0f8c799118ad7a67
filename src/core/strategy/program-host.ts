import type { Amount } from '../base/amount.ts';
import type { Clock } from '../base/clock.ts';
import { ClientOrderIds, ownerOf } from '../model/client-order-id.ts';
import type { Denial } from '../model/denial.ts';
import type { BookStale, Event, MarketData } from '../model/event.ts';
import { timesAt } from '../model/event-times.ts';
import type { InstrumentId } from '../model/instrument.ts';
import type { Intent, ReplaceIntent } from '../model/intent.ts';
import type { MarginChange } from '../model/margin.ts';
import type { ContingencyType } from '../model/order-list.ts';
import type { ClientOrderId, Fill, Order, OrderRequest } from '../model/order.ts';
import type { Product } from '../model/product.ts';
import type { StateView } from '../state/index.ts';
import type { FeedRequest } from './feed-request.ts';
import type { HostSetting, StrategyHost } from './host.ts';
import { OrderDispatch } from './order-dispatch.ts';

/** Receives what happens to the orders of one program. */
export interface ProgramListener {
  /** Takes an order that changed. `denial`: why our controls refused it, or what was asked of it. */
  order(order: Order, denial: Denial | undefined): void;
  fill(fill: Fill, order: Order): void;
  /** Takes every event but market data, after the state has it and `order` and `fill` were called. */
  event(event: Event): void;
}

/** Place where the programs of a run meet what serves them. */
export interface ProgramPort {
  /** Takes the host of a program: at the start of a run, and whenever the program is started anew. */
  opened(host: ProgramHost): void;
}

export interface ProgramHostDeps extends Pick<HostSetting, 'publish' | 'clock' | 'idPrefix' | 'run' | 'tag'> {
  readonly name: string;
  readonly feeds: readonly FeedRequest[];
  readonly products: readonly Product[];
  /** The trader's own state: an event is applied to it before it is notified. */
  readonly state: StateView;
  /** Its share of the balance; `undefined` where it may use all of a currency. */
  readonly funds: (currency: string) => { readonly free: Amount; readonly reserved: Amount } | undefined;
}

const silent: ProgramListener = { order: () => {}, fill: () => {}, event: () => {} };

/**
 * A participant without code of its own: what it asks for comes from outside, at any time, and enters the run like the words of a
 * strategy in a thread of its own. Everything else of a run knows it as a strategy.
 */
export class ProgramHost implements StrategyHost {
  readonly name: string;
  readonly feeds: readonly FeedRequest[];
  readonly products: readonly Product[];
  readonly state: StateView;
  readonly funds: ProgramHostDeps['funds'];
  /** Receiver of everything about the program; none before it was set. */
  listener: ProgramListener = silent;
  /** Takes market data, and that a book may not be traded on, after the state has them. */
  onMarket: (event: MarketData | BookStale) => void = () => {};
  readonly #clock: Clock;
  readonly #publish: (event: Event) => void;
  readonly #ids: ClientOrderIds;
  readonly #owner: { readonly prefix: string; readonly tag: string };
  readonly #dispatch: OrderDispatch;
  #running = false;
  #ended = false;
  #compared = false;

  constructor(setting: ProgramHostDeps) {
    this.name = setting.name;
    this.feeds = setting.feeds;
    this.products = setting.products;
    this.state = setting.state;
    this.funds = setting.funds;
    this.#clock = setting.clock;
    this.#publish = setting.publish;
    this.#owner = { prefix: setting.idPrefix, tag: setting.tag };
    this.#ids = new ClientOrderIds(setting.idPrefix, setting.run, setting.tag);
    this.#dispatch = new OrderDispatch(this.name, setting.state, {
      order: (order, denial) => this.listener.order(order, denial),
      fill: (fill, order) => this.listener.fill(fill, order),
      position: (_instrument: InstrumentId) => {},
    });
  }

  /** Whether the program may ask for anything: the run has begun, and nobody has stopped the program. */
  get running(): boolean {
    return this.#running;
  }

  /** Whether the account has been compared with the venue, so that what the state says of it may be shown. */
  get compared(): boolean {
    return this.#compared;
  }

  start(starts = 0): void {
    this.#compared = true;
    if (this.#ended) return;
    this.#ids.skipStarts(starts);
    this.#dispatch.beginOrders();
    this.#running = true;
  }

  notify(event: Event): void {
    if (event.kind === 'runStarted') this.#ended = false;
    if (event.kind === 'strategyStopped' && event.strategy === this.name) this.#end();
    if (event.kind === 'bookStale') this.onMarket(event);
    if (this.#running) this.#dispatch.take(event);
    this.listener.event(event);
  }

  notifyMarketData(data: MarketData): void {
    this.onMarket(data);
  }

  /** Ends the program; in place of its start where an operator has stopped it in an earlier run. */
  stop(): void {
    this.#compared = true;
    if (this.#ended) return;
    this.#end();
    this.#publish({
      kind: 'strategyStopped',
      ...timesAt(this.#clock.now()),
      strategy: this.name,
      why: 'unloaded',
    });
  }

  close(): Promise<void> {
    this.stop();
    return Promise.resolve();
  }

  /** Whether an id was made for the program, in this run or in an earlier one. */
  owns(id: string): boolean {
    const owner = ownerOf(id);
    return owner?.prefix === this.#owner.prefix && owner.tag === this.#owner.tag;
  }

  /** An id of ours for the next order of the program. */
  nextId(): ClientOrderId {
    return this.#ids.next();
  }

  /** Asks for an order. What the run says of it may come before this returns. */
  place(request: OrderRequest): void {
    this.#intend({ action: 'place', strategy: this.name, request });
  }

  /** Asks for orders that depend on each other; each request names the whole list. */
  placeList(contingency: ContingencyType, requests: readonly OrderRequest[]): void {
    this.#intend({ action: 'placeList', strategy: this.name, contingency, requests });
  }

  replace(change: Omit<ReplaceIntent, 'action' | 'strategy'>): void {
    this.#intend({ action: 'replace', strategy: this.name, ...change });
  }

  cancel(clientOrderId: ClientOrderId): void {
    this.#intend({ action: 'cancel', strategy: this.name, clientOrderId });
  }

  /** Asks for a change of a margin account. */
  changeMargin(change: MarginChange): void {
    this.#intend({ action: 'changeMargin', strategy: this.name, change });
  }

  /** Cancels every order of the program; the reason stands in the journal before. */
  cancelAll(why: string): void {
    const times = timesAt(this.#clock.now());
    this.#publish({ kind: 'strategyNoted', ...times, strategy: this.name, level: 'warn', text: why });
    this.#intend({ action: 'cancelAll', strategy: this.name, instrument: undefined });
  }

  #intend(intent: Intent): void {
    this.#publish({ kind: 'intent', ...timesAt(this.#clock.now()), intent });
    this.#ids.prepareSoon();
  }

  #end(): void {
    this.#ended = true;
    this.#running = false;
  }
}

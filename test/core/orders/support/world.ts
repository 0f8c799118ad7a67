import { parseAmount } from '../../../../src/core/base/amount.ts';
import type { Micros } from '../../../../src/core/base/clock.ts';
import { later, millis } from '../../../../src/core/base/clock.ts';
import { VirtualClock } from '../../../../src/core/base/virtual-clock.ts';
import { ClientOrderIds } from '../../../../src/core/model/client-order-id.ts';
import type { Command, ReadTarget } from '../../../../src/core/model/command.ts';
import type { DenialCode } from '../../../../src/core/model/denial.ts';
import type { Capabilities } from '../../../../src/core/model/capabilities.ts';
import type { Event, MarketData, ReadAnswered } from '../../../../src/core/model/event.ts';
import { isMarketData } from '../../../../src/core/model/market-data.ts';
import type {
  Instrument,
  InstrumentId,
  InstrumentSpec,
  Lots,
  Ticks,
} from '../../../../src/core/model/instrument.ts';
import { Instruments } from '../../../../src/core/model/instrument.ts';
import type { Intent } from '../../../../src/core/model/intent.ts';
import type { OperatorAct } from '../../../../src/core/model/operator.ts';
import type { ClientOrderId, OrderRequest, Side, VenueOrder } from '../../../../src/core/model/order.ts';
import { paidFrom } from '../../../../src/core/model/order.ts';
import type { Product } from '../../../../src/core/model/product.ts';
import type { StrategyEntry } from '../../../../src/core/orders/base/limits.ts';
import { LiveDenials } from '../../../../src/core/orders/live-denials.ts';
import { strategyLimits } from '../../../../src/core/orders/base/options.ts';
import { orderOptions } from '../../../../src/core/orders/options.ts';
import { OrderManager } from '../../../../src/core/orders/manager.ts';
import { State } from '../../../../src/core/state/state.ts';
import { stateDefaults } from '../../../../src/core/state/options.ts';

export const start = 1_700_000_000_000_000 as Micros;

const base: InstrumentSpec = {
  symbol: 'AAABBB',
  type: 'spot',
  baseCurrency: 'AAA',
  quoteCurrency: 'BBB',
  feeCurrency: 'BBB',
  tickSize: '0.01',
  quantityIncrement: '0.1',
  takeRate: '0.002',
  makeRate: '0.001',
  status: 'working',
  marginTrading: false,
};

export const specs: readonly InstrumentSpec[] = [
  base,
  { ...base, symbol: 'CCCBBB', baseCurrency: 'CCC', marginTrading: true, maxInitialLeverage: '10.00' },
  { ...base, symbol: 'AAABBB_PERP', type: 'futures' },
];

type OptionsInput = Parameters<typeof orderOptions.parse>[0];

export interface WorldParts {
  readonly options?: OptionsInput;
  /** What the venue can do; everything when left out. */
  readonly capabilities?: Capabilities;
  /** Reads that its limit sustains in a second. */
  readonly readRate?: number;
  /** Controls that count beside them, and deny nothing. */
  readonly live?: OptionsInput;
  readonly limits?: Readonly<Record<string, Parameters<typeof strategyLimits.parse>[0]>>;
  readonly run?: string;
  readonly needs?: readonly number[];
  /** What both strategies trade; spot alone when left out. */
  readonly products?: readonly Product[];
  /** The tag of the ids of the first strategy; its name when left out. */
  readonly tag?: string;
  /** What both strategies hold against one another. */
  readonly hedges?: readonly (readonly number[])[];
  /** An earlier world whose journal this one starts from, and whose clock it shares. */
  readonly after?: World;
  /** A clock of its own instead: the machine's was set meanwhile. */
  readonly clock?: VirtualClock;
  /** Looks at most commands are silent; a venue takes them. */
  readonly ready?: boolean;
}

/** The real state and order manager, joined as the trader joins them; verdicts are recorded, never re-observed. */
export class World {
  readonly instruments = new Instruments(specs);
  readonly clock: VirtualClock;
  readonly state: State;
  readonly orders: OrderManager;
  readonly live: LiveDenials;
  readonly journal: Event[] = [];
  readonly run: string;
  readonly ids: ClientOrderIds;
  onCommand: (command: Command) => void = () => {};
  /** Books that the venue was asked to fetch anew. */
  readonly refetched: InstrumentId[] = [];
  readonly #watchers = new Set<(data: MarketData) => void>();

  constructor(parts: WorldParts = {}) {
    const { options = {}, limits = {}, run = 'r1', needs = [], after, ready = true, live = {} } = parts;
    this.clock = parts.clock ?? after?.clock ?? new VirtualClock(start);
    this.run = run;
    this.ids = new ClientOrderIds('gw', run, 'maker');
    this.state = new State({ instruments: this.instruments, options: stateDefaults });
    this.live = new LiveDenials(orderOptions.parse(live));
    for (const event of after?.journal ?? []) this.#record(event);
    this.orders = new OrderManager({
      view: this.state,
      options: orderOptions.parse(options),
      capabilities: parts.capabilities,
      clock: this.clock,
      run,
      live: parts.live === undefined ? undefined : this.live,
      readRate: parts.readRate,
      refetchBook: (id) => void this.refetched.push(id),
      watchMarketData: (watcher) => {
        this.#watchers.add(watcher);
        return () => this.#watchers.delete(watcher);
      },
      emit: (event) => {
        this.#record(event);
        const command = commandOf(event);
        if (command !== undefined) this.onCommand(command);
      },
      strategies: ['maker', 'taker'].map((name): StrategyEntry => ({
        name,
        needs: new Map(
          this.instruments.all.map(({ id }) => [id, needs.map((index) => this.instrument(index).id)]),
        ),
        declared: this.instruments.all.map(({ id }) => id),
        products: parts.products,
        ...(name === 'maker' && parts.tag !== undefined && { tag: parts.tag }),
        hedges: parts.hedges?.map((legs) => legs.map((index) => this.instrument(index).id)),
        limits: strategyLimits.parse(limits[name] ?? {}),
      })),
    });
    if (after !== undefined) {
      after.orders.close();
      after.onCommand = () => {};
    }
    if (ready) this.makeReady();
  }

  instrument(index = 0): Instrument {
    return this.instruments.all[index] as Instrument;
  }

  /** What the trader does in one step. */
  step(event: Event): void {
    this.#record(event);
    this.orders.observe(event);
    if (isMarketData(event)) for (const watcher of this.#watchers) watcher(event);
  }

  get times(): { readonly exchangeTime: Micros; readonly receiveTime: Micros } {
    return { exchangeTime: this.clock.now(), receiveTime: this.clock.now() };
  }

  /** Live books at 99.00 / 101.00, a trade at 100.00, plenty of money, a session, and every read answered. */
  makeReady(): void {
    this.market();
    this.money({ AAA: '1000', BBB: '1000000', CCC: '1000' });
    const { onCommand } = this;
    this.onCommand = (command) => {
      if (command.kind === 'read') this.#pendingReads.push(command);
    };
    this.step({ kind: 'sessionUp', ...this.times, session: 'trading' });
    this.answerReads();
    this.onCommand = onCommand;
  }

  readonly #pendingReads: Command[] = [];

  /** Answers the waiting reads: no orders, no trades, the balances as they are. */
  answerReads(): void {
    for (const command of this.#pendingReads.splice(0)) {
      if (command.kind !== 'read') continue;
      this.step({
        kind: 'readAnswered',
        ...this.times,
        commandId: command.commandId,
        what: command.what,
        askedAt: this.clock.now(),
        orders: [],
        fills: [],
        balances: balancesIn(this.state, command.what),
        ...accountsIn(this.state, command.what),
      });
    }
  }

  market(index = 0, bid = 9_900, ask = 10_100): void {
    this.book(index, bid, ask);
    this.trade(index, Math.round((bid + ask) / 2));
    if (index === 0) this.market(1, bid, ask);
  }

  /** Price 0 leaves a side empty. */
  book(index: number, bid: number, ask: number): void {
    const sides = [
      [0, bid, 1_000],
      [1, ask, 1_000],
    ].filter(([, price]) => price !== 0);
    const levels = Float64Array.from(sides.flat());
    this.#sequence += 1;
    this.step({
      kind: 'bookSnapshot',
      ...this.times,
      instrument: this.instrument(index).id,
      sequence: this.#sequence,
      levels,
      start: 0,
      end: levels.length,
    });
  }

  /** The stream changes levels: side (0 bid, 1 ask), price in ticks, lots. */
  update(index: number, ...levels: readonly (readonly [number, number, number])[]): void {
    const flat = Float64Array.from(levels.flat());
    this.#sequence += 1;
    this.step({
      kind: 'bookUpdate',
      ...this.times,
      instrument: this.instrument(index).id,
      sequence: this.#sequence,
      levels: flat,
      start: 0,
      end: flat.length,
    });
  }

  #sequence = 0;

  trade(index: number, price: number): void {
    this.#sequence += 1;
    this.step({
      kind: 'trades',
      ...this.times,
      instrument: this.instrument(index).id,
      snapshot: false,
      trades: [
        {
          tradeId: `t${this.#sequence}`,
          price: price as Ticks,
          quantity: 1 as Lots,
          side: 'buy',
          time: this.clock.now(),
        },
      ],
    });
  }

  money(available: Readonly<Record<string, string>>, reserved = '0', wallet?: 'futures'): void {
    this.step({
      kind: 'balances',
      ...this.times,
      ...(wallet && { wallet }),
      complete: false,
      balances: Object.entries(available).map(([currency, amount]) => ({
        currency,
        available: parseAmount(amount),
        reserved: parseAmount(reserved),
      })),
    });
  }

  request(changes: Partial<OrderRequest> = {}): OrderRequest {
    return {
      clientOrderId: this.ids.next(),
      instrument: this.instrument().id,
      side: 'buy',
      type: 'limit',
      timeInForce: 'GTC',
      quantity: 10 as Lots,
      price: 9_900 as Ticks,
      stopPrice: undefined,
      expireTime: undefined,
      postOnly: false,
      ...changes,
    };
  }

  /** Declares an intent; returns the verdicts it led to. */
  want(intent: Intent): readonly Event[] {
    const before = this.journal.length + 1;
    this.step({ kind: 'intent', ...this.times, intent });
    return this.journal.slice(before);
  }

  /** An operator asks for something; returns what it led to. */
  operate(act: OperatorAct, why = ''): readonly Event[] {
    const before = this.journal.length + 1;
    this.step({ kind: 'operatorActed', ...this.times, act, who: 'ann', why });
    return this.journal.slice(before);
  }

  /** Places an order; returns the code of the denial, or the id when it is pending. */
  place(changes: Partial<OrderRequest> = {}, strategy = 'maker'): DenialCode | ClientOrderId {
    const request = this.request(changes);
    const verdict = this.want({ action: 'place', strategy, request }).find(
      ({ kind }) => kind === 'orderDenied' || kind === 'orderPending',
    );
    if (verdict?.kind === 'orderDenied') return verdict.denial.code;
    if (verdict?.kind !== 'orderPending') throw new Error(`no verdict, but ${verdict?.kind}`);
    return request.clientOrderId;
  }

  /** Places an order and has the venue accept it; moves the clock on, so that nothing counts as a duplicate. */
  rest(changes: Partial<OrderRequest> = {}, strategy = 'maker'): ClientOrderId {
    const id = this.place(changes, strategy) as ClientOrderId;
    this.report(id, 'new');
    this.clock.advance(millis(1));
    return id;
  }

  /** The venue reports an order that we know. */
  report(id: ClientOrderId, type: 'new' | 'suspended' | 'canceled' | 'expired', cumulative?: number): void {
    const order = this.state.order(id);
    if (order === undefined) throw new Error(`no order ${id}`);
    this.step({
      kind: 'orderReport',
      ...this.times,
      reportType: type,
      order: {
        ...venueOrder(order, this.clock.now()),
        state: type,
        cumulative: (cumulative ?? order.cumulative) as Lots,
      },
      fill: undefined,
    });
  }

  #tradeId = 0;

  /** The venue, whose clock is `ahead` of ours, reports a fill. */
  fill(id: ClientOrderId, lots: number, ahead = 0 as Micros): void {
    const order = this.state.order(id);
    if (order === undefined) throw new Error(`no order ${id}`);
    const cumulative = (order.cumulative + lots) as Lots;
    this.#tradeId += 1;
    const price = order.price ?? (10_000 as Ticks);
    this.step({
      kind: 'orderReport',
      ...this.times,
      reportType: 'trade',
      order: {
        ...venueOrder(order, this.clock.now()),
        state: cumulative === order.quantity ? 'filled' : 'partiallyFilled',
        cumulative,
      },
      fill: {
        tradeId: `own${this.#tradeId}`,
        price,
        quantity: lots as Lots,
        fee: parseAmount('0'),
        taker: false,
        time: later(this.clock.now(), ahead),
      },
    });
  }

  /** The venue does not answer a new order: it is unknown. */
  unanswered(id: ClientOrderId): void {
    const pending = this.ofKind('orderPending').find(({ command }) => command.request.clientOrderId === id);
    this.step({
      kind: 'commandSettled',
      ...this.times,
      commandId: pending?.command.commandId ?? 0,
      lane: 'new',
      outcome: 'unanswered',
      clientOrderId: id,
    });
  }

  rejected(id: ClientOrderId, code = 20_001, why = 'Insufficient funds'): void {
    this.step({
      kind: 'orderRejected',
      ...this.times,
      clientOrderId: id,
      originalClientOrderId: undefined,
      code,
      why,
    });
  }

  /** Gives a strategy a position by a filled order on the other side of nothing. */
  hold(lots: number, strategy = 'maker', index = 0): void {
    const side: Side = lots > 0 ? 'buy' : 'sell';
    const id = this.rest(
      {
        clientOrderId: this.idOf(strategy),
        side,
        quantity: Math.abs(lots) as Lots,
        price: 10_000 as Ticks,
        instrument: this.instrument(index).id,
      },
      strategy,
    );
    this.fill(id, Math.abs(lots));
    this.clock.advance(millis(6_000));
  }

  readonly #takerIds = new Map<string, ClientOrderIds>();

  idOf(strategy: string): ClientOrderId {
    let ids = this.#takerIds.get(strategy);
    if (ids === undefined) {
      ids = strategy === 'maker' ? this.ids : new ClientOrderIds('gw', this.run, strategy);
      this.#takerIds.set(strategy, ids);
    }
    return ids.next();
  }

  ofKind<Kind extends Event['kind']>(kind: Kind): readonly Extract<Event, { kind: Kind }>[] {
    return this.journal.filter((event): event is Extract<Event, { kind: Kind }> => event.kind === kind);
  }

  #record(event: Event): void {
    this.journal.push(event);
    this.state.apply(event);
  }
}

export function venueOrder(order: OrderRequest, now: Micros): VenueOrder {
  return {
    clientOrderId: order.clientOrderId,
    instrument: order.instrument,
    side: order.side,
    type: order.type,
    timeInForce: order.timeInForce,
    quantity: order.quantity,
    price: order.price,
    stopPrice: order.stopPrice,
    expireTime: order.expireTime,
    postOnly: order.postOnly,
    venueOrderId: `v-${order.clientOrderId}`,
    state: 'new',
    cumulative: 0 as Lots,
    originalClientOrderId: undefined,
    orderListId: undefined,
    createdAt: now,
    updatedAt: now,
    ...paidFrom(order),
  };
}

/** The answer to a read of balances is them as they are known. */
export function balancesIn(state: State, what: ReadTarget): ReadAnswered['balances'] {
  if (what.of !== 'balances') return [];
  return what.product === 'futures' ? state.balances('futures') : state.balances();
}

/** The answer to a read of margin accounts is them as they are known; no other read has any. */
export function accountsIn(state: State, what: ReadTarget): Pick<ReadAnswered, 'marginAccounts'> {
  if (what.of !== 'marginAccounts') return {};
  const ofProduct = state.marginAccounts().filter(({ product }) => product === what.product);
  return { marginAccounts: ofProduct.map(({ account }) => account) };
}

function commandOf(event: Event): Command | undefined {
  switch (event.kind) {
    case 'orderPending':
    case 'cancelPending':
    case 'replacePending':
    case 'readPending':
    case 'marginPending':
      return event.command;
    default:
      return undefined;
  }
}

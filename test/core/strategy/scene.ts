import { parseAmount } from '../../../src/core/base/amount.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { Mailbox } from '../../../src/core/base/mailbox.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import type { ChangeMarginCommand, ReplaceOrderCommand } from '../../../src/core/model/command.ts';
import type { Denial } from '../../../src/core/model/denial.ts';
import type { Event } from '../../../src/core/model/event.ts';
import type { InstrumentSpec, Lots, Ticks } from '../../../src/core/model/instrument.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import type { ChangeMarginIntent, Intent } from '../../../src/core/model/intent.ts';
import type { MarginAccountView, MarginReason } from '../../../src/core/model/margin.ts';
import type {
  ClientOrderId,
  Fill,
  Order,
  Side,
  VenueOrder,
  VenueOrderState,
} from '../../../src/core/model/order.ts';
import type { MarginProductName } from '../../../src/core/model/product.ts';
import { State } from '../../../src/core/state/state.ts';
import type { StrategyDefinition } from '../../../src/core/strategy/define.ts';
import type { KeptState, StrategyHost } from '../../../src/core/strategy/host.ts';
import { ThreadHost } from '../../../src/core/strategy/thread-host.ts';
import { marginAccount } from '../support/margin-account.ts';

export const specs: readonly InstrumentSpec[] = [
  spec('ETHBTC', 'ETH', 'BTC'),
  spec('LTCBTC', 'LTC', 'BTC'),
  spec('LTCETH', 'LTC', 'ETH'),
];

/** A contract, and a symbol that is traded on margin. */
export const marginSpecs: readonly InstrumentSpec[] = [
  ...specs,
  {
    ...spec('ETHBTC_PERP', 'ETH', 'BTC'),
    type: 'futures',
    marginTrading: true,
  },
  { ...spec('XRPBTC', 'XRP', 'BTC'), marginTrading: true },
];

function spec(symbol: string, baseCurrency: string, quoteCurrency: string): InstrumentSpec {
  return {
    symbol,
    type: 'spot',
    baseCurrency,
    quoteCurrency,
    feeCurrency: quoteCurrency,
    tickSize: '0.000001',
    quantityIncrement: '0.0001',
    takeRate: '0.001',
    makeRate: '-0.0001',
    status: 'working',
    marginTrading: false,
  };
}

export const startTime = 1_700_000_000_000_000 as Micros;
export const setting = { seed: 7, idPrefix: 'gw', run: 'm8x2k1', tag: 'st' };

/**
 * The order of work around strategies, without controls: state, then a venue that accepts every intent at once
 * (rests it, or refuses it when `refuse` says so), then the strategies.
 */
export class Scene {
  readonly clock = new VirtualClock(startTime);
  readonly instruments: Instruments;
  readonly state: State;
  readonly events: Event[] = [];
  readonly hosts: StrategyHost[] = [];
  /** Of strategies that are added from now on. */
  run = setting.run;
  /** What strategies kept, by name: handed to one that is added later, as after a restart. */
  readonly kept = new Map<string, KeptState>();
  /** Set to refuse intents. */
  refuse: (intent: Intent) => boolean = () => false;
  /** Reasons that refused intents receive. */
  refusal: Denial = { code: 'NOTIONAL_MAX', why: 'refused by the scene' };
  /** Answers intents; tests that write their own answers switch it off. */
  answering = true;
  #sequence = 0;
  #trades = 0;
  #commands = 0;
  readonly #mailbox = new Mailbox<Event>((event) => this.#step(event));

  constructor(listed = specs) {
    this.instruments = new Instruments(listed);
    this.state = new State({ instruments: this.instruments, options: { candlePeriods: ['M1'] } });
  }

  /** A strategy in this thread, not yet started. */
  add(
    definition: StrategyDefinition,
    params: unknown = {},
    name = definition.name,
    tag = setting.tag,
  ): ThreadHost {
    const host = new ThreadHost({
      ...setting,
      run: this.run,
      tag,
      name,
      definition,
      params,
      state: this.state,
      clock: this.clock,
      publish: (event) => this.publish(event),
      kept: this.kept.get(name),
      keep: (state) => this.kept.set(name, state),
    });
    this.hosts.push(host);
    return host;
  }

  publish(event: Event): void {
    this.#mailbox.post(event);
  }

  /** Moves the clock on; timers that fall due fire. */
  wait(ms: number): void {
    this.clock.advance((ms * 1_000) as Micros);
  }

  get times(): { exchangeTime: Micros; receiveTime: Micros } {
    return { exchangeTime: this.clock.now(), receiveTime: this.clock.now() };
  }

  /** A book of one symbol: pairs of price in ticks and size in lots. */
  book(bids: readonly [number, number][], asks: readonly [number, number][], symbol = 'ETHBTC'): void {
    const flat = [...bids.map((level) => [0, ...level]), ...asks.map((level) => [1, ...level])].flat();
    this.#sequence += 1;
    this.publish({
      kind: 'bookSnapshot',
      ...this.times,
      instrument: this.instruments.get(symbol).id,
      sequence: this.#sequence,
      levels: Float64Array.from(flat),
      start: 0,
      end: flat.length,
    });
  }

  trade(price: number, quantity: number, side: Side = 'buy', symbol = 'ETHBTC'): void {
    this.#trades += 1;
    this.publish({
      kind: 'trades',
      ...this.times,
      instrument: this.instruments.get(symbol).id,
      snapshot: false,
      trades: [
        {
          tradeId: `p${this.#trades}`,
          price: price as Ticks,
          quantity: quantity as Lots,
          side,
          time: this.clock.now(),
        },
      ],
    });
  }

  /** The venue executes `lots` of an order at its price. */
  fill(id: ClientOrderId, lots: number): void {
    const order = this.order(id);
    this.#trades += 1;
    const instrument = this.instruments.at(order.instrument);
    const fill: Fill = {
      tradeId: `t${this.#trades}`,
      price: order.price as Ticks,
      quantity: lots as Lots,
      fee: instrument.fee(order.price as Ticks, lots as Lots, instrument.makeRate),
      taker: false,
      time: this.clock.now(),
    };
    const cumulative = order.cumulative + lots;
    const state = cumulative === order.quantity ? 'filled' : 'partiallyFilled';
    this.report(order, state, { cumulative, fill });
  }

  order(id: ClientOrderId): Order {
    const order = this.state.order(id);
    if (order === undefined) throw new Error(`no order ${id}`);
    return order;
  }

  report(order: Order, state: VenueOrderState, more: { cumulative?: number; fill?: Fill } = {}): void {
    const received: VenueOrder = {
      ...order,
      venueOrderId: order.venueOrderId ?? `v-${order.clientOrderId}`,
      state,
      cumulative: (more.cumulative ?? order.cumulative) as Lots,
      orderListId: undefined,
      createdAt: order.createdAt,
      updatedAt: this.clock.now(),
    };
    const reportType = more.fill === undefined ? (state as 'new' | 'canceled') : 'trade';
    this.publish({ kind: 'orderReport', ...this.times, reportType, order: received, fill: more.fill });
  }

  /** Own orders that may be live, oldest first. */
  open(): readonly Order[] {
    return this.state.openOrders();
  }

  of<Kind extends Event['kind']>(kind: Kind): (Event & { kind: Kind })[] {
    return this.events.filter((event): event is Event & { kind: Kind } => event.kind === kind);
  }

  intents(): Intent[] {
    return this.of('intent').map(({ intent }) => intent);
  }

  notes(): string[] {
    return this.of('strategyNoted').map(({ text }) => text);
  }

  #step(event: Event): void {
    this.events.push(event);
    this.state.apply(event);
    if (this.answering) this.#play(event);
    for (const host of this.hosts) host.notify(event);
  }

  #play(event: Event): void {
    if (event.kind === 'intent') this.#answer(event.intent);
    else if (event.kind === 'orderPending') {
      const { clientOrderId, stopPrice } = event.command.request;
      this.report(this.order(clientOrderId), stopPrice === undefined ? 'new' : 'suspended');
    } else if (event.kind === 'replacePending') this.#replaced(event.command);
    else if (event.kind === 'marginPending') this.#marginChanged(event.command);
  }

  #answer(intent: Intent): void {
    const { strategy } = intent;
    const { times } = this;
    if (intent.action === 'changeMargin') {
      this.#changeMargin(intent);
      return;
    }
    if (intent.action === 'cancelAll') {
      for (const order of this.state.openOrders(strategy, intent.instrument)) this.report(order, 'canceled');
      return;
    }
    if (intent.action === 'placeList') {
      for (const request of intent.requests) this.#answer({ action: 'place', strategy, request });
      return;
    }
    if (intent.action === 'place') {
      const { request } = intent;
      const { clientOrderId } = request;
      if (this.refuse(intent)) {
        const originalClientOrderId = undefined;
        this.publish({
          kind: 'orderDenied',
          ...times,
          strategy,
          action: 'place',
          clientOrderId,
          originalClientOrderId,
          denial: this.refusal,
        });
        return;
      }
      this.publish({
        kind: 'orderPending',
        ...times,
        command: { kind: 'newOrder', commandId: 0, strategy, request },
      });
    } else if (intent.action === 'cancel') {
      this.report(this.order(intent.clientOrderId), 'canceled');
    } else if (intent.action === 'replace') {
      this.#replace(intent);
    }
  }

  #changeMargin(intent: ChangeMarginIntent): void {
    const { strategy, change } = intent;
    this.#commands += 1;
    if (this.refuse(intent)) {
      this.publish({ kind: 'marginDenied', ...this.times, strategy, change, denial: this.refusal });
      return;
    }
    const command = { kind: 'changeMargin', commandId: this.#commands, strategy, change } as const;
    this.publish({ kind: 'marginPending', ...this.times, command });
  }

  /** The venue makes the account as it was asked for. */
  #marginChanged({ commandId, change }: ChangeMarginCommand): void {
    const { product, mode, instrument, currency, balance, leverage } = change;
    const known = this.state.marginAccount(change) ?? marginAccount('0', { mode, instrument, currency });
    const account = { ...known, balance: balance ?? known.balance, leverage: leverage ?? known.leverage };
    this.margin(product, account, 'marginChanged');
    const settled = {
      commandId,
      lane: 'replace',
      outcome: 'acknowledged',
      clientOrderId: undefined,
    } as const;
    this.publish({ kind: 'commandSettled', ...this.times, ...settled });
  }

  /** A contract shows its coming funding rate. */
  contract(symbol: string, fundingRate: string): void {
    this.publish({
      kind: 'contractInfo',
      ...this.times,
      instrument: this.instruments.get(symbol).id,
      markPrice: parseAmount('0.001'),
      indexPrice: parseAmount('0.001'),
      fundingRate: parseAmount(fundingRate),
      nextFundingAt: startTime,
      lastFundingRate: undefined,
      openInterest: undefined,
    });
  }

  /** The venue reports a margin account. */
  margin(product: MarginProductName, account: MarginAccountView, reason: MarginReason): void {
    const reportType = reason === 'closed' ? 'closed' : 'updated';
    this.publish({ kind: 'marginAccount', ...this.times, product, reportType, reason, account });
  }

  #replace(intent: Intent & { action: 'replace' }): void {
    const { strategy, clientOrderId, newClientOrderId, quantity, price, stopPrice } = intent;
    const { instrument, side } = this.order(clientOrderId);
    this.publish({
      kind: 'replacePending',
      ...this.times,
      command: {
        kind: 'replaceOrder',
        commandId: 0,
        strategy,
        clientOrderId,
        newClientOrderId,
        instrument,
        side,
        quantity,
        price,
        stopPrice,
      },
    });
  }

  #replaced({ clientOrderId, newClientOrderId }: ReplaceOrderCommand): void {
    const order = { ...this.order(newClientOrderId), cumulative: this.order(clientOrderId).cumulative };
    this.publish({
      kind: 'orderReport',
      ...this.times,
      reportType: 'replaced',
      order: {
        ...order,
        venueOrderId: `v-${newClientOrderId}`,
        state: 'new',
        orderListId: undefined,
        updatedAt: this.clock.now(),
      },
      fill: undefined,
    });
  }
}

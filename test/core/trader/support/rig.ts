import type { VenueRefusal } from '../../../../src/core/model/safe-state.ts';
import { Subject } from 'rxjs';
import { parseAmount } from '../../../../src/core/base/amount.ts';
import type { Micros } from '../../../../src/core/base/clock.ts';
import type { StrategyPlan } from '../../../../src/core/trader/parts.ts';
import { millis } from '../../../../src/core/base/clock.ts';
import { silentLogger } from '../../../../src/core/base/logger.ts';
import { VirtualClock } from '../../../../src/core/base/virtual-clock.ts';
import { ApiBudgets } from '../../../../src/venues/hitbtc/budgets/api.ts';
import { budgetOptions } from '../../../../src/venues/hitbtc/budgets/options.ts';
import type { Venue } from '../../../../src/core/bus/venue.ts';
import { gateOptions } from '../../../../src/core/gate/options.ts';
import { MemoryJournal } from '../../../../src/core/journal/records/run-digest.ts';
import type { Command, ReadCommand } from '../../../../src/core/model/command.ts';
import { isKept } from '../../../../src/core/journal/records/records.ts';
import type { Event, MarketData, OwnTrade } from '../../../../src/core/model/event.ts';
import type { InstrumentId } from '../../../../src/core/model/instrument.ts';
import type { VenueOrder, VenueOrderState } from '../../../../src/core/model/order.ts';
import type { StampedEvent } from '../../../../src/core/model/stamped-event.ts';
import { strategyLimits } from '../../../../src/core/orders/base/options.ts';
import { orderOptions } from '../../../../src/core/orders/options.ts';
import { stateDefaults } from '../../../../src/core/state/options.ts';
import type { StateOptions } from '../../../../src/core/state/options.ts';
import type { StrategyDefinition } from '../../../../src/core/strategy/define.ts';
import { ThreadHost } from '../../../../src/core/strategy/thread-host.ts';
import { Trader } from '../../../../src/core/trader/trader.ts';
import { oneMarket } from '../../../support/markets.ts';

export const instrument = 0 as InstrumentId;
const start = 1_700_000_000_000_000 as Micros;

/** A journal that says when it was written to. */
class NotedJournal extends MemoryJournal {
  onAppend: (event: Event) => void = () => {};

  override append(event: Event, sequence: number): void {
    super.append(event, sequence);
    if (isKept(event)) this.onAppend(event);
  }

  override appendMarketData(data: MarketData, sequence: number): void {
    super.appendMarketData(data, sequence);
    this.onAppend(data);
  }
}

export interface RigParts {
  readonly strategies?: readonly StrategyDefinition[];
  /** An earlier run whose clock and journal this one goes on with. */
  readonly after?: Rig;
  readonly run?: string;
  /** The operator clears a halt that an earlier run latched. */
  readonly clearHalt?: boolean;
  readonly stateOptions?: Partial<StateOptions>;
  /** The largest quantity of one order. */
  readonly quantityMax?: string;
  /** What the venue answers to reads of orders. */
  readonly alive?: () => readonly VenueOrder[];
}

/** A trader on a virtual clock, with a venue in the test's hand: it answers reads, the rest is up to the test. */
export class Rig {
  readonly clock: VirtualClock;
  readonly journal = new NotedJournal({ keepMax: 100_000 });
  readonly subject = new Subject<Event>();
  readonly sent: Command[] = [];
  /** The trade history of the venue: what was reported, unless the test takes it out. */
  readonly trades: OwnTrade[] = [];
  /** What the venue refuses. */
  refusals: readonly VenueRefusal[] = [];
  /** The venue answers no read. */
  isDeaf = false;
  readonly seen: StampedEvent[] = [];
  readonly trader: Trader;
  readonly plans: readonly StrategyPlan[];
  readonly history: readonly StampedEvent[];
  onSend: (command: Command) => void = () => {};
  readonly #alive: () => readonly VenueOrder[];
  readonly #clearHalt: boolean;
  #sequence = 0;

  constructor({
    strategies = [],
    after,
    run = 'r1',
    alive = () => [],
    stateOptions,
    clearHalt = false,
    quantityMax,
  }: RigParts = {}) {
    this.clock = after?.clock ?? new VirtualClock(start);
    this.history = after === undefined ? [] : [...after.history, ...after.journal.events];
    this.#alive = alive;
    this.#clearHalt = clearHalt;
    this.plans = strategies.map((definition, index) => ({
      name: definition.name,
      tag: `t${index}`,
      limits: strategyLimits.parse({}),
      open: ({ state, clock, publish }) => {
        const common = { state, clock, publish, definition, params: {}, seed: 1, idPrefix: 'gw' };
        return new ThreadHost({ ...common, run, tag: `t${index}` });
      },
    }));
    this.trader = new Trader({
      instruments: oneMarket(),
      clock: this.clock,
      venue: this.#venue(),
      journal: this.journal,
      budgets: new ApiBudgets(budgetOptions.parse({}), this.clock),
      log: silentLogger,
      run,
      history: this.history,
      strategies: this.plans,
      orderOptions: orderOptions.parse({
        reconcile: { everyMs: 86_400_000 },
        ...(quantityMax !== undefined && { limits: { '*': { quantityMax } } }),
      }),
      gateOptions: gateOptions.parse({}),
      stateOptions: { ...stateDefaults, ...stateOptions },
    });
    this.trader.watch((stamped) => this.seen.push(stamped));
  }

  get times(): { readonly exchangeTime: Micros; readonly receiveTime: Micros } {
    return { exchangeTime: this.clock.now(), receiveTime: this.clock.now() };
  }

  /** Starts, brings the sessions up, answers the reconciliation and shows a market at 99 / 101. */
  ready(): this {
    this.trader.start('sim', this.#clearHalt);
    this.subject.next({ kind: 'sessionUp', session: 'market', ...this.times });
    this.book(99, 101);
    this.trade(100);
    const balances = ['AAA', 'BBB'].map((currency) => ({
      currency,
      available: parseAmount('1000000'),
      reserved: parseAmount('0'),
    }));
    this.subject.next({ kind: 'balances', complete: true, balances, ...this.times });
    this.subject.next({ kind: 'sessionUp', session: 'trading', ...this.times });
    this.wait(10);
    return this;
  }

  wait(ms: number): void {
    this.clock.advance(millis(ms));
  }

  book(bid: number, ask: number): void {
    this.#sequence += 1;
    const levels = Float64Array.from([0, bid, 50, 1, ask, 50]);
    const shape = { instrument, sequence: this.#sequence, levels, start: 0, end: 6 };
    this.subject.next({ kind: 'bookSnapshot', ...shape, ...this.times });
  }

  trade(price: number): void {
    this.#sequence += 1;
    const trade = { tradeId: `t${this.#sequence}`, price, quantity: 1, side: 'buy', time: this.clock.now() };
    const trades = [trade] as unknown as Extract<Event, { kind: 'trades' }>['trades'];
    this.subject.next({ kind: 'trades', instrument, snapshot: false, trades, ...this.times });
  }

  /** The venue reports on an order that was sent. */
  report(clientOrderId: string, state: VenueOrderState, cumulative = 0): void {
    const order = this.venueOrder(clientOrderId, state, cumulative);
    const reportType = cumulative > 0 ? 'trade' : state === 'canceled' ? 'canceled' : 'new';
    const fill =
      cumulative === 0
        ? undefined
        : {
            tradeId: `own-${clientOrderId}-${cumulative}`,
            price: order.price ?? (0 as never),
            quantity: order.cumulative,
            fee: parseAmount('0'),
            taker: false,
            time: this.clock.now(),
          };
    if (fill !== undefined) {
      const { clientOrderId: id, venueOrderId, side } = order;
      this.trades.push({ ...fill, instrument, clientOrderId: id, venueOrderId, side });
    }
    this.subject.next({ kind: 'orderReport', reportType, order, fill, ...this.times });
  }

  venueOrder(clientOrderId: string, state: VenueOrderState, cumulative = 0): VenueOrder {
    const known = this.trader.view.order(clientOrderId as VenueOrder['clientOrderId']);
    if (known === undefined) throw new Error(`no order ${clientOrderId}`);
    const { side, type, timeInForce, quantity, price, stopPrice, expireTime, postOnly } = known;
    return {
      clientOrderId: known.clientOrderId,
      instrument,
      side,
      type,
      timeInForce,
      quantity,
      price,
      stopPrice,
      expireTime,
      postOnly,
      venueOrderId: `v-${clientOrderId}`,
      state,
      cumulative: cumulative as VenueOrder['cumulative'],
      originalClientOrderId: undefined,
      orderListId: undefined,
      createdAt: known.createdAt,
      updatedAt: this.clock.now(),
    };
  }

  kinds(...wanted: readonly Event['kind'][]): readonly Event['kind'][] {
    return this.seen.map(({ event }) => event.kind).filter((kind) => wanted.includes(kind));
  }

  all<Kind extends Event['kind']>(kind: Kind): readonly Extract<Event, { kind: Kind }>[] {
    return this.seen
      .map(({ event }) => event)
      .filter((event): event is Extract<Event, { kind: Kind }> => event.kind === kind);
  }

  #venue(): Venue {
    const soon = (): Micros => (this.clock.now() + millis(500)) as Micros;
    return {
      events: this.subject,
      looks: { book: soon, symbol: soon, session: soon, refused: () => this.refusals },
      send: (command) => {
        this.sent.push(command);
        this.onSend(command);
        if (command.kind === 'read' && !this.isDeaf) this.clock.after(millis(1), () => this.#answer(command));
      },
      close: () => Promise.resolve(),
    };
  }

  #answer({ commandId, what }: ReadCommand): void {
    const orders = what.of === 'activeOrders' ? this.#alive() : [];
    const balances = what.of === 'balances' ? this.trader.view.balances() : [];
    const askedAt = (this.clock.now() - millis(1)) as Micros;
    const fills = what.of === 'tradeHistory' ? this.trades.filter(({ time }) => time >= what.since) : [];
    const answer = { commandId, what, askedAt, orders, fills, balances, ...this.times };
    this.subject.next({ kind: 'readAnswered', ...answer });
    const ending = { commandId, lane: 'read', outcome: 'acknowledged', clientOrderId: undefined } as const;
    this.subject.next({ kind: 'commandSettled', ...ending, ...this.times });
  }
}

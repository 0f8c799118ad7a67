import type { Clock, Micros } from '../../../core/base/clock.ts';
import type { Command, OrderCommand } from '../../../core/model/command.ts';
import type { Event } from '../../../core/model/event.ts';
import type { Instrument, InstrumentId, Instruments } from '../../../core/model/instrument.ts';
import type { ClientOrderId, Fill, OrderRequest, Side } from '../../../core/model/order.ts';
import type {
  Account,
  ExchangeMarket,
  OrderRecord,
  Outcome,
  RefusedOutcome,
} from '../../../exchange/matching/index.ts';
import { activateFired, Exchange, ExchangeState } from '../../../exchange/matching/index.ts';
import { AccountHistory } from '../../account-history.ts';
import { exchangeCommandOf, simMatchingOptions } from '../../engine.ts';
import { ourAccount } from '../../product-accounts.ts';
import { expireOrders, openLiquidation } from '../../liquidation-orders.ts';
import type { Times } from '../../venue-responses.ts';
import { noMargin, VenueResponses } from '../../venue-responses.ts';
import type { BarAccount } from './account.ts';
import { PriceFills } from './fills.ts';
import { BarMarket } from './market.ts';
import { WaitingOrders } from './orders.ts';
import { BarPayment } from './payment.ts';
import type { BarRules } from './rules.ts';

/** An execution, for those who keep the books of a run. */
export interface BarFill extends Fill {
  readonly instrument: Instrument;
  readonly side: Side;
  readonly request: OrderRequest;
}

export interface BarEngineDeps {
  readonly clock: Clock;
  readonly instruments: Instruments;
  readonly rules: BarRules;
  readonly account: BarAccount;
  readonly publish: (event: Event) => void;
  readonly executed: ((fill: BarFill) => void) | undefined;
}

const historyMax = 100_000;
const none: readonly ClientOrderId[] = [];

/** Several markets at one moment: bars do not show what happened at once. */
const noAllOrNone: RefusedOutcome = {
  kind: 'refused',
  account: ourAccount,
  clientOrderId: undefined,
  code: 'LIST_INVALID',
  why: 'bars do not show what several markets did at one moment; lists of all or none need data with books: the fill model shadow or queue',
};

/**
 * The order keeping of the embedded exchange on bars: commands in, events out. A path of prices, not the last trade, makes
 * stop orders fire and resting orders execute, one after the other: see `BarWalk`.
 */
export class BarEngine {
  /** Markets by instrument. */
  readonly markets: readonly BarMarket[];
  readonly #setup: BarEngineDeps;
  readonly #state: ExchangeState;
  readonly #exchange: Exchange;
  readonly #account: Account;
  readonly #responses: VenueResponses;
  /** Fills by instrument. */
  readonly #fills: PriceFills[] = [];
  #liquidations = 0;

  constructor(setup: BarEngineDeps) {
    const { instruments, account, rules } = setup;
    const payment = new BarPayment({
      instruments,
      account,
      fees: rules.fees,
      changed: (outcome) => state.outcomes.push(outcome),
    });
    const open = (exchange: ExchangeState, { instrument }: ExchangeMarket): PriceFills => {
      const market = this.marketOf(instrument);
      const fills = new PriceFills({ exchange, market, account, payment, rules });
      this.#fills[instrument.id] = fills;
      return fills;
    };
    const options = { ...simMatchingOptions, reportsBeforeTaking: false, expiresFirst: false };
    const state = new ExchangeState(instruments, options, open, payment);
    const orders = state.account(ourAccount);
    const strict = rules.limits === 'through';
    this.markets = instruments.all.map(
      (one) => new BarMarket(one, new WaitingOrders(orders, one.id, strict)),
    );
    this.#setup = setup;
    this.#account = orders;
    this.#state = state;
    this.#exchange = new Exchange(state);
    for (const { id } of instruments.all) state.market(id);
    this.#responses = new VenueResponses({
      engine: {
        balances: () => account.balances(),
        activeOrders: () => this.#exchange.activeOrders(ourAccount),
      },
      openHistory: () => new AccountHistory(historyMax, historyMax),
    });
  }

  marketOf({ id }: Instrument): BarMarket {
    return this.markets[id] as BarMarket;
  }

  /** Both sessions are up, and these are the balances. */
  open(): void {
    this.#publish(this.#responses.sessionEvents(this.#setup.clock.now()));
  }

  /** The answer to the command comes last. */
  carryOut(command: Command): void {
    const times = this.#times();
    const now = times.exchangeTime;
    if (command.kind === 'read') this.#publish(this.#responses.toRead(command, now, times));
    else if (command.kind === 'changeMargin')
      this.#publish(this.#responses.toMargin(command, noMargin, times));
    else
      for (const one of command.kind === 'cancelOrders' ? command.cancels : [command])
        this.#publish(this.#responses.toCommand(one, this.#execute(one, now), times));
  }

  /** A waiting order has met its price: a stop fires, everything else executes. */
  act(record: OrderRecord): void {
    const times = this.#times();
    this.#state.beginCommand(times.exchangeTime);
    this.#meet(record);
    this.#publish(this.#responses.toOutcomes(this.#finish(), times));
  }

  /** A market has opened: what had come since its last bar has met the price, and ends where it must not rest. */
  arrived({ instrument }: BarMarket): void {
    const fills = this.#fillsOf(instrument.id);
    if (!fills.hasArriving) return;
    const times = this.#times();
    this.#state.beginCommand(times.exchangeTime);
    fills.arrived();
    this.#publish(this.#responses.toOutcomes(this.#finish(), times));
  }

  /** Whether any order lives. */
  get hasOrders(): boolean {
    return this.#account.count > 0;
  }

  /** Expires what is due; whether anything was. */
  expire(): boolean {
    const next = this.#exchange.nextExpiry();
    if (next === undefined) return false;
    const times = this.#times();
    const now = times.exchangeTime;
    if (next > now) return false;
    this.#publish(this.#responses.toOutcomes(this.#exchange.handle({ kind: 'expire' }, now), times));
    return true;
  }

  /** Expires the orders of these markets, then closes the position of each at its present price. */
  liquidate(markets: readonly BarMarket[]): void {
    const { account } = this.#setup;
    const state = this.#state;
    const times = this.#times();
    state.beginCommand(times.exchangeTime);
    for (const { instrument } of markets) expireOrders(state, new Set([instrument.id]));
    for (const { instrument } of markets) {
      this.#liquidations += 1;
      const position = { instrument: instrument.id, lots: account.position(instrument) };
      this.#fillsOf(instrument.id).takeOrder(openLiquidation(state, this.#liquidations, position, 'FOK'));
    }
    this.#publish(this.#responses.toOutcomes(this.#finish(), times));
  }

  #execute(command: OrderCommand, now: Micros): readonly Outcome[] {
    if (command.kind === 'newOrderList' && command.contingency === 'allOrNone') return [noAllOrNone];
    const outcomes = this.#exchange.handle(exchangeCommandOf(command), now);
    const stops = stopsOf(command);
    return stops.length === 0 ? outcomes : [...outcomes, ...this.#fireAtOnce(stops, now)];
  }

  /** Fires stop orders that have just been placed and whose price the market has reached already. */
  #fireAtOnce(ids: readonly ClientOrderId[], now: Micros): readonly Outcome[] {
    const state = this.#state;
    const outcomes: Outcome[] = [];
    for (const id of ids) {
      const record = this.#account.live(id);
      if (record?.where !== 'triggers') continue;
      const { live, ticks, orders } = this.markets[record.instrument] as BarMarket;
      if (!live || !orders.acts(record, ticks)) continue;
      state.beginCommand(now);
      this.#meet(record);
      outcomes.push(...this.#finish());
    }
    return outcomes;
  }

  #meet(record: OrderRecord): void {
    const state = this.#state;
    if (record.where === 'triggers') {
      state.market(record.instrument).triggers.remove(record);
      state.fired.push(record);
    } else {
      this.#fillsOf(record.instrument).meet(record);
    }
  }

  #finish(): readonly Outcome[] {
    activateFired(this.#state);
    return this.#state.finishCommand();
  }

  #fillsOf(id: InstrumentId): PriceFills {
    return this.#fills[id] as PriceFills;
  }

  #publish(events: readonly Event[]): void {
    const { executed, instruments, publish } = this.#setup;
    for (const event of events) {
      publish(event);
      if (executed === undefined || event.kind !== 'orderReport' || event.fill === undefined) continue;
      const { fill, order } = event;
      const { tradeId, price, quantity, fee, taker, time } = fill;
      const { side } = order;
      const instrument = instruments.at(order.instrument);
      executed({ tradeId, price, quantity, fee, taker, time, instrument, side, request: order });
    }
  }

  #times(): Times {
    const now = this.#setup.clock.now();
    return { exchangeTime: now, receiveTime: now };
  }
}

/** The ids of orders in a command that may be stop orders. */
function stopsOf(command: OrderCommand): readonly ClientOrderId[] {
  switch (command.kind) {
    case 'newOrder':
      return command.request.stopPrice === undefined ? none : [command.request.clientOrderId];
    case 'newOrderList':
      return command.requests.map(({ clientOrderId }) => clientOrderId);
    case 'replaceOrder':
      return [command.newClientOrderId];
    case 'cancelOrder':
      return none;
  }
}

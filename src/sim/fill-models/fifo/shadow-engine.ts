import type { OrderCommand } from '../../../core/model/command.ts';
import type { Micros } from '../../../core/base/clock.ts';
import { millis } from '../../../core/base/clock.ts';
import {
  Exchange,
  ExchangeState,
  watchMargins,
  FifoFills,
  defaultMatchingOptions,
} from '../../../exchange/matching/index.ts';
import type { ExchangeCommand, Outcome } from '../../../exchange/matching/index.ts';
import type { MarketEvent, TradesPrinted } from '../../../core/model/event.ts';
import type { InstrumentId, Lots } from '../../../core/model/instrument.ts';
import type { Balance } from '../../../core/model/market.ts';
import type { VenueOrder } from '../../../core/model/order.ts';
import type { EngineDeps, OpenEngine, SharedEngine } from '../../engine.ts';
import { exchangeCommandOf } from '../../engine.ts';
import { l3Fifo, needOrders } from '../../l3-fifo.ts';
import { deposit, ourAccount, ProductAccounts } from '../../product-accounts.ts';
import type { QueueModel } from '../../queue-model.ts';
import { lotOf, queueModelOf } from '../../queue-model.ts';
import { Shadow } from './shadow.ts';

/**
 * The strict fill model: the recorded market stands as anonymous orders in the matching core, and ours among them.
 * One matching core for backtest, paper and the embedded exchange.
 */
export class ShadowEngine implements SharedEngine {
  readonly products: ProductAccounts | undefined;
  readonly exchange: Exchange;
  readonly #state: ExchangeState;
  /** Queue models by instrument id; `undefined`: the single orders of the recording give all places. */
  readonly #models: readonly QueueModel[] | undefined;
  readonly #happened: EngineDeps['happened'];
  readonly #shadows: (Shadow | undefined)[] = [];
  /** Time of the market data event under way. */
  #now = 0 as Micros;

  /** Throws `BadInput` when the queue model needs single orders and the data has none. */
  constructor(setup: EngineDeps) {
    const { instruments, options, balances, now, happened, orders, margin } = setup;
    this.#now = now;
    this.#happened = happened;
    const { queueModel, queuePower } = options;
    if (queueModel === l3Fifo) needOrders(orders);
    else this.#models = instruments.all.map((one) => queueModelOf(queueModel, queuePower, lotOf(one)));
    this.#state = stateOf(setup);
    this.exchange = new Exchange(this.#state);
    for (const balance of balances) deposit(this.exchange, ourAccount, balance, now);
    if (margin !== undefined)
      this.products = new ProductAccounts(this.#state, this.exchange, { setup: margin, now });
  }

  data(event: MarketEvent, now: Micros): void {
    this.#now = now;
    switch (event.kind) {
      case 'bookUpdate':
        this.#shadow(event.instrument).update(event);
        this.#value(event.instrument);
        break;
      case 'bookSnapshot':
        this.#shadow(event.instrument).snapshot(event);
        this.#value(event.instrument);
        break;
      case 'contractInfo':
        if (this.products?.announced(event) === true) this.#look();
        break;
      case 'trades':
        if (!event.snapshot) this.#trades(event);
        break;
      default:
        break;
    }
  }

  execute(command: OrderCommand, now: Micros): readonly Outcome[] {
    return this.handle(exchangeCommandOf(command, this.products), now);
  }

  handle(command: ExchangeCommand, now: Micros): readonly Outcome[] {
    this.#now = now;
    return this.#settled(this.exchange.handle(command, now));
  }

  expire(now: Micros): readonly Outcome[] {
    this.#now = now;
    const charged = this.products?.settle(now) ?? [];
    const expired = this.exchange.handle({ kind: 'expire' }, now);
    return this.#settled(charged.length === 0 ? expired : [...charged, ...expired]);
  }

  nextExpiry(): Micros | undefined {
    const charge = this.products?.due(this.#now);
    const expiry = this.exchange.nextExpiry();
    if (charge === undefined || expiry === undefined) return charge ?? expiry;
    return charge < expiry ? charge : expiry;
  }

  balances(): Balance[] {
    return this.exchange.balances(ourAccount);
  }

  activeOrders(): VenueOrder[] {
    return this.exchange.activeOrders(ourAccount);
  }

  /** Positions are valued at the book as it is now. */
  #value(instrument: InstrumentId): void {
    const { products } = this;
    if (products === undefined) return;
    const { book } = this.#state.market(instrument);
    const [bid, ask] = [
      book.best('buy') ?? Number.NEGATIVE_INFINITY,
      book.best('sell') ?? Number.POSITIVE_INFINITY,
    ];
    if (products.quoted(instrument, bid, ask)) this.#look();
  }

  /** The price of positions has come near a boundary. */
  #look(): void {
    const state = this.#state;
    state.beginCommand(this.#now);
    watchMargins(state);
    const outcomes = state.finishCommand();
    if (outcomes.length > 0) this.#happened(this.#settled(outcomes), this.#now);
  }

  #trades(event: TradesPrinted): void {
    const { instrument } = event;
    const shadow = this.#shadow(instrument);
    shadow.executed(event);
    for (const trade of event.trades) {
      shadow.trade(trade);
      const outcomes = this.exchange.anonymous.print(instrument, trade.price, this.#now);
      if (outcomes.length > 0) this.#happened(this.#settled(outcomes), this.#now);
    }
  }

  #shadow(instrument: InstrumentId): Shadow {
    const known = this.#shadows[instrument];
    if (known !== undefined) return known;
    const book = this.exchange.anonymous.book(instrument);
    const shadow = new Shadow(instrument, book, this.#models?.[instrument], (id, handle, lots) =>
      this.#takeOurs(id, handle, lots),
    );
    this.#shadows[instrument] = shadow;
    return shadow;
  }

  #takeOurs(instrument: InstrumentId, handle: number, quantity: Lots): number {
    const { anonymous } = this.exchange;
    const lots = anonymous.takeable(handle, quantity);
    const outcomes = anonymous.takeFrom(instrument, handle, lots, this.#now);
    if (outcomes.length > 0) this.#happened(this.#settled(outcomes), this.#now);
    return lots;
  }

  /** Follow-up of changed orders: what we took of the recorded market. */
  #settled(outcomes: readonly Outcome[]): readonly Outcome[] {
    for (const outcome of outcomes) {
      if (outcome.kind !== 'report') continue;
      const { order, fill } = outcome;
      const shadow = this.#shadow(order.instrument);
      if (fill?.taker === true) shadow.took(order.side, fill.price, fill.quantity);
      shadow.forget();
    }
    return outcomes;
  }
}

export const openShadowEngine: OpenEngine = (setup) => new ShadowEngine(setup);

function stateOf({ instruments, options, tradesFrom, margin, rules: given }: EngineDeps): ExchangeState {
  const rules = margin === undefined ? {} : { marginRule: margin.ruleOf };
  const all = {
    ...defaultMatchingOptions,
    ...rules,
    idReuseAfter: millis(options.idReuseAfterMs),
    fatFingerFraction: options.fatFingerFraction,
    windowTicks: options.windowTicks,
    tradeNumberStart: tradesFrom,
    ...given,
    // The recorded feed delivers them.
    publicOutcomes: false,
  };
  return new ExchangeState(instruments, all, (exchange, market) => new FifoFills(exchange, market));
}

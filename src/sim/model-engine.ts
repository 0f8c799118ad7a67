import { assert } from '../core/base/assert.ts';
import type { OrderCommand } from '../core/model/command.ts';
import type { Micros } from '../core/base/clock.ts';
import type { MarketEvent, TradesPrinted } from '../core/model/event.ts';
import type { Balance } from '../core/model/market.ts';
import type { VenueOrder } from '../core/model/order.ts';
import { ExchangeState } from '../exchange/matching/exchange-state.ts';
import { activateFired, collectFired } from '../exchange/matching/entry.ts';
import { Exchange } from '../exchange/matching/exchange.ts';
import type { ExchangeMarket } from '../exchange/matching/market.ts';
import { none } from '../exchange/matching/order-pool.ts';
import type { Outcome } from '../exchange/matching/outcome.ts';
import type { SimAccount } from './account.ts';
import type { EngineSetup, SimEngine } from './engine.ts';
import { exchangeCommandOf, ourAccount, simMatchingOptions } from './engine.ts';
import type { FeeSchedule } from './fee-schedule.ts';
import type { OpenFillModel, PricedMarket } from './fill-models/model.ts';
import { ModelAccount } from './model-account.ts';
import { ModelFills } from './model-fills.ts';
import type { PerpetualFunding } from './perpetual-funding.ts';
import type { LiquidatingVenue, PerpetualLiquidation } from './perpetual-liquidation.ts';

/** What distinguishes one such engine from another. */
export interface ModelEngineSetup {
  readonly account: SimAccount;
  readonly model: OpenFillModel;
  /** By instrument id. */
  readonly fees: readonly FeeSchedule[];
  /** What positions pay for standing open; nothing when left out. */
  readonly funding?: ((markets: readonly PricedMarket[]) => PerpetualFunding) | undefined;
  /** What ends positions that the account no longer bears; nothing when left out. */
  readonly liquidation?: ((venue: LiquidatingVenue) => PerpetualLiquidation) | undefined;
}

/**
 * The order keeping of the embedded exchange beside a recorded market: a fill model says when our orders fill, an account
 * of the simulation pays for them.
 */
export class ModelEngine implements SimEngine {
  readonly #exchange: Exchange;
  readonly #state: ExchangeState;
  readonly #account: ModelAccount;
  readonly #balances: () => Balance[];
  readonly #markets: ModelFills[] = [];
  readonly #happened: EngineSetup['happened'];
  readonly #funding: PerpetualFunding | undefined;
  readonly #liquidation: PerpetualLiquidation | undefined;
  /** Time of the market event under way, and whether anything has come of it. */
  #now = 0 as Micros;
  #begun = false;
  #inEvent = false;

  constructor({ instruments, now, happened, tradesFrom }: EngineSetup, setup: ModelEngineSetup) {
    const { account, model, fees } = setup;
    const markets = this.#markets;
    this.#now = now;
    this.#happened = happened;
    this.#balances = () => account.balances();
    this.#account = new ModelAccount(account, ourAccount, { markets, fees });
    const begin = (): void => this.#begin();
    const open = (state: ExchangeState, market: ExchangeMarket): ModelFills => {
      const fills = new ModelFills({ exchange: state, market, open: model, begin });
      markets[market.instrument.id] = fills;
      return fills;
    };
    const all = { ...simMatchingOptions, tradeNumberStart: tradesFrom };
    this.#state = new ExchangeState(instruments, all, open, this.#account);
    this.#exchange = new Exchange(this.#state);
    for (const { id } of instruments.all) this.#state.market(id);
    this.#funding = setup.funding?.(markets);
    this.#liquidation = setup.liquidation?.({ exchange: this.#state, markets, begin });
  }

  data(event: MarketEvent, now: Micros): void {
    const fills = this.#markets[event.instrument] as ModelFills;
    this.#now = now;
    this.#inEvent = true;
    if (event.kind === 'bookUpdate' || event.kind === 'bookSnapshot') fills.model.onMarket(event);
    else if (event.kind === 'trades' && !event.snapshot) this.#trades(fills, event);
    this.#liquidation?.moved(fills);
    this.#inEvent = false;
    if (this.#begun) this.#happened(this.#withBalances(this.#finish(fills.market)), now);
  }

  execute(command: OrderCommand, now: Micros): readonly Outcome[] {
    this.#now = now;
    return this.#withBalances(this.#exchange.handle(exchangeCommandOf(command), now));
  }

  expire(now: Micros): readonly Outcome[] {
    const paid = this.#pay(now);
    const expired = this.#exchange.handle({ kind: 'expire' }, now);
    return this.#withBalances(paid.length === 0 ? expired : [...paid, ...expired]);
  }

  nextExpiry(): Micros | undefined {
    const funding = this.#funding?.due(this.#now) as Micros | undefined;
    const expiry = this.#exchange.nextExpiry();
    if (funding === undefined || expiry === undefined) return funding ?? expiry;
    return funding < expiry ? funding : expiry;
  }

  balances(): Balance[] {
    return this.#balances();
  }

  activeOrders(): VenueOrder[] {
    return this.#exchange.activeOrders(ourAccount);
  }

  /** Whatever comes of an event begins with this; most come to nothing. */
  #begin(): void {
    assert(this.#inEvent, 'a fill model filled an order outside onMarket and onTrade');
    if (this.#begun) return;
    this.#begun = true;
    this.#state.begin(this.#now);
  }

  #finish(market: ExchangeMarket | undefined): readonly Outcome[] {
    const state = this.#state;
    if (market !== undefined) collectFired(state, market);
    activateFired(state);
    this.#begun = false;
    return state.finish();
  }

  #trades(fills: ModelFills, event: TradesPrinted): void {
    const state = this.#state;
    const { market, model } = fills;
    model.onMarket(event);
    for (const trade of event.trades) {
      model.onTrade(trade);
      market.last = trade.price;
      if (market.triggers.due(trade.price) === none && state.fired.length === 0) continue;
      this.#begin();
      collectFired(state, market);
      activateFired(state);
    }
  }

  /** Funding, and what it leads to. */
  #pay(now: Micros): readonly Outcome[] {
    this.#now = now;
    if (this.#funding?.settle(now) !== true) return [];
    this.#account.touch();
    this.#inEvent = true;
    this.#begin();
    this.#liquidation?.settle();
    this.#inEvent = false;
    return this.#finish(undefined);
  }

  #withBalances(outcomes: readonly Outcome[]): readonly Outcome[] {
    const changes = this.#account.changes();
    return changes.length === 0 ? outcomes : [...outcomes, ...changes];
  }
}

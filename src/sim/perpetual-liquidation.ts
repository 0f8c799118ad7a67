import type { Amount } from '../core/base/amount.ts';
import { add, negate, zero } from '../core/base/amount.ts';
import type { Lots } from '../core/model/instrument.ts';
import type { ExchangeState } from '../exchange/matching/index.ts';
import { enter } from '../exchange/matching/index.ts';
import { expireOrders, openLiquidation } from './liquidation-orders.ts';
import type { LiquidationLog } from './liquidation-log.ts';
import type { PricedMarket } from './fill-models/models.ts';
import { midPrice } from './fill-models/models.ts';
import type { PerpetualAccount } from './perpetual-account.ts';

/** When equity no longer bears its positions: at or below `rate` of what they lock, their notional over `leverage`. */
export interface PerpetualLiquidationRules {
  readonly rate: Amount;
  readonly leverage: Amount;
}

/** Rules by settlement currency; `undefined` where positions are never closed. */
export type RulesOf = (currency: string) => PerpetualLiquidationRules | undefined;

/** Where positions are closed. */
export interface LiquidatingVenue {
  readonly exchange: ExchangeState;
  readonly markets: readonly PricedMarket[];
  /** To be called before anything is done to an order. */
  readonly begin: () => void;
}

export interface PerpetualLiquidationDeps extends LiquidatingVenue {
  readonly account: PerpetualAccount;
  readonly log: LiquidationLog;
}

/** State of a market when its position was last looked at. */
interface Seen {
  bid: number;
  ask: number;
  changes: number;
}

/**
 * Closes all positions of a currency when its equity, each position at the middle of its recorded book, is at or below a
 * share of what they lock: the orders of their markets expire, then each is closed by a market order against the book.
 * What the book does not hold is closed when it does.
 */
export class PerpetualLiquidation {
  readonly #rulesOf: RulesOf;
  readonly #parts: PerpetualLiquidationDeps;
  readonly #seen: readonly Seen[];
  #orders = 0;

  constructor(rulesOf: RulesOf, parts: PerpetualLiquidationDeps) {
    this.#rulesOf = rulesOf;
    this.#parts = parts;
    this.#seen = parts.markets.map(() => ({ bid: 0, ask: 0, changes: -1 }));
  }

  /** A fact of the market has come. */
  moved({ instrument, book }: PricedMarket): void {
    const { account } = this.#parts;
    if (account.position(instrument) === 0) return;
    const seen = this.#seen[instrument.id] as Seen;
    const { bestBid: bid, bestAsk: ask } = book;
    const { changes } = account;
    if (seen.bid === bid && seen.ask === ask && seen.changes === changes) return;
    seen.bid = bid;
    seen.ask = ask;
    seen.changes = changes;
    this.#lookAtCurrency(instrument.spec.quoteCurrency);
  }

  /** Positions have paid for standing open. */
  settle(): void {
    const { markets } = this.#parts;
    const currencies = new Set(markets.map(({ instrument }) => instrument.spec.quoteCurrency));
    for (const currency of currencies) this.#lookAtCurrency(currency);
  }

  /** Liquidates a currency when it is time to. */
  #lookAtCurrency(currency: string): void {
    const { account, markets } = this.#parts;
    const held = markets.filter(
      ({ instrument }) => instrument.spec.quoteCurrency === currency && account.position(instrument) !== 0,
    );
    if (this.#isDue(currency, held)) this.#liquidate(currency, held);
  }

  #isDue(currency: string, held: readonly PricedMarket[]): boolean {
    const rules = this.#rulesOf(currency);
    const standing = rules && this.#standing(currency, held);
    if (held.length === 0 || rules === undefined || standing === undefined) return false;
    const { rate, leverage } = rules;
    return standing.equity * leverage <= standing.notional * rate;
  }

  /** Nothing while a market with a position has no price. */
  #standing(
    currency: string,
    held: readonly PricedMarket[],
  ): { readonly equity: Amount; readonly notional: Amount } | undefined {
    const { account } = this.#parts;
    let equity = account.cash(currency);
    let notional = zero;
    for (const market of held) {
      const price = midPrice(market);
      if (price === undefined) return undefined;
      const { instrument } = market;
      const { contract } = instrument;
      const worth = contract.worthAt(price, account.position(instrument) as Lots);
      equity = add(equity, worth);
      const signed = contract.worthOf(worth);
      notional = add(notional, signed < 0n ? negate(signed) : signed);
    }
    return { equity, notional };
  }

  #liquidate(currency: string, held: readonly PricedMarket[]): void {
    const { account, begin, exchange, log } = this.#parts;
    const ids = new Set(held.map(({ instrument }) => instrument.id));
    begin();
    expireOrders(exchange, ids);
    for (const market of held) this.#close(market);
    const left = held.filter(({ instrument }) => account.position(instrument) !== 0);
    const positions = held.length - left.length;
    if (positions === 0) return;
    const equity = this.#standing(currency, left)?.equity ?? account.cash(currency);
    log.add({ time: exchange.now, currency, positions, equity });
  }

  #close({ instrument }: PricedMarket): void {
    const { account, exchange } = this.#parts;
    this.#orders += 1;
    const position = { instrument: instrument.id, lots: account.position(instrument) };
    const order = openLiquidation(exchange, this.#orders, position, 'IOC');
    enter(exchange, exchange.market(instrument.id), order, 'new');
  }
}

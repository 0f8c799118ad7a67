import type { Amount } from '../core/base/amount.ts';
import { add, negate, zero } from '../core/base/amount.ts';
import type { Lots } from '../core/model/instrument.ts';
import { liquidationOrder } from '../core/model/liquidation.ts';
import type { LiquidationLog } from './liquidation-log.ts';
import type { OwnMarket } from './own-market.ts';
import { midPrice } from './own-market.ts';
import type { PerpetualAccount } from './perpetual-account.ts';
import type { QueueDesk } from './queue-desk.ts';
import type { QueueEntry } from './queue-entry.ts';

/** When equity no longer bears its positions: at or below `rate` of what they lock, their notional over `leverage`. */
export interface PerpetualLiquidationRules {
  readonly rate: Amount;
  readonly leverage: Amount;
}

export interface PerpetualLiquidationParts {
  readonly account: PerpetualAccount;
  readonly desk: QueueDesk;
  readonly entry: QueueEntry;
  readonly log: LiquidationLog;
}

/** What was seen of a market when its position was last looked at. */
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
  readonly #rules: PerpetualLiquidationRules;
  readonly #parts: PerpetualLiquidationParts;
  readonly #seen: readonly Seen[];
  #orders = 0;

  constructor(rules: PerpetualLiquidationRules, parts: PerpetualLiquidationParts) {
    this.#rules = rules;
    this.#parts = parts;
    this.#seen = parts.desk.markets.map(() => ({ bid: 0, ask: 0, changes: -1 }));
  }

  /** A fact of the market has come. */
  moved({ instrument, book }: OwnMarket): void {
    const { account } = this.#parts;
    if (account.position(instrument) === 0) return;
    const seen = this.#seen[instrument.id] as Seen;
    const { bestBid: bid, bestAsk: ask } = book;
    const { changes } = account;
    if (seen.bid === bid && seen.ask === ask && seen.changes === changes) return;
    seen.bid = bid;
    seen.ask = ask;
    seen.changes = changes;
    this.#look(instrument.spec.quoteCurrency);
  }

  /** Positions have paid for standing open. */
  settle(): void {
    const { markets } = this.#parts.desk;
    const currencies = new Set(markets.map(({ instrument }) => instrument.spec.quoteCurrency));
    for (const currency of currencies) this.#look(currency);
  }

  /** Liquidates a currency when it is time to. */
  #look(currency: string): void {
    const { account, desk } = this.#parts;
    const held = desk.markets.filter(
      ({ instrument }) => instrument.spec.quoteCurrency === currency && account.position(instrument) !== 0,
    );
    if (this.#isDue(currency, held)) this.#liquidate(currency, held);
  }

  #isDue(currency: string, held: readonly OwnMarket[]): boolean {
    const standing = this.#standing(currency, held);
    if (held.length === 0 || standing === undefined) return false;
    const { rate, leverage } = this.#rules;
    return standing.equity * leverage <= standing.notional * rate;
  }

  /** Nothing while a market with a position has no price. */
  #standing(
    currency: string,
    held: readonly OwnMarket[],
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

  #liquidate(currency: string, held: readonly OwnMarket[]): void {
    const { account, desk, log } = this.#parts;
    const markets = new Set(held);
    for (const order of desk.live.values()) if (markets.has(desk.market(order))) desk.end(order, 'expired');
    for (const market of held) this.#close(market);
    const left = held.filter(({ instrument }) => account.position(instrument) !== 0);
    const positions = held.length - left.length;
    if (positions === 0) return;
    const equity = this.#standing(currency, left)?.equity ?? account.cash(currency);
    log.add({ time: desk.now, currency, positions, equity });
  }

  #close({ instrument }: OwnMarket): void {
    const { account, desk, entry } = this.#parts;
    this.#orders += 1;
    const position = { instrument: instrument.id, lots: account.position(instrument) };
    const order = desk.open(liquidationOrder(this.#orders, position, 'IOC'));
    desk.admit(order);
    entry.enter(order, 'new');
  }
}

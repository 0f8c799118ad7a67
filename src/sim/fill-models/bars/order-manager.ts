import type { Amount } from '../../../core/base/amount.ts';
import { amountDecimals, zero } from '../../../core/base/amount.ts';
import type { Clock } from '../../../core/base/clock.ts';
import type { AccountId } from '../../../exchange/matching/command.ts';
import type { ReportType, Event } from '../../../core/model/event.ts';
import type { Instrument, Ticks } from '../../../core/model/instrument.ts';
import type { Fill, OrderRequest, Side } from '../../../core/model/order.ts';
import type { BarAccount } from './account.ts';
import { barFee } from './fee.ts';
import type { BarMarket } from './market.ts';
import type { BarOrder } from './order.ts';
import type { BarRules } from './rules.ts';
import type { AccountHistory } from '../../account-history.ts';

/** An execution, for those who keep the books of a run. */
export interface BarFill extends Fill {
  readonly instrument: Instrument;
  readonly side: Side;
  readonly request: OrderRequest;
}

export interface BarOrderManagerParts {
  readonly clock: Clock;
  readonly rules: BarRules;
  readonly account: BarAccount;
  readonly history: AccountHistory;
  readonly publish: (event: Event) => void;
  readonly executed: ((fill: BarFill) => void) | undefined;
  /** An order that waited for another one of its list goes to its market. */
  readonly woken: (order: BarOrder) => void;
  /** The market of an order. */
  readonly marketOf: (order: BarOrder) => BarMarket;
}

const one = 10n ** BigInt(amountDecimals);
const none: readonly BarOrder[] = [];
const ourAccount = 0 as AccountId;

/** Executes orders at the present price of their market and reports the outcome. */
export class BarOrderManager {
  readonly #parts: BarOrderManagerParts;
  #trades = 0;

  constructor(parts: BarOrderManagerParts) {
    this.#parts = parts;
  }

  /** An order that rested has met its price: a stop triggers, everything else executes. */
  act(market: BarMarket, order: BarOrder): void {
    const arrives = !order.triggered;
    if (arrives) order.trigger();
    if (arrives && order.isLimit && !this.#takes(market, order)) return;
    market.orders.remove(order);
    this.execute(market, order, arrives || !order.isLimit);
  }

  /** Whether a limit order whose stop price was just met takes; one that does not rests on or expires. */
  #takes(market: BarMarket, order: BarOrder): boolean {
    const { timeInForce, postOnly } = order.request;
    const acts = order.actsAt(market.price, false);
    if (acts && !postOnly) return true;
    if (acts || timeInForce === 'IOC' || timeInForce === 'FOK') this.end(market, order, 'expired');
    else this.report(order, 'new');
    return false;
  }

  /** Executes the whole order now; one the account cannot bear expires. */
  execute(market: BarMarket, order: BarOrder, taker: boolean): void {
    const { account, clock, rules, executed } = this.#parts;
    const { instrument, request } = order;
    const { side, quantity: lots } = request;
    const price = taker ? this.#slipped(market, order) : market.ticks;
    const fee = barFee(rules.fees, instrument, { price, lots, taker });
    const excluded = order.list?.exclusive === true ? order.list.others(order) : none;
    for (const other of excluded) account.release(other);
    account.release(order);
    account.mark(instrument, market.ticks);
    if (!(price > 0) || !account.execute({ instrument, side, price, lots, fee })) {
      for (const other of excluded) account.hold(other);
      this.end(market, order, 'expired');
      return;
    }
    account.mark(instrument, market.ticks);
    order.state = 'filled';
    order.list?.leave(order);
    this.#trades += 1;
    const fill = { tradeId: String(this.#trades), price, quantity: lots, fee, taker, time: clock.now() };
    // Balances first: what a strategy does on hearing of the execution is judged by them.
    this.#publishBalances();
    this.report(order, 'trade', fill);
    const { tradeId, quantity, time } = fill;
    executed?.({ tradeId, price, quantity, fee, taker, time, instrument, side, request });
    if (order.list !== undefined) this.#follow(order);
  }

  /** The order is over: off its market, and what was held back for it is free. */
  withdraw(market: BarMarket, order: BarOrder, state: 'canceled' | 'expired'): void {
    market.orders.remove(order);
    this.#parts.account.release(order);
    order.list?.leave(order);
    order.state = state;
  }

  /** Ends an order that still lives and says so; those that waited for it end with it. */
  end(market: BarMarket, order: BarOrder, state: 'canceled' | 'expired'): void {
    if (order.isOver) return;
    this.withdraw(market, order, state);
    this.report(order, state);
    const { list } = order;
    if (list?.primary !== order) return;
    list.primary = undefined;
    for (const other of list.others(order)) this.end(this.#parts.marketOf(other), other, 'canceled');
  }

  /** An execution ends the orders it excludes, and wakes those that waited for it. */
  #follow(order: BarOrder): void {
    const { account, marketOf, woken } = this.#parts;
    const { list } = order;
    if (list?.exclusive === true) {
      list.exclusive = false;
      for (const other of list.others(order)) this.end(marketOf(other), other, 'canceled');
    }
    if (list?.primary !== order) return;
    list.primary = undefined;
    list.exclusive = list.contingency === 'oneTriggerOneCancelOther';
    const others = list.others(order);
    for (const other of others) {
      marketOf(other).orders.remove(other);
      other.inactive = false;
      other.state = other.triggered ? 'new' : 'suspended';
    }
    for (const other of others) {
      if (other.isOver) continue;
      if (other.request.type === 'market' || account.hold(other)) woken(other);
      else this.end(marketOf(other), other, 'canceled');
    }
  }

  report(order: BarOrder, reportType: ReportType, fill?: Fill): void {
    const { clock, history, publish } = this.#parts;
    const now = clock.now();
    order.updatedAt = now;
    const venueOrder = order.toVenueOrder();
    history.take({ kind: 'report', account: ourAccount, reportType, order: venueOrder, fill });
    publish({
      kind: 'orderReport',
      reportType,
      order: venueOrder,
      fill,
      exchangeTime: now,
      receiveTime: now,
    });
  }

  #publishBalances(): void {
    const { account, clock, publish } = this.#parts;
    const now = clock.now();
    const balances = account.balances();
    publish({ kind: 'balances', complete: false, balances, exchangeTime: now, receiveTime: now });
  }

  /** Worse by the slippage, on the tick that is worse for us; a limit order pays no more than its limit. */
  #slipped({ ticks }: BarMarket, { instrument, request, isLimit }: BarOrder): Ticks {
    const { account, rules } = this.#parts;
    const { slippage, slippageOn } = rules;
    if (slippage === zero) return ticks;
    const { side, price } = request;
    const position = account.position(instrument);
    if (slippageOn === 'entries' && (side === 'buy' ? position < 0 : position > 0)) return ticks;
    const away: Amount = (BigInt(ticks) * slippage) as Amount;
    const steps = Number((away + one - 1n) / one);
    const limit = isLimit && price !== undefined ? price : undefined;
    if (side === 'buy') return Math.min(ticks + steps, limit ?? Number.POSITIVE_INFINITY) as Ticks;
    return Math.max(ticks - steps, limit ?? Number.NEGATIVE_INFINITY) as Ticks;
  }
}

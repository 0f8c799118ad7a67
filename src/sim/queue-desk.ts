import type { Amount } from '../core/base/amount.ts';
import { subtract, zero } from '../core/base/amount.ts';
import type { Micros } from '../core/base/clock.ts';
import type { AccountId } from '../exchange/matching/command.ts';
import type { Outcome, RefusalCode } from '../exchange/matching/outcome.ts';
import type { ReportType } from '../core/model/event.ts';
import type { InstrumentId, Lots, Ticks } from '../core/model/instrument.ts';
import type { Balance } from '../core/model/market.ts';
import type { Fill, OrderRequest } from '../core/model/order.ts';
import type { OwnMarket } from './own-market.ts';
import { QueueOrder } from './queue-order.ts';
import type { SimAccount } from './account.ts';
import { Stops } from './stops.ts';
import type { PlannedFill } from './walk-book.ts';

const account = 0 as AccountId;

/** The orders that live at a venue, the account they are paid from, and what is to be told of both. */
export class QueueDesk {
  readonly account: SimAccount;
  readonly live = new Map<string, QueueOrder>();
  /** By instrument id; whoever makes the markets puts them here. */
  readonly markets: OwnMarket[] = [];
  /** Orders whose time has come, oldest first: their stop price was reached, or what they waited for is filled. */
  readonly fired: QueueOrder[] = [];
  /** Time of what is under way. */
  now = 0 as Micros;
  #number = 1;
  readonly #stops: Stops[] = [];
  /** How many orders wait for a stop price. */
  #parked = 0;
  #outcomes: Outcome[] = [];
  #touched = false;
  #tradeNumber = 0;
  readonly #told = new Map<string, Balance>();

  constructor(simAccount: SimAccount, now: Micros, tradesFrom: number) {
    this.#tradeNumber = tradesFrom;
    this.account = simAccount;
    this.now = now;
    for (const balance of simAccount.balances()) this.#told.set(balance.currency, balance);
  }

  /** Whether there is anything to tell. */
  get hasNews(): boolean {
    return this.#outcomes.length > 0;
  }

  /** Whether no order waits for its time. */
  get isQuiet(): boolean {
    return this.#parked === 0 && this.fired.length === 0;
  }

  /** An order as it comes, with the next number of the venue. It lives when it is admitted. */
  open(request: OrderRequest): QueueOrder {
    const born = { number: this.#number++, now: this.now, cumulative: 0, originalClientOrderId: undefined };
    return new QueueOrder(request, born);
  }

  /** The order that takes the place of another one. */
  succeed(old: QueueOrder, request: OrderRequest): QueueOrder {
    const { cumulative, createdAt, expiresAt } = old;
    const originalClientOrderId = old.request.clientOrderId;
    const born = { number: this.#number++, now: createdAt, cumulative, originalClientOrderId };
    const order = new QueueOrder(request, born);
    order.expiresAt = expiresAt;
    order.updatedAt = this.now;
    order.state = old.state === 'suspended' ? 'suspended' : 'new';
    return order;
  }

  market(order: QueueOrder): OwnMarket {
    return this.markets[order.request.instrument] as OwnMarket;
  }

  /** The last price of an instrument: of a recorded trade, or of an execution of ours. */
  printed(instrument: InstrumentId, price: Ticks): void {
    this.#stopsOf(instrument).last = price;
  }

  /** An order waits for its stop price. */
  park(order: QueueOrder): void {
    this.#stopsOf(order.request.instrument).add(order);
    this.#parked += 1;
  }

  /** The next order whose time has come. */
  takeFired(): QueueOrder | undefined {
    if (this.isQuiet) return undefined;
    for (const { instrument } of this.markets) {
      const stops = this.#stopsOf(instrument.id);
      for (let due = stops.take(); due !== undefined; due = stops.take()) {
        this.#parked -= 1;
        this.fired.push(due);
      }
    }
    return this.fired.shift();
  }

  /** The account has changed without an order. */
  touch(): void {
    this.#touched = true;
  }

  /** Everything that came of the last call, changed balances last. */
  take(): readonly Outcome[] {
    const outcomes = this.#outcomes;
    this.#outcomes = [];
    if (this.#touched) this.#tellBalances(outcomes);
    this.#touched = false;
    return outcomes;
  }

  /** An order begins to live. */
  admit(order: QueueOrder): void {
    this.#touched = true;
    order.isLive = true;
    this.live.set(order.request.clientOrderId, order);
  }

  /**
   * Sets what the account keeps back for an order; false, and nothing is done, when it does not bear it. Orders of one
   * side of which only one can execute share the most that one of them needs.
   */
  claim(order: QueueOrder, amount: Amount): boolean {
    const { instrument, side } = order.request;
    let others = zero;
    for (const other of order.list?.exclusive === true ? order.list.members : []) {
      const shares =
        other !== order && other.request.instrument === instrument && other.request.side === side;
      if (shares && other.held > others) others = other.held;
    }
    const before = order.held > others ? order.held : others;
    const after = amount > others ? amount : others;
    const market = this.market(order);
    if (after > before) {
      if (!this.account.reserve(market.instrument, side, subtract(after, before))) return false;
    } else if (after < before) this.account.release(market.instrument, side, subtract(before, after));
    order.held = amount;
    this.#touched = true;
    return true;
  }

  /** Books one execution and reports it; ends the order when it is filled, and what its list says should follow. */
  execute(order: QueueOrder, { price, lots }: PlannedFill, taker: boolean): void {
    const { list, request } = order;
    const { instrument, fees } = this.market(order);
    if (list?.exclusive === true) {
      for (const other of list.others(order)) this.claim(other, zero);
      list.exclusive = false;
      list.decided = true;
    }
    const ticks = price as Ticks;
    const quantity = lots as Lots;
    this.claim(
      order,
      subtract(order.held, ((order.held * BigInt(lots)) / BigInt(order.remaining)) as Amount),
    );
    const fee = fees.charge(ticks, quantity, taker);
    this.account.book({ instrument, side: request.side, price: ticks, lots: quantity, fee });
    order.cumulative += lots;
    order.updatedAt = this.now;
    order.state = order.remaining === 0 ? 'filled' : 'partiallyFilled';
    if (order.remaining === 0) this.#leave(order);
    const tradeId = String(this.#tradeNumber++);
    this.report(order, 'trade', { tradeId, price: ticks, quantity, fee, taker, time: this.now });
    this.printed(request.instrument, ticks);
    this.#follow(order);
  }

  /** The order is over: off its market, and what was kept for it goes back. */
  withdraw(order: QueueOrder): void {
    const { side, instrument, price } = order.request;
    if (price !== undefined) this.market(order).own(side).remove(order);
    if (this.#stopsOf(instrument).remove(order)) this.#parked -= 1;
    this.claim(order, zero);
    order.updatedAt = this.now;
    this.#leave(order);
  }

  /** Ends an order and says so; those that waited for it end with it. */
  end(order: QueueOrder, state: 'canceled' | 'expired'): void {
    this.withdraw(order);
    order.state = state;
    this.report(order, state, undefined);
    const { list } = order;
    if (list?.primary !== order) return;
    list.primary = undefined;
    for (const other of list.others(order)) this.end(other, 'canceled');
  }

  report(order: QueueOrder, reportType: ReportType, fill: Fill | undefined): void {
    const list = order.list?.mark(order.inactive);
    this.#outcomes.push({ kind: 'report', account, reportType, order: order.snapshot(), fill, list });
  }

  refuse(clientOrderId: string, code: RefusalCode, why: string): void {
    this.#outcomes.push({ kind: 'refused', account, clientOrderId, code, why });
  }

  #stopsOf(instrument: InstrumentId): Stops {
    return (this.#stops[instrument] ??= new Stops());
  }

  #leave(order: QueueOrder): void {
    this.live.delete(order.request.clientOrderId);
    order.isLive = false;
    order.list?.leave(order);
  }

  /** An execution ends the orders it excludes, and wakes those that waited for the whole of it. */
  #follow(order: QueueOrder): void {
    const { list } = order;
    if (list === undefined) return;
    if (list.decided) {
      for (const other of list.others(order)) this.end(other, 'canceled');
    } else if (list.primary === order && order.state === 'filled') {
      list.primary = undefined;
      list.exclusive = list.contingency === 'oneTriggerOneCancelOther';
      this.fired.push(...list.members);
    }
  }

  #tellBalances(outcomes: Outcome[]): void {
    const now = new Map(this.account.balances().map((balance) => [balance.currency, balance]));
    for (const currency of new Set([...this.#told.keys(), ...now.keys()])) {
      const balance = now.get(currency) ?? { currency, available: zero, reserved: zero };
      const before = this.#told.get(currency);
      if (before?.available === balance.available && before.reserved === balance.reserved) continue;
      this.#told.set(currency, balance);
      outcomes.push({ kind: 'balance', account, ...balance });
    }
  }
}

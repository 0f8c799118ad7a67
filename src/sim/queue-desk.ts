import type { Amount } from '../base/amount.ts';
import { zero } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import type { AccountId } from '../matching/command.ts';
import type { Outcome, RefusalCode } from '../matching/outcome.ts';
import type { ReportType } from '../model/event.ts';
import type { Lots, Ticks } from '../model/instrument.ts';
import type { Balance } from '../model/market.ts';
import type { Fill } from '../model/order.ts';
import type { QueueMarket } from './queue-market.ts';
import type { QueueOrder } from './queue-order.ts';
import type { SimAccount } from './sim-account.ts';
import type { PlannedFill } from './walk-book.ts';

const account = 0 as AccountId;

/** The orders that live at a venue, the account they are paid from, and what is to be told of both. */
export class QueueDesk {
  readonly account: SimAccount;
  readonly live = new Map<string, QueueOrder>();
  /** Time of what is under way. */
  now: Micros;
  #outcomes: Outcome[] = [];
  #touched = false;
  #tradeNumber = 1;
  readonly #told = new Map<string, Balance>();

  constructor(simAccount: SimAccount, now: Micros) {
    this.account = simAccount;
    this.now = now;
    for (const balance of simAccount.balances()) this.#told.set(balance.currency, balance);
  }

  /** Whether there is anything to tell. */
  get hasNews(): boolean {
    return this.#outcomes.length > 0;
  }

  /** Everything that came of the last call, changed balances last. */
  take(): readonly Outcome[] {
    const outcomes = this.#outcomes;
    this.#outcomes = [];
    if (this.#touched) this.#tellBalances(outcomes);
    this.#touched = false;
    return outcomes;
  }

  /** An order begins to live with what the account keeps back for it. */
  admit(order: QueueOrder, held: Amount): void {
    order.held = held;
    this.#touched = true;
    this.live.set(order.request.clientOrderId, order);
  }

  /** Books one execution and reports it; ends the order when it is filled. */
  execute(market: QueueMarket, order: QueueOrder, { price, lots }: PlannedFill, taker: boolean): void {
    const { instrument, fees } = market;
    const { side } = order.request;
    const ticks = price as Ticks;
    const quantity = lots as Lots;
    const part = ((order.held * BigInt(lots)) / BigInt(order.remaining)) as Amount;
    this.account.release(instrument, side, part);
    order.held = (order.held - part) as Amount;
    const fee = fees.charge(ticks, quantity, taker);
    this.account.book({ instrument, side, price: ticks, lots: quantity, fee });
    order.cumulative += lots;
    order.updatedAt = this.now;
    order.state = order.remaining === 0 ? 'filled' : 'partiallyFilled';
    if (order.remaining === 0) this.live.delete(order.request.clientOrderId);
    this.#touched = true;
    const tradeId = String(this.#tradeNumber++);
    this.report(order, 'trade', { tradeId, price: ticks, quantity, fee, taker, time: this.now });
  }

  /** The order is over: off its market, and what was kept for it goes back. */
  withdraw(market: QueueMarket, order: QueueOrder): void {
    const { side, clientOrderId } = order.request;
    if (order.request.price !== undefined) market.own(side).remove(order);
    this.account.release(market.instrument, side, order.held);
    order.held = zero;
    order.updatedAt = this.now;
    this.#touched = true;
    this.live.delete(clientOrderId);
  }

  /** Ends an order and says so. */
  end(market: QueueMarket, order: QueueOrder, state: 'canceled' | 'expired'): void {
    this.withdraw(market, order);
    order.state = state;
    this.report(order, state, undefined);
  }

  report(order: QueueOrder, reportType: ReportType, fill: Fill | undefined): void {
    this.#outcomes.push({ kind: 'report', account, reportType, order: order.snapshot(), fill });
  }

  refuse(clientOrderId: string, code: RefusalCode, why: string): void {
    this.#outcomes.push({ kind: 'refused', account, clientOrderId, code, why });
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

import type { Amount } from '../../../core/base/amount.ts';
import { amountDecimals, zero } from '../../../core/base/amount.ts';
import type { Lots, Ticks } from '../../../core/model/instrument.ts';
import {
  endAndReport,
  leftBook,
  giveBack,
  reserveFor,
  settleExecution,
} from '../../../exchange/matching/index.ts';
import type { ExchangeState, Fills, Met, OrderRecord } from '../../../exchange/matching/index.ts';
import type { BarAccount } from './account.ts';
import type { BarMarket } from './market.ts';
import type { BarPayment } from './payment.ts';
import type { BarRules } from './rules.ts';

export interface PriceFillsDeps {
  readonly exchange: ExchangeState;
  readonly market: BarMarket;
  readonly account: BarAccount;
  readonly payment: BarPayment;
  readonly rules: BarRules;
}

function isImmediate(timeInForce: OrderRecord['timeInForce']): boolean {
  return timeInForce === 'IOC' || timeInForce === 'FOK';
}

const one = 10n ** BigInt(amountDecimals);
const none: readonly OrderRecord[] = [];

/**
 * Executes orders of one instrument whole, at the present price of its market: a bar says nothing of the size at a price.
 * Where orders rest is not kept here: `WaitingOrders` reads it from the account.
 */
export class PriceFills implements Fills {
  readonly #setup: PriceFillsDeps;
  /** Orders that came between two bars and have not met a price yet: it comes to the market with the next open (`nextOpen`). */
  readonly #arriving = new Set<OrderRecord>();

  constructor(setup: PriceFillsDeps) {
    this.#setup = setup;
  }

  wouldTake({ side, price }: OrderRecord): boolean {
    const { live, ticks } = this.#setup.market;
    if (!live) return false;
    return price === undefined || (side === 'buy' ? ticks <= price : ticks >= price);
  }

  visit(record: OrderRecord, _met: Met, each: (price: Ticks, lots: Lots) => void): void {
    if (this.wouldTake(record)) each(this.#setup.market.ticks, record.remaining);
  }

  takeOrder(record: OrderRecord): void {
    this.#execute(record, true);
  }

  /** Between two bars a market order waits for the next price, and with `nextOpen` one that must not rest does too. */
  waits({ price, timeInForce }: OrderRecord): boolean {
    const { market, rules } = this.#setup;
    if (market.live || !(market.ticks > 0)) return false;
    return price === undefined || (rules.market === 'nextOpen' && isImmediate(timeInForce));
  }

  restOrder(record: OrderRecord): void {
    const { market, rules } = this.#setup;
    if (rules.market === 'nextOpen' && !market.live) this.#arriving.add(record);
  }

  leaveBook(record: OrderRecord): void {
    this.#arriving.delete(record);
  }

  /** The price has met an order that rested: it executes there, a market order and one that has just come as taker. */
  meet(record: OrderRecord): void {
    const arrives = this.#arriving.delete(record);
    leftBook(record);
    if (arrives && record.postOnly) endAndReport(this.#setup.exchange, record, 'expired');
    else this.#execute(record, arrives || record.price === undefined);
  }

  /** Settles what had come between two bars and has met the open: the rest of it rests, or ends where it must not. */
  arrived(): void {
    for (const record of this.#arriving)
      if (isImmediate(record.timeInForce)) endAndReport(this.#setup.exchange, record, 'expired');
    this.#arriving.clear();
  }

  /** Whether anything has come that waits for the open. */
  get hasArriving(): boolean {
    return this.#arriving.size > 0;
  }

  /** Executes the whole order now; one that the account cannot bear expires. */
  #execute(record: OrderRecord, taker: boolean): void {
    const { exchange, market, account, payment } = this.#setup;
    const { instrument, ticks } = market;
    const price = taker ? this.#slipped(record) : ticks;
    // What the order and those it excludes hold is there to pay with.
    const excluded = record.list?.exclusive === true ? record.list.others(record) : none;
    const held = excluded.map((other) => other.held);
    for (const other of excluded) giveBack(exchange, other);
    giveBack(exchange, record);
    account.mark(instrument, ticks);
    if (!(price > 0) || !payment.execute(record, price, taker)) {
      excluded.forEach((other, at) => reserveFor(exchange, other, held[at] ?? zero));
      endAndReport(exchange, record, 'expired');
      return;
    }
    account.mark(instrument, ticks);
    settleExecution(exchange, record, exchange.execution(price, record.remaining), taker);
  }

  /** Worse by the slippage, on the tick that is worse for us; a limit order pays no more than its limit. */
  #slipped({ side, price: limit }: OrderRecord): Ticks {
    const { account, market, rules } = this.#setup;
    const { instrument, ticks } = market;
    const { slippage, slippageOn } = rules;
    if (slippage === zero) return ticks;
    const position = account.position(instrument);
    if (slippageOn === 'entries' && (side === 'buy' ? position < 0 : position > 0)) return ticks;
    const away: Amount = (BigInt(ticks) * slippage) as Amount;
    const steps = Number((away + one - 1n) / one);
    if (side === 'buy') return Math.min(ticks + steps, limit ?? Number.POSITIVE_INFINITY) as Ticks;
    return Math.max(ticks - steps, limit ?? Number.NEGATIVE_INFINITY) as Ticks;
  }
}

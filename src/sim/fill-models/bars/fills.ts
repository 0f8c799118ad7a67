import type { Amount } from '../../../core/base/amount.ts';
import { amountDecimals, zero } from '../../../core/base/amount.ts';
import type { Lots, Ticks } from '../../../core/model/instrument.ts';
import { endAndReport, leftBook } from '../../../exchange/matching/ending.ts';
import type { ExchangeState } from '../../../exchange/matching/exchange-state.ts';
import type { Fills, Met } from '../../../exchange/matching/fills.ts';
import type { OrderRecord } from '../../../exchange/matching/order-record.ts';
import { giveBack, reserveFor } from '../../../exchange/matching/reservations.ts';
import { settle } from '../../../exchange/matching/settle.ts';
import type { BarAccount } from './account.ts';
import type { BarMarket } from './market.ts';
import type { BarPayment } from './payment.ts';
import type { BarRules } from './rules.ts';

export interface PriceFillsSetup {
  readonly exchange: ExchangeState;
  readonly market: BarMarket;
  readonly account: BarAccount;
  readonly payment: BarPayment;
  readonly rules: BarRules;
}

const one = 10n ** BigInt(amountDecimals);
const none: readonly OrderRecord[] = [];

/**
 * Executes orders of one instrument whole, at the present price of its market: a bar says nothing of the size at a price.
 * Where orders rest is not kept here: `WaitingOrders` reads it from the account.
 */
export class PriceFills implements Fills {
  readonly #setup: PriceFillsSetup;

  constructor(setup: PriceFillsSetup) {
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

  take(record: OrderRecord): void {
    this.#execute(record, true);
  }

  /** Between two bars a market order waits for the next price. */
  waits({ price }: OrderRecord): boolean {
    const { live, ticks } = this.#setup.market;
    return price === undefined && !live && ticks > 0;
  }

  rest(): void {
    // The account knows.
  }

  leave(): void {
    // The account knows.
  }

  /** The price has met an order that rested: it executes there, a market order as taker. */
  meet(record: OrderRecord): void {
    leftBook(record);
    this.#execute(record, record.price === undefined);
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
    settle(exchange, record, exchange.execution(price, record.remaining), taker);
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

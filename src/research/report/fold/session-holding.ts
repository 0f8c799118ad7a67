import type { Amount } from '../../../core/base/amount.ts';
import { add, lastDigit, subtract, zero } from '../../../core/base/amount.ts';
import { Holding, profitAt, unrealizedAt } from '../../../core/ledger/index.ts';
import type { Position } from '../../../core/ledger/index.ts';
import { executionKey } from '../../../core/model/difference.ts';
import type { OwnTrade } from '../../../core/model/event.ts';
import type { Instrument } from '../../../core/model/instrument.ts';
import type { PositionAccount } from '../../../core/model/margin.ts';
import type { Fill, Side } from '../../../core/model/order.ts';

/** What a session did with one instrument in one account, all strategies together, and how its fees came about. */
export class SessionHolding {
  readonly instrument: Instrument;
  readonly account: PositionAccount;
  /** Part of the fees that the venue paid us, in the fee currency, positive. */
  rebates: Amount = zero;
  /** What rounding of fees took, in the fee currency; negative where it gave. */
  feeRounding: Amount = zero;
  makerFills = 0;
  readonly #holding: Holding;
  /** The last digit of the finest fee so far; 0 before one was charged. */
  #feeUnit: Amount = zero;

  constructor(instrument: Instrument, account: PositionAccount = 'spot') {
    this.instrument = instrument;
    this.account = account;
    this.#holding = new Holding(instrument, account, '');
  }

  /** Signed lots. */
  get quantity(): number {
    return this.#holding.quantity;
  }

  /** As the ledger has it. */
  get position(): Position {
    return this.#holding.position();
  }

  /** `open`: the key of an execution that may be corrected until `confirm`. */
  book(fill: Fill, side: Side, open?: string): void {
    const { price, quantity, fee } = fill;
    this.#holding.book({ price, quantity, fee, side }, open);
    this.#count(fill);
  }

  /** An open execution is final. */
  confirm(key: string): void {
    this.#holding.confirm(key);
  }

  /** Books an execution as it is, `undefined` where it never was, in place of what was booked of it. */
  correct(booked: OwnTrade, holds: OwnTrade | undefined): void {
    this.#holding.correct(executionKey(booked), booked, holds);
    if (!booked.taker) this.makerFills -= 1;
    if (booked.fee < 0n) this.rebates = add(this.rebates, booked.fee);
    if (holds !== undefined) this.#count(holds);
  }

  #count(fill: Fill): void {
    if (!fill.taker) this.makerFills += 1;
    if (fill.fee < 0n) this.rebates = subtract(this.rebates, fill.fee);
    this.#round(fill);
  }

  /** Funding or interest was paid; a negative amount was received. */
  charge(amount: Amount): void {
    this.#holding.charge(amount);
  }

  /** A loss of its fills that the venue did not take. */
  forgive(amount: Amount): void {
    this.#holding.forgive(amount);
  }

  /** What closing the open position at `price` would gain, fees left out. */
  unrealized(price: Amount): Amount {
    return unrealizedAt(this.position, this.instrument, price);
  }

  /** Profit with the position at `price`: fees and charges counted, but fees in a third currency. */
  profit(price: Amount): Amount {
    return profitAt(this.position, this.instrument, price) ?? zero;
  }

  /** A fee that is off the rate of the symbol list by less than its last digit was rounded; further off is another rate. */
  #round({ price, quantity, fee, taker }: Fill): void {
    const { instrument } = this;
    if (fee !== zero && (this.#feeUnit === zero || fee % this.#feeUnit !== 0n))
      this.#feeUnit = lastDigit(fee);
    const rate = taker ? instrument.takeRate : instrument.makeRate;
    if (instrument.feesInThird) return;
    const away = subtract(fee, instrument.fee(price, quantity, rate));
    if (away < this.#feeUnit && -away < this.#feeUnit) this.feeRounding = add(this.feeRounding, away);
  }
}

import type { Amount } from '../../core/base/amount.ts';
import { add, lastDigit, multiply, negate, subtract, zero } from '../../core/base/amount.ts';
import type { Instrument, Lots } from '../../core/model/instrument.ts';
import type { PositionAccount } from '../../core/model/margin.ts';
import type { Fill, Side } from '../../core/model/order.ts';

const seenMax = 100_000;

/**
 * What our fills of one instrument in one account add up to. All amounts exact; quote currency unless said otherwise. Of an inverse
 * contract a buy brings cash and a sell takes it: see `worth` of `Instrument`.
 */
export class FillLedger {
  readonly instrument: Instrument;
  /** Where it is kept. */
  readonly account: PositionAccount;
  /** Signed lots. */
  position = 0;
  /** Sells minus buys, fees left out. */
  cash: Amount = zero;
  /** In the fee currency; negative is net rebates. */
  fees: Amount = zero;
  /** What of it the venue paid us, positive. */
  rebates: Amount = zero;
  /** Paid as funding and interest, in quote currency; negative was received. */
  funding: Amount = zero;
  /** What rounding of fees took, in the fee currency; negative where it gave. */
  feeRounding: Amount = zero;
  /** Sum of notionals. */
  turnover: Amount = zero;
  fills = 0;
  makerFills = 0;
  /** Profit of the closed part against its average entry price, fees left out. */
  realized: Amount = zero;
  /** What the open position was worth at its average entry price. */
  #cost: Amount = zero;
  /** The last digit of the finest fee so far; 0 before one was charged. */
  #feeUnit: Amount = zero;
  readonly #seen = new Set<string>();

  constructor(instrument: Instrument, account: PositionAccount = 'spot') {
    this.instrument = instrument;
    this.account = account;
  }

  /** Books a fill once per trade id; returns whether it was new. */
  book(fill: Fill, side: Side): boolean {
    if (this.#seen.has(fill.tradeId)) return false;
    this.#remember(fill.tradeId);
    const notional = this.instrument.notional(fill.price, fill.quantity);
    const worth = this.instrument.contract.worthOf(notional);
    const signed = side === 'buy' ? fill.quantity : -fill.quantity;
    this.fills += 1;
    if (!fill.taker) this.makerFills += 1;
    this.turnover = add(this.turnover, notional);
    this.fees = add(this.fees, fill.fee);
    this.#round(fill);
    if (fill.fee < 0n) this.rebates = subtract(this.rebates, fill.fee);
    this.cash = side === 'buy' ? subtract(this.cash, worth) : add(this.cash, worth);
    this.#move(signed, worth);
    return true;
  }

  /** Funding was paid on the open position; a negative amount was received. */
  fund(amount: Amount): void {
    this.funding = add(this.funding, amount);
  }

  /** Average entry price of the open position, cut at scale 24; `undefined` when flat. */
  get entryPrice(): Amount | undefined {
    const { position } = this;
    if (position === 0) return undefined;
    const worth = position > 0 ? this.#cost : negate(this.#cost);
    return this.instrument.contract.priceAt(worth, Math.abs(position) as Lots);
  }

  /** What closing the open position at `price` would gain, fees left out. */
  unrealized(price: Amount): Amount {
    return subtract(this.instrument.contract.worthAt(price, this.position as Lots), this.#cost);
  }

  /** Cash plus the position at `price`, less funding, and less fees where they are in one of the two currencies. */
  equity(price: Amount): Amount {
    const { spec } = this.instrument;
    const held = this.instrument.contract.worthAt(price, this.position as Lots);
    let fees: Amount = zero;
    if (spec.feeCurrency === spec.quoteCurrency) fees = this.fees;
    else if (spec.feeCurrency === spec.baseCurrency) fees = multiply(this.fees, price);
    return subtract(subtract(add(this.cash, held), fees), this.funding);
  }

  /** A fee that is off the rate of the symbol list by less than its last digit was rounded; further off is another rate. */
  #round({ price, quantity, fee, taker }: Fill): void {
    const { instrument } = this;
    const { feeCurrency, baseCurrency, quoteCurrency } = instrument.spec;
    if (fee !== zero && (this.#feeUnit === zero || fee % this.#feeUnit !== 0n))
      this.#feeUnit = lastDigit(fee);
    const rate = taker ? instrument.takeRate : instrument.makeRate;
    if (feeCurrency !== quoteCurrency && feeCurrency !== baseCurrency) return;
    const away = subtract(fee, instrument.fee(price, quantity, rate));
    if (away < this.#feeUnit && -away < this.#feeUnit) this.feeRounding = add(this.feeRounding, away);
  }

  /** Opens at the fill's price, closes at the average entry price; a fill may do both. */
  #move(signed: number, worth: Amount): void {
    const before = this.position;
    this.position = before + signed;
    if (before === 0 || before > 0 === signed > 0) {
      this.#cost = signed > 0 ? add(this.#cost, worth) : subtract(this.#cost, worth);
      return;
    }
    const closed = Math.min(Math.abs(before), Math.abs(signed));
    const costClosed = ((this.#cost * BigInt(closed)) / BigInt(Math.abs(before))) as Amount;
    const paidClosed = ((worth * BigInt(closed)) / BigInt(Math.abs(signed))) as Amount;
    const gain = before > 0 ? subtract(paidClosed, costClosed) : subtract(-costClosed as Amount, paidClosed);
    this.realized = add(this.realized, gain);
    const rest = subtract(worth, paidClosed);
    const costLeft = subtract(this.#cost, costClosed);
    this.#cost = signed > 0 ? add(costLeft, rest) : subtract(costLeft, rest);
  }

  #remember(tradeId: string): void {
    if (this.#seen.size >= seenMax) {
      for (const oldest of this.#seen) {
        this.#seen.delete(oldest);
        break;
      }
    }
    this.#seen.add(tradeId);
  }
}

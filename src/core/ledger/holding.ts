import type { Amount } from '../base/amount.ts';
import { add, multiply, negate, subtract, zero } from '../base/amount.ts';
import { divide } from '../model/margin-math.ts';
import type { CarriedBooking, CarriedPosition } from '../model/carried-state.ts';
import type { Closing } from '../model/loss.ts';
import type { Instrument, Lots } from '../model/instrument.ts';
import type { PositionAccount } from '../model/margin.ts';
import type { Fill, Side } from '../model/order.ts';
import { opposite } from '../model/order.ts';
import type { Position } from './position.ts';
import { takesFeesInBase } from './valuation.ts';

/** Hears of positions that came back to flat or turned over. */
export interface Closings {
  closed(closing: Closing): void;
  /** A correction booked all of a holding anew from a booking on: what was told of it since is replaced. */
  recounted(holding: Omit<Closing, 'order' | 'result'>, from: number, closings: readonly Closing[]): void;
}

/** An execution as a holding books it. */
type HeldFill = Pick<Fill, 'price' | 'quantity' | 'fee'> & { readonly side: Side };

/** A change of the open size. */
interface Move {
  readonly buys: boolean;
  /** Above 0. */
  readonly size: bigint;
  readonly net: Amount;
  readonly worth: Amount;
  readonly order: number | undefined;
}

/**
 * Sum of the entries of one strategy, instrument and account. Exact: nothing is rounded but the average price shown, and the
 * worth of what an inverse contract, whose worth is a quotient, leaves open.
 *
 * A fee in base currency is taken from what is bought, and goes with what is sold: the fill counts as one of the net quantity.
 */
export class Holding {
  readonly instrument: Instrument;
  readonly account: PositionAccount;
  readonly #strategy: string;
  readonly #inBase: boolean;
  readonly #lot: Amount;
  /** Lots, signed; units of base currency at the scale of amounts where fees are taken in it. */
  #size = 0n;
  #quantity = 0;
  #cash = zero;
  #fees = zero;
  #fillCount = 0;
  #turnover = zero;
  #realized = zero;
  #charges = zero;
  /** Worth of the open size, as a number above 0, when it was opened. */
  #openCost = zero;
  #shown: Position | undefined;
  readonly #closings: Closings | undefined;
  /** Result of the trades since the position was last flat, fees counted, in quote currency. */
  #result = zero;
  /** Bookings that may still be corrected: bookings since the first open execution, and what was before them. */
  #tail: { base: CarriedPosition; bookings: CarriedBooking[] } | undefined;

  constructor(instrument: Instrument, account: PositionAccount, strategy: string, closings?: Closings) {
    this.#closings = closings;
    this.instrument = instrument;
    this.account = account;
    this.#strategy = strategy;
    this.#inBase = takesFeesInBase(instrument, account);
    this.#lot = instrument.quantityAmount(1 as Lots);
  }

  /** Signed lots. */
  get quantity(): number {
    return this.#quantity;
  }

  /** Realised profit so far, fees left out. */
  get realized(): Amount {
    return this.#realized;
  }

  /** Number of the first booking that may still be corrected; infinite where none may. */
  get openFrom(): number {
    if (this.#tail === undefined) return Number.POSITIVE_INFINITY;
    for (const one of this.#tail.bookings) if ('order' in one) return one.order ?? 0;
    return 0;
  }

  /**
   * `open`: the key of an execution that may be corrected until `confirm`; `order`: the number of the booking in its ledger, without
   * which nothing is told of what it closes.
   */
  book(fill: HeldFill, open?: string, order?: number): void {
    if (open !== undefined) this.#tail ??= { base: this.carryPosition(), bookings: [] };
    if (this.#tail !== undefined) {
      const { price, quantity, fee, side } = fill;
      this.#tail.bookings.push({ kind: 'fill', fill: { price, quantity, fee, side }, open, order });
    }
    this.#book(fill, order);
  }

  /** Takes over a position that the venue shows, at its average price. */
  adopt(lots: number, price: Amount, order?: number): void {
    this.#tail?.bookings.push({ kind: 'adopt', lots, price, order });
    this.#adopt(lots, price, order);
  }

  charge(amount: Amount): void {
    this.#tail?.bookings.push({ kind: 'charge', amount });
    this.#charge(amount);
  }

  /** A loss that the fills came to and the venue did not take. */
  forgive(amount: Amount): void {
    this.#tail?.bookings.push({ kind: 'forgive', amount });
    this.#forgive(amount);
  }

  /** An open execution is final. */
  confirm(key: string): void {
    const tail = this.#tail;
    if (tail === undefined) return;
    const at = tail.bookings.findIndex((one) => one.kind === 'fill' && one.open === key);
    const booking = tail.bookings[at];
    if (booking?.kind !== 'fill') return;
    tail.bookings[at] = { ...booking, open: undefined };
    const first = tail.bookings.findIndex((one) => one.kind === 'fill' && one.open !== undefined);
    if (first < 0) this.#tail = undefined;
    else if (first > 0) tail.base = this.#after(tail.base, tail.bookings.splice(0, first)).carryPosition();
  }

  /**
   * Books an execution as it is, `undefined` where it never was, in place of what was booked: all that followed is booked anew. One that
   * is not open any more is booked the other way round: what is held and the profit in all are then exact, and how much of it is realised
   * is as if it had been closed at its own price.
   */
  correct(key: string, booked: HeldFill, holds: HeldFill | undefined): void {
    const tail = this.#tail;
    const at = tail?.bookings.findIndex((one) => one.kind === 'fill' && one.open === key) ?? -1;
    if (tail === undefined || at < 0) {
      this.#reverse(booked);
      if (holds !== undefined) this.book(holds);
      return;
    }
    const from = this.openFrom;
    if (holds === undefined) tail.bookings.splice(at, 1);
    else {
      const { price, quantity, fee, side } = holds;
      const { order } = tail.bookings[at] as CarriedBooking & { kind: 'fill' };
      tail.bookings[at] = { kind: 'fill', fill: { price, quantity, fee, side }, open: key, order };
    }
    const { base, bookings } = tail;
    const closings: Closing[] = [];
    this.takePosition(this.#after(base, bookings, closings).carryPosition());
    this.#closings?.recounted(this.#name, from, closings);
    this.#tail = bookings.some((one) => one.kind === 'fill' && one.open !== undefined) ? tail : undefined;
  }

  #after(base: CarriedPosition, bookings: readonly CarriedBooking[], closings: Closing[] = []): Holding {
    const told = { closed: (one: Closing): void => void closings.push(one), recounted: (): void => {} };
    const holding = new Holding(this.instrument, this.account, this.#strategy, told);
    holding.takePosition(base);
    for (const booking of bookings) holding.#takeBooking(booking);
    return holding;
  }

  #takeBooking(booking: CarriedBooking): void {
    switch (booking.kind) {
      case 'fill':
        return this.#book(booking.fill, booking.order);
      case 'adopt':
        return this.#adopt(booking.lots, booking.price, booking.order);
      case 'charge':
        return this.#charge(booking.amount);
      case 'forgive':
        return this.#forgive(booking.amount);
    }
  }

  #reverse(fill: HeldFill): void {
    const { price, quantity, fee } = fill;
    this.#book({ price, quantity, fee: negate(fee), side: opposite(fill.side) }, undefined);
    this.#fillCount -= 2;
    const turnover = this.instrument.notional(price, quantity);
    this.#turnover = subtract(this.#turnover, add(turnover, turnover));
  }

  #book(fill: HeldFill, order: number | undefined): void {
    const { price, quantity, fee, side } = fill;
    const { instrument } = this;
    const notional = instrument.notional(price, quantity);
    const worth = instrument.contract.worthOf(notional);
    this.#fees = add(this.#fees, fee);
    this.#fillCount += 1;
    this.#turnover = add(this.#turnover, notional);
    this.#result = subtract(this.#result, this.#feeInQuote(fill));
    const size = this.#sizeOf(fill);
    const net = this.#inBase ? multiply(size as Amount, instrument.priceAmount(price)) : worth;
    this.#moveLots({ buys: side === 'buy', size, net, worth, order });
  }

  #adopt(lots: number, price: Amount, order: number | undefined): void {
    const size = BigInt(Math.abs(lots));
    const worth = this.instrument.contract.worthAt(price, Math.abs(lots) as Lots);
    this.#fillCount += 1;
    this.#turnover = add(this.#turnover, this.instrument.contract.worthOf(worth));
    this.#moveLots({ buys: lots > 0, size, net: worth, worth, order });
  }

  /** `net`: the worth of `size`; `worth`: what was paid or received. They differ by a fee in base currency. */
  #moveLots({ buys, size, net, worth, order }: Move): void {
    this.#cash = buys ? subtract(this.#cash, worth) : add(this.#cash, worth);
    const open = buys ? -this.#size : this.#size;
    const against = open > 0n ? open : 0n;
    const closing = against < size ? against : size;
    // Of an inverse contract, whose worth is cut, the parts so come to the whole.
    const closed = partOf(net, closing, size);
    if (closing > 0n) this.#close(buys, closed, closing, against);
    if (size > closing) this.#openCost = add(this.#openCost, subtract(net, closed));
    this.#resize(buys ? this.#size + size : this.#size - size);
    this.#shown = undefined;
    // Flat, or turned over: what was open is closed.
    if (closing > 0n && closing === against) {
      if (order !== undefined) this.#closings?.closed({ ...this.#name, order, result: this.#result });
      this.#result = zero;
    }
  }

  #charge(amount: Amount): void {
    this.#charges = add(this.#charges, amount);
    if (this.#size !== 0n) this.#result = subtract(this.#result, amount);
    this.#shown = undefined;
  }

  #forgive(amount: Amount): void {
    this.#realized = add(this.#realized, amount);
    this.#cash = add(this.#cash, amount);
    this.#shown = undefined;
  }

  position(): Position {
    // Strategies are handed it.
    this.#shown ??= Object.freeze({
      instrument: this.instrument.id,
      strategy: this.#strategy,
      quantity: this.quantity,
      held: this.#held(),
      cash: this.#cash,
      fees: this.#fees,
      feesInQuote: this.#feesInQuote(),
      fillCount: this.#fillCount,
      turnover: this.#turnover,
      averagePrice: this.#averagePrice(),
      cost: this.#cost(),
      realized: this.#realized,
      account: this.account,
      charges: this.#charges,
    });
    return this.#shown;
  }

  carryPosition(): CarriedPosition {
    const { instrument, strategy, quantity, cash, fees, fillCount, turnover, realized } = this.position();
    const openCost = this.#openCost;
    const held = this.#inBase ? { held: this.#size as Amount } : {};
    const result = this.#result === zero ? {} : { result: this.#result };
    const account = this.account === 'spot' ? {} : { account: this.account };
    const charges = this.#charges === zero ? {} : { charges: this.#charges };
    const tail =
      this.#tail === undefined ? {} : { tail: { base: this.#tail.base, bookings: [...this.#tail.bookings] } };
    return {
      instrument,
      strategy,
      quantity,
      cash,
      fees,
      fillCount,
      turnover,
      realized,
      openCost,
      ...held,
      ...result,
      ...account,
      ...charges,
      ...tail,
    };
  }

  takePosition(carried: CarriedPosition): void {
    this.#cash = carried.cash;
    this.#fees = carried.fees;
    this.#fillCount = carried.fillCount;
    this.#turnover = carried.turnover;
    this.#realized = carried.realized;
    this.#openCost = carried.openCost;
    this.#result = carried.result ?? zero;
    this.#charges = carried.charges ?? zero;
    this.#tail = carried.tail && { base: carried.tail.base, bookings: [...carried.tail.bookings] };
    if (!this.#inBase) this.#resize(BigInt(carried.quantity));
    else if (carried.held !== undefined) this.#resize(carried.held);
    else this.#takeGross(carried);
    this.#shown = undefined;
  }

  /** A position of before fees in base currency were taken off: what is held less is worth less by its share of the cost. */
  #takeGross({ quantity, fees }: CarriedPosition): void {
    const gross = this.instrument.quantityAmount(quantity as Lots);
    this.#resize(subtract(gross, fees));
    const [whole, left] = [gross < 0n ? -gross : gross, this.#size < 0n ? -this.#size : this.#size];
    this.#openCost = (whole === 0n ? zero : (this.#openCost * left) / whole) as Amount;
  }

  /** Those in base currency are what realised profit and cost leave of the cash flow: so nothing is rounded away. */
  #feesInQuote(): Amount {
    if (this.#inBase) return subtract(subtract(this.#realized, this.#cost()), this.#cash);
    return this.#isFeeInQuote ? this.#fees : zero;
  }

  /** Cost with the sign of the size (inverse contracts: the other sign). */
  #cost(): Amount {
    return this.#size < 0n ? negate(this.#openCost) : this.#openCost;
  }

  get #name(): Omit<Closing, 'order' | 'result'> {
    const { instrument, account } = this;
    const currency = instrument.spec.quoteCurrency;
    return { strategy: this.#strategy, currency, instrument: instrument.id, account };
  }

  get #isFeeInQuote(): boolean {
    const { feeCurrency, quoteCurrency } = this.instrument.spec;
    return feeCurrency === quoteCurrency || this.account !== 'spot';
  }

  #feeInQuote({ fee, price }: HeldFill): Amount {
    if (this.#inBase) return multiply(fee, this.instrument.priceAmount(price));
    return this.#isFeeInQuote ? fee : zero;
  }

  /** Net of a fee in base currency; above 0. */
  #sizeOf({ quantity, fee, side }: HeldFill): bigint {
    if (!this.#inBase) return BigInt(quantity);
    const gross = this.instrument.quantityAmount(quantity);
    return side === 'buy' ? gross - fee : gross + fee;
  }

  /** Closing a part takes the same part of the cost; the last part takes all that is left, so nothing is lost. */
  #close(buys: boolean, value: Amount, closing: bigint, against: bigint): void {
    const cost = partOf(this.#openCost, closing, against);
    const profit = buys ? subtract(cost, value) : subtract(value, cost);
    this.#realized = add(this.#realized, profit);
    this.#result = add(this.#result, profit);
    this.#openCost = subtract(this.#openCost, cost);
  }

  #held(): Amount {
    return this.#inBase ? (this.#size as Amount) : ((this.#size * this.#lot) as Amount);
  }

  #resize(size: bigint): void {
    this.#size = size;
    this.#quantity = Number(this.#inBase ? size / this.#lot : size);
  }

  #averagePrice(): Amount | undefined {
    if (this.#size === 0n) return undefined;
    const { instrument } = this;
    const size = this.#size < 0n ? -this.#size : this.#size;
    if (!this.#inBase) return instrument.contract.priceAt(this.#openCost, Number(size) as Lots);
    return divide(this.#openCost, size as Amount);
  }
}

function partOf(amount: Amount, part: bigint, whole: bigint): Amount {
  if (part === whole) return amount;
  return part === 0n ? zero : (((amount * part) / whole) as Amount);
}

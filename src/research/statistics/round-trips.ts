import type { Amount } from '../../core/base/amount.ts';
import { add, amountToNumber, subtract, zero } from '../../core/base/amount.ts';
import type { Micros } from '../../core/base/clock.ts';
import type { Instrument, Lots, Ticks } from '../../core/model/instrument.ts';
import type { Side } from '../../core/model/order.ts';

/** From flat to flat, or to the other side, on one instrument. Money in quote currency. */
export interface RoundTrip {
  readonly symbol: string;
  readonly side: 'long' | 'short';
  readonly from: Micros;
  readonly to: Micros;
  /** Index of the bar in which it began and ended, where bars were counted. */
  readonly fromBar: number;
  readonly toBar: number;
  /** The largest quantity held, in base currency. */
  readonly quantity: number;
  /** Average prices. */
  readonly entry: number;
  readonly exit: number;
  /** Without fees. */
  readonly gross: number;
  readonly fees: number;
  readonly net: number;
  /** `net` as a share of what the entries were worth. */
  readonly share: number;
}

/** The same to the last digit. Worths as `Contract.worth`: of an inverse contract below 0. */
export interface ExactTrip {
  /** Sum of the entries. */
  readonly lots: Lots;
  readonly entryWorth: Amount;
  readonly exitWorth: Amount;
  readonly gross: Amount;
  readonly fees: Amount;
}

/** One execution, as venues report it. */
export interface TripFill {
  readonly instrument: Instrument;
  readonly side: Side;
  readonly price: Ticks;
  readonly quantity: Lots;
  /** In the fee currency. */
  readonly fee: Amount;
  readonly time: Micros;
}

interface Open {
  readonly side: Side;
  readonly from: Micros;
  readonly fromBar: number;
  lots: number;
  entered: number;
  entryWorth: Amount;
  exitWorth: Amount;
  fees: Amount;
}

/** Folds executions into round trips. A fill that turns a position ends one and begins the next; its fee is parted. */
export class RoundTrips {
  readonly #open = new Map<Instrument, Open>();
  readonly #closed: RoundTrip[] = [];
  readonly #onClosed: ((trip: RoundTrip, exact: ExactTrip) => void) | undefined;

  constructor(onClosed?: (trip: RoundTrip, exact: ExactTrip) => void) {
    this.#onClosed = onClosed;
  }

  get closed(): readonly RoundTrip[] {
    return this.#closed;
  }

  /** Hands over the closed ones and forgets them. */
  take(): readonly RoundTrip[] {
    return this.#closed.splice(0);
  }

  /** How many are open. */
  get openCount(): number {
    return this.#open.size;
  }

  isOpen(instrument: Instrument): boolean {
    return this.#open.has(instrument);
  }

  /** Books a fill in the bar with that number. */
  book(fill: TripFill, bar: number): void {
    const { instrument, side, price, quantity } = fill;
    const fee = instrument.feeInQuote(fill.fee, price);
    const open = this.#open.get(instrument);
    if (open === undefined || open.side === side) {
      this.#enter(fill, { bar, lots: quantity, fee });
      return;
    }
    const closing = Math.min(open.lots, quantity) as Lots;
    const part = closing === quantity ? fee : (((fee * BigInt(closing)) / BigInt(quantity)) as Amount);
    open.lots -= closing;
    open.exitWorth = add(open.exitWorth, instrument.contract.worth(price, closing));
    open.fees = add(open.fees, part);
    if (open.lots > 0) return;
    this.#open.delete(instrument);
    const exact = exactOf(open);
    const trip = tripOf(open, exact, fill, bar);
    this.#closed.push(trip);
    this.#onClosed?.(trip, exact);
    if (closing < quantity)
      this.#enter(fill, { bar, lots: (quantity - closing) as Lots, fee: subtract(fee, part) });
  }

  #enter(
    { instrument, side, price, time }: TripFill,
    { bar, lots, fee }: { readonly bar: number; readonly lots: Lots; readonly fee: Amount },
  ): void {
    let open = this.#open.get(instrument);
    if (open === undefined) {
      open = {
        side,
        from: time,
        fromBar: bar,
        lots: 0,
        entered: 0,
        entryWorth: zero,
        exitWorth: zero,
        fees: zero,
      };
      this.#open.set(instrument, open);
    }
    open.lots += lots;
    open.entered += lots;
    open.entryWorth = add(open.entryWorth, instrument.contract.worth(price, lots));
    open.fees = add(open.fees, fee);
  }
}

function exactOf({ side, entered, entryWorth, exitWorth, fees }: Open): ExactTrip {
  const gross = side === 'buy' ? subtract(exitWorth, entryWorth) : subtract(entryWorth, exitWorth);
  return { lots: entered as Lots, entryWorth, exitWorth, gross, fees };
}

function tripOf(
  { side, from, fromBar }: Open,
  exact: ExactTrip,
  { instrument, time }: TripFill,
  bar: number,
): RoundTrip {
  const { lots, entryWorth, exitWorth, gross, fees } = exact;
  const quantity = amountToNumber(instrument.quantityAmount(lots));
  const entered = amountToNumber(entryWorth);
  const net = amountToNumber(subtract(gross, fees));
  return {
    symbol: instrument.symbol,
    side: side === 'buy' ? 'long' : 'short',
    from,
    to: time,
    fromBar,
    toBar: bar,
    quantity,
    entry: instrument.contract.priceNear(entered, quantity),
    exit: instrument.contract.priceNear(amountToNumber(exitWorth), quantity),
    gross: amountToNumber(gross),
    fees: amountToNumber(fees),
    net,
    share: net / Math.abs(entered),
  };
}

import type { Micros } from '../../../core/base/clock.ts';
import type { Instrument } from '../../../core/model/instrument.ts';
import type { PositionAccount } from '../../../core/model/margin.ts';
import type { Fill, OrderType, Side } from '../../../core/model/order.ts';
import type { ExactTrip, RoundTrip } from '../../statistics/index.ts';
import { RoundTrips } from '../../statistics/index.ts';

/** A round trip with what it was made by. */
export interface BookedTrip extends RoundTrip {
  readonly strategy: string;
  readonly account: PositionAccount;
  /** The order that closed it: its type, and whether it made or took. */
  readonly exitReason: string;
}

/** Fills for a chart: one, or several of one side that came one after another. */
export interface FillMark {
  /** Of the first. */
  readonly time: number;
  readonly symbol: string;
  readonly side: Side;
  /** Average by quantity. */
  readonly price: number;
  readonly quantity: number;
  readonly count: number;
}

export interface BookedFill {
  readonly fill: Fill;
  readonly side: Side;
  readonly instrument: Instrument;
  readonly strategy: string;
  /** Where the position is kept. */
  readonly account: PositionAccount;
  readonly type: OrderType | 'liquidation' | undefined;
}

/** Hears of every round trip when it is closed. */
export type TripListener = (trip: BookedTrip, exact: ExactTrip, instrument: Instrument) => void;

const tripsMax = 200_000;
const marksMax = 4_000;
/** Beyond, the oldest is taken for final. */
const waitingMax = 10_000;

/** Positions of one strategy in one account. */
interface Holder {
  readonly strategy: string;
  readonly account: PositionAccount;
  readonly trips: RoundTrips;
}

/** Round trips by strategy and account, and the fills to show on a price chart. Bounded: what is left out is counted. */
export class TradeBook {
  readonly #holders = new Map<string, Holder>();
  readonly #trips: BookedTrip[] = [];
  #marks: FillMark[] = [];
  /** From the first fill that may still be corrected on, oldest first. */
  readonly #waiting: { booked: BookedFill; open: string | undefined }[] = [];
  /** Of the round trip that was closed last. */
  #exact: ExactTrip | undefined;
  readonly #onTrip: TripListener | undefined;
  /** Fills after the number of round trips that is kept. */
  left = 0;

  /** `onTrip` also hears of those beyond the number that is kept. */
  constructor(onTrip?: TripListener) {
    this.#onTrip = onTrip;
  }

  get trips(): readonly BookedTrip[] {
    return this.#trips;
  }

  /** All fills, oldest first; of very many, neighbours are joined. */
  get marks(): readonly FillMark[] {
    return this.#marks;
  }

  /** Positions that are open at the end: their trips are not counted. */
  get openCount(): number {
    let count = 0;
    for (const { trips } of this.#holders.values()) count += trips.openCount;
    return count;
  }

  /** The strategy that alone holds an open position on the instrument in that account. */
  holder(instrument: Instrument, account: PositionAccount): string | undefined {
    const [holder, ...others] = [...this.#holders.values()].filter(
      (one) => one.account === account && one.trips.isOpen(instrument),
    );
    return others.length === 0 ? holder?.strategy : undefined;
  }

  /**
   * Books a fill. `open`: the key of one that may still be corrected; it and those after it wait until it is final, so round trips are
   * those of fills as they hold.
   */
  book(booked: BookedFill, open?: string): void {
    if (open === undefined && this.#waiting.length === 0) return this.#take(booked);
    this.#waiting.push({ booked, open });
    this.#release(this.#waiting.length > waitingMax);
  }

  /** A fill is final. */
  confirm(key: string): void {
    const waiting = this.#waiting.find((one) => one.open === key);
    if (waiting === undefined) return;
    waiting.open = undefined;
    this.#release();
  }

  /** A fill is as `holds` says; `undefined`: it never was. Returns false where it was booked for good before. */
  correct(key: string, holds: Fill | undefined): boolean {
    const at = this.#waiting.findIndex((one) => one.open === key);
    const waiting = this.#waiting[at];
    if (waiting === undefined) return false;
    if (holds === undefined) this.#waiting.splice(at, 1);
    else this.#waiting[at] = { booked: { ...waiting.booked, fill: holds }, open: undefined };
    this.#release();
    return true;
  }

  /** The run has ended: what waits is taken as it is. */
  finish(): void {
    for (const { booked } of this.#waiting.splice(0)) this.#take(booked);
  }

  #release(isFull = false): void {
    let final = this.#waiting.findIndex(({ open }) => open !== undefined);
    if (final < 0) final = this.#waiting.length;
    if (isFull) final = Math.max(final, 1);
    for (const { booked } of this.#waiting.splice(0, final)) this.#take(booked);
  }

  #take(booked: BookedFill): void {
    const { fill, side, instrument, strategy, account, type } = booked;
    this.#mark(booked);
    const isFull = this.#trips.length >= tripsMax;
    if (isFull) {
      this.left += 1;
      if (this.#onTrip === undefined) return;
    }
    const trips = this.#tripsOf(strategy, account);
    const { price, quantity, fee, time } = fill;
    trips.book({ instrument, side, price, quantity, fee, time: time as Micros }, 0);
    // One fill ends one trip at most.
    const [closed] = trips.take();
    if (closed === undefined) return;
    const exitReason = `${type ?? 'unknown'}, ${fill.taker ? 'taker' : 'maker'}`;
    const trip = { ...closed, strategy, account, exitReason };
    if (!isFull) this.#trips.push(trip);
    if (this.#exact !== undefined) this.#onTrip?.(trip, this.#exact, instrument);
  }

  #tripsOf(strategy: string, account: PositionAccount): RoundTrips {
    const key = `${account} ${strategy}`;
    const known = this.#holders.get(key);
    if (known !== undefined) return known.trips;
    const trips = new RoundTrips((_, exact) => (this.#exact = exact));
    this.#holders.set(key, { strategy, account, trips });
    return trips;
  }

  #mark({ fill, side, instrument }: BookedFill): void {
    const price = Number(instrument.priceText(fill.price));
    const quantity = Number(instrument.quantityText(fill.quantity));
    this.#marks.push({ time: fill.time, symbol: instrument.symbol, side, price, quantity, count: 1 });
    if (this.#marks.length >= marksMax) this.#marks = joinedPairs(this.#marks);
  }
}

/** Of each symbol and side two marks, one behind the other, as one. */
function joinedPairs(marks: readonly FillMark[]): FillMark[] {
  const single = new Map<string, number>();
  const joined: FillMark[] = [];
  for (const mark of marks) {
    const kind = `${mark.side} ${mark.symbol}`;
    const at = single.get(kind);
    if (at === undefined) {
      single.set(kind, joined.push(mark) - 1);
      continue;
    }
    joined[at] = joinedMarks([joined[at] as FillMark, mark]);
    single.delete(kind);
  }
  return joined;
}

/** Marks of one symbol and side as one, at the time of the first and their average price. */
export function joinedMarks(marks: readonly FillMark[]): FillMark {
  const quantity = marks.reduce((sum, one) => sum + one.quantity, 0);
  const count = marks.reduce((sum, one) => sum + one.count, 0);
  const price = marks.reduce((sum, one) => sum + one.price * (one.quantity / quantity), 0);
  return { ...(marks[0] as FillMark), price, quantity, count };
}

import type { Micros } from '../../core/base/clock.ts';
import type { Instrument } from '../../core/model/instrument.ts';
import type { Fill, OrderType, Side } from '../../core/model/order.ts';
import type { ExactTrip, RoundTrip } from '../statistics/round-trips.ts';
import { RoundTrips } from '../statistics/round-trips.ts';

/** A round trip with what it was made by. */
export interface BookedTrip extends RoundTrip {
  readonly strategy: string;
  /** The order that closed it: its type, and whether it made or took. */
  readonly exitReason: string;
}

/** A fill for a chart. */
export interface FillMark {
  readonly time: number;
  readonly symbol: string;
  readonly side: Side;
  readonly price: number;
}

export interface BookedFill {
  readonly fill: Fill;
  readonly side: Side;
  readonly instrument: Instrument;
  readonly strategy: string;
  readonly type: OrderType | 'liquidation' | undefined;
}

/** Hears of every round trip when it is closed. */
export type TripListener = (trip: BookedTrip, exact: ExactTrip, instrument: Instrument) => void;

const tripsMax = 200_000;
const marksMax = 4_000;

/** Round trips by strategy, and the fills to show on a price chart. Bounded: what is left out is counted. */
export class TradeBook {
  readonly #byStrategy = new Map<string, RoundTrips>();
  readonly #trips: BookedTrip[] = [];
  #marks: FillMark[] = [];
  #stride = 1;
  /** Of the round trip that was closed last. */
  #exact: ExactTrip | undefined;
  #fills = 0;
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

  /** Every n-th fill, oldest first. */
  get marks(): readonly FillMark[] {
    return this.#marks;
  }

  /** How many fills stand for one mark. */
  get fillsPerMark(): number {
    return this.#stride;
  }

  /** Positions that are open at the end: their trips are not counted. */
  get openCount(): number {
    let count = 0;
    for (const trips of this.#byStrategy.values()) count += trips.openCount;
    return count;
  }

  /** The strategy that alone holds an open position on the instrument. */
  holder(instrument: Instrument): string | undefined {
    const holders = [...this.#byStrategy].filter(([, trips]) => trips.isOpen(instrument));
    return holders.length === 1 ? holders[0]?.[0] : undefined;
  }

  book(booked: BookedFill): void {
    const { fill, side, instrument, strategy, type } = booked;
    this.#mark(booked);
    const isFull = this.#trips.length >= tripsMax;
    if (isFull) {
      this.left += 1;
      if (this.#onTrip === undefined) return;
    }
    let trips = this.#byStrategy.get(strategy);
    if (trips === undefined) {
      trips = new RoundTrips((_, exact) => (this.#exact = exact));
      this.#byStrategy.set(strategy, trips);
    }
    const { price, quantity, fee, time } = fill;
    trips.book({ instrument, side, price, quantity, fee, time: time as Micros, bar: 0 });
    // One fill ends one trip at most.
    const [closed] = trips.take();
    if (closed === undefined) return;
    const exitReason = `${type ?? 'unknown'}, ${fill.taker ? 'taker' : 'maker'}`;
    const trip = { ...closed, strategy, exitReason };
    if (!isFull) this.#trips.push(trip);
    if (this.#exact !== undefined) this.#onTrip?.(trip, this.#exact, instrument);
  }

  #mark({ fill, side, instrument }: BookedFill): void {
    if (this.#fills % this.#stride === 0) {
      const price = Number(instrument.priceText(fill.price));
      this.#marks.push({ time: fill.time, symbol: instrument.symbol, side, price });
      if (this.#marks.length >= marksMax) {
        this.#marks = this.#marks.filter((_, i) => i % 2 === 0);
        this.#stride *= 2;
      }
    }
    this.#fills += 1;
  }
}

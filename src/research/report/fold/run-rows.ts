import type { Amount } from '../../../core/base/amount.ts';
import type { Micros } from '../../../core/base/clock.ts';
import type { Event } from '../../../core/model/event.ts';
import type { Instrument, Instruments } from '../../../core/model/instrument.ts';
import type { Charge, PositionAccount } from '../../../core/model/margin.ts';
import type { ClientOrderId } from '../../../core/model/order.ts';
import type { ExactTrip } from '../../statistics/index.ts';
import type { SessionHolding } from './session-holding.ts';
import type { BookedFill, BookedTrip } from './trade-book.ts';

/** A fill that was booked, with the holding that has taken it in. */
export interface RowFill extends BookedFill {
  readonly id: ClientOrderId;
  /** When the run heard of it. */
  readonly reported: number;
  readonly holding: SessionHolding;
}

/** Funding or interest of one holder of a position. */
export interface RowCharge {
  readonly kind: Charge['kind'];
  readonly instrument: Instrument;
  readonly account: PositionAccount;
  /** `undefined` where several hold the position and the venue names none. */
  readonly strategy: string | undefined;
  /** In quote currency; below 0 it was received. */
  readonly amount: Amount;
  readonly time: Micros;
}

/** A holding at a sample. */
export interface RowHolding {
  readonly holding: SessionHolding;
  /** `undefined` before a price was seen. */
  readonly price: Amount | undefined;
}

/** Takes what a run makes, row by row, as it goes on: an export. */
export interface RunRows {
  /** An event that is no market data, after it was folded. */
  observe(event: Event, instruments: Instruments): void;
  filled(fill: RowFill): void;
  charged(charge: RowCharge): void;
  closed(trip: BookedTrip, exact: ExactTrip, instrument: Instrument): void;
  /** `profits` by quote currency, of those traded so far. A second sample of one time takes the place of the first. */
  sampled(
    time: number,
    profits: readonly (readonly [currency: string, profit: Amount])[],
    holdings: readonly RowHolding[],
  ): void;
}

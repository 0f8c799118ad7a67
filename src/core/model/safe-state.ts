import type { Micros } from '../base/clock.ts';
import type { DenialCode } from './denial.ts';
import type { SessionName } from './event.ts';
import type { InstrumentId } from './instrument.ts';
import type { ClientOrderId } from './order.ts';

/** Kinds of states that keep orders from leaving, or feeds from being heard, until something ends them. */
export const safeStateKinds = [
  'sessionDown',
  'loginRefused',
  'comparing',
  'bookWaits',
  'bookStale',
  'bookCrossed',
  'bookRefused',
  'feedRefused',
  'marketLate',
  'symbol',
  'unknownOrder',
  'orderHeld',
  'unread',
  'manyUnknown',
  'unwritten',
  'forbidden',
  'halted',
  'reducing',
  'productHalted',
  'lossLimit',
  'moneyReduces',
  'moneyHalts',
  'paused',
  'strategyStopped',
] as const;

export type SafeStateKind = (typeof safeStateKinds)[number];

/** One safe state that holds: what it is of, why, since when, when it is looked at next, and what ends it. */
export interface SafeState {
  readonly kind: SafeStateKind;
  /** Subject of the state: a session, symbol, order, strategy, product or currency; `account` of all. */
  readonly subject: string;
  /** The code of the orders that it denies; `undefined` where it denies none. */
  readonly code: DenialCode | undefined;
  /** One sentence, without a full stop. */
  readonly cause: string;
  /** Wall time; 0 where it is not known. */
  readonly since: Micros;
  /** Wall time of the next look at its cause; `undefined` where there is none of ours. */
  readonly nextLook: Micros | undefined;
  /** Evidence that ends it, as it follows "until". */
  readonly endsWhen: string;
  /** Whether time and evidence do not end it. */
  readonly needsOperator: boolean;
}

/** Something that the venue refused, until it takes it. */
export interface VenueRefusal {
  readonly kind: 'loginRefused' | 'feedRefused';
  /** A session or symbol. */
  readonly subject: string;
  /** Request that was refused, as it follows "the venue refuses". */
  readonly what: string;
  /** In the words of the venue, where it had any. */
  readonly why: string;
  /** When it was refused first, and when it is asked for next. */
  readonly since: Micros;
  readonly nextLook: Micros | undefined;
}

/** An order that waits for own orders to end before it is judged. */
export interface HeldOrder {
  readonly clientOrderId: ClientOrderId;
  readonly code: DenialCode;
  /** Reason for the hold, and what ends it, as it follows "until". */
  readonly cause: string;
  readonly endsWhen: string;
  readonly since: Micros;
  readonly nextLook: Micros;
}

/** When those who watch a cause look at it next, by wall time; `undefined` where no look is due. */
export interface NextLooks {
  readonly book?: ((instrument: InstrumentId) => Micros | undefined) | undefined;
  readonly symbol?: ((instrument: InstrumentId) => Micros | undefined) | undefined;
  readonly session?: ((session: SessionName) => Micros | undefined) | undefined;
  readonly account?: (() => Micros | undefined) | undefined;
  /** Time of the next try to write the journal, while the disk has no room. */
  readonly journal?: (() => Micros | undefined) | undefined;
  /** Time of the next read that a book is compared with. */
  readonly bookRead?: ((instrument: InstrumentId) => Micros | undefined) | undefined;
  /** Requests that the venue refuses now. */
  readonly refused?: (() => readonly VenueRefusal[]) | undefined;
}

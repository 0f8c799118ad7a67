import type { Amount } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import type { InstrumentId } from './instrument.ts';
import type { PositionAccount } from './margin.ts';

/** Loss that a limit counts: the loss of a UTC day, the fall from the highest profit, or losing trades in a row. */
export type LossKind = 'day' | 'drawdown' | 'losingTrades';

/** Scope of a profit and its quote currency: one strategy, or the whole account when `strategy` is `undefined`. */
export interface LossScope {
  readonly strategy: string | undefined;
  readonly currency: string;
}

/** `reducing`: only orders that reduce leave. `halted`: none does, and those that live are canceled. */
export type LossAction = 'reducing' | 'halted';

/** A limit on loss that was reached. It holds until an operator clears it, or until `until`. */
export interface LossLatch extends LossScope {
  readonly limit: LossKind;
  readonly action: LossAction;
  readonly why: string;
  readonly since: Micros;
  readonly until: Micros | undefined;
}

/** A position came back to flat, or turned over. */
export interface Closing {
  readonly strategy: string;
  readonly currency: string;
  readonly instrument: InstrumentId;
  readonly account: PositionAccount;
  /** Number of the booking that closed it, in the order of the ledger. */
  readonly order: number;
  /** Result of the trades since it was last flat, fees and charges counted. */
  readonly result: Amount;
}

/** How the profit of a run went in a quote currency, all strategies together, from 0 at its beginning and over its restarts. */
export interface ProfitCourse {
  readonly currency: string;
  /** The highest profit, at least 0. */
  readonly peak: Amount;
  /** The largest fall from the highest profit of before it. */
  readonly drawdownMax: Amount;
}

/** From where losses count. */
export interface ProfitMark extends LossScope {
  /** The UTC day, as days since 1970-01-01. */
  readonly day: number;
  /** The profit when the day began, or when its limit was cleared; `undefined` until it can be valued. */
  readonly dayStart: Amount | undefined;
  /** The highest profit since the limit on drawdown was cleared last; `undefined` until it can be valued. */
  readonly peak: Amount | undefined;
}

import type { Lots, Ticks } from '../../../core/model/instrument.ts';

/** One execution, as reported to both sides and to the public. */
export interface Execution {
  readonly number: number;
  /** The number as text. */
  readonly tradeId: string;
  readonly price: Ticks;
  readonly quantity: Lots;
}

import type { Lots, Ticks } from '../../core/model/instrument.ts';

/** One execution: what both sides and the public are told. */
export interface Execution {
  readonly number: number;
  /** The number as text. */
  readonly tradeId: string;
  readonly price: Ticks;
  readonly quantity: Lots;
}

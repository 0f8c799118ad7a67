import type { Amount } from '../../../core/base/amount.ts';
import type { Instrument, Lots, Ticks } from '../../../core/model/instrument.ts';
import type { Balance } from '../../../core/model/market.ts';
import type { Side } from '../../../core/model/order.ts';
import type { SimAccount } from '../../account.ts';

/** An order at its price. */
export interface BarClaim {
  readonly instrument: Instrument;
  readonly side: Side;
  readonly price: Ticks;
  readonly lots: Lots;
}

/** An execution that is about to happen. */
export interface BarExecution extends BarClaim {
  /** In quote currency. */
  readonly fee: Amount;
}

/** Money of an account in one currency, exact. */
export interface AccountFigures {
  readonly currency: string;
  /** Cash with all profits realised so far, fees taken off. */
  readonly total: Amount;
  /** Held back for orders (spot) or locked as margin. */
  readonly locked: Amount;
  /** Not locked; open profits and losses count. */
  readonly free: Amount;
  /** Total and what open positions are worth, or have gained. */
  readonly equity: Amount;
}

/** The money at a bar venue. Exact; all answers at the prices last given to `mark`. */
export interface BarAccount extends Pick<SimAccount, 'reserve' | 'release'> {
  /** The price positions are valued at from now on. */
  mark(instrument: Instrument, price: Ticks): void;
  /** The price marked last, in ticks; NaN before the first. */
  price(instrument: Instrument): number;
  /** Amount to be held for a resting order. */
  need(claim: BarClaim): Amount;
  /** Books the execution; false, and nothing happens, when the account cannot bear it. */
  execute(execution: BarExecution): boolean;
  /** Signed lots. */
  position(instrument: Instrument): number;
  /** Every balance, as published to the trader. */
  balances(): readonly Balance[];
  figures(currency: string): AccountFigures;
  /** Equity in a currency as a double: for statistics, a few nanoseconds while nothing is held. */
  equity(currency: string): number;
}

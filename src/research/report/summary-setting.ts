import type { Amount } from '../../core/base/amount.ts';
import type { InstrumentId, Instruments } from '../../core/model/instrument.ts';
import type { BookView } from '../../core/model/market.ts';
import type { ClientOrderId, Order } from '../../core/model/order.ts';
import type { BarPrice } from './marks.ts';
import type { GateWaits } from './run-details.ts';
import type { RunAt } from './second-ends.ts';

/** What a summary is made with. */
export interface SummarySetting {
  readonly instruments: Instruments;
  /** Live books to mark positions with, such as `StateView.book`; without them the last trade serves. */
  readonly book?: ((instrument: InstrumentId) => BookView | undefined) | undefined;
  /** Also collect what a full report shows: the course, trades, execution. */
  readonly details?: boolean | undefined;
  /** How commands have waited at the gate so far, for the details. */
  readonly waited?: (() => GateWaits) | undefined;
  /** What strategies declared first, each once: it names a run in which nothing was filled. */
  readonly declared?: readonly InstrumentId[] | undefined;
  /** The clock of the run: samples are then of how things stood at the end of each second. */
  readonly at?: RunAt | undefined;
  /** Own orders that an earlier session left, where there may be some. */
  readonly own?: OwnOrders | undefined;
  /** Prices of a run on bars: positions are valued at them, and `sample` says when. */
  readonly bars?: BarPrice | undefined;
  /** What the account held at the start, where its first reading does not tell (a perpetual tells buying power). */
  readonly opening?: ReadonlyMap<string, Amount> | undefined;
}

/** What the state knows of own orders, the event under way applied. */
export interface OwnOrders {
  /** `undefined` of orders of others. */
  order(id: ClientOrderId): Order | undefined;
  /** Whether the trade was told for the first time now. */
  isBooked(tradeId: string): boolean;
}

import type { Micros } from '../../core/base/clock.ts';
import type { VirtualClock } from '../../core/base/virtual-clock.ts';
import type { MarketEvent } from '../../core/model/event.ts';
import type { LateClock } from '../../research/checks/index.ts';
import type { SimVenue } from '../../sim/index.ts';
import type { Assembly } from '../run/assembly.ts';
import type { BacktestMarket, Batch } from '../run/drive.ts';

/** Market data of a run on books and trades, opened up to its first event, and the way in which they meet the market. */
export interface RunFeed {
  /** Clock of the run, which stands at its start. */
  readonly clock: VirtualClock;
  /** Clock of the timers of strategies, where it is another. */
  readonly late?: LateClock | undefined;
  /** End of the clock, where the scenario names one: silence up to then counts. */
  readonly until?: Micros | undefined;
  readonly source: AsyncIterable<Batch<MarketEvent>> | Iterable<Batch<MarketEvent>>;
  /** Reason why strategies are stopped at the end. */
  readonly ending: string;
  market(parts: Assembly<SimVenue>): FedMarket;
}

/** Market to which a feed hands its data. */
export interface FedMarket extends BacktestMarket<MarketEvent> {
  /** Level changes and trades that have passed; `undefined` where they are not counted. */
  readonly changes: number | undefined;
}

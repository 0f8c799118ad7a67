import type { Clock } from '../core/base/clock.ts';
import type { Random } from '../core/base/random.ts';
import type { Instruments } from '../core/model/instrument.ts';
import type { Balance } from '../core/model/market.ts';
import type { OpenEngine } from './engine.ts';
import type { Latency, LatencyWay } from './latency.ts';
import type { SimOptions } from './options.ts';
import type { Outage } from './outages.ts';

/** What a simulated venue is made of. */
export interface SimVenueSetup {
  readonly clock: Clock;
  readonly instruments: Instruments;
  readonly options: SimOptions;
  readonly random: Random;
  /** What the account starts with: available amounts; `reserved` is added to them. */
  readonly balances: readonly Balance[];
  /**
   * `recorded`: market data reach `events` at their receive time (backtest). `live`: they are told as they are accepted,
   * for they have just been received (paper).
   */
  readonly marketData?: 'recorded' | 'live';
  /** Instead of the latency the options describe. */
  readonly latency?: Latency;
  /** Instead of recorded receive times: how long market data take from the exchange to us, in order. */
  readonly feed?: LatencyWay | undefined;
  /** The fill model. */
  readonly openEngine: OpenEngine;
  /** Whether market data tell the single orders behind the books: what the queue model `l3-fifo` needs. */
  readonly orders?: boolean | undefined;
  /** The number of the first trade; 1 when left out. */
  readonly tradesFrom?: number | undefined;
  /** Times in which the venue does not work. */
  readonly outages?: readonly Outage[];
}

import type { Micros } from '../../../core/base/clock.ts';
import type { VirtualClock } from '../../../core/base/virtual-clock.ts';
import type { Instruments } from '../../../core/model/instrument.ts';
import type { Balance } from '../../../core/model/market.ts';
import type { BarFill } from './order-manager.ts';
import type { BarRules } from './rules.ts';
import type { Funded } from '../../funding-rules.ts';

/** What a bar venue is made of. */
export interface BarVenueSetup {
  /** The venue moves it to the time of everything that happens. */
  readonly clock: VirtualClock;
  readonly instruments: Instruments;
  readonly rules: BarRules;
  readonly balances: readonly Balance[];
  /** Told of every execution, after the corridor. */
  readonly executed?: ((fill: BarFill) => void) | undefined;
  /** Told of every payment of funding, before the corridor: positive when the account paid. */
  readonly funded?: Funded | undefined;
  /** Told at the end of every bar (with trades alone: at the first trade of every minute). */
  readonly sampled?: ((time: Micros) => void) | undefined;
}

import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { Venue } from '../bus/venue.ts';
import type { CommandBudgets } from '../gate/parts.ts';
import type { GateOptions } from '../gate/options.ts';
import type { Journal } from '../journal/records/journal.ts';
import type { Capabilities } from '../model/capabilities.ts';
import type { Event } from '../model/event.ts';
import type { Instruments } from '../model/instrument.ts';
import type { StampedEvent } from '../model/stamped-event.ts';
import type { LiveDenials } from '../orders/live-denials.ts';
import type { StrategyLimits } from '../orders/base/options.ts';
import type { OrderOptions } from '../orders/options.ts';
import type { StateOptions } from '../state/options.ts';
import type { StateView } from '../state/view.ts';
import type { FeedRequest } from '../strategy/feed-request.ts';
import type { StrategyHost } from '../strategy/host.ts';

export interface HostOpening {
  readonly state: StateView;
  readonly clock: Clock;
  readonly publish: (event: Event) => void;
  /** Events that a replica of the state must fold first, of a strategy that is opened within a run. */
  readonly missed?: ((feeds: readonly FeedRequest[]) => readonly Event[]) | undefined;
}

/** One strategy that is to run: its limits, and how to open its host once the state stands. */
export interface StrategyPlan {
  readonly name: string;
  /** Third part of its order ids, different for each strategy of a run. */
  readonly tag: string;
  readonly limits: StrategyLimits;
  open(parts: HostOpening): StrategyHost;
}

/** Everything a trader is made of. What stands at the ends (venue, journal, clock) makes it live or a backtest. */
export interface TraderDeps {
  readonly instruments: Instruments;
  readonly clock: Clock;
  readonly venue: Venue;
  readonly journal: Journal;
  readonly budgets: CommandBudgets;
  readonly log: Logger;
  /** Base 36 of the start of the run: part of every client order id. */
  readonly run: string;
  readonly strategies: readonly StrategyPlan[];
  readonly orderOptions: OrderOptions;
  /** Abilities of the venue; everything when left out. */
  readonly capabilities?: Capabilities | undefined;
  /** Counts what live trading would have denied, in a run whose own controls are open. */
  readonly live?: LiveDenials | undefined;
  readonly gateOptions: GateOptions;
  readonly stateOptions: StateOptions;
  /** Records that the journal kept of earlier runs, at least from its last `stateCarried` on; rebuilds all but the market. */
  readonly history: readonly StampedEvent[];
}

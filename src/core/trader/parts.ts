import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { Venue } from '../bus/index.ts';
import type { CommandBudgets, GateOptions } from '../gate/index.ts';
import type { Journal } from '../journal/index.ts';
import type { Capabilities } from '../model/capabilities.ts';
import type { Event } from '../model/event.ts';
import type { Instruments } from '../model/instrument.ts';
import type { StampedEvent } from '../model/stamped-event.ts';
import type { LiveDenials, OrderManager, OrderOptions } from '../orders/index.ts';
import type { StrategyLimits } from '../orders/base/options.ts';
import type { StateOptions, StateView } from '../state/index.ts';
import type { FeedRequest, StrategyHost } from '../strategy/framework.ts';

export interface HostOpening {
  readonly state: StateView;
  readonly clock: Clock;
  readonly publish: (event: Event) => void;
  /** Money of a strategy that has a share of the balance; `undefined` of one that may use all. */
  readonly fundsOf: OrderManager['fundsOf'];
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

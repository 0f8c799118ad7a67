import type { Clock } from '../base/clock.ts';
import type { Event, MarketData } from '../model/event.ts';
import type { Product } from '../model/product.ts';
import type { CutSizes } from './cut-sizes.ts';
import type { FeedRequest } from './feed-request.ts';

/**
 * Strategy as the trader keeps it, wherever it runs.
 *
 * Events notified before `start` only build what the strategy will see; its handlers run from `start` on. After
 * the strategy stopped (by a throw, a hang, or `stop`) nothing is published any more.
 */
export interface StrategyHost {
  readonly name: string;
  readonly feeds: readonly FeedRequest[];
  /** Products that the strategy trades: the run follows the accounts of these. */
  readonly products: readonly Product[];
  /** `starts`: how often the strategy was started before in this run. */
  start(starts?: number): void;
  /** Passes an event to the strategy. Never throws: a fault of the strategy becomes a `strategyStopped` event. */
  notify(event: Event): void;
  /** As `notify`, for market data. */
  notifyMarketData(data: MarketData): void;
  /** Calls `onStop`, then ends the strategy with `strategyStopped`. */
  stop(): void;
  /** Releases timers and threads; resolves when they are gone. Calls `stop` first when that was left out. */
  close(): Promise<void>;
}

/** Value and version of a strategy's kept state, as JSON text. */
export interface KeptState {
  readonly version: number;
  readonly json: string;
}

/** Settings that every host is given. */
export interface HostSetting {
  /** Takes intents, timers, notes and stops to the bus. */
  readonly publish: (event: Event) => void;
  readonly clock: Clock;
  /** Seed of the run; the strategy's random numbers are forked from it by name. */
  readonly seed: number | string;
  /** First part of every client order id: 1 to 6 letters or digits. */
  readonly idPrefix: string;
  /** Base 36 of the start second, as in `runStarted`. */
  readonly run: string;
  /** Third part of every client order id: 1 to 8 letters or digits, different for each strategy of a run. */
  readonly tag: string;
  /** Instance name, when the definition's own is not unique in the run. */
  readonly name?: string | undefined;
  /** State that an earlier run kept. */
  readonly kept?: KeptState | undefined;
  /** Counts the sizes that the strategy rounds down to nothing. */
  readonly cuts?: CutSizes | undefined;
  /** Called when the strategy writes its kept state. */
  readonly keep?: ((state: KeptState) => void) | undefined;
}

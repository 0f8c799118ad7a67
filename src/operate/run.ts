import type { Clock, Micros } from '../core/base/clock.ts';
import type { LaneUsage } from '../core/budgets/lanes.ts';
import type { Lane } from '../core/model/command.ts';
import type { InstrumentId } from '../core/model/instrument.ts';
import type { AskCandles } from '../core/model/market.ts';
import type { OperatorAct } from '../core/model/operator.ts';
import type { StrategyLimits } from '../core/orders/base/options.ts';
import type { OrderOptions } from '../core/orders/index.ts';
import type { Trader } from '../core/trader/index.ts';
import type { Explained, Status, Versions } from './schemas.ts';

/** A strategy as its configuration has it. */
export interface OperatedStrategy {
  readonly name: string;
  readonly limits: StrategyLimits;
}

/** The shadow of a strategy. */
export interface OperatedShadow {
  /** Where its code is, as the configuration names it. */
  readonly path: string;
  /** Without defaults. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly state: 'starting' | 'running' | 'stopped';
  /** Why it is stopped, otherwise empty. */
  readonly why: string;
}

/** The second process that cancels own orders when this one is gone, as the daemon sees it. */
export interface OperatedSentinel {
  /** Whether it looked a moment ago. */
  readonly isUp: boolean;
  readonly pid: number | undefined;
  readonly stage: string;
  /** Begin of the stage, and the last look, by wall time. */
  readonly since: Micros | undefined;
  readonly lastLook: Micros | undefined;
  readonly waitsFor: string;
  /** Fault in words; empty when there is none. */
  readonly trouble: string;
  /** Acts under this daemon, and the orders that these cancelled. */
  readonly acts: number;
  readonly canceled: number;
}

/** The nightly comparison with a backtest, as it stands. */
export interface DriftState {
  readonly running: boolean;
  /** A score above it is an alert. */
  readonly limit: number;
  /** Result of the last comparison that succeeded; `undefined` without any. */
  readonly result: DriftResult | undefined;
  /** When the last one ended, well or not. */
  readonly endedAt: Micros | undefined;
  /** Why the last one failed, empty when it did not. */
  readonly why: string;
  /** Comparisons that failed. */
  readonly failures: number;
}

/** Result of a comparison of a day with its backtest. */
export interface DriftResult {
  /** The difference in profit as a share of what was traded, of the currency where that is most. */
  readonly score: number;
  /** The day that was compared. */
  readonly from: Micros;
  readonly to: Micros;
}

export interface AskedReload {
  readonly who: string;
  readonly why: string;
  /** Whether limits may be raised now, as they would be. Called once everything is ready. It may throw: then nothing is done. */
  readonly confirms: (raised: {
    readonly changes: ReloadAnswer['changes'];
    readonly raises: readonly string[];
    /** The limits as one text: the same text, the same limits. */
    readonly settings: string;
  }) => boolean;
}

export interface ReloadAnswer {
  /** False when limits would be raised and this was not confirmed: nothing was done. */
  readonly done: boolean;
  /** Settings that differ; values are JSON, `null` where a setting is not set, `"[secret]"` in place of what may be one. */
  readonly changes: readonly {
    readonly name: string;
    readonly from: string | null;
    readonly to: string | null;
  }[];
  /** Limits that allow more than before, in words. */
  readonly raises: readonly string[];
}

/** A running daemon, as its operator's interface sees it. */
export interface OperatedRun {
  readonly trader: Pick<
    Trader,
    | 'view'
    | 'differences'
    | 'instruments'
    | 'hosts'
    | 'waiting'
    | 'started'
    | 'watchLanes'
    | 'safeStates'
    | 'limits'
  >;
  readonly clock: Clock;
  readonly run: string;
  readonly mode: Status['mode'];
  readonly account: string | undefined;
  readonly venue: string;
  readonly versions: Versions;
  readonly strategies: readonly OperatedStrategy[];
  /** Strategies in shadow, if there are any, and the trader that they have, which sends nothing. */
  readonly shadows?:
    | {
        readonly trader: Pick<Trader, 'view' | 'instruments'> | undefined;
        of(strategy: string): OperatedShadow | undefined;
      }
    | undefined;
  /** As they hold now, like the limits of strategies. */
  readonly orders: () => OrderOptions;
  /** The symbols to show first: those that strategies declare, and all on which something is held or live. */
  readonly shown: () => readonly InstrumentId[];
  readonly budgets: () => Readonly<Record<Lane, LaneUsage>>;
  /** Records that wait for the disk; when others were on disk last, and how long these had waited. */
  readonly journal: () => {
    readonly waiting: number;
    readonly synced: { readonly at: Micros; readonly took: Micros } | undefined;
  };
  /** There when the daemon compares its days with backtests. */
  readonly drift?: (() => DriftState) | undefined;
  /** There where a sentinel is to be; `undefined` of one that is not to be. */
  readonly sentinel?: (() => OperatedSentinel | undefined) | undefined;
  /** Question for the history of the venue, where it has one. */
  readonly candles?: AskCandles | undefined;
  /** One order of the journal. Rejects with `NotFound` when it names none such, with `BadInput` when it takes too long. */
  readonly explain: (id: string) => Promise<Explained>;
  /** Enters the run as an input of it. */
  readonly act: (act: OperatorAct, who: string, why: string) => void;
  /** Acts on one strategy. Each throws `BadInput` in one sentence, and nothing has changed, when it cannot be done. */
  readonly strategyActs: {
    /** The parameters as they are now, without defaults. */
    params(strategy: string): Readonly<Record<string, unknown>>;
    /** Where its code is now, as the configuration names it, and the JSON Schema of its parameters. */
    code(strategy: string): { readonly path: string; readonly schema: Readonly<Record<string, unknown>> };
    start(strategy: string, who: string, why: string): Promise<void>;
    stop(strategy: string, who: string, why: string): void;
    /** Parameters that are not named stay. */
    setParams(
      strategy: string,
      changes: Readonly<Record<string, unknown>>,
      who: string,
      why: string,
    ): Promise<void>;
    /** Path and params of the shadow become those of the strategy, and the other way round. */
    promote(strategy: string, who: string, why: string): Promise<void>;
  };
  /**
   * Reads the configuration again and takes all of it over, or nothing. Rejects with `BadInput` in one sentence, and nothing has
   * changed, when it cannot.
   */
  readonly reload: (asked: AskedReload) => Promise<ReloadAnswer>;
  /** Begins the orderly stop of the daemon. */
  readonly stop: (why: string) => void;
}

import type { Clock } from '../base/clock.ts';
import { BadInput } from '../base/errors.ts';
import type { Config } from '../config/schema.ts';
import { strategyTag } from '../model/client-order-id.ts';
import type { Instruments } from '../model/instrument.ts';
import type { StateOptions } from '../state/options.ts';
import type { FeedRequest } from '../strategy/feed-request.ts';
import type { HostSetting } from '../strategy/host.ts';
import { launchWorker } from '../strategy/launch-worker.ts';
import { hashStrategy, loadStrategy } from '../strategy/loader.ts';
import { readParams } from '../strategy/params.ts';
import { ThreadHost } from '../strategy/thread-host.ts';
import { WorkerHost } from '../strategy/worker-host.ts';
import type { StrategyPlan } from '../trader/trader-parts.ts';
import type { KeptStates } from './kept-states.ts';
import { StrategyError } from './strategy-error.ts';

type StrategyConfig = Config['strategies'][number];

/** A strategy that was loaded and checked, and what it wants to hear. */
export interface LoadedStrategy {
  readonly plan: StrategyPlan;
  readonly feeds: readonly FeedRequest[];
  readonly sha256: string;
}

export interface PlanSetting {
  readonly clock: Clock;
  readonly instruments: Instruments;
  readonly stateOptions: StateOptions;
  readonly seed: number;
  readonly idPrefix: string;
  readonly run: string;
  /** Overrides what the configuration says: a backtest runs everything in line. */
  readonly host?: 'thread' | undefined;
  readonly kept?: KeptStates | undefined;
}

/** Loads every configured strategy. Throws `StrategyError` (one sentence) when one is not as it must be. */
export async function loadStrategies(
  configs: readonly StrategyConfig[],
  setting: PlanSetting,
): Promise<readonly LoadedStrategy[]> {
  const loaded: LoadedStrategy[] = [];
  for (const config of configs) {
    try {
      loaded.push(await loadOne(config, setting));
    } catch (error) {
      if (error instanceof BadInput) throw new StrategyError(error.message, { cause: error });
      throw error;
    }
  }
  return loaded;
}

async function loadOne(config: StrategyConfig, setting: PlanSetting): Promise<LoadedStrategy> {
  const tag = strategyTag(config.name);
  const { seed, idPrefix, run, clock, kept } = setting;
  const common = {
    seed,
    idPrefix,
    run,
    tag,
    name: config.name,
    clock,
    kept: kept?.read(config.name),
    keep: kept === undefined ? undefined : (state) => kept.write(config.name, state),
  } satisfies Omit<HostSetting, 'publish'>;
  const base = { name: config.name, tag, limits: config.limits };
  if ((setting.host ?? config.host) === 'worker') return openWorker(config, setting, { base, common });
  const definition = await loadStrategy(config.path);
  return {
    feeds: definition.feeds(readParams(definition, config.params)),
    sha256: hashStrategy(config.path),
    plan: {
      ...base,
      open: ({ state, publish }) =>
        new ThreadHost({ ...common, definition, params: config.params, state, publish }),
    },
  };
}

interface Shared {
  readonly base: Omit<StrategyPlan, 'open'>;
  readonly common: Omit<HostSetting, 'publish'>;
}

async function openWorker(
  config: StrategyConfig,
  setting: PlanSetting,
  { base, common }: Shared,
): Promise<LoadedStrategy> {
  const { instruments, clock } = setting;
  const worker = await launchWorker({
    ...common,
    path: config.path,
    params: config.params,
    specs: instruments.all.map((instrument) => instrument.spec),
    stateOptions: setting.stateOptions,
  });
  return {
    feeds: worker.feeds,
    sha256: worker.sha256,
    plan: {
      ...base,
      open: ({ publish }) => new WorkerHost({ worker, clock, instruments, publish, keep: common.keep }),
    },
  };
}

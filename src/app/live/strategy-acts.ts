import { BadInput } from '../../core/base/errors.ts';
import { sinceCarried } from '../../core/trader/carrier.ts';
import type { OperatorAct } from '../../core/model/operator.ts';
import type { StampedEvent } from '../../core/model/stamped-event.ts';
import { ModeStore } from '../../core/state/mode.ts';
import type { StrategyPlan } from '../../core/trader/parts.ts';
import type { Trader } from '../../core/trader/trader.ts';
import type { Config } from '../config/schema.ts';
import type { LoadedStrategy } from '../run/strategy-plans.ts';

type Params = Readonly<Record<string, unknown>>;

export interface StrategyActsParts {
  /** As configured, before what an operator changed. */
  readonly configured: Pick<Config, 'strategies'>;
  /** As this run began with it. */
  readonly config: Pick<Config, 'strategies'>;
  readonly loaded: readonly LoadedStrategy[];
  readonly trader: Pick<Trader, 'view'>;
  /** Enters an act, and what the strategy begins anew with. */
  readonly enter: (act: OperatorAct, who: string, why: string, plan?: StrategyPlan) => void;
}

interface Managed {
  configured: Params;
  params: Params;
  loaded: LoadedStrategy;
  /** An act on it is being prepared. */
  busy: boolean;
}

/** Parameters that strategies were loaded with and that do not hold yet. */
export interface PreparedParams {
  /** Lets them hold: a strategy that runs begins anew at once. */
  enter(who: string, why: string): void;
  /** Lets go of what no strategy runs with. To be called in any case, at the end. */
  letGo(): Promise<void>;
}

interface Ready {
  readonly strategy: string;
  readonly managed: Managed;
  readonly params: Params;
  readonly loaded: LoadedStrategy;
}

/**
 * Acts on one strategy of a run that goes on: what it is to begin anew with is loaded and checked first, and only then does
 * the act enter the run.
 */
export class StrategyActs {
  readonly #parts: StrategyActsParts;
  readonly #managed = new Map<string, Managed>();

  constructor(parts: StrategyActsParts) {
    this.#parts = parts;
    for (const [at, { name, params }] of parts.config.strategies.entries()) {
      const loaded = parts.loaded[at];
      if (loaded === undefined) continue;
      const configured = parts.configured.strategies[at]?.params ?? params;
      this.#managed.set(name, { configured, params, loaded, busy: false });
    }
  }

  /** The parameters of a strategy as they are now, without defaults. */
  params(strategy: string): Params {
    return this.#of(strategy).params;
  }

  /** Starts a strategy that has been stopped. Throws `BadInput`, and nothing is entered, when it cannot be loaded. */
  start(strategy: string, who: string, why: string): Promise<void> {
    return this.#alone(strategy, async (managed) => {
      const loaded = await managed.loaded.again(managed.params);
      if (this.#parts.trader.view.stopped(strategy) === undefined) {
        await loaded.discard();
        throw new BadInput(`strategy ${strategy} runs already`);
      }
      managed.loaded = loaded;
      this.#parts.enter({ act: 'startStrategy', strategy }, who, why, loaded.plan);
    });
  }

  stop(strategy: string, who: string, why: string): void {
    this.#parts.enter({ act: 'stopStrategy', strategy }, who, why);
  }

  /**
   * Changes parameters; those that are not named stay. Throws `BadInput`, and nothing is entered, when the strategy does not take
   * them.
   */
  setParams(strategy: string, changes: Params, who: string, why: string): Promise<void> {
    return this.#alone(strategy, async (managed) => {
      const params = { ...managed.params, ...changes };
      const loaded = await managed.loaded.again(params);
      if (!this.#change({ strategy, managed, params, loaded }, who, why)) await loaded.discard();
    });
  }

  /**
   * Loads strategies with the parameters that their configuration has now. Until `letGo` no other act on them begins. Throws
   * `BadInput`, and nothing is loaded, when one does not take them.
   */
  async prepare(configured: ReadonlyMap<string, Params>): Promise<PreparedParams> {
    const ready: Ready[] = [];
    const idle = new Set<LoadedStrategy>();
    const held = new Set<Managed>();
    const letGo = async (): Promise<void> => {
      for (const managed of held) managed.busy = false;
      await Promise.all([...idle].map((one) => one.discard()));
    };
    try {
      for (const [strategy, params] of configured) {
        const managed = this.#hold(strategy);
        held.add(managed);
        const loaded = await managed.loaded.again(params);
        idle.add(loaded);
        ready.push({ strategy, managed, params, loaded });
      }
    } catch (error) {
      await letGo();
      throw error;
    }
    const enter = (who: string, why: string): void => {
      for (const one of ready) {
        one.managed.configured = one.params;
        if (this.#change(one, who, why)) idle.delete(one.loaded);
      }
    };
    return { enter, letGo };
  }

  /** Whether the strategy runs, with what was loaded; otherwise it has the parameters once it is started. */
  #change({ strategy, managed, params, loaded }: Ready, who: string, why: string): boolean {
    const runs = this.#parts.trader.view.stopped(strategy) === undefined;
    managed.params = params;
    if (runs) managed.loaded = loaded;
    const act: OperatorAct = {
      act: 'setParams',
      strategy,
      params: JSON.stringify(params),
      configured: JSON.stringify(managed.configured),
    };
    this.#parts.enter(act, who, why, runs ? loaded.plan : undefined);
    return runs;
  }

  #of(strategy: string): Managed {
    const managed = this.#managed.get(strategy);
    if (managed === undefined) throw new BadInput(`there is no strategy ${strategy} in this run`);
    return managed;
  }

  /** One act on a strategy at a time: the next one would build on what this one has not done yet. */
  #hold(strategy: string): Managed {
    const managed = this.#of(strategy);
    if (managed.busy) throw new BadInput(`strategy ${strategy}: another act on it is under way`);
    managed.busy = true;
    return managed;
  }

  async #alone(strategy: string, work: (managed: Managed) => Promise<void>): Promise<void> {
    const managed = this.#hold(strategy);
    try {
      await work(managed);
    } finally {
      managed.busy = false;
    }
  }
}

/** A configuration with the parameters that an operator changed in earlier runs, and a sentence on each strategy that has such. */
export interface WithChanges {
  readonly config: Config;
  readonly notes: readonly string[];
}

/**
 * What operators changed about strategies holds over a restart. Once the configuration says something else about the parameters
 * than it did then, it rules again.
 */
export function withChangedParams(config: Config, history: readonly StampedEvent[]): WithChanges {
  const kept = new ModeStore();
  for (const { event } of sinceCarried(history)) {
    if (event.kind === 'stateCarried') kept.take(event.state.mode);
    else if (event.kind === 'operatorActed') kept.applyOperator(event);
  }
  const notes: string[] = [];
  const strategies = config.strategies.map((strategy) => {
    const { name, params } = strategy;
    const off = kept.off(name);
    if (off !== undefined) notes.push(`strategy ${name} stays stopped (${off}): godwit start ${name}`);
    const changed = kept.changedParams(name);
    if (changed === undefined || changed.params === JSON.stringify(params)) return strategy;
    if (changed.configured !== JSON.stringify(params)) {
      notes.push(
        `strategy ${name}: the configuration has other params since an operator changed them, and rules`,
      );
      return strategy;
    }
    notes.push(`strategy ${name} has the params that an operator changed, not those of the configuration`);
    return { ...strategy, params: JSON.parse(changed.params) as typeof params };
  });
  return { config: notes.length === 0 ? config : { ...config, strategies }, notes };
}

import { BadInput } from '../../core/base/errors.ts';
import { sinceCarried } from '../../core/trader/index.ts';
import type { ChangedParams, OperatorAct } from '../../core/model/operator.ts';
import type { StampedEvent } from '../../core/model/stamped-event.ts';
import { ModeStore } from '../../core/state/index.ts';
import type { StrategyPlan, Trader } from '../../core/trader/index.ts';
import type { Config } from '../config/schema.ts';
import { heldBy } from '../../operate/index.ts';
import type { LoadedStrategy } from '../run/strategy-plans.ts';
import type { ShadowStrategy, ShadowRun } from './shadow-run.ts';

type Params = Readonly<Record<string, unknown>>;
type StrategyConfig = Config['strategies'][number];

/** Changes of a promotion besides params: kept as JSON. */
interface Promoted {
  readonly path: string;
  readonly shadow: Pick<ShadowStrategy, 'path' | 'params'>;
  /** Configuration of that time. */
  readonly configured: Pick<StrategyConfig, 'path' | 'shadow'>;
}

export interface StrategyActsDeps {
  /** As configured, before what an operator changed. */
  readonly configured: Pick<Config, 'strategies'>;
  /** As this run began with it. */
  readonly config: Pick<Config, 'strategies'>;
  readonly loaded: readonly LoadedStrategy[];
  readonly trader: Pick<Trader, 'view' | 'instruments'>;
  readonly shadows: Pick<ShadowRun, 'of' | 'load'> | undefined;
  /** Enters an act, and what the strategy begins anew with. */
  readonly enter: (act: OperatorAct, who: string, why: string, plan?: StrategyPlan) => void;
}

interface Managed {
  configured: StrategyConfig;
  path: string;
  params: Params;
  loaded: LoadedStrategy;
  /** After a promotion: as `ChangedParams` has it. */
  promoted: string | undefined;
  /** An act on it is being prepared. */
  busy: boolean;
}

/** Parameters that strategies were loaded with and that do not hold yet. */
export interface PreparedParams {
  /** Lets them hold: a strategy that runs begins anew at once. */
  enter(who: string, why: string): void;
  /** Lets go of what no strategy runs with. To be called in any case, at the end. */
  release(): Promise<void>;
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
  readonly #parts: StrategyActsDeps;
  readonly #managed = new Map<string, Managed>();

  constructor(parts: StrategyActsDeps) {
    this.#parts = parts;
    for (const [at, one] of parts.config.strategies.entries()) {
      const loaded = parts.loaded[at];
      if (loaded === undefined) continue;
      const { name, path, params } = one;
      const configured = parts.configured.strategies[at] ?? one;
      const changed = configured === one ? undefined : parts.trader.view.changedParams(name);
      const promoted = changed?.promoted;
      this.#managed.set(name, { configured, path, params, loaded, promoted, busy: false });
    }
  }

  /** The parameters of a strategy as they are now, without defaults. */
  params(strategy: string): Params {
    return this.#of(strategy).params;
  }

  /** Where the code of a strategy is now, as the configuration names it, and the JSON Schema of its parameters. */
  code(strategy: string): { readonly path: string; readonly schema: Readonly<Record<string, unknown>> } {
    const { path, loaded } = this.#of(strategy);
    return { path, schema: JSON.parse(loaded.paramsSchema) as Readonly<Record<string, unknown>> };
  }

  /** Starts a strategy that has been stopped. Throws `BadInput`, and nothing is entered, when it cannot be loaded. */
  start(strategy: string, who: string, why: string): Promise<void> {
    return this.#alone(strategy, async (managed) => {
      const loaded = await managed.loaded.again(managed.params);
      if (this.#parts.trader.view.stoppedOrEnding(strategy) === undefined) {
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
      if (!this.#changeStrategy({ strategy, managed, params, loaded }, who, why)) await loaded.discard();
    });
  }

  /**
   * Loads strategies with the parameters that their configuration has now. Until `release` no other act on them begins. Throws
   * `BadInput`, and nothing is loaded, when one does not take them.
   */
  async prepare(configured: ReadonlyMap<string, Params>): Promise<PreparedParams> {
    const ready: Ready[] = [];
    const idle = new Set<LoadedStrategy>();
    const held = new Set<Managed>();
    const release = async (): Promise<void> => {
      for (const managed of held) managed.busy = false;
      await Promise.all([...idle].map((one) => one.discard()));
    };
    try {
      for (const [strategy, params] of configured) {
        const managed = this.#holdStrategy(strategy);
        held.add(managed);
        if (managed.promoted !== undefined)
          throw new BadInput(
            `strategy ${strategy} was promoted from its shadow: other params of it in the configuration need a restart of the daemon`,
          );
        const loaded = await managed.loaded.again(params);
        idle.add(loaded);
        ready.push({ strategy, managed, params, loaded });
      }
    } catch (error) {
      await release();
      throw error;
    }
    const enter = (who: string, why: string): void => {
      for (const one of ready) {
        one.managed.configured = { ...one.managed.configured, params: { ...one.params } };
        if (this.#changeStrategy(one, who, why)) idle.delete(one.loaded);
      }
    };
    return { enter, release: release };
  }

  /** Whether the strategy runs, with what was loaded; otherwise it has the parameters once it is started. */
  #changeStrategy({ strategy, managed, params, loaded }: Ready, who: string, why: string): boolean {
    const runs = this.#parts.trader.view.stoppedOrEnding(strategy) === undefined;
    managed.params = params;
    if (runs) managed.loaded = loaded;
    const act: OperatorAct = {
      act: 'setParams',
      strategy,
      params: JSON.stringify(params),
      configured: JSON.stringify(managed.configured.params),
      ...(managed.promoted !== undefined && { promoted: managed.promoted }),
    };
    this.#parts.enter(act, who, why, runs ? loaded.plan : undefined);
    return runs;
  }

  /**
   * Gives a strategy the code and the parameters of its shadow, and the shadow those of the strategy. Throws `BadInput`, and nothing
   * is entered, unless both run and the strategy holds nothing and has no open order.
   */
  promote(strategy: string, who: string, why: string): Promise<void> {
    return this.#alone(strategy, async (managed) => {
      const { path, params, configured } = managed;
      const { shadow, shadows } = this.#promotable(strategy);
      const loaded = await managed.loaded.again(shadow.params, shadow.path);
      try {
        const next = await shadows.load(strategy, { path, params });
        try {
          // Both may have changed while files were loaded.
          this.#promotable(strategy);
          if (loaded.sha256 !== shadow.sha256)
            throw new BadInput(
              `strategy ${strategy}: the files of its shadow have changed since the daemon started: start the daemon again to run them`,
            );
        } catch (error) {
          await next.discard();
          throw error;
        }
        const promoted: Promoted = {
          path: shadow.path,
          shadow: { path, params },
          configured: { path: configured.path, shadow: configured.shadow },
        };
        const texts = {
          params: JSON.stringify(shadow.params),
          configured: JSON.stringify(configured.params),
          promoted: JSON.stringify(promoted),
        };
        Object.assign(managed, {
          path: shadow.path,
          params: shadow.params,
          loaded,
          promoted: texts.promoted,
        });
        this.#parts.enter({ act: 'promote', strategy, ...texts }, who, why, loaded.plan);
        next.enter(who, why);
      } catch (error) {
        await loaded.discard();
        throw error;
      }
    });
  }

  /** The shadow of a strategy that may be promoted now. Throws `BadInput` with why not. */
  #promotable(strategy: string): { shadow: ShadowStrategy; shadows: Pick<ShadowRun, 'of' | 'load'> } {
    const { shadows, trader } = this.#parts;
    const refuse = (why: string): never => {
      throw new BadInput(`strategy ${strategy} ${why}`);
    };
    const shadow = shadows?.of(strategy);
    if (shadows === undefined || shadow === undefined) return refuse('has no shadow in the configuration');
    if (shadow.state === 'stopped') return refuse(`has a shadow that is stopped: ${shadow.why}`);
    if (shadow.state === 'starting') return refuse('has a shadow that has not started yet');
    const stopped = trader.view.stoppedOrEnding(strategy);
    if (stopped !== undefined) return refuse(`is stopped (${stopped}): start it first`);
    const held = heldBy(trader, strategy);
    if (held !== undefined)
      return refuse(`is not flat: it has ${held}; godwit flatten --strategy ${strategy} ends that`);
    return { shadow, shadows };
  }

  #of(strategy: string): Managed {
    const managed = this.#managed.get(strategy);
    if (managed === undefined) throw new BadInput(`there is no strategy ${strategy} in this run`);
    return managed;
  }

  /** One act on a strategy at a time: the next one would build on what this one has not done yet. */
  #holdStrategy(strategy: string): Managed {
    const managed = this.#of(strategy);
    if (managed.busy) throw new BadInput(`strategy ${strategy}: another act on it is under way`);
    managed.busy = true;
    return managed;
  }

  async #alone(strategy: string, work: (managed: Managed) => Promise<void>): Promise<void> {
    const managed = this.#holdStrategy(strategy);
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
 * Applies what operators changed about strategies, which holds over a restart. Once the configuration says something else about that than it did
 * then, it rules again.
 */
export function withChangedParams(config: Config, history: readonly StampedEvent[]): WithChanges {
  const kept = new ModeStore();
  for (const { event } of sinceCarried(history)) {
    if (event.kind === 'stateCarried') kept.takeMode(event.state.mode);
    else if (event.kind === 'operatorActed') kept.applyOperator(event);
  }
  const notes: string[] = [];
  const strategies = config.strategies.map((strategy) => {
    const { name } = strategy;
    const off = kept.off(name);
    if (off !== undefined) notes.push(`strategy ${name} stays stopped (${off}): godwit start ${name}`);
    const given = kept.changedParams(name);
    if (given === undefined) return strategy;
    const { before, after } = changeOf(given);
    if (after.isIn(strategy)) return strategy;
    const what = given.promoted === undefined ? 'params' : 'path, params or shadow';
    if (!before.isIn(strategy)) {
      notes.push(
        `strategy ${name}: the configuration has other ${what} since an operator changed them, and rules`,
      );
      return strategy;
    }
    const which = given.promoted === undefined ? 'params' : 'path and params';
    const how = given.promoted === undefined ? 'changed' : 'promoted from its shadow';
    notes.push(`strategy ${name} has the ${which} that an operator ${how}, not those of the configuration`);
    return { ...strategy, ...after.values };
  });
  return { config: notes.length === 0 ? config : { ...config, strategies }, notes };
}

/** Settings of a strategy, and whether an entry of a configuration has the same. */
interface Values {
  readonly values: Partial<StrategyConfig>;
  isIn(strategy: StrategyConfig): boolean;
}

/** Change of an operator: what the configuration said then, and what has been in its place since. */
function changeOf({ params, configured, promoted }: ChangedParams): { before: Values; after: Values } {
  const swap = promoted === undefined ? undefined : (JSON.parse(promoted) as Promoted);
  const of = (text: string, rest: Partial<StrategyConfig> | undefined): Values => {
    const values = { params: JSON.parse(text) as StrategyConfig['params'], ...rest };
    const same = Object.entries(values);
    return {
      values,
      isIn: (strategy) =>
        same.every(
          ([key, value]) => JSON.stringify(strategy[key as keyof StrategyConfig]) === JSON.stringify(value),
        ),
    };
  };
  return {
    before: of(configured, swap?.configured),
    after: of(params, swap && { path: swap.path, shadow: swap.shadow }),
  };
}

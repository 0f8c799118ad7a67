import { isTree } from '../../core/config/layers.ts';
import type { LimitSettings } from '../../core/orders/options.ts';
import { limitsAmong, liveLimits } from '../../core/orders/options.ts';
import type { Config } from './schema.ts';

/** One setting that differs between two configurations. `undefined` where it is not set. */
export interface ConfigChange {
  /** Keys from the top; the one below `strategies` is the name of a strategy. */
  readonly path: readonly string[];
  readonly from: unknown;
  readonly to: unknown;
}

export interface ConfigComparison {
  /** What a run can take over while it goes on. */
  readonly live: readonly ConfigChange[];
  /** Keys of what is fixed with the run, such as `venue.base_url`. */
  readonly fixed: readonly string[];
}

/** What differs between the configuration of a run and another one, and what of it the run can take over. */
export function compareConfigs(running: Config, read: Config): ConfigComparison {
  const changes = changesOf(treeOf(running), treeOf(read), []);
  return {
    live: changes.filter(({ path }) => isLive(path)),
    fixed: [
      ...changes.filter(({ path }) => !isLive(path)).map(({ path }) => path.join('.')),
      ...(isReordered(running, read) ? ['strategies: their order'] : []),
    ],
  };
}

/** What the controls of a run with this configuration go by. */
export function limitsIn({ orders, strategies }: Config): LimitSettings {
  return limitsAmong(orders, strategies);
}

/** Parameters of strategies, what the controls go by, and where news goes. */
function isLive([section, first = '', second = '', third = '']: readonly string[]): boolean {
  switch (section) {
    case 'orders':
      return liveLimits.orders.has(first);
    case 'strategies':
      return second === 'params' || (second === 'limits' && liveLimits.strategy.has(third));
    case 'operate':
      return first === 'notify';
    default:
      return false;
  }
}

/** Strategies and programs by their names. Limits of a program stand among the strategies of a gateway. */
function treeOf({ strategies, programs, ...config }: Config): Readonly<Record<string, unknown>> {
  const named = strategies.map(({ name, ...strategy }) => [name, strategy] as const);
  const served = programs.map(({ name, limits: _limits, ...program }) => [name, program] as const);
  return { ...config, strategies: Object.fromEntries(named), programs: Object.fromEntries(served) };
}

/** A name that is listed twice counts as well: the second one would go unseen. */
function isReordered(running: Config, read: Config): boolean {
  const namesOf = ({ strategies }: Config): readonly string[] => strategies.map(({ name }) => name);
  const [before, after] = [namesOf(running), namesOf(read)];
  return before.toSorted().join() === after.toSorted().join()
    ? before.join() !== after.join()
    : new Set(after).size < after.length;
}

function changesOf(from: unknown, to: unknown, path: readonly string[]): readonly ConfigChange[] {
  if (!isTree(from) || !isTree(to)) return isEqual(from, to) ? [] : [{ path, from, to }];
  const keys = new Set([...Object.keys(from), ...Object.keys(to)]);
  return [...keys].toSorted().flatMap((key) => changesOf(from[key], to[key], [...path, key]));
}

function isEqual(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

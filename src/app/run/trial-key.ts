import { createHash } from 'node:crypto';
import { isTree } from '../../core/config/layers.ts';
import type { Point } from '../../research/search/index.ts';
import { hashStrategy, loadStrategy, readParams } from '../../core/strategy/framework.ts';
import { hashFillModel } from './fill-module.ts';
import type { ConfiguredScenario } from './scenario.ts';

/**
 * Key of a run as an attempt on its data, as the trial log keeps it. A backtest and a trial of a sweep
 * with the same parameters have one key: parameters that are not named count with their defaults, and neither paths
 * nor what decides nothing is in it.
 */
export interface TrialKey {
  readonly config: string;
  /** Hash of the strategies' files. A new version of Godwit is no new attempt: its own hash does not count. */
  readonly code: string;
}

/** Differences of one run. */
export interface TrialChanges {
  /** Parameters over those that are configured. */
  readonly point?: Point | undefined;
  /** Which part of the data is run, where it is not all. */
  readonly part?: string | undefined;
}

/** Names the runs of some strategies on some data. */
export interface TrialNamer {
  readonly code: string;
  of(changes?: TrialChanges): TrialKey;
}

/** Names the runs of a scenario. Throws `BadInput` when a strategy cannot be loaded or refuses its parameters. */
export async function keptTrials(loaded: ConfiguredScenario): Promise<TrialNamer> {
  const { strategies } = loaded.config;
  const definitions = await Promise.all(
    strategies.map(async ({ path, name }) => await loadStrategy(path, name)),
  );
  const fillModel = hashFillModel(loaded);
  const hashes = [
    ...strategies.map(({ path }) => hashStrategy(path)),
    ...(fillModel === undefined ? [] : [fillModel]),
  ];
  const code = hashes.map((hash) => hash.slice(0, 16)).join(' ');
  const of = ({ point = {}, part }: TrialChanges = {}): TrialKey => {
    const chosen = strategies.map(({ params, limits }, i) => ({
      params: readParams(definitions[i] as (typeof definitions)[number], { ...params, ...point }),
      limits,
    }));
    const text = canonical({
      ...loaded.names.attempt,
      strategies: chosen,
      ...(part === undefined ? {} : { part }),
    });
    return { config: createHash('sha256').update(text).digest('hex').slice(0, 16), code };
  };
  return { code, of };
}

/** JSON whose keys stand in the order of the alphabet: said in another order, it is the same. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => {
    if (typeof one === 'bigint') return `${one}n`;
    return isTree(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one;
  });
}

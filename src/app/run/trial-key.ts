import { createHash } from 'node:crypto';
import { isTree } from '../../core/config/layers.ts';
import type { Config } from '../config/schema.ts';
import type { LoadedScenario } from '../../research/scenario/load.ts';
import { readingOfSources } from '../../research/scenario/sources.ts';
import type { Point } from '../../research/search/space.ts';
import { hashStrategy, loadStrategy } from '../../core/strategy/loader.ts';
import { readParams } from '../../core/strategy/params.ts';
import { hashFillModel } from './fill-module.ts';
import { scenarioConfig } from './scenario-config.ts';

/**
 * What makes a run another attempt on the same data, as the trial log keeps it. A backtest and a trial of a sweep
 * with the same parameters have one key: parameters that are not named count with their defaults, and neither paths
 * nor what decides nothing is in it.
 */
export interface TrialKey {
  readonly config: string;
  /** Of the strategies' files. A new version of Godwit is no new attempt: its own hash does not count. */
  readonly code: string;
}

/** What is different about one run. */
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

/** Names runs on a recording. Throws `BadInput` when a strategy cannot be loaded or refuses its parameters. */
export async function recordingTrials(config: Config): Promise<TrialNamer> {
  const { orders, gate, budgets, sim, backtest, state, run } = config;
  return await namer(config, { orders, gate, budgets, sim, backtest, state, seed: run.seed });
}

/** Names runs of a scenario: its clock, data and parameters are in the key, its name, samples and report are not. */
export async function scenarioTrials(loaded: LoadedScenario, home: string): Promise<TrialNamer> {
  const { name: _name, note: _note, sample: _sample, report: _report, ...terms } = loaded.scenario;
  const { strategy: _strategy, data, sources, ...rest } = terms;
  const config = scenarioConfig(loaded, home);
  const what = {
    ...rest,
    data: data.map(({ role }) => role),
    ...(sources === undefined ? {} : { sources: readingOfSources(sources) }),
  };
  return await namer(config, what, hashFillModel(loaded));
}

async function namer({ strategies }: Config, what: object, fillModel?: string): Promise<TrialNamer> {
  const definitions = await Promise.all(strategies.map(async ({ path }) => await loadStrategy(path)));
  const hashes = strategies.map(({ path }) => hashStrategy(path));
  if (fillModel !== undefined) hashes.push(fillModel);
  const code = hashes.map((hash) => hash.slice(0, 16)).join(' ');
  const of = ({ point = {}, part }: TrialChanges = {}): TrialKey => {
    const chosen = strategies.map(({ params, limits }, i) => ({
      params: readParams(definitions[i] as (typeof definitions)[number], { ...params, ...point }),
      limits,
    }));
    const text = canonical({ ...what, strategies: chosen, ...(part === undefined ? {} : { part }) });
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

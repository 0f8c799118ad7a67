import { dirname, resolve } from 'node:path';
import { fail } from '../../core/base/assert.ts';
import { timeText } from '../../core/base/clock.ts';
import { ConfigError } from '../../core/config/error.ts';
import { strategyExists } from '../../core/strategy/framework.ts';
import { loadConfig } from '../config/load.ts';
import type { Config } from '../config/schema.ts';
import type { ReportedSetting } from '../../research/report/index.ts';
import type { ScenarioWay, LoadedScenario, Scenario } from '../../research/scenario/index.ts';
import { scenarioSchema, readingOfSources } from '../../research/scenario/index.ts';
import { digestOf } from '../../research/search/space.ts';
import type { ConfiguredScenario } from './scenario.ts';
import { settingsOf, termsThatDiffer } from './settings.ts';
import { strategyName, strategyPath } from './strategy-path.ts';

/** The scenario of a file, under the default configuration with its strategy, seed and sections in it. Throws `ConfigError` when its strategy is not there. */
export function configuredScenario(loaded: LoadedScenario, home: string): ConfiguredScenario {
  const config = scenarioConfig(loaded, home);
  // The series are among the terms of the scenario.
  const { strategies: _, report: _figures, series: _series, ...sections } = config;
  const { name: _name, note: _note, sample: _sample, report: _report, ...terms } = loaded.scenario;
  const { strategy: _strategy, data, sources, ...rest } = terms;
  return {
    ...loaded,
    config,
    order: 'exchange',
    account: 'scenario',
    lists: true,
    names: {
      deciding: { ...sections, scenario: terms },
      said: saidHash({ kind: 'scenario', ...loaded, home }),
      attempt: {
        ...rest,
        data: data.map(({ role }) => role),
        ...(sources === undefined ? {} : { sources: readingOfSources(sources) }),
      },
      settings: [
        ...termsThatDiffer(loaded.scenario),
        // The fill model of the scenario decides these two.
        ...settingsOf(config).filter(({ name }) => !/^sim\.queue(Model|Power)$/.test(name)),
      ],
    },
  };
}

/** Terms of a run of recordings that no configuration has. */
export interface RecordedTerms {
  /** Part of the data that is run. */
  readonly clock?: Scenario['clock'] | undefined;
  /** Whether the data are bars or trades alone, so that orders fill from them. */
  readonly bars?: boolean | undefined;
}

/**
 * The default scenario: strategies on a recording as it was received, filled by the strict model, with the latency and the money of the
 * configuration. Its data are those that it is run with, or what of them lies in its clock. With `bars` the fill model of
 * bars takes the place of the strict one, with its defaults.
 */
export function recordedScenario(
  config: Config,
  { clock: span = {}, bars = false }: RecordedTerms = {},
): ConfiguredScenario {
  const { orders, gate, budgets, sim, backtest, state, run, report, strategies } = config;
  const { seed } = run;
  // How figures are made decides nothing of the run, nor does the place where it is kept.
  const { report: _, ...deciding } = config;
  const [first] = strategies;
  const clock = Object.fromEntries(Object.entries(span).filter(([, time]) => time !== undefined));
  const terms = {
    ...(Object.keys(clock).length === 0 ? {} : { clock }),
    ...(bars ? { fills: 'bars' } : {}),
  };
  const defaults = scenarioSchema.parse({
    name: 'default',
    data: ['recording'],
    strategy: { path: first?.path ?? '-', params: first?.params ?? {} },
    ...(bars ? { fills: { model: 'bars' } } : {}),
  });
  return {
    scenario: {
      ...defaults,
      name: '',
      data: [],
      seed,
      report,
      clock,
      import: { ...defaults.import, tickers: true },
      ...(bars ? {} : ticksOf(sim)),
    },
    file: '',
    sha256: undefined,
    config,
    order: 'receipt',
    account: 'configuration',
    lists: false,
    names: {
      deciding: { ...deciding, ...terms, run: { seed } },
      said: saidHash({ kind: 'recording', config, ...terms }),
      attempt: { orders, gate, budgets, sim, backtest, state, seed, ...terms },
      settings: [...spanSettings(span), ...settingsOf(config)],
    },
  };
}

/** Latencies and fill model of a run on books and trades. */
function ticksOf(sim: Config['sim']): Pick<Scenario, 'latency' | 'fills'> {
  const [entry, report] = [sim.entryLatency, sim.reportLatency] as ScenarioWay[];
  if (entry === undefined || report === undefined) fail('a configuration has both latencies');
  return {
    latency: { feed: 'recorded', entry, report },
    fills: { model: 'shadow', queue: sim.queueModel, power: sim.queuePower },
  };
}

function spanSettings(span: Scenario['clock']): readonly ReportedSetting[] {
  return (['start', 'end'] as const).flatMap((end) => {
    const time = span[end];
    if (time === undefined) return [];
    return [{ name: `clock.${end}`, value: timeText(time), usual: undefined, group: undefined }];
  });
}

function saidHash(said: object): string {
  return digestOf([JSON.stringify(said)]);
}

/** The scenario as another machine sent it: its strategy stands beside the scenario or among the shipped ones, where the path of the sender is not here. */
export function withStrategyHere(loaded: ConfiguredScenario, home: string): ConfiguredScenario {
  const { config } = loaded;
  const strategies = config.strategies.map((one) =>
    strategyExists(one.path) ? one : { ...one, path: strategyOf(loaded, home) },
  );
  return { ...loaded, config: { ...config, strategies } };
}

/** The path of the strategy that a scenario names. Throws `ConfigError` when there is none. */
function strategyOf({ scenario, file }: Pick<LoadedScenario, 'scenario' | 'file'>, home: string): string {
  const { path } = scenario.strategy;
  const beside = resolve(dirname(file), path);
  const found = strategyExists(beside) ? beside : strategyPath(path, home);
  if (strategyExists(found)) return found;
  throw new ConfigError(
    `${file}: strategy.path: expected a strategy beside the scenario or a shipped one, found ${path}`,
  );
}

/** The default configuration with the scenario's strategy, seed, sections and queue model in it. */
function scenarioConfig({ scenario, file }: Pick<LoadedScenario, 'scenario' | 'file'>, home: string): Config {
  const { strategy, seed, fills, report, series, config = {} } = scenario;
  const path = strategyOf({ scenario, file }, home);
  const sim = config.sim ?? {};
  const queue = fills.model === 'shadow' ? { queueModel: fills.queue, queuePower: fills.power } : {};
  return loadConfig({
    files: [],
    environment: {},
    sets: [],
    baseOrigin: `${file}: config`,
    base: {
      ...config,
      sim: { ...sim, ...queue },
      run: { seed },
      report,
      ...(series !== undefined && { series }),
      strategies: [
        {
          name: strategyName(strategy.path),
          path,
          params: strategy.params,
          ...(strategy.limits !== undefined && { limits: strategy.limits }),
          host: 'thread',
        },
      ],
    },
  }).config;
}

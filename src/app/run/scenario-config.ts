import { dirname, resolve } from 'node:path';
import { ConfigError } from '../../core/config/error.ts';
import { strategyExists } from '../../core/strategy/loader.ts';
import { loadConfig } from '../config/load.ts';
import type { Config } from '../config/schema.ts';
import type { BarFills } from '../../research/scenario/bar-fills.ts';
import type { LoadedScenario } from '../../research/scenario/load.ts';
import type { ScenarioData } from '../../research/scenario/recording.ts';
import { fillModelText, fundingText, liquidationText } from '../../research/scenario/engine.ts';
import { wayText } from '../../research/scenario/latency-ways.ts';
import { filesOf } from '../../research/scenario/sources.ts';
import { isBarScenario } from '../../research/scenario/scenario.ts';
import { hashOf } from './hashes.ts';
import { strategyName, strategyPath } from './strategy-path.ts';
import type { LoadedStrategy } from './strategy-plans.ts';
import { strategiesText } from './strategy-plans.ts';

/** The usual configuration with the scenario's strategy, seed, sections and queue model in it. */
export function scenarioConfig(
  { scenario, file }: Pick<LoadedScenario, 'scenario' | 'file'>,
  home: string,
): Config {
  const { strategy, seed, fills, report, config = {} } = scenario;
  const beside = resolve(dirname(file), strategy.path);
  const path = strategyExists(beside) ? beside : strategyPath(strategy.path, home);
  if (!strategyExists(path))
    throw new ConfigError(
      `${file}: strategy.path: expected a strategy beside the scenario or a shipped one, found ${strategy.path}`,
    );
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

/** The head of a scenario's report. */
export function scenarioIdentity(run: {
  readonly loaded: LoadedScenario;
  readonly config: Config;
  readonly data: ScenarioData;
  readonly strategies: readonly LoadedStrategy[];
  readonly digest: string;
}): Record<string, string | number> {
  const { loaded, config, data, strategies, digest } = run;
  const { scenario } = loaded;
  const { feed, entry, report } = scenario.latency;
  const { strategies: _, report: _figures, ...sections } = config;
  const { name: _name, note: _note, sample: _sample, report: _report, ...terms } = scenario;
  return {
    mode: 'backtest',
    scenario: `${scenario.name} ${loaded.sha256}`,
    data: filesOf(scenario)
      .map(({ path }) => path.split(/[\\/]/).at(-1))
      .join(' + '),
    'data format': data.recording.format,
    'data grade': data.recording.grade,
    seed: scenario.seed,
    configuration: hashOf({ ...sections, scenario: terms }),
    strategy: strategiesText(strategies),
    'fill model': isBarScenario(scenario) ? barFillText(scenario.fills) : fillModelText(scenario),
    latency: isBarScenario(scenario)
      ? 'none: a command meets the price of its moment'
      : `feed ${wayText(feed)}, entry ${wayText(entry)}, report ${wayText(report)}`,
    decisions: digest,
  };
}

function barFillText({ market, path, limits, slippage, account }: BarFills): string {
  const worse = Number(slippage.rate) === 0 ? 'no slippage' : `slippage ${slippage.rate} on ${slippage.on}`;
  const rules = [marketTexts[market], `${path} path`];
  return (
    ['bars', ...rules, `limits ${limits}`, worse, ...accountTexts(account)].join(', ') +
    fundingText(account.kind === 'margin' ? account.funding : undefined)
  );
}

const marketTexts: Readonly<Record<BarFills['market'], string>> = {
  nextOpen: 'decided on the closed bar and filled at the next open (market: nextOpen)',
  open: 'filled at the open that the strategy was told (market: open)',
  close: 'filled at the close of the bar that was decided on (market: close)',
};

function accountTexts(account: BarFills['account']): readonly string[] {
  if (account.kind === 'spot') return ['spot account'];
  const { liquidation } = account;
  return ['margin account', ...(liquidation === undefined ? [] : [liquidationText(liquidation.rate)])];
}

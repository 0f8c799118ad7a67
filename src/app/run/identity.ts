import type { ScenarioData } from '../../research/scenario/index.ts';
import { isBarScenario } from '../../research/scenario/bar-terms.ts';
import { fillModelText } from '../../research/scenario/fill-text.ts';
import { wayText } from '../../research/scenario/latency-ways.ts';
import { filesOf } from '../../research/scenario/sources.ts';
import { hashOf } from './hashes.ts';
import type { ConfiguredScenario } from './scenario.ts';
import type { LoadedStrategy } from './strategy-plans.ts';
import { strategiesText } from './strategy-plans.ts';

/** Run that the head of a report names. */
export interface IdentifiedRun {
  readonly loaded: ConfiguredScenario;
  readonly recording: ScenarioData['recording'];
  readonly strategies: readonly LoadedStrategy[];
  readonly digest: string;
}

/** The head of the report of a backtest. Data that the scenario does not name are named as they were recorded. */
export function identityOf(run: IdentifiedRun): Record<string, string | number> {
  const { loaded, recording, strategies, digest } = run;
  const { scenario, sha256, names, config } = loaded;
  const files = filesOf(scenario).map(({ path }) => path);
  return {
    mode: 'backtest',
    ...(sha256 === undefined ? {} : { scenario: `${scenario.name} ${sha256}` }),
    data: (files.length === 0 ? recording.paths : files)
      .map((path) => path.split(/[\\/]/).at(-1))
      .join(' + '),
    'data format': recording.format,
    'data grade': recording.grade,
    ...seriesText(config),
    seed: config.run.seed,
    configuration: hashOf(names.deciding),
    strategy: strategiesText(strategies),
    'fill model': fillModelText(scenario),
    latency: latencyText(loaded),
    decisions: digest,
  };
}

/** Files of series by name, where there are any. */
function seriesText({ series }: ConfiguredScenario['config']): { readonly series?: string } {
  if (series === undefined) return {};
  const files = Object.entries(series).map(([name, { path }]) => `${name} ${path.split(/[\\/]/).at(-1)}`);
  return { series: files.join(', ') };
}

/** Each way in words; market data in the order of receipt always come as recorded. */
function latencyText({ scenario, order }: ConfiguredScenario): string {
  if (isBarScenario(scenario)) return 'none: a command meets the price of its moment';
  const { feed, entry, report } = scenario.latency;
  const ways = `entry ${wayText(entry)}, report ${wayText(report)}`;
  return order === 'receipt' ? ways : `feed ${wayText(feed)}, ${ways}`;
}

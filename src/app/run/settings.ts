import { timeText } from '../../core/base/clock.ts';
import { isTree } from '../../core/config/layers.ts';
import type { Config } from '../config/schema.ts';
import { configSchema } from '../config/schema.ts';
import type { ReportedSetting } from '../../research/report/index.ts';
import { readingOfSources } from '../../research/scenario/sources.ts';
import type { Dimension, Space } from '../../research/search/index.ts';
import type { Scenario } from '../../research/scenario/scenario.ts';
import { scenarioSchema } from '../../research/scenario/scenario.ts';
import type { StrategyDefinition } from '../../core/strategy/framework.ts';
import { loadStrategy, readParams, defaultParams } from '../../core/strategy/framework.ts';

/** Sections of a configuration that a backtest, or what is said of it, depends on. */
const deciding = ['orders', 'gate', 'budgets', 'sim', 'backtest', 'state', 'report'] as const;
const secret = /secret|password|token|api_?key|passphrase/i;
const shownMax = 200;

/** Every parameter of the strategies of a backtest, those that were not named with their defaults. */
export async function strategyParameters(
  strategies: Config['strategies'],
): Promise<readonly ReportedSetting[]> {
  const all = await Promise.all(
    strategies.map(async ({ name, path, params, limits }) => {
      const definition = await loadStrategy(path, name);
      const values = [...flat(readParams(definition, params)), ...flat({ limits })];
      const usual = new Map([...flat(defaultParams(definition)), ...flat({ limits: usualLimits() })]);
      return values
        .filter(([one, text]) => !one.startsWith('limits.') || usual.get(one) !== text)
        .map(([one, text]) => settingOf(one, text, { usual: usual.get(one), group: name }));
    }),
  );
  return all.flat();
}

/** The same of the strategy of a sweep: of a parameter that is searched, which values. */
export function searchedParameters(
  definition: StrategyDefinition,
  space: Space,
  params: Readonly<Record<string, unknown>>,
): readonly ReportedSetting[] {
  const usual = defaultParams(definition);
  const searched = Object.fromEntries(space.dimensions.map((one) => [one.name, valuesText(one)]));
  const known = new Map(flat(usual));
  return flat({ ...usual, ...params, ...searched }).map(([one, text]) =>
    settingOf(one, text, { usual: known.get(one), group: undefined }),
  );
}

/** Which values of a parameter are searched. */
function valuesText(one: Dimension): string {
  if (one.kind === 'choice') return one.choices.map(String).join(', ');
  const step = one.step === undefined ? '' : ` by ${one.step}`;
  return `${one.low} to ${one.high}${step}${one.log ? ', by the logarithm' : ''}`;
}

/** The same of a session, which loads strategies elsewhere: the parameters that were named. */
export function namedParameters(strategies: Config['strategies']): readonly ReportedSetting[] {
  return strategies.flatMap(({ name, params }) =>
    flat(params).map(([one, text]) => settingOf(one, text, { usual: undefined, group: name })),
  );
}

/** Settings of a configuration that are not the defaults. */
export function settingsOf(config: Config): readonly ReportedSetting[] {
  const pick = (from: Config): object => Object.fromEntries(deciding.map((name) => [name, from[name]]));
  return unusual(pick(config), pick(configSchema.parse({})));
}

/** Terms of a scenario file that are not the defaults of its fill model, besides the sections of the configuration. */
export function termsThatDiffer(scenario: Scenario): readonly ReportedSetting[] {
  const usual = scenarioSchema.safeParse({
    name: 'usual',
    data: ['usual'],
    strategy: { path: 'usual' },
    fills: { model: scenario.fills.model },
  });
  return unusual(termsOf(scenario), usual.success ? termsOf(usual.data) : {});
}

/** Terms of a run in its scenario besides data, strategy and what stands elsewhere in a report. */
function termsOf(scenario: Scenario): object {
  const { name: _name, note: _note, data: _data, strategy: _strategy, seed: _seed, ...rest } = scenario;
  // `report` is shown as a section of the configuration.
  const { sample: _sample, config: _config, report: _report, clock, sources, ...terms } = rest;
  const { start, end } = clock;
  const times = { start: start && timeText(start), end: end && timeText(end) };
  return {
    ...terms,
    clock: times,
    sources: sources && Object.fromEntries(readingOfSources(sources).entries()),
  };
}

function unusual(values: unknown, usual: unknown): readonly ReportedSetting[] {
  const known = new Map(flat(usual));
  return flat(values)
    .filter(([name, text]) => known.get(name) !== text)
    .map(([name, text]) => settingOf(name, text, { usual: known.get(name), group: undefined }));
}

function settingOf(
  name: string,
  text: string,
  { usual, group }: { usual: string | undefined; group: string | undefined },
): ReportedSetting {
  const value = secret.test(name)
    ? 'not shown'
    : text.length > shownMax
      ? `${text.slice(0, shownMax)}…`
      : text;
  return { name, value, usual, group };
}

function usualLimits(): unknown {
  return configSchema.parse({ strategies: [{ name: 'usual', path: 'usual' }] }).strategies[0]?.limits;
}

/** Every value below a tree as `path.to.value` and its text. */
function flat(value: unknown, path = ''): readonly (readonly [string, string])[] {
  if (value === undefined) return [];
  if (isTree(value) && Object.keys(value).length > 0)
    return Object.entries(value).flatMap(([key, one]) => flat(one, path === '' ? key : `${path}.${key}`));
  if (path === '' || isEmpty(value)) return [];
  return [
    [path, typeof value === 'string' ? value : typeof value === 'bigint' ? String(value) : textOf(value)],
  ];
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one)) ?? '';
}

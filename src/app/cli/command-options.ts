import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import { handed } from '../process/handed.ts';
import type { NamedScenario } from '../backtest/index.ts';
import type { Config } from '../config/schema.ts';
import type { ConfigSources } from '../config/load.ts';
import { filesOfFolder, loadConfig, venueModuleIn } from '../config/load.ts';
import type { Tree } from '../../core/config/layers.ts';
import { home } from '../process/package.ts';
import { namedStrategy, strategyName, strategyPath } from '../run/strategy-path.ts';
import { UsageError } from './errors.ts';
import type { NamedSpan } from './span-options.ts';

/** Options every command takes. */
export interface CommonOptions {
  readonly json?: boolean;
  readonly config?: readonly string[];
  readonly set?: readonly string[];
}

export function withCommonOptions(command: Command): Command {
  return command
    .option(
      '--config <file>',
      'YAML configuration; may be repeated, later wins; godwit.yaml of this folder when left out',
      collect,
    )
    .option('--set <path=value>', 'one setting, such as orders.collarPercent=3; may be repeated', collect)
    .option('--json', 'machine-readable: one document, or one line per event');
}

/** Options of a command that takes no more of a configuration than the venue whose recordings it reads. */
export function withVenueOptions(command: Command): Command {
  return command
    .option(
      '--config <file>',
      'YAML configuration that names the venue of the recording by venue.module',
      collect,
    )
    .option('--set <path=value>', 'one setting, such as venue.module=./venue.ts; may be repeated', collect);
}

/**
 * A command that opens recordings: before it acts, those of the venue are readable that its configuration names by `venue.module`.
 * `isAlone`: nothing else of the configuration is used, so what is wrong with it is said here. Throws `ConfigError`.
 */
export function readsRecordings(command: Command, isAlone = false): Command {
  return command.hook('preAction', async (_, action) => {
    const options = action.opts<CommonOptions>();
    const isNamed = options.config !== undefined || options.set !== undefined;
    const module = isAlone && isNamed ? configOf(options).venue.module : venueModuleIn(sourcesOf(options));
    if (module === undefined) return;
    const { loadVenue } = await import('../venue/load.ts');
    await loadVenue({ module });
  });
}

/** One strategy named on the command line. */
export interface StrategyOptions {
  readonly strategy?: string;
  readonly param?: readonly string[];
}

/** The option that writes what a run makes as tables. */
export function exportOption(): Option {
  return new Option(
    '--export <folder>',
    'also write fills, orders, round trips, equity and positions into this folder, as CSV and Parquet',
  );
}

export function withStrategyOptions(command: Command): Command {
  return command
    .option(
      '--strategy <name>',
      'a shipped strategy (market-maker) or the path of one, instead of those configured',
    )
    .option('--param <name=value>', 'a parameter of that strategy; may be repeated', collect);
}

/** The configuration of a command: its own base, files, environment, `--set`. */
export function configOf(options: CommonOptions, base: Tree = {}): Config {
  return loadConfig({ ...sourcesOf(options), base }).config;
}

/** The configuration of a recorded session with what the command names on top. That of this folder is none of the session's. */
export function configOver(recorded: Tree, { config = [], ...options }: CommonOptions): Config {
  return configOf({ ...options, config }, recorded);
}

/** Files, variables and settings that the configuration of a command is read from. */
export function sourcesOf({ config, set = [] }: CommonOptions): ConfigSources {
  return { files: config ?? filesOfFolder(), environment: handed.environment, sets: set };
}

/** Where a strategy lies that is named on the command line. */
export const shipped = (name: string): string => namedStrategy(name, home);

/** The configuration with the strategy of the command line, when one was named; shipped strategies by their paths. */
export function withStrategy(config: Config, options: StrategyOptions): Config {
  if (options.strategy === undefined) {
    if (options.param !== undefined) throw new UsageError('--param: expected --strategy with it');
    const strategies = config.strategies.map(({ shadow, ...one }) => ({
      ...one,
      path: strategyPath(one.path, home),
      ...(shadow && {
        shadow: { ...shadow, ...(shadow.path !== undefined && { path: strategyPath(shadow.path, home) }) },
      }),
    }));
    return { ...config, strategies };
  }
  const path = shipped(options.strategy);
  const name = strategyName(path);
  const [first] = config.strategies;
  const limits = first?.limits ?? {
    openOrdersMax: 200,
    messagesPerSecondMax: 100,
    positionMax: {},
    loss: {},
  };
  return {
    ...config,
    strategies: [
      { name, path, params: assignedParams(options.param ?? []), host: 'worker', trust: 'limited', limits },
    ],
  };
}

export function assignedParams(assignments: readonly string[], option = '--param'): Record<string, unknown> {
  return Object.fromEntries(
    assignments.map((assignment) => {
      const split = assignment.indexOf('=');
      if (split <= 0) throw new UsageError(`${option} ${assignment}: expected the form name=value`);
      return [assignment.slice(0, split), valueOf(assignment.slice(split + 1))];
    }),
  );
}

/** JSON where it is JSON (numbers, booleans, lists), text otherwise. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** What `--full` does. */
export const fullText =
  'print every figure, table and parameter; the short form leaves out what has no value';

/** An option that may be repeated. */
export function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `60s`, `5m`, `250ms`, `2h` as milliseconds. */
export function durationMs(text: string): number {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text);
  const unit = units[match?.[2] ?? ''];
  if (match === null || unit === undefined)
    throw new InvalidArgumentError('expected a duration such as 60s, 5m or 2h.');
  return Number(match[1]) * unit;
}

/** How long a run goes on: a duration above zero. */
export function runTimeMs(text: string): number {
  const ms = durationMs(text);
  if (ms === 0)
    throw new InvalidArgumentError(
      'expected more than no time, such as 60s; leave it out to run until Ctrl-C.',
    );
  return ms;
}

/** A whole number from `low` to `high`. */
export function wholeNumber(low: number, high: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d{1,15}$/.test(text) || value < low || value > high) {
      throw new InvalidArgumentError(`expected a whole number from ${low} to ${high}.`);
    }
    return value;
  };
}

/** Takes the exit code of the command that was named. */
export type Run = (code: Promise<number> | number) => Promise<void>;

/** What decides about a run besides its data; a scenario says all of it itself. */
interface ScenarioOptions extends CommonOptions, StrategyOptions {
  readonly scenario?: string;
  readonly seed?: number;
}

/**
 * The scenario that a command line names: a file, or recordings with the settings of the line; of either only `span` is run, where it says
 * one. Throws `UsageError` when it names none, or settings beside a file, which would be ignored.
 */
export function namedScenario(
  verb: string,
  recordings: readonly string[],
  options: ScenarioOptions,
  span: NamedSpan = {},
): NamedScenario {
  const { scenario: file, seed } = options;
  if (file === undefined) {
    expectRecordings(verb, recordings);
    const config = configOf(options, { run: seed === undefined ? {} : { seed } });
    return { config: withStrategy(config, options), recordings, span };
  }
  const other =
    recordings[0] ??
    (['strategy', 'param', 'seed', 'config', 'set'] as const)
      .filter((name) => options[name] !== undefined)
      .map((name) => `--${name}`)[0];
  if (other !== undefined)
    throw new UsageError(`${verb} --scenario: expected nothing else to say what is run, found ${other}`);
  return { file, home, span };
}

/** Throws `UsageError` when no recording is named, or when what is named is a file of settings. */
function expectRecordings(verb: string, recordings: readonly string[]): void {
  if (recordings.length === 0)
    throw new UsageError(`${verb}: missing required argument 'recording', or --scenario FILE instead of it`);
  const settings = recordings.find((path) => /\.ya?ml$/i.test(path));
  if (settings !== undefined)
    throw new UsageError(
      `${verb} ${settings}: expected a recording; a scenario is named by --scenario ${settings}, a sweep is run by godwit sweep ${settings}`,
    );
}

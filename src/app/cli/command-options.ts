import type { Command } from 'commander';
import { handed } from '../process/handed.ts';
import type { Config } from '../config/schema.ts';
import { loadConfig } from '../config/load.ts';
import type { Tree } from '../../core/config/layers.ts';
import { home } from '../process/package.ts';
import { namedStrategy, strategyName, strategyPath } from '../run/strategy-path.ts';
import { UsageError } from './usage-error.ts';

/** Options every command takes. */
export interface CommonOptions {
  readonly json?: boolean;
  readonly config?: readonly string[];
  readonly set?: readonly string[];
}

export function withCommonOptions(command: Command): Command {
  return command
    .option('--config <file>', 'YAML configuration; may be repeated, later wins', collect)
    .option('--set <path=value>', 'one setting, such as orders.collarPercent=3; may be repeated', collect)
    .option('--json', 'machine-readable: one document, or one line per event');
}

/** One strategy named on the command line. */
export interface StrategyOptions {
  readonly strategy?: string;
  readonly param?: readonly string[];
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
  return loadConfig({
    files: options.config ?? [],
    environment: handed.environment,
    sets: options.set ?? [],
    base,
  }).config;
}

/** Where a strategy lies that is named on the command line. */
export const shipped = (name: string): string => namedStrategy(name, home);

/** The configuration with the strategy of the command line, when one was named; shipped strategies by their paths. */
export function withStrategy(config: Config, options: StrategyOptions): Config {
  if (options.strategy === undefined) {
    if (options.param !== undefined) throw new UsageError('--param: expected --strategy with it');
    const strategies = config.strategies.map((one) => ({ ...one, path: strategyPath(one.path, home) }));
    return { ...config, strategies };
  }
  const path = shipped(options.strategy);
  const name = strategyName(path);
  const [first] = config.strategies;
  const limits = first?.limits ?? { openOrdersMax: 200, messagesPerSecondMax: 100, positionMax: {} };
  return {
    ...config,
    strategies: [
      { name, path, params: paramsOf(options.param ?? []), host: 'worker', trust: 'limited', limits },
    ],
  };
}

function paramsOf(assignments: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    assignments.map((assignment) => {
      const split = assignment.indexOf('=');
      if (split <= 0) throw new UsageError(`--param ${assignment}: expected the form name=value`);
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

function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

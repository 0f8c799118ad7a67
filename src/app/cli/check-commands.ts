import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { Amount } from '../../core/base/amount.ts';
import { parseAmount } from '../../core/base/amount.ts';
import { withoutExponent } from '../../core/base/exponent.ts';
import type { CheckSubject } from '../check/setting.ts';
import type { Output } from '../process/output.ts';
import { home } from '../process/package.ts';
import type { CommonOptions, StrategyOptions } from './command-options.ts';
import {
  configOf,
  configOver,
  readsRecordings,
  withCommonOptions,
  withStrategyOptions,
} from './command-options.ts';
import { durationMs, wholeNumber } from './command-options.ts';
import type { Run } from './command-options.ts';
import { namedScenario, withStrategy } from './command-options.ts';
import { UsageError } from './errors.ts';

interface CheckOptions extends CommonOptions, StrategyOptions {
  readonly scenario?: string;
  readonly seed?: number;
  readonly timeout?: number;
}

/** `check lookahead`, `check determinism`, `check warm-up`: whether a backtest can be believed. */
export function addCheckCommands(root: Command, output: Output, run: Run): void {
  const group = root.command('check').description('checks whether the result of a backtest can be trusted');
  const command = (name: string): Command =>
    readsRecordings(withStrategyOptions(withCommonOptions(group.command(name))))
      .argument('[recording...]', 'recorded data of any known format; several files are one recording')
      .option('--scenario <file>', 'a scenario instead of recording and strategy')
      .option('--seed <n>', 'seed of the run and of the check', wholeNumber(0, 4_294_967_295))
      .option('--timeout <duration>', 'a run that takes longer ends the check; 1h', durationMs);
  addLookahead(command('lookahead'), output, run);
  addDeterminism(command('determinism'), output, run);
  addWarmUp(command('warm-up'), output, run);
  addChaos(group, output, run);
  addDrift(root, output, run);
}

function addLookahead(command: Command, output: Output, run: Run): void {
  command
    .description(
      'detects lookahead: changes the data after several points in time and checks that no earlier decision changes',
    )
    .option(
      '--cuts <n>',
      'number of points in time at which later data are changed',
      wholeNumber(1, 1_000),
      8,
    )
    .addHelpText('after', '\nExample: godwit check lookahead backtest/feeds/sample --strategy market-maker')
    .action(async (recordings: readonly string[], options: CheckOptions & { readonly cuts: number }) => {
      const { lookaheadCommand } = await import('../check/lookahead.ts');
      const subject = subjectOf('check lookahead', recordings, options);
      return run(lookaheadCommand({ subject, cuts: options.cuts, output, json: options.json === true }));
    });
}

function addDeterminism(command: Command, output: Output, run: Run): void {
  command
    .description(
      'runs the same backtest in several processes and threads and checks that all make the same decisions',
    )
    .option('--threads <n>', 'how many threads run at once in the last process', wholeNumber(1, 64), 2)
    .addHelpText('after', '\nExample: godwit check determinism backtest/feeds/sample --strategy market-maker')
    .action(async (recordings: readonly string[], options: CheckOptions & { readonly threads: number }) => {
      const { determinismCommand } = await import('../check/determinism.ts');
      const subject = subjectOf('check determinism', recordings, options);
      return run(
        determinismCommand({ subject, threads: options.threads, output, json: options.json === true }),
      );
    });
}

interface WarmUpOptions extends CheckOptions {
  readonly starts: number;
  readonly step?: number;
}

function addWarmUp(command: Command, output: Output, run: Run): void {
  command
    .description('starts the run later and measures how long decisions depend on where the data begin')
    .option('--starts <n>', 'how many later starts are tried', wholeNumber(1, 100), 4)
    .option(
      '--step <duration>',
      'time between two starts, such as 10m; a sixteenth of the data when left out',
      durationMs,
    )
    .addHelpText(
      'after',
      '\nExample: godwit check warm-up backtest/feeds/sample --strategy market-maker --step 5s',
    )
    .action(async (recordings: readonly string[], options: WarmUpOptions) => {
      const { warmUpCommand } = await import('../check/warm-up.ts');
      const subject = subjectOf('check warm-up', recordings, options);
      const { starts, step: stepMs } = options;
      return run(warmUpCommand({ subject, starts, stepMs, output, json: options.json === true }));
    });
}

interface ChaosOptions extends CommonOptions, Pick<StrategyOptions, 'param'> {
  readonly only?: readonly string[];
  readonly seed: number;
  readonly minutes: number;
  readonly events?: boolean;
}

function addChaos(group: Command, output: Output, run: Run): void {
  const append = (text: string, earlier: readonly string[] = []): readonly string[] => [...earlier, text];
  withCommonOptions(group.command('chaos'))
    .description(
      'runs a strategy through every trouble of an exchange, in virtual time, and checks that it holds',
    )
    .argument('[strategy]', 'a shipped strategy or the path of one, instead of those configured')
    .option('--param <name=value>', 'a parameter of that strategy; may be repeated', append)
    .option('--only <name>', 'this trouble only; may be repeated, and "list" prints all', append)
    .option('--seed <n>', 'seed of the market and of the moments', wholeNumber(0, 4_294_967_295), 1)
    .option('--minutes <n>', 'minutes in which each trouble comes and goes', wholeNumber(1, 1_440), 3)
    .option('--events', 'also print what becomes of each order')
    .addHelpText('after', '\nExample: godwit check chaos market-maker --only late-order --minutes 1')
    .action(async (strategy: string | undefined, options: ChaosOptions) => {
      const { listTroubles, onlyTroubles } = await import('./chaos-option.ts');
      const { only = [], seed, minutes, events, json } = options;
      if (only.includes('list')) return run(listTroubles(output, json === true));
      const config = withStrategy(configOf(options), {
        ...options,
        ...(strategy !== undefined && { strategy }),
      });
      if (config.strategies.length === 0)
        throw new UsageError(
          'check chaos: expected a strategy, found none on the command line and none configured',
        );
      const names = onlyTroubles(only);
      const { chaosCommand } = await import('../check/chaos.ts');
      return run(
        chaosCommand({
          config,
          words: wordsOf(strategy, options),
          names,
          seed,
          minutes,
          events: events === true,
          output,
          json: json === true,
        }),
      );
    });
}

/** Words of the command line, for the command that repeats a run. */
function wordsOf(strategy: string | undefined, { param, config, set, minutes }: ChaosOptions): string {
  const named = (option: string, texts: readonly string[] = []): readonly string[] =>
    texts.map((text) => `--${option} ${text}`);
  return [
    ...(strategy === undefined ? [] : [strategy]),
    ...named('param', param),
    ...named('config', config),
    ...named('set', set),
    `--minutes ${minutes}`,
  ].join(' ');
}

interface DriftOptions extends CommonOptions {
  readonly recording?: string;
  readonly tolerance?: Amount;
  readonly lastDay?: boolean;
  readonly totals?: boolean;
}

function addDrift(root: Command, output: Output, run: Run): void {
  readsRecordings(withCommonOptions(root.command('drift')))
    .description('runs a recorded session as a backtest and explains why the profits differ')
    .argument('<session>', 'the run directory of trade --record or demo --record')
    .option('--recording <folder>', 'where its recording is, when not in the folder "recording" in it')
    .option('--last-day', 'compare the fills of the last 24 hours of the recording only, of all its runs')
    .option('--totals', 'leave out the fills one by one')
    .option('--tolerance <amount>', 'exit code 7 when profits differ by more, in quote currency', amount)
    .addHelpText('after', '\nExample: godwit drift runs/demo/RUN --tolerance 0.001')
    .action(async (session: string, options: DriftOptions) => {
      const { driftCommand } = await import('../replay/drift-command.ts');
      const { recording, tolerance } = options;
      return run(
        driftCommand({
          session,
          recording,
          // What is recorded says nothing of the venue.
          asRecorded: (recorded) => ({
            ...configOver(recorded, {}),
            venue: configOver(recorded, options).venue,
          }),
          configure: (recorded) => configOver(recorded, options),
          tolerance,
          lastDay: options.lastDay === true,
          totals: options.totals === true,
          output,
          json: options.json === true,
        }),
      );
    });
}

function amount(said: string): Amount {
  const text = withoutExponent(said);
  if (!/^\d{1,20}(\.\d{1,18})?$/.test(text))
    throw new InvalidArgumentError('expected a plain decimal such as 0.001.');
  return parseAmount(text);
}

function subjectOf(verb: string, recordings: readonly string[], options: CheckOptions): CheckSubject {
  return { scenario: namedScenario(verb, recordings, options), home, timeoutMs: options.timeout };
}

import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import { handed } from '../process/handed.ts';
import type { Output } from '../process/output.ts';
import { home } from '../process/package.ts';
import type { Tree } from '../../core/config/layers.ts';
import { loadConfig } from '../config/load.ts';
import { readsRecordings, withCommonOptions, withStrategyOptions } from './command-options.ts';
import { durationMs, wholeNumber } from './command-options.ts';
import type { Run } from './command-options.ts';
import type { SweepFlags } from './sweep-tree.ts';
import { blamingTheLine, sweepTree } from './sweep-tree.ts';
import { UsageError } from './errors.ts';

/** `said`: the command as it was typed. */
export function addSweepCommands(root: Command, output: Output, run: Run, said: () => string): void {
  addSweep(root, output, run, said);
  addWalkForward(root, output, run, said);
  addWorker(root, output, run);
}

function addSweep(root: Command, output: Output, run: Run, said: () => string): void {
  readsRecordings(withSearchOptions(withStrategyOptions(withCommonOptions(root.command('sweep')))))
    .description('runs a strategy with many sets of parameters and ranks them')
    .argument('<file...>', 'a sweep file (.yaml), or recordings together with --strategy and --space')
    .option('--split <share>', 'choose on this part of the time, test the best on the rest', share)
    .option('--top <n>', 'lines of the table', wholeNumber(1, 1_000))
    .option('--csv <file>', 'all trials as CSV')
    .option('--html <file>', 'also write the result as a page to this file')
    .option('--export <folder>', 'all trials, and everything the best one makes, as CSV and Parquet')
    .addHelpText(
      'after',
      '\nExample: godwit sweep backtest/sweeps/sample.yaml' +
        '\n         godwit sweep backtest/feeds/sample --strategy market-maker --space spreadFactor=0.2..1/0.2',
    )
    .action(async (files: readonly string[], flags: SweepFlags) => {
      const { sweepCommand } = await import('../sweep/command.ts');
      const sweep = async () =>
        sweepCommand({
          ...(await common(files, flags, output)),
          csv: flags.csv,
          html: flags.html,
          exportTo: flags.export,
          command: said(),
        });
      return run(blamingTheLine(files, flags, sweep));
    });
}

function addWalkForward(root: Command, output: Output, run: Run, said: () => string): void {
  readsRecordings(withSearchOptions(withStrategyOptions(withCommonOptions(root.command('walk-forward')))))
    .description('chooses parameters on one time window, tests them on the next, and repeats')
    .argument('<file...>', 'a sweep file (.yaml), or recordings together with --strategy and --space')
    .option('--train <duration>', 'length of a window to choose on, such as 1d')
    .option('--test <duration>', 'length of a window to test on')
    .option('--step <duration>', 'from one window to the next; the length of a test when left out')
    .option('--anchored', 'choose on everything from the beginning of the data')
    .option('--html <file>', 'also write the report as a page to this file')
    .option('--no-save', 'keep no report below runs/walk-forwards')
    .addHelpText('after', '\nExample: godwit walk-forward backtest/sweeps/sample.yaml --train 40s --test 20s')
    .action(async (files: readonly string[], flags: SweepFlags) => {
      const { walkForwardCommand } = await import('../sweep/walk-forward-command.ts');
      const { preparePage } = await import('../process/page-file.ts');
      preparePage(flags.html);
      const report = { html: flags.html, save: flags.save !== false, command: said() };
      const walk = async () => walkForwardCommand({ ...(await common(files, flags, output)), report });
      return run(blamingTheLine(files, flags, walk));
    });
}

interface WorkerFlags {
  readonly queue: string;
  readonly json?: boolean;
}

function addWorker(root: Command, output: Output, run: Run): void {
  root
    .command('worker')
    .description('runs trials of sweeps from a queue until it is stopped')
    .requiredOption('--queue <url>', 'a NATS server with JetStream, such as nats://127.0.0.1:4222', address)
    .option('--json', 'one JSON line per trial')
    .addHelpText('after', '\nExample: godwit worker --queue nats://127.0.0.1:4222')
    .action(async ({ queue, json }: WorkerFlags) => {
      const { workerCommand } = await import('../sweep/worker-command.ts');
      return run(workerCommand({ url: queue, home, output, json: json === true }));
    });
}

function withSearchOptions(command: Command): Command {
  return command
    .option(
      '--space <name=values>',
      'a parameter to search: low..high, low..high/step, log:low..high, a,b,c or auto; may be repeated',
      collect,
    )
    .addOption(
      new Option('--search <method>', 'how points are chosen').choices([
        'grid',
        'random',
        'latin',
        'halving',
        'tpe',
      ]),
    )
    .option('--trials <n>', 'how many points', wholeNumber(1, 1_000_000))
    .option('--objective <formula>', 'formula to maximise: profit, sharpe, profit - 2 * drawdown')
    .option('--seed <n>', 'seed of the search and of every run', wholeNumber(0, 4_294_967_295))
    .option('--workers <n>', 'threads; as many as there are cores when left out', wholeNumber(1, 256))
    .option('--store <file>', 'where results are kept (runs/sweeps/NAME.ndjson)')
    .option('--ledger <file>', 'where trials are counted (runs/trials.ndjson)')
    .option('--no-resume', 'ignore the results kept there')
    .option('--timeout <duration>', 'a trial that takes longer has failed; 1h', durationMs)
    .option('--queue <url>', 'run the trials on workers connected to a NATS server', address);
}

function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

function address(text: string): string {
  if (text.trim() === '')
    throw new InvalidArgumentError('expected an address such as nats://127.0.0.1:4222.');
  return text;
}

function share(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value < 1)) throw new UsageError(`--split ${text}: expected a part between 0 and 1`);
  return value;
}

async function common(files: readonly string[], flags: SweepFlags, output: Output) {
  const { loadSweepOf } = await import('../sweep/load.ts');
  const configure = (base: Tree) =>
    loadConfig({ files: flags.config ?? [], environment: handed.environment, sets: flags.set ?? [], base })
      .config;
  return {
    loaded: loadSweepOf(files, sweepTree(files, flags)),
    home,
    configure,
    output,
    json: flags.json === true,
    workers: flags.workers,
    store: flags.store,
    trialLog: flags.ledger,
    resume: flags.resume,
    queue: flags.queue,
    timeoutMs: flags.timeout,
  };
}

import type { Command } from 'commander';
import { handed } from '../process/handed.ts';
import type { Output } from '../process/output.ts';
import { startAnew } from '../process/exit.ts';
import type { CommonOptions, Run } from './command-options.ts';
import { configOf, withCommonOptions } from './command-options.ts';

interface RunDirectoryOptions extends CommonOptions {
  readonly run?: string;
  readonly why?: string;
  readonly undo?: boolean;
}

/** Commands about the second process that cancels own orders when the daemon is gone. */
export function addSentinelCommands(root: Command, output: Output, run: Run): void {
  withRunDirectory(root.command('sentinel'))
    .description(
      'watches the daemon of a run directory, and cancels own orders when it is gone, stands still, or a kill file appears',
    )
    .addHelpText('after', '\nExample: godwit sentinel --run /var/lib/godwit/run --config live.yaml')
    .action(async (options: RunDirectoryOptions) => {
      if (!handed.isHanded) startAnew();
      const config = directed(options);
      const { runSentinel } = await import('../sentinel/command.ts');
      return run(runSentinel({ config, epoch: undefined, environment: handed.environment, output }));
    });
  withRunDirectory(root.command('kill'))
    .description(
      'writes the kill file of a run directory: the sentinel cancels own orders, the daemon halts, none starts until --undo',
    )
    .option('--why <text>', 'reason, which stands in the file')
    .option('--undo', 'takes the kill file away')
    .addHelpText('after', '\nExample: godwit kill --why "wrong size"\n         godwit kill --undo')
    .action(async (options: RunDirectoryOptions) => {
      const { directory } = directed(options).run;
      const { killCommand } = await import('../sentinel/kill.ts');
      const { why = '', undo = false, json = false } = options;
      return run(killCommand({ directory, why, undo, json, output }));
    });
}

function withRunDirectory(command: Command): Command {
  return withCommonOptions(command).option('--run <directory>', 'run directory, in place of run.directory');
}

function directed({ run, set = [], ...options }: RunDirectoryOptions): ReturnType<typeof configOf> {
  return configOf({ ...options, set: run === undefined ? set : [...set, `run.directory=${run}`] });
}

import type { Command } from 'commander';
import type { Output } from '../process/output.ts';
import type { Tree } from '../../core/config/layers.ts';
import type { Config } from '../config/schema.ts';
import type { CommonOptions } from './command-options.ts';
import { configOf, withCommonOptions } from './command-options.ts';
import { addDataCommands } from './market-data-commands.ts';
import type { Run } from './run.ts';

interface ReplayOptions extends CommonOptions {
  readonly journal?: string;
}

export function addRecordingCommands(root: Command, output: Output, run: Run): void {
  addDataCommands(root, output, run);
  addReplay(root, output, run);
}

function addReplay(root: Command, output: Output, run: Run): void {
  withCommonOptions(root.command('replay'))
    .description('runs a recorded session again: same frames, same clock, nothing sent; same decisions')
    .argument('<recording...>', 'the recording of a run, made by trade --record or demo --record')
    .option(
      '--journal <directory>',
      'run directory to compare with, event by event; exit code 7 when they part',
    )
    .addHelpText('after', '\nExample: godwit replay runs/demo/RUN/recording --journal runs/demo/RUN')
    .action(async (recordings: readonly string[], options: ReplayOptions) => {
      const { replayCommand } = await import('../replay/command.ts');
      const configure = (recorded: Tree): Config => configOf(options, recorded);
      const { journal, json } = options;
      return run(replayCommand({ configure, recordings, journal, output, json: json === true }));
    });
}

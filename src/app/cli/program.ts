import { Command } from 'commander';
import type { Output } from '../process/output.ts';
import { addCheckCommands } from './check-commands.ts';
import { addNewCommand } from './new-command.ts';
import { addRecordingCommands } from './recording-commands.ts';
import { addResearchCommands } from './research-commands.ts';
import { addRunCommands } from './run-commands.ts';
import { addSweepCommands } from './sweep-commands.ts';
import { commandText } from './command-text.ts';
import { addConfigCommands } from './config-commands.ts';
import type { Run } from './run.ts';
import { UsageError } from './usage-error.ts';
import { nearestVerb } from './old-names.ts';
import { addVersion } from './version.ts';

/** The whole command line. `run` resolves to the exit code of the command that was named. */
export function program(output: Output): { run(argv: readonly string[]): Promise<number> } {
  let exitCode = 0;
  let said = '';
  const run: Run = async (code) => {
    exitCode = await code;
  };
  const root = new Command('godwit')
    .description(
      'A trading bot framework: an exchange in a box, a daemon, a backtester, one corridor for all.',
    )
    .exitOverride()
    .configureOutput({
      writeOut: (text) => output.data(text.trimEnd()),
      writeErr: (text) => output.progress(text.trimEnd()),
      outputError: (text, write) => write(text.replace(/^error: /, 'godwit: ')),
    })
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError(true)
    .allowExcessArguments(false);
  addRunCommands(root, output, run, () => said);
  addRecordingCommands(root, output, run);
  addResearchCommands(root, output, run);
  addSweepCommands(root, output, run, () => said);
  addNewCommand(root, output, run);
  addConfigCommands(root, output, run);
  addCheckCommands(root, output, run);
  addVersion(root, output, run);
  for (const command of root.commands) {
    command.exitOverride();
    for (const child of command.commands) child.exitOverride();
  }
  return {
    async run(argv) {
      said = commandText(argv.slice(2));
      const verb = argv[2];
      const right = verb === undefined ? undefined : nearestVerb(verb);
      if (right !== undefined)
        throw new UsageError(`there is no command "${verb}"; it is called "${right}" here`);
      await root.parseAsync([...argv]);
      return exitCode;
    },
  };
}

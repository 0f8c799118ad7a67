import type { Command } from 'commander';
import type { Output } from '../process/output.ts';
import type { Run } from './run.ts';
import { UsageError } from './usage-error.ts';

/** `godwit new`: writes the beginning of something. */
export function addNewCommand(root: Command, output: Output, run: Run): void {
  const group = root.command('new').description('writes the beginning of a strategy');
  group
    .command('strategy')
    .description(
      'writes strategies/NAME with a README, in a checkout of Godwit its test too; never writes over a file',
    )
    .argument('<name>', 'lower case letters, digits and dashes')
    .option('--json', 'machine-readable: one document, or one line per event')
    .addHelpText('after', '\nExample: godwit new strategy my-maker')
    .action(async (name: string, options: { readonly json?: boolean }) => {
      const { nameFault, newStrategyCommand } = await import('../new-strategy.ts');
      const fault = nameFault(name);
      if (fault !== undefined) throw new UsageError(fault);
      const directory = process.cwd();
      return run(
        Promise.resolve(newStrategyCommand({ name, directory, output, json: options.json === true })),
      );
    });
}

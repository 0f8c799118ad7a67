import type { Command } from 'commander';
import type { Output } from '../process/output.ts';
import type { CommonOptions, Run } from './command-options.ts';
import { configOf, withCommonOptions } from './command-options.ts';

/** Acts on the key of one program, and what each does. */
const keyActs = [
  ['add', 'makes the key of a program that the configuration names; its secret is shown once'],
  ['rotate', 'replaces the key of a program; the former one ends at once'],
  ['revoke', 'takes the key of a program away; it ends at once'],
] as const;

/** `godwit gateway` and the commands on the keys of its programs. */
export function addGatewayCommands(root: Command, output: Output, run: Run): void {
  const group = root
    .command('gateway')
    .description(
      'serves the API to programs of others, which trade through the daemon with keys of their own',
    );
  for (const [act, what] of keyActs)
    withCommonOptions(group.command(act))
      .description(what)
      .argument('<name>', 'the program')
      .addHelpText('after', `\nExample: godwit gateway ${act} grid-bot --config gateway.yaml`)
      .action(async (name: string, options: CommonOptions) => {
        const { changeKey } = await import('../gateway/keys-command.ts');
        return run(changeKey({ config: configOf(options), output, json: options.json === true }, act, name));
      });
  withCommonOptions(group.command('list'))
    .description('prints the programs of the configuration, with their public keys')
    .addHelpText('after', '\nExample: godwit gateway list --config gateway.yaml')
    .action(async (options: CommonOptions) => {
      const { listKeys } = await import('../gateway/keys-command.ts');
      return run(listKeys({ config: configOf(options), output, json: options.json === true }));
    });
}

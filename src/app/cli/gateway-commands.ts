import type { Command } from 'commander';
import type { Output } from '../process/output.ts';
import type { Config } from '../config/schema.ts';
import { handed } from '../process/handed.ts';
import { startAnew } from '../process/exit.ts';
import type { CommonOptions, Run } from './command-options.ts';
import { configOf, withCommonOptions, withStrategy } from './command-options.ts';
import { UsageError } from './errors.ts';
import type { TradeOptions } from './run-commands.ts';
import { chaosOption, tradeSettingOf, withTradeOptions } from './run-commands.ts';

/** Acts on the key of one program, and what each does. */
const keyActs = [
  ['add', 'makes the key of a program that the configuration names; its secret is shown once'],
  ['rotate', 'replaces the key of a program; the former one ends at once'],
  ['revoke', 'takes the key of a program away; it ends at once'],
] as const;

/** `godwit gateway` and the commands on the keys of its programs. */
export function addGatewayCommands(root: Command, output: Output, run: Run, said: () => string): void {
  const group = withTradeOptions(withCommonOptions(root.command('gateway')))
    .description(
      'serves the API to programs of others, which trade through the daemon with keys of their own',
    )
    .addHelpText('after', '\nExample: godwit gateway --mode sim --config gateway.yaml')
    .addOption(chaosOption())
    .action(async (options: TradeOptions & { readonly chaos?: readonly string[] }) => {
      const { chaos: texts = [], json, mode } = options;
      const { askedTroubles, listTroubles } = await import('./chaos-option.ts');
      if (texts.includes('list')) return run(listTroubles(output, json === true));
      if (texts.length > 0 && mode === 'live')
        throw new UsageError(
          '--chaos: expected --mode sim or paper, found --mode live: no real order meets it',
        );
      if (!handed.isHanded) startAnew();
      const read = (): Config => withStrategy(configOf(options), {});
      const setting = await tradeSettingOf(options, { read, output, said });
      const chaos = askedTroubles(texts, { seed: setting.config.run.seed, ofGateway: true });
      const { runGateway } = await import('../gateway/command.ts');
      return run(runGateway({ ...setting, chaos }));
    });
  for (const [act, what] of keyActs)
    withCommonOptions(group.command(act))
      .description(what)
      .argument('<name>', 'the program')
      .addHelpText('after', `\nExample: godwit gateway ${act} grid-bot --config gateway.yaml`)
      // The group takes the options that both have, wherever they stand.
      .action(async (name: string, _own: CommonOptions, command: Command) => {
        const options = command.optsWithGlobals<CommonOptions>();
        const { changeKey } = await import('../gateway/keys-command.ts');
        return run(changeKey({ config: configOf(options), output, json: options.json === true }, act, name));
      });
  withCommonOptions(group.command('list'))
    .description('prints the programs of the configuration, with their public keys')
    .addHelpText('after', '\nExample: godwit gateway list --config gateway.yaml')
    .action(async (_own: CommonOptions, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      const { listKeys } = await import('../gateway/keys-command.ts');
      return run(listKeys({ config: configOf(options), output, json: options.json === true }));
    });
}

import type { Command } from 'commander';
import { handed } from '../app/process/handed.ts';
import type { Output } from '../app/process/output.ts';
import { marketOrderNotes } from '../app/run/market-order-notes.ts';
import { loadConfig } from '../config/load.ts';
import { configJsonSchema } from '../config/schema.ts';
import type { CommonOptions } from './command-options.ts';
import { withCommonOptions } from './command-options.ts';
import type { Run } from './run.ts';

export function addConfigCommands(root: Command, output: Output, run: Run): void {
  const group = root.command('config').description('looks at the configuration');
  withCommonOptions(group.command('show'))
    .description('the whole configuration as it would be used; secrets stay references')
    .option('--origin', 'where each value that is no default came from')
    .addHelpText('after', '\nExample: godwit config show --config config/default.yaml --origin')
    .action((options: CommonOptions & { origin?: boolean }) => {
      const { config, origins } = loadConfig({
        files: options.config ?? [],
        environment: handed.environment,
        sets: options.set ?? [],
      });
      if (options.origin === true) for (const [path, origin] of origins) output.data(`${path}\t${origin}`);
      else output.data(JSON.stringify(config, undefined, options.json === true ? undefined : 2));
      return run(0);
    });
  withCommonOptions(group.command('validate'))
    .description('says whether the configuration is right')
    .addHelpText('after', '\nExample: godwit config validate --config config/default.yaml')
    .action((options: CommonOptions) => {
      const { config } = loadConfig({
        files: options.config ?? [],
        environment: handed.environment,
        sets: options.set ?? [],
      });
      for (const note of marketOrderNotes(config)) output.progress(`note: ${note}`);
      output.data(options.json === true ? '{"valid":true}' : 'the configuration is right');
      return run(0);
    });
  group
    .command('schema')
    .description('the configuration as JSON Schema, for editors')
    .addHelpText('after', '\nExample: godwit config schema > godwit.schema.json')
    .action(() => {
      output.data(JSON.stringify(configJsonSchema(), undefined, 2));
      return run(0);
    });
}

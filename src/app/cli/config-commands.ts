import type { Command } from 'commander';
import { Option } from 'commander';
import type { TradeMode } from '../live/index.ts';
import type { YamlKind } from '../documents/yaml.ts';
import { handed } from '../process/handed.ts';
import type { Output } from '../process/output.ts';
import { marketOrderNotes } from '../run/market-order-notes.ts';
import { loadConfig } from '../config/load.ts';
import { printYaml } from '../../core/config/parse-yaml.ts';
import { SystemClock } from '../../core/base/system-clock.ts';
import type { CommonOptions, StrategyOptions } from './command-options.ts';
import {
  configOf,
  sourcesOf,
  withCommonOptions,
  withStrategy,
  withStrategyOptions,
} from './command-options.ts';
import type { Run } from './command-options.ts';

interface ValidateOptions extends CommonOptions, StrategyOptions {
  readonly mode?: TradeMode;
  readonly command: 'trade' | 'record' | 'exchange' | 'backtest';
}

function addValidate(group: Command, output: Output, run: Run): void {
  withStrategyOptions(withCommonOptions(group.command('validate')))
    .description(
      'runs the checks that trade runs before its first packet, and reports whether the configuration is valid',
    )
    .addOption(
      new Option(
        '--mode <mode>',
        'the mode of trade; without it only the keys that are named are checked',
      ).choices(['sim', 'paper', 'live']),
    )
    .addOption(
      new Option(
        '--command <name>',
        'the command the configuration is for; for commands other than trade only the settings are checked',
      )
        .choices(['trade', 'record', 'exchange', 'backtest'])
        .default('trade'),
    )
    .addHelpText('after', '\nExample: godwit config validate --mode paper --config config/paper.yaml')
    .action(async (options: ValidateOptions) => {
      const config = withStrategy(configOf(options), options);
      if (options.command === 'trade') {
        const { checkTrade } = await import('../live/check-trade.ts');
        const { mode } = options;
        await checkTrade({
          mode,
          live: true,
          config,
          environment: handed.environment,
          clock: new SystemClock(),
        });
        for (const note of marketOrderNotes(config)) output.progress(`note: ${note}`);
      }
      output.data(options.json === true ? '{"valid":true}' : 'the configuration is right');
      return run(0);
    });
}

interface DoctorOptions extends CommonOptions, StrategyOptions {
  readonly mode?: TradeMode;
}

function addDoctor(root: Command, output: Output, run: Run): void {
  withStrategyOptions(withCommonOptions(root.command('doctor')))
    .description(
      'checks the configuration, versions, disk, run directory, addresses, clock, and the rights of the key',
    )
    .addOption(
      new Option(
        '--mode <mode>',
        'the mode of trade; without it only the keys that are named are checked',
      ).choices(['sim', 'paper', 'live']),
    )
    .addHelpText('after', '\nExample: godwit doctor --mode paper --config config/paper.yaml')
    .action(async (options: DoctorOptions) => {
      const config = withStrategy(configOf(options), options);
      const { doctorCommand } = await import('../preflight/doctor.ts');
      const { mode, json } = options;
      const { environment } = handed;
      const clock = new SystemClock();
      return run(doctorCommand({ mode, config, environment, clock, output, json: json === true }));
    });
}

interface PlanOptions extends CommonOptions, StrategyOptions {
  readonly mode: TradeMode;
}

function addPlan(root: Command, output: Output, run: Run): void {
  withStrategyOptions(withCommonOptions(root.command('plan')))
    .description(
      'tells what trade would find and do at its start: orders, rounding, funds, limits, the run before; sends nothing',
    )
    .addOption(
      new Option('--mode <mode>', 'the mode of trade').choices(['sim', 'paper', 'live']).default('paper'),
    )
    .addHelpText('after', '\nExample: godwit plan --mode paper --config config/paper.yaml')
    .action(async (options: PlanOptions) => {
      const config = withStrategy(configOf(options), options);
      const { planCommand } = await import('../preflight/plan.ts');
      const { mode, json } = options;
      const { environment } = handed;
      const clock = new SystemClock();
      return run(planCommand({ mode, config, environment, clock, output, json: json === true }));
    });
}

/** `godwit config`, `godwit doctor` and `godwit plan`. */
export function addConfigCommands(root: Command, output: Output, run: Run): void {
  const group = root.command('config').description('shows and checks the configuration');
  withCommonOptions(group.command('show'))
    .description('the whole configuration as it would be used; secrets stay references')
    .option('--origin', 'where each value that is no default came from')
    .addHelpText('after', '\nExample: godwit config show --config config/default.yaml --origin')
    .action((options: CommonOptions & { origin?: boolean }) => {
      const { config, origins } = loadConfig(sourcesOf(options));
      if (options.origin === true) for (const [path, origin] of origins) output.data(`${path}\t${origin}`);
      else output.data(options.json === true ? JSON.stringify(config) : printYaml(config));
      return run(0);
    });
  addValidate(group, output, run);
  addDoctor(root, output, run);
  addPlan(root, output, run);
  group
    .command('schema')
    .description('a kind of YAML file as JSON Schema, for editors')
    .addOption(
      new Option('--of <kind>', 'what the file is')
        .choices(['configuration', 'scenario', 'sweep'])
        .default('configuration'),
    )
    .addHelpText(
      'after',
      '\nExample: godwit config schema > godwit.schema.json' +
        '\n         godwit config schema --of scenario > scenario.schema.json',
    )
    .action(async ({ of }: { readonly of: YamlKind }) => {
      const { yamlSchema } = await import('../documents/yaml.ts');
      output.data(JSON.stringify(yamlSchema(of), undefined, 2));
      return run(0);
    });
}

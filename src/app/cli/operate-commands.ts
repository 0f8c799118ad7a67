import type { Command } from 'commander';
import { Option } from 'commander';
import { SystemClock } from '../../core/base/system-clock.ts';
import { handed } from '../process/handed.ts';
import type { Output } from '../process/output.ts';
import type { OperateCommand } from '../operate/commands.ts';
import type { LogLevel } from '../operate/logs.ts';
import { everyAct, optionsOf } from '../../operate/act-rows.ts';
import { views } from '../../operate/views/all.ts';
import type { CommonOptions, Run } from './command-options.ts';
import { configOf, assignedParams, wholeNumber, withCommonOptions } from './command-options.ts';
import { UsageError } from './errors.ts';

interface OperateOptions extends CommonOptions {
  readonly url?: string;
  readonly why?: string;
  readonly who?: string;
  readonly strategy?: string;
  readonly symbol?: string;
  readonly all?: boolean;
  readonly confirm?: string;
}

interface LogsOptions extends CommonOptions {
  readonly lines: number;
  readonly follow?: boolean;
  readonly level: LogLevel;
}

/** Commands that see and steer the daemon of this configuration. */
export function addOperateCommands(root: Command, output: Output, run: Run): void {
  withTarget(root.command('status'))
    .description('how the running daemon stands')
    .addHelpText('after', '\nExample: godwit status')
    .action(async (options: OperateOptions) => {
      const { statusCommand } = await import('../operate/commands.ts');
      return run(statusCommand(commandOf(options, output)));
    });
  withTarget(root.command('health'))
    .description('whether the running daemon answers')
    .option('--ready', 'whether orders can leave; exit code 1 when they cannot')
    .addHelpText('after', '\nExample: godwit health --ready')
    .action(async (options: OperateOptions & { readonly ready?: boolean }) => {
      const { healthCommand } = await import('../operate/commands.ts');
      return run(healthCommand(commandOf(options, output), options.ready === true));
    });
  withTarget(root.command('dashboard'))
    .description('the address of the dashboard of the running daemon, with its token')
    .addHelpText('after', '\nExample: godwit dashboard')
    .action(async (options: OperateOptions) => {
      const { dashboardCommand } = await import('../operate/commands.ts');
      return run(dashboardCommand(commandOf(options, output)));
    });
  withTarget(root.command('watch'))
    .description('shows the running daemon as it goes: a screen on a terminal, otherwise one line per change')
    .addHelpText('after', '\nExample: godwit watch\n         godwit watch --json')
    .action(async (options: OperateOptions) => {
      const { openTerminal, watchCommand } = await import('../operate/watch.ts');
      const command = { ...commandOf(options, output), clock: new SystemClock() };
      return run(watchCommand({ ...command, open: command.json ? undefined : openTerminal }));
    });
  withCommonOptions(root.command('logs'))
    .description('the log of the daemon that runs, or of the last one')
    .option('-n, --lines <count>', 'so many of the last lines', wholeNumber(0, 1_000_000), 20)
    .option('-f, --follow', 'and what comes, until Ctrl-C')
    .addOption(
      new Option('--level <level>', 'what is less is left out')
        .choices(['error', 'warn', 'info', 'debug'])
        .default('debug'),
    )
    .addHelpText('after', '\nExample: godwit logs -f --level warn')
    .action(async (options: LogsOptions) => {
      const { logsCommand } = await import('../operate/logs.ts');
      const { lines: count, follow = false, level, json = false } = options;
      const { directory } = configOf(options).run;
      const clock = new SystemClock();
      return run(logsCommand({ directory, output, clock, json, count, level, follow }));
    });
  for (const view of views) {
    const command = withTarget(root.command(view.command)).description(view.text);
    if (view.shows !== undefined) command.option('--all', 'every row');
    command
      .addHelpText('after', `\nExample: godwit ${view.command} --json`)
      .action(async (options: OperateOptions & { readonly all?: boolean }) => {
        const { listCommand } = await import('../operate/commands.ts');
        return run(listCommand(commandOf(options, output), view, options.all));
      });
  }
  const acting = actingOn(root, output, run);
  addPlainActs(acting);
  addOtherActs(acting, output, run);
}

/** How an act is sent, and how its command begins. */
interface Acting {
  readonly send: (options: OperateOptions, body: Readonly<Record<string, unknown>>) => Promise<void>;
  readonly add: (verb: string, text: string, example: string) => Command;
}

function actingOn(root: Command, output: Output, run: Run): Acting {
  return {
    send: async (options, body) => {
      const { actCommand, askedBy } = await import('../operate/commands.ts');
      return run(actCommand(commandOf(options, output), askedBy(body, options, handed.environment)));
    },
    add: (verb, text, example) =>
      withTarget(root.command(verb))
        .description(text)
        .option('--why <text>', 'the reason; kept in the journal')
        .option('--who <name>', 'who asks; kept in the journal; the user of this shell when left out')
        .addHelpText('after', `\nExample: ${example}`),
  };
}

const ofStrategy = (command: Command): Command =>
  command.option('--strategy <name>', 'one strategy; all when left out');

/** Commands of `operate/act-rows`: each asks for one act, and takes what that takes. */
function addPlainActs({ send, add }: Acting): void {
  for (const [act, { command }] of everyAct) {
    if (command === undefined) continue;
    const { strategy, confirms } = optionsOf(act);
    const added = add(command.name, command.text, command.example);
    if (strategy === 'all or one') ofStrategy(added);
    if (strategy === 'named') added.argument('<strategy>', 'its name');
    if (confirms) added.option('--confirm <code>', 'the code that the first step printed');
    added.action((...given: readonly unknown[]) => {
      // The options come last but for the command itself.
      const options = given.at(-2) as OperateOptions;
      const named = strategy === 'named' ? given[0] : (options.strategy ?? null);
      return send(options, {
        act,
        ...(strategy !== 'none' && { strategy: named }),
        ...(options.confirm !== undefined && { confirm: options.confirm }),
      });
    });
  }
}

/** Commands of several acts, or of one that is no act alone. */
function addOtherActs({ send, add }: Acting, output: Output, run: Run): void {
  add('stop', 'ends the daemon in good order, or one strategy', 'godwit stop --why "a new version"')
    .option('--strategy <name>', 'this strategy alone: it stays stopped until it is started')
    .action((options: OperateOptions) =>
      send(
        options,
        options.strategy === undefined
          ? { act: 'stop' }
          : { act: 'stopStrategy', strategy: options.strategy },
      ),
    );
  add('params', 'shows the parameters of a strategy, or changes some', 'godwit params maker levels=3')
    .argument('<strategy>', 'its name')
    .argument('[changes...]', 'name=value; what is not named stays')
    .action(async (strategy: string, changes: string[], options: OperateOptions) => {
      if (changes.length > 0)
        return send(options, { act: 'setParams', strategy, params: assignedParams(changes, 'params') });
      const { paramsCommand } = await import('../operate/commands.ts');
      return run(paramsCommand(commandOf(options, output), strategy));
    });
  ofStrategy(add('cancel', 'cancels one order, or all with --all', 'godwit cancel --all --symbol BTCUSDT'))
    .argument('[id]', 'the client id of the order')
    .option('--all', 'every order')
    .option('--symbol <symbol>', 'with --all: those on one symbol')
    .action((id: string | undefined, options: OperateOptions) => send(options, cancelOf(id, options)));
}

function cancelOf(id: string | undefined, options: OperateOptions): Readonly<Record<string, unknown>> {
  const { strategy = null, symbol = null } = options;
  if (options.all === true && id === undefined) return { act: 'cancelAll', strategy, symbol };
  if (id !== undefined && options.all !== true && symbol === null && strategy === null)
    return { act: 'cancel', clientOrderId: id };
  throw new UsageError(
    'cancel: expected the client id of one order, or --all with an optional --strategy and --symbol',
  );
}

function withTarget(command: Command): Command {
  return withCommonOptions(command).option(
    '--url <address>',
    'a daemon elsewhere; its token is read from GODWIT_TOKEN',
  );
}

function commandOf(options: OperateOptions, output: Output): OperateCommand {
  const { directory } = configOf(options).run;
  const token = handed.environment['GODWIT_TOKEN'];
  return { target: { url: options.url, token, directory }, output, json: options.json === true };
}

import { Command, Option } from 'commander';
import type { Output } from '../process/output.ts';
import { addCheckCommands } from './check-commands.ts';
import { addDataCommands } from './market-data-commands.ts';
import { downloadPeriod } from './download-command.ts';
import type { SpanOptions } from './span-options.ts';
import { spanOf, withSpanOptions } from './span-options.ts';
import type { FirstDownload } from '../first-download.ts';
import { addGatewayCommands } from './gateway-commands.ts';
import { addKeptRunCommands } from './kept-run-commands.ts';
import { addRunCommands } from './run-commands.ts';
import { addOperateCommands } from './operate-commands.ts';
import { addSentinelCommands } from './sentinel-commands.ts';
import { addSweepCommands } from './sweep-commands.ts';
import { addCompletion } from './completion.ts';
import { addConfigCommands } from './config-commands.ts';
import type { Run } from './command-options.ts';
import { UsageError } from './errors.ts';
import { packageVersion, pagesFolder, withPackagePaths } from '../process/package.ts';

/** The whole command line. `run` resolves to the exit code of the command that was named. */
export function program(output: Output): { run(argv: readonly string[]): Promise<number> } {
  let exitCode = 0;
  let said = '';
  const run: Run = async (code) => {
    exitCode = await code;
  };
  const root = new Command('godwit')
    .description(
      'A trading bot framework: an embedded exchange, a live trading daemon and a backtester that share one code path.',
    )
    .exitOverride()
    .configureOutput({
      writeOut: (text) => output.data(withPackagePaths(text.trimEnd())),
      writeErr: (text) => output.progress(text.trimEnd()),
      outputError: (text, write) => write(text.replace(/^error: /, 'godwit: ')),
    })
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', `\nPages, and those that messages name: ${pagesFolder()}`)
    .showSuggestionAfterError(true)
    .allowExcessArguments(false);
  addRunCommands(root, output, run, () => said);
  addDataCommands(root, output, run);
  addOperateCommands(root, output, run);
  addSentinelCommands(root, output, run);
  addGatewayCommands(root, output, run, () => said);
  addKeptRunCommands(root, output, run);
  addSweepCommands(root, output, run, () => said);
  addNewCommand(root, output, run);
  addConfigCommands(root, output, run);
  addCheckCommands(root, output, run);
  addOpenApi(root, output, run);
  addVersion(root, output, run);
  addCompletion(root, output, run);
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

const hidden = /^((--set|--param)=)?([^=]*(secret|password|token|api_?key|passphrase)[^=]*=|account[^=]*=)/i;
/** User and password of an address, such as that of a queue. */
const login = /(\w:\/\/)[^/\s]+@/g;

/** A command as it was typed, quoted where a shell needs it; what may be a secret is left out. */
export function commandText(args: readonly string[]): string {
  return ['godwit', ...args.map((arg) => quoted(shown(arg)))].join(' ');
}

function shown(arg: string): string {
  const found = hidden.exec(arg);
  return found === null ? arg.replaceAll(login, '$1...@') : `${found[0]}...`;
}

function quoted(arg: string): string {
  return /^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", String.raw`'\''`)}'`;
}

const verbs: Readonly<Record<string, string>> = {
  backtesting: 'backtest',
  'download-data': 'data download',
  download: 'data download',
  'import-candles': 'data download',
  sim: 'trade --mode sim',
  paper: 'trade --mode paper',
  live: 'trade --mode live --live',
  run: 'trade',
  hyperopt: 'sweep',
  optimize: 'sweep',
  'new-strategy': 'new strategy',
  import: 'data import',
  export: 'data export',
  inspect: 'data inspect',
  lookahead: 'check lookahead',
  validate: 'config validate',
  'show-config': 'config show',
  'list-data': 'data list',
  'lookahead-analysis': 'check lookahead',
  'recursive-analysis': 'check warm-up',
};

/** The command that a name of another framework means here, or `undefined`. */
function nearestVerb(name: string): string | undefined {
  return Object.hasOwn(verbs, name) ? verbs[name] : undefined;
}

const meaning = 'the version of Godwit and of the Node it runs on';

/** `--version`, `-V` and the command `version`. */
function addVersion(root: Command, output: Output, run: Run): void {
  const versions = { godwit: packageVersion(), node: process.versions.node };
  const text = `godwit ${versions.godwit}, Node ${versions.node}`;
  root.version(text, '-V, --version', meaning);
  root
    .command('version')
    .description(meaning)
    .option('--json', 'one document')
    .addHelpText('after', '\nExample: godwit version')
    .action(({ json }: { readonly json?: true }) => {
      output.data(json === true ? JSON.stringify(versions) : text);
      return run(0);
    });
}

interface OpenApiOptions {
  readonly exchange?: 'v3' | 'v2';
  readonly sockets?: 'v3' | 'v2';
}

/** `godwit openapi`. */
function addOpenApi(root: Command, output: Output, run: Run): void {
  const versions = ['v3', 'v2'];
  root
    .command('openapi')
    .description("the operator's interface, or that of the exchange, as a document for generators of clients")
    .addOption(new Option('--exchange <version>', 'REST of the exchange, as OpenAPI').choices(versions))
    .addOption(new Option('--sockets <version>', 'sockets of the exchange, as AsyncAPI').choices(versions))
    .addHelpText(
      'after',
      '\nExample: godwit openapi > openapi.json' +
        '\n         godwit openapi --exchange v3 > exchange-v3.json',
    )
    .action(async ({ exchange, sockets }: OpenApiOptions) => {
      if (exchange !== undefined && sockets !== undefined)
        throw new UsageError('openapi: expected either --exchange or --sockets, found both');
      const { openApiCommand } = await import('../documents/api.ts');
      const rest = exchange === undefined ? undefined : ({ kind: 'rest', api: exchange } as const);
      const stream = sockets === undefined ? undefined : ({ kind: 'sockets', api: sockets } as const);
      return run(openApiCommand({ described: rest ?? stream ?? { kind: 'operator' }, output }));
    });
}

interface InitOptions extends SpanOptions {
  readonly json?: boolean;
  readonly download?: string | true;
  readonly symbol?: string;
  readonly period?: string;
  readonly address?: string;
}

/** Candles that a project is to begin with. Throws `UsageError` when there are none such. */
function firstDownloadOf(options: InitOptions): FirstDownload | undefined {
  const { download, symbol, address } = options;
  if (download === undefined) {
    const other = (['symbol', 'period', 'address', 'from', 'to'] as const).find((name) => options[name]);
    if (other !== undefined) throw new UsageError(`--${other}: expected --download with it`);
    return undefined;
  }
  const venue = download === true ? 'hitbtc' : download;
  const period = downloadPeriod('init --download', venue, symbol ?? 'BTCUSDT', {
    kind: 'klines',
    period: options.period ?? '1h',
  });
  const { start, end } = spanOf(options);
  return { venue, symbol, period: period ?? '1h', address, start, end };
}

/** `godwit init` and `godwit new`: the beginning of something. */
function addNewCommand(root: Command, output: Output, run: Run): void {
  const init = root
    .command('init')
    .description(
      'writes a project here: configuration, strategy, test and backtest; never writes over a file',
    )
    .argument('[name]', 'the strategy: lower case letters, digits and dashes', 'my-maker')
    .option(
      '--download [venue]',
      'begin with downloaded candles, and a strategy on them; of hitbtc when no venue is named, or of one that data download knows',
    )
    .option('--symbol <symbol>', 'of the download: BTCUSDT or ETHBTC when left out')
    .option('--period <period>', 'of the download: 1h when left out')
    .option('--address <url>', 'of the download: another address than that of the venue')
    .option('--json', 'one document')
    .addHelpText(
      'after',
      '\nExample: godwit init my-maker\n         godwit init my-trend --download binance',
    );
  withSpanOptions(init, 'download the thirty days before today, or what happened').action(
    async (name: string, options: InitOptions) => {
      const { nameFault, initCommand } = await import('../new-strategy.ts');
      const fault = nameFault(name)?.replace('new strategy', 'init');
      if (fault !== undefined) throw new UsageError(fault);
      const directory = process.cwd();
      const download = firstDownloadOf(options);
      return run(initCommand({ name, directory, output, json: options.json === true, download }));
    },
  );
  const group = root.command('new').description('creates a strategy from a template');
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

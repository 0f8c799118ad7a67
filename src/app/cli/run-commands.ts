import type { Command } from 'commander';
import { Option } from 'commander';
import { handed } from '../process/handed.ts';
import type { Output } from '../process/output.ts';
import { startAnew } from '../process/exit.ts';
import type { Config } from '../config/schema.ts';
import type { TradeMode, TradeSetting, ExplainsOrders } from '../live/index.ts';
import type { CommonOptions, StrategyOptions } from './command-options.ts';
import type { SpanOptions } from './span-options.ts';
import type { ReplayOptions } from './replay-options.ts';
import { recordedMarketOf, withReplayOptions } from './replay-options.ts';
import { spanOf, withSpanOptions } from './span-options.ts';
import {
  configOf,
  fullText,
  readsRecordings,
  shipped,
  withCommonOptions,
  withStrategy,
  withStrategyOptions,
} from './command-options.ts';
import { runTimeMs, wholeNumber } from './command-options.ts';
import type { Run } from './command-options.ts';
import { exportOption, namedScenario } from './command-options.ts';
import { UsageError } from './errors.ts';

const seedText = 'seed of every random number of the run';
const wholeSeed = wholeNumber(0, 4_294_967_295);

interface RunOptions extends CommonOptions, StrategyOptions {
  readonly for?: number;
  readonly seed?: number;
  readonly record?: boolean;
  readonly export?: string;
}

/** Each mode is loaded when it is named: a command starts with what it needs. `said`: the command as it was typed. */
export function addRunCommands(root: Command, output: Output, run: Run, said: () => string): void {
  addDemo(root, output, run, said);
  addTrade(root, output, run, said);
  addBacktest(root, output, run, said);
  addRecord(root, output, run);
  addExchange(root, output, run);
}

function addDemo(root: Command, output: Output, run: Run, said: () => string): void {
  withStrategyOptions(withCommonOptions(root.command('demo')))
    .description(
      'runs the embedded exchange, a simulated market and a strategy in one process; needs no keys and no network',
    )
    .option('--for <duration>', 'stop after this time, such as 60s', runTimeMs)
    .option('--seed <n>', seedText, wholeSeed)
    .option('--record', 'also record every frame')
    .option('--open', 'open the page in a browser')
    .addOption(exportOption())
    .addHelpText('after', '\nExample: godwit demo --for 60s')
    .action(async (options: RunOptions & { readonly open?: boolean }) => {
      const base = {
        run: { directory: 'runs/demo', ...seedOf(options) },
        log: { level: 'warn' },
        strategies: [{ name: 'maker', path: shipped('market-maker') }],
      };
      const read = (): Config => withStrategy(configOf(options, base), options);
      const config = read();
      const { runDemo } = await import('../live/demo.ts');
      return run(
        runDemo({
          config,
          read,
          output,
          json: options.json === true,
          forMs: options.for,
          record: options.record === true,
          open: options.open === true,
          exportTo: options.export,
          command: said(),
          explains: await explains(),
        }),
      );
    });
}

/** What answers how an order of the run came about. */
async function explains(): Promise<ExplainsOrders> {
  const { OrderExplainer } = await import('../inspect/order-explainer.ts');
  return (places, clock) => new OrderExplainer(places, clock);
}

export interface TradeOptions extends RunOptions {
  readonly mode: TradeMode;
  readonly live?: boolean;
  readonly clearHalt?: boolean;
}

/** Adds the options of every command that trades. */
export function withTradeOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--mode <mode>',
        'sim: an exchange on this machine; paper: live data, simulated fills; live: real orders',
      )
        .choices(['sim', 'paper', 'live'])
        .default('paper'),
    )
    .option('--live', 'required confirmation for mode live')
    .option('--clear-halt', 'clear the halt of an earlier run; use it once you know the cause')
    .option('--for <duration>', 'stop after this time, such as 60s', runTimeMs)
    .option('--record', 'also record every frame')
    .addOption(exportOption());
}

/** Setting of a run that trades, by its options; `read` reads its configuration, now and whenever it is to be read again. */
export async function tradeSettingOf(
  options: TradeOptions,
  {
    read,
    output,
    said,
  }: { readonly read: () => Config; readonly output: Output; readonly said: () => string },
): Promise<TradeSetting> {
  return {
    mode: options.mode,
    live: options.live === true,
    clearHalt: options.clearHalt === true,
    config: read(),
    read,
    environment: handed.environment,
    output,
    json: options.json === true,
    forMs: options.for,
    record: options.record === true,
    exportTo: options.export,
    command: said(),
    explains: await explains(),
  };
}

function addTrade(root: Command, output: Output, run: Run, said: () => string): void {
  withTradeOptions(withStrategyOptions(withCommonOptions(root.command('trade'))))
    .description('runs the trading daemon on a venue that offers the API')
    .addHelpText('after', '\nExample: godwit trade --mode paper --config config/paper.yaml')
    .action(async (options: TradeOptions) => {
      if (!handed.isHanded) startAnew();
      const read = (): Config => withStrategy(configOf(options), options);
      const setting = await tradeSettingOf(options, { read, output, said });
      const { runTrade } = await import('../live/trade.ts');
      return run(runTrade(setting));
    });
}

interface BacktestOptions extends RunOptions, SpanOptions {
  readonly scenario?: string;
  readonly html?: string;
  readonly full?: boolean;
  readonly trades?: string;
  readonly save: boolean;
  readonly band?: boolean;
  readonly name?: string;
  readonly keep?: number;
  readonly bars?: boolean;
}

function addBacktest(root: Command, output: Output, run: Run, said: () => string): void {
  const command = readsRecordings(withStrategyOptions(withCommonOptions(root.command('backtest'))));
  withSpanOptions(command, 'run the data')
    .description(
      'runs strategies on recorded data, through the same code as live trading, on a virtual clock',
    )
    .argument('[recording...]', 'recorded data of any known format; several files are one recording')
    .option('--scenario <file>', 'a scenario: data, clock, latency, fills, strategy and samples in one file')
    .option(
      '--bars',
      'the data are bars or trades alone: orders fill from them, as fills: { model: bars } of a scenario says',
    )
    .option('--seed <n>', seedText, wholeSeed)
    .option('--html <file>', 'also write the report as a page to this file')
    .option('--trades <file>', 'also write every closed trade as CSV to this file')
    .addOption(exportOption())
    .option('--full', fullText)
    .option('--no-save', 'keep no report below runs/backtests and count no trial')
    .option(
      '--band',
      'run 6 to 12 times more with other fill models and latencies, and report the range; the default on small data',
    )
    .option('--no-band', 'do not run with other fill models and latencies')
    .option('--name <name>', 'keep the report as runs/backtests/NAME, which is never removed', runName)
    .option(
      '--keep <n>',
      'how many reports without a name are kept, newest first (200)',
      wholeNumber(1, 100_000),
    )
    .addHelpText(
      'after',
      '\nExample: godwit backtest backtest/feeds/sample --strategy market-maker' +
        '\n         godwit backtest --scenario backtest/scenarios/sample.yaml --json',
    )
    .action(async (recordings: readonly string[], options: BacktestOptions) => {
      const { html, trades, export: directory, save, band, name, keep } = options;
      const report = { html, trades, export: directory, save, band, name, keep, command: said() };
      const named = namedScenario('backtest', recordings, options, spanOf(options));
      if (options.bars === true && options.scenario !== undefined)
        throw new UsageError(
          'backtest --scenario: expected fills: { model: bars } in the file, found --bars',
        );
      const scenario = { ...named, bars: options.bars === true };
      const { backtestCommand } = await import('../backtest/command.ts');
      return run(
        backtestCommand({
          scenario,
          output,
          json: options.json === true,
          report,
          full: options.full === true,
        }),
      );
    });
}

function runName(text: string): string {
  if (/^[A-Za-z0-9][\w.-]{0,63}$/.test(text) && !/^[0-9a-f]{16}$/.test(text)) return text;
  throw new UsageError(`--name ${text}: expected letters, digits, "-", "_" and ".", at most 64, and no hash`);
}

function addRecord(root: Command, output: Output, run: Run): void {
  withCommonOptions(root.command('record'))
    .description('writes the raw frames of the public streams to a rotating, compressed log')
    .option('--for <duration>', 'stop after this time, such as 10m', runTimeMs)
    .addHelpText(
      'after',
      '\nExample: godwit record --set venue.preset=hitbtc --set record.symbols=[ETHBTC,BTCUSDT] --for 10m',
    )
    .action(async (options: RunOptions) => {
      const { runRecord } = await import('../live/record.ts');
      return run(
        runRecord({ config: configOf(options), output, json: options.json === true, forMs: options.for }),
      );
    });
}

interface ExchangeOptions extends CommonOptions, ReplayOptions {
  readonly chaos?: readonly string[];
  readonly host: string;
  readonly port: number;
  readonly seed?: number;
}

function addExchange(root: Command, output: Output, run: Run): void {
  withReplayOptions(withCommonOptions(readsRecordings(root.command('exchange'))))
    .description('runs the embedded exchange alone: REST and sockets, for any client of the API')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <n>', 'port, 0 for a free one', wholeNumber(0, 65_535), 0)
    .option('--seed <n>', seedText, wholeSeed)
    .addOption(chaosOption())
    .addHelpText('after', '\nExample: godwit exchange --port 0 --seed 7 --json')
    .action(async (options: ExchangeOptions) => {
      const { askedTroubles, listTroubles } = await import('./chaos-option.ts');
      const { chaos = [], json } = options;
      if (chaos.includes('list')) return run(listTroubles(output, json === true));
      const recorded = recordedMarketOf(options);
      const config = configOf(options, { run: seedOf(options), log: { level: 'warn' } });
      const { serveExchange } = await import('../serve-exchange.ts');
      return run(
        serveExchange({
          config,
          host: options.host,
          port: options.port,
          json: json === true,
          chaos: askedTroubles(chaos, { seed: config.run.seed }),
          output,
          recorded,
        }),
      );
    });
}

/** Option that has troubles come and go; it may be given several times. */
export function chaosOption(): Option {
  const append = (name: string, earlier: readonly string[] = []): readonly string[] => [...earlier, name];
  const says = 'has a trouble come and go at seeded moments; may be given again, and "list" prints all';
  return new Option('--chaos <name[,seed]>', says).argParser(append);
}

function seedOf({ seed }: { readonly seed?: number }): { seed?: number } {
  return seed === undefined ? {} : { seed };
}

import type { Command } from 'commander';
import { Option } from 'commander';
import { withoutExponent } from '../../core/base/exponent.ts';
import type { Output } from '../process/output.ts';
import type { DataOptions } from '../data/open-options.ts';
import type { Run } from './command-options.ts';
import { readsRecordings, withVenueOptions } from './command-options.ts';
import { addDownload } from './download-command.ts';
import { UsageError } from './errors.ts';

interface ReadOptions {
  readonly json?: boolean;
  readonly format?: string;
  readonly symbol?: string;
  readonly quote?: string;
  readonly tick?: string;
  readonly increment?: string;
  readonly columns?: string;
  readonly period?: string;
  readonly stamp?: 'open' | 'close';
  readonly round?: 'tick';
  readonly skip?: 'empty';
}

interface ImportOptions extends ReadOptions {
  readonly bars?: string;
  readonly out?: string;
  readonly force?: boolean;
  readonly tickers: boolean;
}

interface ExportOptions {
  readonly json?: boolean;
  readonly to: 'ndjson' | 'csv' | 'parquet';
  readonly table: 'books' | 'trades' | 'bars';
  readonly out: string;
  readonly quote?: string;
  readonly bars?: string;
}

/** `godwit data`: looks into recordings, turns other people's data into packs, and packs into tables. */
export function addDataCommands(root: Command, output: Output, run: Run): void {
  const group = root.command('data').description('looks into recorded data, imports and exports it');
  readsRecordings(group, true);
  addLooks(group, output, run);
  addImport(group, output, run);
  addExport(group, output, run);
  addDownload(group, output, run);
  addChecks(group, output, run);
}

function addLooks(group: Command, output: Output, run: Run): void {
  withReadOptions(group.command('books'))
    .description('shows the order books at the end of the data, with their hashes')
    .argument('<file...>', 'several files are one recording')
    .addHelpText('after', '\nExample: godwit data books backtest/feeds/sample --json')
    .action(async (files: readonly string[], options: ReadOptions) => {
      const { printBooks } = await import('../data/read-recordings.ts');
      return run(printBooks(files, options.json === true, output, checked(options)));
    });
  withReadOptions(group.command('inspect'))
    .description('shows format, grade, period, symbols, counts and anomalies of recorded data')
    .argument('<file...>', 'several files are one recording')
    .addHelpText('after', '\nExample: godwit data inspect backtest/feeds/sample')
    .action(async (files: readonly string[], options: ReadOptions) => {
      const { inspectRecording } = await import('../data/read-recordings.ts');
      return run(inspectRecording(files, options.json === true, output, checked(options)));
    });
}

function addImport(group: Command, output: Output, run: Run): void {
  withReadOptions(group.command('import'))
    .description('converts recorded data of any known format to an event pack, and grades it')
    .argument('<file...>', 'several files are one recording')
    .option('--out <pack>', 'the pack to write; named for the first file when not given')
    .option('--force', 'replace a pack of that name')
    .option('--no-tickers', 'leave out book tickers of venues that send books too')
    .option('--bars <bars>', barsHelp)
    .addHelpText('after', '\nExample: godwit data import backtest/feeds/sample --out sample.pack --force')
    .action(async (files: readonly string[], options: ImportOptions) => {
      const { importData } = await import('../data/import-command.ts');
      const { out, force, json, tickers, bars } = options;
      await checkBars(bars);
      const request = { files, options: { ...checked(options), tickers, bars }, out };
      return run(importData({ ...request, force: force === true, json: json === true, output }));
    });
}

function addExport(group: Command, output: Output, run: Run): void {
  withVenueOptions(group.command('export'))
    .description('writes recorded data as a table: a row per level, trade and side of a ticker')
    .argument('<file...>', 'several files are one recording')
    .requiredOption('--out <file>', 'the file to write')
    .addOption(
      new Option('--to <format>', 'the form').choices(['ndjson', 'csv', 'parquet']).default('ndjson'),
    )
    .addOption(
      new Option('--table <kind>', 'what a Parquet file holds')
        .choices(['books', 'trades', 'bars'])
        .default('books'),
    )
    .option('--quote <currency>', quoteHelp)
    .option('--bars <bars>', barsHelp)
    .option('--json', 'one document')
    .addHelpText('after', '\nExample: godwit data export backtest/feeds/sample --to csv --out sample.csv')
    .action(async (files: readonly string[], options: ExportOptions) => {
      const { exportData } = await import('../data/export-recording.ts');
      const { to, table, out, json, quote, bars } = options;
      checkQuote(quote);
      await checkBars(bars);
      if (bars !== undefined && (to !== 'parquet' || table !== 'bars'))
        throw new UsageError('--bars: expected --to parquet --table bars with it');
      return run(exportData({ files, quote, bars, format: to, table, out, json: json === true, output }));
    });
}

function addChecks(group: Command, output: Output, run: Run): void {
  withVenueOptions(group.command('list'))
    .description('lists the formats that can be read; with a folder, the format of each of its files')
    .argument('[folder]', 'where the data are')
    .option('--json', 'one document')
    .addHelpText('after', '\nExample: godwit data list backtest/feeds/sample')
    .action(async (folder: string | undefined, options: { json?: boolean }) => {
      const { listData } = await import('../data/list-recordings.ts');
      return run(listData(folder, options.json === true, output));
    });
  withVenueOptions(group.command('verify'))
    .description('reads data to the end: checksums, sequence, SHA-256; exit code 7 when something is broken')
    .argument('<file...>', 'each on its own')
    .option('--json', 'one line per file')
    .addHelpText('after', '\nExample: godwit data verify backtest/feeds/sample')
    .action(async (files: readonly string[], options: { json?: boolean }) => {
      const { verifyData } = await import('../data/read-recordings.ts');
      return run(verifyData(files, options.json === true, output));
    });
}

function withReadOptions(command: Command): Command {
  return withVenueOptions(command)
    .option('--format <name>', 'the format, when the content does not show it; godwit data list names them')
    .option('--symbol <symbol>', 'only this symbol; or the symbol of data that name none')
    .option('--quote <currency>', quoteHelp)
    .option('--tick <size>', 'the tick size, instead of the one inferred')
    .option('--increment <size>', 'the quantity increment, instead of the one inferred')
    .option('--columns <map>', 'which column of a table is what, such as time=0,open=Open')
    .option('--period <period>', 'the period of bars, such as 1m, when the rows do not show it')
    .addOption(new Option('--stamp <end>', 'which end of a bar its time names').choices(['open', 'close']))
    .addOption(
      new Option('--round <grid>', 'rounds prices of bars and trades to the tick of --tick').choices([
        'tick',
      ]),
    )
    .addOption(
      new Option('--skip <rows>', 'leaves out rows of tables that have no numbers').choices(['empty']),
    )
    .option('--json', 'one document');
}

const barsHelp =
  'makes bars of the trades of the data, or of shorter bars, such as 45m, tick:100, volume:2.5, value:100000 or range:20';

const quoteHelp = 'the quote currency of symbols that tell none';

function checkQuote(quote: string | undefined): void {
  if (quote !== undefined && !/^[\p{L}\p{N}]{1,20}$/u.test(quote))
    throw new UsageError(`--quote ${quote}: expected a currency such as USDT`);
}

async function checkBars(bars: string | undefined): Promise<void> {
  if (bars === undefined) return;
  const { barFault } = await import('../data/open-options.ts');
  const fault = barFault(bars);
  if (fault !== undefined) throw new UsageError(`--bars ${bars}: ${fault}`);
}

function checked(options: ReadOptions): DataOptions {
  const { format, symbol, quote, columns, period, stamp, round, skip } = options;
  const [tick, increment] = [options.tick, options.increment].map((step) =>
    step === undefined ? undefined : withoutExponent(step),
  );
  checkQuote(quote);
  for (const [name, text] of Object.entries({ format, symbol, columns, period })) {
    if (text?.trim() === '') throw new UsageError(`--${name}: expected a value, found nothing`);
  }
  for (const [name, step] of Object.entries({ tick, increment })) {
    if (step !== undefined && !/^\d{1,12}(\.\d{1,18})?$/.test(step)) {
      throw new UsageError(`--${name} ${step}: expected a plain decimal such as 0.01`);
    }
  }
  return { format, symbol, quote, tick, increment, columns, period, stamp, round, skip };
}

import type { Command } from 'commander';
import type { DownloadKind } from '../download/catalog.ts';
import {
  downloadKinds,
  downloadSources,
  kindFault,
  periodFault,
  periodName,
  sourceFault,
} from '../download/catalog.ts';
import type { Output } from '../process/output.ts';
import type { Run } from './command-options.ts';
import { wholeNumber } from './command-options.ts';
import { UsageError } from './errors.ts';
import type { SpanOptions } from './span-options.ts';
import { spanOf, withSpanOptions } from './span-options.ts';

interface DownloadOptions extends SpanOptions {
  readonly kind: DownloadKind;
  readonly period?: string;
  readonly out?: string;
  readonly address?: string;
  readonly rate?: number;
  readonly json?: boolean;
}

/** `godwit data download`. */
export function addDownload(group: Command, output: Output, run: Run): void {
  const command = group
    .command('download')
    .description('downloads history from a venue or a public archive, into files that backtest reads')
    .argument('<venue>', `where from: ${downloadSources.map(({ name }) => name).join(', ')}`)
    .argument('<symbol>', 'as the venue writes it, such as BTCUSDT')
    .requiredOption('--kind <kind>', `what: ${downloadKinds.join(', ')}`)
    .option('--period <period>', 'of candles: 1m (the default), 1h, 1d and so on')
    .option('--out <folder>', 'the folder to write; data/VENUE/SYMBOL/KIND when left out')
    .option(
      '--address <url>',
      'another address than that of the venue, such as a mirror or an exchange of your own',
    )
    .option(
      '--rate <n>',
      'requests a second at most, instead of what the venue allows',
      wholeNumber(1, 1_000),
    )
    .option('--json', 'one document')
    .addHelpText(
      'after',
      '\nExample: godwit data download binance BTCUSDT --kind klines --period 1h --from 2024-01-01 --to 2024-01-31' +
        '\n         godwit data download hitbtc ETHBTC --kind trades --from 2024-01-01',
    )
    .action(async (venue: string, symbol: string, options: DownloadOptions) => {
      const { kind, out, address, rate, json } = options;
      checkAddress(venue, address);
      const period = downloadPeriod('data download', venue, symbol, options);
      const { start, end } = spanOf(options);
      if (start === undefined)
        throw new UsageError(
          'data download: expected where to begin, such as --from 2024-01-01, found nothing',
        );
      const { downloadData } = await import('../download/command.ts');
      const request = {
        venue,
        symbol: symbolAt(venue, symbol),
        kind,
        period,
        start,
        end,
        out,
        address,
        rate,
      };
      return run(downloadData({ ...request, json: json === true, isTried: true, output }));
    });
  withSpanOptions(command, 'what happened');
}

/** The symbol as the place writes it: an archive has no small letters. */
export function symbolAt(venue: string, symbol: string): string {
  const isArchive = downloadSources.some(({ name, type }) => name === venue && type === 'archive');
  return isArchive ? symbol.toUpperCase() : symbol;
}

/** Throws `UsageError` where an address is none, or is missing. */
function checkAddress(venue: string, address: string | undefined): void {
  if (address !== undefined && !/^https?:\/\/[^/\s]/.test(address))
    throw new UsageError(`--address ${address}: expected an address such as http://127.0.0.1:8080`);
  const isKnown = downloadSources.some(({ name, address: own }) => name === venue && own !== undefined);
  if (address === undefined && !isKnown && sourceFault(venue) === undefined)
    throw new UsageError(`data download: expected --address with ${venue}, such as http://127.0.0.1:8080`);
}

/** The period of candles by its name here; `undefined` for other data. Throws `UsageError` when something is not to be had there. */
export function downloadPeriod(
  command: string,
  venue: string,
  symbol: string,
  { kind, period }: Pick<DownloadOptions, 'kind' | 'period'>,
): string | undefined {
  const source = downloadSources.find(({ name }) => name === venue);
  const fault = source === undefined ? sourceFault(venue) : kindFault(source, kind);
  if (fault !== undefined) throw new UsageError(`${command}: ${fault}`);
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(symbol))
    throw new UsageError(
      `${command}: expected a symbol such as BTCUSDT, found ${JSON.stringify(symbol.slice(0, 80))}`,
    );
  const hasPeriod = source?.kinds.some((one) => one.kind === kind && one.hasPeriod) === true;
  if (!hasPeriod && period !== undefined)
    throw new UsageError(`--period ${period}: expected none with --kind ${kind}, which has no candles`);
  if (!hasPeriod || source === undefined) return undefined;
  const name = periodName(period ?? '1m');
  const wrong = periodFault(source, name);
  if (wrong !== undefined) throw new UsageError(`--period: ${wrong}`);
  return name;
}

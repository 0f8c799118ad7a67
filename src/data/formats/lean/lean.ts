import { basename, resolve } from 'node:path';
import type { Micros } from '../../../core/base/clock.ts';
import { BadInput } from '../../../core/base/errors.ts';
import { decimalsOf } from '../../../core/base/scan.ts';
import { mergeEvents } from '../../recording/index.ts';
import type { Recording } from '../../recording/index.ts';
import type { InstrumentSpec } from '../../../core/model/instrument.ts';
import { fixed, surveyBars, parsePeriod, openBars, symbolOfText, readTableTime } from '../tables/index.ts';
import { csvSource } from '../bars-rows.ts';
import type { SymbolGuess } from '../tables/index.ts';
import type { FileHead, Format, OpenOptions } from '../format.ts';
import { openQuotes } from './quotes.ts';
import type { LeanKind, LeanTable } from './quotes.ts';
import { readHead } from '../opened-file.ts';

const resolutions: Readonly<Record<string, string>> = { second: '1s', minute: '1m', hour: '1h', daily: '1d' };
const intradayName = /(\d{8})_([a-z0-9.]+)_(second|minute)_(trade|quote)/i;
const longRow = /^\d{8} \d{2}:\d{2},(?:[\d.]*,){4,9}[\d.]*$/;
const rateRow = /^\d{8} \d{2}:\d{2}:\d{2},-?\d*\.?\d+$/;

/**
 * QuantConnect LEAN: zips of trade and quote bars. Intraday rows count the milliseconds of the day their file is named
 * for; prices of equities and options are in ten-thousandths, those of other markets as they are. Quote bars become
 * tickers at their end (closing bid and ask with their sizes), funding rates tickers whose `last` is the rate.
 * Source: LEAN, "Data" folder, readme files of each market.
 */
export const lean: Format = {
  name: 'lean',
  bars: true,
  looksLike:
    "a zip of QuantConnect LEAN's data folder (20180404_trade.zip, btcusd_quote.zip), or its funding rates",
  carries: 'bars, quotes at the end of bars, funding rates',
  detects: (head, path) => kindOf(head, path) !== undefined,
  open: openLean,
};

async function openLean(paths: readonly string[], options: OpenOptions): Promise<Recording> {
  const tables: LeanTable[] = [];
  for (const path of paths) tables.push(await tableOf(path, options));
  const trades = tables.filter(({ kind }) => kind === 'trade');
  const others = tables.filter(({ kind }) => kind !== 'trade');
  if (others.length === 0) return await openBars('lean', trades, options);
  if (trades.length === 0) return await openQuotes('lean', others, options);
  const bars = await surveyBars(trades, options);
  const quotes = await openQuotes('lean', others, options);
  const specs = joined([...bars.instruments.all, ...quotes.instruments.all].map(({ spec }) => spec));
  const all: OpenOptions = { ...options, instruments: options.instruments ?? specs };
  const parts = [await openBars('lean', trades, all), await openQuotes('lean', others, all)];
  return {
    ...(parts[0] as Recording),
    paths,
    notes: [...new Set(parts.flatMap(({ notes }) => notes))],
    get findings() {
      return parts.flatMap(({ findings }) => findings);
    },
    events: () =>
      mergeEvents(
        parts.map((part) => part.events()),
        'receiveTime',
      ),
  };
}

/** One spec a symbol, with the finer of its steps. */
function joined(specs: readonly InstrumentSpec[]): readonly InstrumentSpec[] {
  const bySymbol = new Map<string, InstrumentSpec>();
  for (const spec of specs) {
    const other = bySymbol.get(spec.symbol) ?? spec;
    bySymbol.set(spec.symbol, {
      ...spec,
      tickSize: finer(spec.tickSize, other.tickSize),
      quantityIncrement: finer(spec.quantityIncrement, other.quantityIncrement),
    });
  }
  return [...bySymbol.values()];
}

function finer(a: string, b: string): string {
  return decimalsOf(a) >= decimalsOf(b) ? a : b;
}

function kindOf(head: FileHead, path: string): LeanKind | undefined {
  if (rateRow.test(head.line)) return 'rate';
  const named = intradayName.exec(head.name);
  const cells = head.line.split(',').length;
  if (named !== null || /^\d{8}_(trade|quote)\.zip$/i.test(basename(path))) {
    if (!/^\d{1,8},/.test(head.line)) return undefined;
    return cells === 6 ? 'trade' : cells === 11 ? 'quote' : undefined;
  }
  if (!longRow.test(head.line)) return undefined;
  return cells === 6 ? 'trade' : cells === 11 ? 'quote' : undefined;
}

async function tableOf(path: string, options: OpenOptions): Promise<LeanTable> {
  const head = await readHead(path);
  const kind = kindOf(head, path);
  if (kind === undefined) {
    throw new BadInput(
      `${path}: expected bars of LEAN (6 columns of trades or 11 of quotes, in a file named as in its data folder), found ${JSON.stringify(head.line.slice(0, 60))} in ${head.name}`,
    );
  }
  const named = intradayName.exec(head.name);
  const day = named?.[1] ?? /^(\d{8})_/.exec(basename(path))?.[1];
  const start = day === undefined ? Number.NaN : readTableTime(day, 'calendar');
  const resolution = named?.[3]?.toLowerCase() ?? resolutionOf(path);
  refuseUnknownScale(path, head, kind);
  const first = kind === 'trade' ? ['time', 'open', 'high', 'low', 'close', 'volume'] : ['time'];
  return {
    kind,
    source: csvSource(path, ','),
    columns: { index: fixed(first), skip: 0 },
    symbol: symbolOf(named?.[2] ?? head.name, options, kind),
    period: parsePeriod(kind === 'rate' ? '8h' : (resolutions[resolution] ?? '1d')),
    ...(Number.isNaN(start) ? { timeForm: 'calendar' } : { day: start as Micros }),
    ...(scaledFolder.test(resolve(path)) ? { scale: 4 } : {}),
  };
}

/** Folders that tell the scale: prices of shares and options are in ten-thousandths. */
const scaledFolder = /[/\\](equity|option)[/\\]/i;
const plainFolder =
  /[/\\](alternative|cfd|crypto|cryptofuture|forex|future|futureoption|index|indexoption)[/\\]/i;

/** Throws `BadInput` for whole prices of five digits and more outside the data folder: nothing tells which of the two they are. */
function refuseUnknownScale(path: string, head: FileHead, kind: LeanKind): void {
  const full = resolve(path);
  if (kind === 'rate' || scaledFolder.test(full) || plainFolder.test(full)) return;
  const cells = head.line.split(',');
  const prices = (
    kind === 'trade' ? cells.slice(1, 5) : [...cells.slice(1, 5), ...cells.slice(6, 10)]
  ).filter((cell) => cell !== '');
  if (prices.length === 0 || !prices.every((cell) => /^\d{5,}$/.test(cell))) return;
  throw new BadInput(
    `${path}: expected a file in the folders of LEAN, such as equity/usa/minute/spy/ or crypto/gdax/minute/btcusd/, which tell whether prices are in ten-thousandths, found whole prices such as ${prices[0]} in another; keep its folders`,
  );
}

function resolutionOf(path: string): string {
  return /[/\\](second|minute|hour|daily)[/\\]/i.exec(path)?.[1]?.toLowerCase() ?? 'daily';
}

function symbolOf(name: string, options: OpenOptions, kind: LeanKind): SymbolGuess {
  const stem = name.replace(/\.[a-z]+$/i, '').replace(/^margin_interest_/i, '');
  const guess = symbolOfText(options.symbol ?? stem.toUpperCase());
  // A rate is no price: it gets a symbol of its own.
  return kind === 'rate' && options.symbol === undefined
    ? { ...guess, symbol: `${guess.symbol}.FUNDING` }
    : guess;
}

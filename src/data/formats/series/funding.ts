import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { parseAmount } from '../../../core/base/amount.ts';
import type { Micros } from '../../../core/base/clock.ts';
import { BadInput } from '../../../core/base/errors.ts';
import { isMembers } from '../../../core/base/members.ts';
import type { FundingRate } from '../../../core/model/account-event.ts';
import { headerWord, plainDecimal, readTableTime, timeFormOf } from '../tables/index.ts';

/** A settlement of funding, and the symbol it is of. */
interface NamedRate extends FundingRate {
  /** Empty where the file names none. */
  readonly symbol: string;
}

/** A file of rates is small: a year of one contract has about a thousand. */
const bytesMax = 64 * 1024 * 1024;

const timeWords = [
  'calctime',
  'fundingtime',
  'fundingratetimestamp',
  'timestamp',
  'time',
  'datetime',
  'date',
  'ts',
];
const rateWords = ['lastfundingrate', 'fundingrate', 'realizedrate', 'rate', 'funding'];
const symbolWords = ['symbol', 'instrumentname', 'instid', 'contract', 'market'];
const example = 'expected an ascending time and a rate such as 2024-07-18T16:00:00Z,0.0001';
/** A rate is a fraction: one of 1 and more is a price, or in percent. */
const isFraction = /^-?0(\.\d{1,18})?$/;

/**
 * Funding rates of a file, in the order of time: a time and a rate a line with a heading or without (also LEAN's), the public
 * archive of Binance, tables that name both columns, and replies of REST as JSON; plain, gzip, zstd or a zip of one file.
 * Throws `BadInput` with file and line.
 */
export function fundingRatesOf(bytes: Uint8Array, path: string): readonly NamedRate[] {
  const text = Buffer.from(unpackedOf(bytes, path))
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  const rates = /^\s*[[{]/.test(text) ? ratesOfJson(text, path) : ratesOfLines(text, path);
  if (rates.length === 0) throw new BadInput(`${path}: expected funding rates, found none`);
  return rates;
}

function unpackedOf(bytes: Uint8Array, path: string): Uint8Array {
  const mark = Buffer.from(bytes.subarray(0, 4)).toString('hex');
  try {
    if (mark.startsWith('1f8b')) return gunzipSync(bytes, { maxOutputLength: bytesMax });
    if (mark === '28b52ffd') return zstdDecompressSync(bytes, { maxOutputLength: bytesMax });
    if (mark !== '504b0304') return bytes;
    const files = Object.entries(
      unzipSync(bytes, { filter: ({ originalSize }) => originalSize <= bytesMax }),
    );
    const [file] = files;
    if (file === undefined || files.length > 1)
      throw new BadInput(
        `${path}: expected a zip with one file of funding rates in it, found ${files.length}`,
      );
    return file[1];
  } catch (error) {
    if (error instanceof BadInput) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new BadInput(`${path}: expected a whole file, found: ${why}; fetch it again`, { cause: error });
  }
}

/** Places of the columns. */
interface Columns {
  readonly time: number;
  readonly rate: number;
  readonly symbol: number;
  /** Number of cells of a row. */
  readonly width: number;
}

const bare: Columns = { time: 0, rate: 1, symbol: -1, width: 2 };

function ratesOfLines(text: string, path: string): readonly NamedRate[] {
  const rates: NamedRate[] = [];
  const last = new Map<string, number>();
  let columns = bare;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const cells = line.split(',').map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
    if (index === 0 && /^[A-Za-z"]/.test(line)) {
      columns = columnsOf(cells);
      continue;
    }
    const rate = cells.length === columns.width ? rateOf(cells, columns) : undefined;
    if (rate === undefined || rate.time <= (last.get(rate.symbol) ?? 0))
      throw new BadInput(`${path}:${index + 1}: ${example}, found ${JSON.stringify(line.slice(0, 80))}`);
    last.set(rate.symbol, rate.time);
    rates.push(rate);
  }
  return rates;
}

/** A heading of two columns names a time and a rate, whatever it calls them. */
function columnsOf(header: readonly string[]): Columns {
  const words = header.map(headerWord);
  const at = (names: readonly string[]): number =>
    words.indexOf(names.find((one) => words.includes(one)) ?? ' ');
  const [time, rate] = [at(timeWords), at(rateWords)];
  if (time < 0 || rate < 0) return bare;
  return { time, rate, symbol: at(symbolWords), width: header.length };
}

function rateOf(cells: readonly string[], { time, rate, symbol }: Columns): NamedRate | undefined {
  return rateOfTexts(cells[time] ?? '', cells[rate] ?? '', cells[symbol] ?? '');
}

function rateOfTexts(point: string, rate: string, symbol: string): NamedRate | undefined {
  const form = timeFormOf(point);
  const decimal = plainDecimal(rate);
  if (form === undefined || decimal === undefined || !isFraction.test(decimal)) return undefined;
  return { time: readTableTime(point, form) as Micros, rate: parseAmount(decimal), symbol };
}

function ratesOfJson(text: string, path: string): readonly NamedRate[] {
  let reply: unknown;
  try {
    reply = JSON.parse(text);
  } catch (error) {
    throw new BadInput(`${path}: expected whole JSON, found its end or a mark that is none`, {
      cause: error,
    });
  }
  const rows = rowsIn(reply) ?? [];
  const rates = rows.map((row, index) => {
    const words = new Map(Object.entries(row).map(([name, value]) => [headerWord(name), value] as const));
    const text = (names: readonly string[]): string => {
      const value = words.get(names.find((one) => words.has(one)) ?? '');
      return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    };
    const rate = rateOfTexts(text(timeWords), text(rateWords), text(symbolWords));
    if (rate !== undefined) return rate;
    throw new BadInput(
      `${path}: row ${index + 1}: expected a time and a rate, such as fundingTime and fundingRate, found ${JSON.stringify(row).slice(0, 80)}`,
    );
  });
  return rates.toSorted((a, b) => a.time - b.time);
}

/** The first list of objects in a reply. */
function rowsIn(value: unknown, depth = 0): readonly Readonly<Record<string, unknown>>[] | undefined {
  if (Array.isArray(value)) return value.every(isMembers) ? value : undefined;
  if (!isMembers(value) || depth > 3) return undefined;
  for (const one of Object.values(value)) {
    const rows = rowsIn(one, depth + 1);
    if (rows !== undefined) return rows;
  }
  return undefined;
}
